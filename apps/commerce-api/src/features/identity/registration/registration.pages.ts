import { InvalidInput } from '@platform/errors';
import { Anything, Text } from '@platform/validation';
import { guestAction, guestForm } from '../../../web/guest.page';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { emailCookie, goesOn, knownEmail, type SignInService } from '../pages/public';
import type { RecoveryService } from './recovery.service';
import { AddressBody, RegisterBody, ResetBody, VerifyBody } from './registration.dto';
import type { RegistrationService } from './registration.service';
import { registrationTexts } from './registration.texts';
import { ForgotForm, RegisterForm, ResetForm, VerifyForm } from './registration.view';

/** What was typed beside the address does not matter when another code is wanted. */
class AnotherCode extends AddressBody {
  @Anything({ optional: true }) code?: unknown;
  @Anything({ optional: true }) password?: unknown;
}

class ProvedBody extends VerifyBody {
  @Text({ max: 128 }) password!: string;
}

type SignIn = Pick<SignInService, 'demandPassword' | 'signIn'>;

const labels = (t: Reader) => {
  const say = registrationTexts(t);
  return {
    ...{ store_name: say.store, name: say.name, phone: say.phone, email: say.email },
    ...{ password: say.password, code: say.verify.code },
  };
};

/** Whether this was refused, at this input, by this rule. */
const isWrong = (failure: unknown, field: string, tag?: string): boolean =>
  failure instanceof InvalidInput &&
  failure.violations.some((each) => each.field === field && (tag === undefined || each.tag === tag));

/** Nobody learns here whether an address has an account: with one it goes on as without. */
const register = (registration: RegistrationService, recovery: RecoveryService): Pages =>
  guestForm({
    ...{ path: '/register', guard: 'guest', isOnce: true, body: RegisterBody, view: RegisterForm, labels },
    title: (t) => registrationTexts(t).title,
    run: async ({ body, guest, kit, t }) => {
      await registration.register({ ...body, locale: body.locale ?? guest.locale }).catch((failure: unknown) => {
        if (!isWrong(failure, 'email', 'taken')) throw failure;
        return recovery.resend(body.email);
      });
      return { to: '/verify', cookies: [emailCookie(body.email, kit)], flash: registrationTexts(t).sent };
    },
  });

/**
 * Asks for the password, too: somebody else may have made an account of this address with theirs, and its owner, who types the code in good
 * faith, would confirm it for them.
 */
const verify = (recovery: RecoveryService, signIn: SignIn): Pages =>
  guestForm({
    ...{ path: '/verify', guard: 'guest', isOnce: true, body: ProvedBody, view: VerifyForm, labels },
    title: (t) => registrationTexts(t).verify.title,
    load: ({ cookies }) => knownEmail(cookies),
    said: (failure, t) => {
      const say = registrationTexts(t).verify;
      if (failure.code === 'bad_credentials') return say.foreign;
      return isWrong(failure, 'code', 'invalid') ? say.wrong : undefined;
    },
    run: async ({ body: { code, ...proof }, kit, guest, visitor }) => {
      await signIn.demandPassword(proof, visitor);
      await recovery.verify(proof.email, code);
      const { to, cookies } = await goesOn(kit, await signIn.signIn(proof, visitor), { guest, next: '/onboarding' });
      return { to, cookies: [...cookies, emailCookie(proof.email, kit)] };
    },
    others: {
      resend: guestAction({
        body: AnotherCode,
        run: async ({ body: { email }, kit, t }) => {
          await recovery.resend(email);
          return { to: '/verify', cookies: [emailCookie(email, kit)], flash: registrationTexts(t).verify.resent };
        },
      }),
    },
  });

const forgot = (recovery: RecoveryService): Pages =>
  guestForm({
    ...{ path: '/forgot-password', guard: 'guest', body: AddressBody, view: ForgotForm, labels },
    title: (t) => registrationTexts(t).forgot.title,
    load: ({ cookies }) => knownEmail(cookies),
    run: async ({ body: { email }, kit, t }) => {
      await recovery.forgot(email);
      const flash = registrationTexts(t).forgot.sent;
      return { to: '/forgot-password', cookies: [emailCookie(email, kit)], flash };
    },
  });

const reset = (recovery: RecoveryService): Pages =>
  guestForm({
    ...{ path: '/reset-password/{token}', guard: 'guest', isOnce: true, body: ResetBody, view: ResetForm, labels },
    title: (t) => registrationTexts(t).reset.title,
    said: (failure, t) => (isWrong(failure, 'token') ? registrationTexts(t).reset.over : undefined),
    run: async ({ body: { token, password }, t }) => {
      await recovery.reset(token, password);
      return { to: '/login', flash: registrationTexts(t).reset.done };
    },
  });

/** A new user with a first store, and how one who has forgotten the password comes back. */
export const registrationPages =
  (registration: RegistrationService, recovery: RecoveryService, signIn: SignIn): Pages =>
  (kit) =>
    [register(registration, recovery), verify(recovery, signIn), forgot(recovery), reset(recovery)].flatMap((pages) =>
      pages(kit),
    );
