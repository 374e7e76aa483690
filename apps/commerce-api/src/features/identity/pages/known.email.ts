import { cut } from '@platform/runtime';
import type { WebKit } from '../../../web/kit';
import { cookieOf, setCookie } from '../../../web/sessions/cookies';

const COOKIE = 'commerce_email';
const HOUR = 3_600;
/** As the address of an account. */
const LONGEST = 254;

/** The address that somebody has typed into one form, for the next: no link and no log of ours holds it. */
export const emailCookie = (email: string, { secure }: Pick<WebKit, 'secure'>): string =>
  setCookie(COOKIE, Buffer.from(email).toString('base64url'), { secure, maxAge: HOUR });

export const knownEmail = (cookies: string | undefined): string =>
  cut(Buffer.from(cookieOf(cookies, COOKIE) ?? '', 'base64url').toString(), LONGEST);
