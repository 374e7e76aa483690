import { Redirect, Reply } from '@platform/http';
import type { WebKit } from './kit';
import type { Done } from './page.types';
import { BROWSER_COOKIE, LOCALE_COOKIE } from './session.guard';
import { setCookie } from './sessions/cookies';
import { flashCookie } from './sessions/flash';
import type { Headers } from './shown.page';
import type { Viewer } from './viewer';

const YEAR_SECONDS = 31_536_000;

/** Where a form leads when its work is done, with what the next page says of it; `more` headers go with it. */
export const onward = (
  { secure }: WebKit,
  { session }: Viewer,
  { to, flash, language, browser }: Done,
  more?: Headers,
): Reply<Redirect> => {
  const cookies = [
    ...(flash === undefined ? [] : [flashCookie(session.secret, flash, secure)]),
    ...(language === undefined ? [] : [setCookie(LOCALE_COOKIE, language, { secure, maxAge: YEAR_SECONDS })]),
    ...(browser === undefined ? [] : [setCookie(BROWSER_COOKIE, browser, { secure, maxAge: YEAR_SECONDS })]),
  ];
  return new Reply(new Redirect(to, 303), {
    headers: { ...more, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) },
  });
};
