import type { AnyFailure } from '@platform/errors';
import { Text } from '@platform/validation';
import { guestForm } from '../../../web/guest.page';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { safeNext } from '../../../web/next';
import { cookieOf } from '../../../web/sessions/cookies';
import { LoginBody } from '../auth/public';
import { knownEmail } from './known.email';
import type { SignInService } from './sign-in.service';
import { signInTexts } from './sign-in.texts';
import { SecondFactorForm, SignInForm } from './sign-in.view';
import { begun, CHALLENGE_COOKIE, goesOn } from './signed.in';

class SignInBody extends LoginBody {
  @Text({ optional: true, max: 2048 }) next?: string;
}

class SecondFactorBody {
  @Text({ max: 32, trim: true }) code!: string;
  @Text({ optional: true, max: 2048 }) next?: string;
}

const MINUTE = 60;

const said = (failure: AnyFailure, t: Reader): string | undefined => {
  const say = signInTexts(t);
  if (failure.kind === 'tooMany')
    return say.tooMany({ minutes: Math.ceil((failure.retryAfterSeconds ?? MINUTE) / MINUTE) });
  if (failure.code === 'bad_credentials') return say.wrong;
  if (failure.code === 'email_unverified') return say.unverified;
  return undefined;
};

const login = (service: SignInService): Pages =>
  guestForm({
    path: '/login',
    guard: 'guest',
    body: SignInBody,
    title: (t) => signInTexts(t).title,
    labels: (t) => ({ email: signInTexts(t).email, password: signInTexts(t).password }),
    said,
    load: ({ cookies }) => knownEmail(cookies),
    view: SignInForm,
    run: async ({ body, kit, guest, visitor }) => {
      const proved = await service.signIn(body, visitor);
      return goesOn(kit, proved, { guest, next: safeNext(body.next) });
    },
  });

const twoFactor = (service: SignInService): Pages =>
  guestForm({
    path: '/two-factor',
    guard: 'guest',
    isOnce: true,
    body: SecondFactorBody,
    title: (t) => signInTexts(t).factor.title,
    labels: (t) => ({ code: signInTexts(t).factor.code }),
    said: (failure, t) => (failure.code === 'bad_credentials' ? signInTexts(t).factor.expired : said(failure, t)),
    view: SecondFactorForm,
    run: async ({ body, kit, guest, cookies }) => {
      const challenge = cookieOf(cookies, CHALLENGE_COOKIE) ?? '';
      const person = await service.secondFactor(challenge, body.code);
      return { to: safeNext(body.next), cookies: await begun(kit, person, guest) };
    },
  });

export const signInPages =
  (service: SignInService): Pages =>
  (kit) => [...login(service)(kit), ...twoFactor(service)(kit)];
