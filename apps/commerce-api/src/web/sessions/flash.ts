import { createHmac, timingSafeEqual } from 'node:crypto';
import { cookieOf, setCookie } from './cookies';

const FLASH_COOKIE = 'flash';
/** A page that is opened later than this is another matter. */
const SECONDS = 60;

const signOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`flash ${text}`).digest('base64url');

/** Tells the next page of this browser one sentence. Signed: nobody else puts words into our pages. */
export const flashCookie = (secret: string, text: string, secure: boolean): string => {
  const encoded = Buffer.from(text).toString('base64url');
  return setCookie(FLASH_COOKIE, `${encoded}.${signOf(secret, encoded)}`, { secure, maxAge: SECONDS });
};

/** What the page before wanted to be said, and the cookie that forgets it. */
export const flashOf = (
  header: string | undefined,
  secret: string,
  secure: boolean,
): { readonly text: string; readonly forget: string } | undefined => {
  const [encoded = '', sign = ''] = (cookieOf(header, FLASH_COOKIE) ?? '').split('.');
  const expected = signOf(secret, encoded);
  if (encoded === '' || sign.length !== expected.length) return undefined;
  if (!timingSafeEqual(Buffer.from(sign), Buffer.from(expected))) return undefined;
  const forget = setCookie(FLASH_COOKIE, '', { secure, maxAge: 0 });
  return { text: Buffer.from(encoded, 'base64url').toString(), forget };
};
