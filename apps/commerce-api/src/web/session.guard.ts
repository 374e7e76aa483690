import { Unauthenticated } from '@platform/errors';
import type { Guard, RequestView } from '@platform/http';
import type { Caller, Need } from '../abilities';
import { refusals } from '../refusals';
import { isLocale, localeOf, type Locale } from './i18n/locale';
import { cookieOf } from './sessions/cookies';
import type { GuestSecrets } from './sessions/guest.secrets';
import { demandOwnOrigin } from './sessions/origin';
import type { OpenSession, WebSessions } from './sessions/web.sessions';
import type { Guest, Viewer } from './viewer';

export const SESSION_COOKIE = 'commerce_sid';
export const GUEST_COOKIE = 'commerce_pre';
export const LOCALE_COOKIE = 'lang';
/** By which a browser that is pushed to is known when somebody signs out of it. */
export const BROWSER_COOKIE = 'commerce_browser';

/** What a page asks for: an ability, or besides it that its reader sees the customers of everybody. */
export type PageAbility = Need | `${Need}+chat.all`;
/** The guard of a page that needs this. */
export type PageNeed = `page:${PageAbility}`;

const EVERYBODY = 'chat.all';
const [alone, besides] = [
  (need: Need): PageNeed => `page:${need}`,
  (need: Need): PageNeed => `page:${need}+${EVERYBODY}`,
];
/** The guards of pages for these abilities. */
export const pageNeeds = (needs: readonly Need[]): PageNeed[] => needs.flatMap((need) => [alone(need), besides(need)]);
/** The abilities that a page asks for. */
export const abilitiesOf = (guard: string): Need[] => guard.replace('page:', '').split('+') as Need[];

export const secretOf = ({ headers }: Pick<RequestView, 'headers'>): string | undefined =>
  cookieOf(headers.cookie, SESSION_COOKIE);

const openOf = async (sessions: WebSessions, request: RequestView): Promise<OpenSession> => {
  demandOwnOrigin(request);
  const session = await sessions.open(secretOf(request));
  if (!session) throw new Unauthenticated({ reason: 'missing' });
  return session;
};

/** The same request with the token of its session, as a program would have sent it. */
const withToken = (request: RequestView, { token }: OpenSession): RequestView => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token}` },
});

/**
 * A member in a browser. What they may is decided by the API's guard of the same ability: a page never allows more. A login that is over
 * there is over here too.
 */
const pageGuard = (sessions: WebSessions, api: Guard<Caller>, also?: Need): Guard<Viewer> => ({
  label: 'session',
  authenticate: async (request) => {
    const session = await openOf(sessions, request);
    try {
      const caller = await api.authenticate(withToken(request, session));
      if (also !== undefined && !caller.abilities.has(also)) throw refusals.abilityMissing(also);
      return { caller, session, locale: session.locale };
    } catch (refused) {
      if (refused instanceof Unauthenticated) await sessions.end(session.secret);
      throw refused;
    }
  },
});

/** Whoever is signed in, whatever they may: to sign out, and to go to another store. */
export const holderGuard = (
  sessions: WebSessions,
): Guard<{ readonly session: OpenSession; readonly locale: Locale }> => ({
  label: 'session',
  authenticate: async (request) => {
    const session = await openOf(sessions, request);
    return { session, locale: session.locale };
  },
});

export const localeOfRequest = ({ headers }: Pick<RequestView, 'headers'>): Locale => {
  const chosen = cookieOf(headers.cookie, LOCALE_COOKIE);
  return isLocale(chosen) ? chosen : localeOf(headers['accept-language']);
};

/** Somebody who has not signed in; who has is told by `isMember`. */
export const guestGuard = (
  sessions: WebSessions,
  guests: GuestSecrets,
  label: 'guest' | 'none' | 'none+link',
): Guard<Guest> => ({
  label,
  authenticate: async (request) => {
    demandOwnOrigin(request);
    const known = guests.read(cookieOf(request.headers.cookie, GUEST_COOKIE));
    const isMember = label === 'guest' && (await sessions.open(secretOf(request))) !== undefined;
    return { locale: localeOfRequest(request), secret: known ?? guests.make(), isNew: known === undefined, isMember };
  },
});

/** Guards of pages for each ability that an area has. */
export const pageGuards = (
  sessions: WebSessions,
  api: Readonly<Record<string, Guard<unknown>>>,
  needs: readonly Need[],
): Record<PageNeed, Guard<Viewer>> =>
  Object.fromEntries(
    needs.flatMap((need) => {
      const guard = api[need] as Guard<Caller>;
      return [
        [alone(need), pageGuard(sessions, guard)],
        [besides(need), pageGuard(sessions, guard, EVERYBODY)],
      ];
    }),
  ) as Record<PageNeed, Guard<Viewer>>;
