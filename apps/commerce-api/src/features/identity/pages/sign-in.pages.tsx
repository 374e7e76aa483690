import type { AnyFailure } from '@platform/errors';
import { Text } from '@platform/validation';
import { guestForm } from '../../../web/guest.page';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages, WebKit } from '../../../web/kit';
import { safeNext } from '../../../web/next';
import { SESSION_COOKIE } from '../../../web/session.guard';
import { cookieOf, setCookie } from '../../../web/sessions/cookies';
import { LoginBody } from '../auth/public';
import type { SignedInPerson, SignInService } from './sign-in.service';
import { signInTexts } from './sign-in.texts';
import { SecondFactorForm, SignInForm } from './sign-in.view';

const CHALLENGE_COOKIE = 'commerce_2fa';
const CHALLENGE_SECONDS = 300;

class SignInBody extends LoginBody {
  @Text({ optional: true, max: 2048 }) next?: string;
}

class SecondFactorBody {
  @Text({ max: 32, trim: true }) code!: string;
  @Text({ optional: true, max: 2048 }) next?: string;
}

/** A new secret for whoever signs in; what the browser had as a guest is forgotten. */
const begun = async ({ sessions, secure }: WebKit, person: SignedInPerson, locale: 'id' | 'en') => {
  const secret = await sessions.begin({ ...person, locale });
  return [setCookie(SESSION_COOKIE, secret, { secure }), setCookie(CHALLENGE_COOKIE, '', { secure, maxAge: 0 })];
};

const MINUTE = 60;

const said = (failure: AnyFailure, t: Reader): string | undefined => {
  const say = signInTexts(t);
  if (failure.kind === 'tooMany')
    return say.tooMany({ minutes: Math.ceil((failure.retryAfterSeconds ?? MINUTE) / MINUTE) });
  if (failure.code === 'bad_credentials') return say.wrong;
  if (failure.code === 'email_unverified') return say.unverified;
  return failure.kind === 'unavailable' || failure.kind === 'upstreamFailed' ? t.failure.unavailable.text : undefined;
};

const login = (service: SignInService): Pages =>
  guestForm({
    path: '/login',
    guard: 'guest',
    body: SignInBody,
    title: (t) => signInTexts(t).title,
    labels: (t) => ({ email: signInTexts(t).email, password: signInTexts(t).password }),
    said,
    view: SignInForm,
    run: async ({ body, kit, guest, visitor }) => {
      const answer = await service.signIn(body, visitor);
      const next = safeNext(body.next);
      if (!('challenge' in answer)) return { to: next, cookies: await begun(kit, answer, guest.locale) };
      const cookie = setCookie(CHALLENGE_COOKIE, answer.challenge, { secure: kit.secure, maxAge: CHALLENGE_SECONDS });
      return { to: `/two-factor?next=${encodeURIComponent(next)}`, cookies: [cookie] };
    },
  });

const twoFactor = (service: SignInService): Pages =>
  guestForm({
    path: '/two-factor',
    guard: 'guest',
    body: SecondFactorBody,
    title: (t) => signInTexts(t).factor.title,
    labels: (t) => ({ code: signInTexts(t).factor.code }),
    said: (failure, t) => (failure.code === 'bad_credentials' ? signInTexts(t).factor.expired : said(failure, t)),
    view: SecondFactorForm,
    run: async ({ body, kit, guest, cookies }) => {
      const challenge = cookieOf(cookies, CHALLENGE_COOKIE) ?? '';
      const person = await service.secondFactor(challenge, body.code);
      return { to: safeNext(body.next), cookies: await begun(kit, person, guest.locale) };
    },
  });

export const signInPages =
  (service: SignInService): Pages =>
  (kit) => [...login(service)(kit), ...twoFactor(service)(kit)];
