import { InvalidInput } from '@platform/errors';
import { Anything } from '@platform/validation';
import { guestAction, guestForm } from '../../../web/guest.page';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { emailCookie, knownEmail } from '../pages/public';
import type { RecoveryService } from './recovery.service';
import { AddressBody, RegisterBody, ResetBody, VerifyBody } from './registration.dto';
import type { RegistrationService } from './registration.service';
import { registrationTexts } from './registration.texts';
import { ForgotForm, RegisterForm, ResetForm, VerifyForm } from './registration.view';

/** The code that was typed beside the address does not matter when another one is wanted. */
class AnotherCode extends AddressBody {
  @Anything({ optional: true }) code?: unknown;
}

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
    ...{ path: '/register', guard: 'guest', body: RegisterBody, view: RegisterForm, labels },
    title: (t) => registrationTexts(t).title,
    run: async ({ body, guest, kit, t }) => {
      await registration.register({ ...body, locale: body.locale ?? guest.locale }).catch((failure: unknown) => {
        if (!isWrong(failure, 'email', 'taken')) throw failure;
        return recovery.resend(body.email);
      });
      return { to: '/verify', cookies: [emailCookie(body.email, kit)], flash: registrationTexts(t).sent };
    },
  });

const verify = (recovery: RecoveryService): Pages =>
  guestForm({
    ...{ path: '/verify', guard: 'guest', body: VerifyBody, view: VerifyForm, labels },
    title: (t) => registrationTexts(t).verify.title,
    load: ({ cookies }) => knownEmail(cookies),
    said: (failure, t) => (isWrong(failure, 'code', 'invalid') ? registrationTexts(t).verify.wrong : undefined),
    run: async ({ body: { email, code }, kit, t }) => {
      await recovery.verify(email, code);
      const to = '/login?next=/onboarding';
      return { to, cookies: [emailCookie(email, kit)], flash: registrationTexts(t).verify.done };
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
    ...{ path: '/reset-password/{token}', guard: 'guest', body: ResetBody, view: ResetForm, labels },
    title: (t) => registrationTexts(t).reset.title,
    said: (failure, t) => (isWrong(failure, 'token') ? registrationTexts(t).reset.over : undefined),
    run: async ({ body: { token, password }, t }) => {
      await recovery.reset(token, password);
      return { to: '/login', flash: registrationTexts(t).reset.done };
    },
  });

/** A new user with a first store, and how one who has forgotten the password comes back. */
export const registrationPages =
  (registration: RegistrationService, recovery: RecoveryService): Pages =>
  (kit) =>
    [register(registration, recovery), verify(recovery), forgot(recovery), reset(recovery)].flatMap((pages) =>
      pages(kit),
    );
