import { Forbidden, PaymentRequired, Unauthenticated } from '@platform/errors';
import type { Guard, RequestView } from '@platform/http';
import type { Caller, Need, SignedIn } from '../abilities';
import { withMembership } from '../membership';
import { refusals } from '../refusals';
import { isLocale, localeOf, type Locale } from './i18n/locale';
import { cookieOf } from './sessions/cookies';
import type { GuestSecrets } from './sessions/guest.secrets';
import { demandOwnOrigin } from './sessions/origin';
import type { OpenSession, WebSessions } from './sessions/web.sessions';
import type { Guest, Viewer } from './viewer';

/**
 * The names that the design gives them, without `__Host-`: that would keep out cookies which a neighbour on another subdomain plants. There none
 * can: merchants' hosts show our pages alone, whose policy runs no script of theirs, and what a merchant uploads is never served as a page.
 * The secret of a guest is signed besides, and a session that was planted is found by nobody's form: each carries a token of its own session.
 */
export const SESSION_COOKIE = 'commerce_sid';
export const GUEST_COOKIE = 'commerce_pre';
export const LOCALE_COOKIE = 'lang';
/** By which a browser that is pushed to is known when somebody signs out of it. */
export const BROWSER_COOKIE = 'commerce_browser';

/** Whoever is signed in, also where their store is closed to them: of what is their own, and no matter of a store. */
const PERSON = 'person';
/** What a page asks for: an ability, or besides it that its reader sees the customers of everybody. */
export type PageAbility = Need | `${Need}+chat.all` | typeof PERSON;
/** The guard of a page that needs this. */
export type PageNeed = `page:${PageAbility}`;

const EVERYBODY = 'chat.all';
const [alone, besides] = [
  (need: Need): PageNeed => `page:${need}`,
  (need: Need): PageNeed => `page:${need}+${EVERYBODY}`,
];
/** The guards of pages for these abilities, and for persons. */
export const pageNeeds = (needs: readonly Need[]): PageNeed[] => [
  ...needs.flatMap((need) => [alone(need), besides(need)]),
  `page:${PERSON}`,
];
/** The abilities that a page asks for. */
export const abilitiesOf = (guard: string): Need[] =>
  guard
    .replace('page:', '')
    .split('+')
    .filter((need) => need !== PERSON) as Need[];

export const secretOf = ({ headers }: Pick<RequestView, 'headers'>): string | undefined =>
  cookieOf(headers.cookie, SESSION_COOKIE);

const onlyLooks = ({ method }: RequestView): boolean => method === 'HEAD';

type Find = (secret: string | undefined) => Promise<OpenSession | undefined>;

const openBy = async (find: Find, request: RequestView): Promise<OpenSession> => {
  demandOwnOrigin(request);
  const session = await find(secretOf(request));
  if (!session) throw new Unauthenticated({ reason: 'missing' });
  return session;
};

/** The same request with the token of its session, as a program would have sent it. */
const withToken = (request: RequestView, { token, membership }: OpenSession): RequestView =>
  withMembership({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }, membership);

type Found = Pick<Viewer, 'caller' | 'closed'>;

/** Of a login that is over there is nothing left here. */
const sessionGuard = (
  sessions: WebSessions,
  find: (asked: RequestView, session: OpenSession) => Promise<Found>,
): Guard<Viewer> => ({
  label: 'session',
  authenticate: async (request) => {
    const session = await openBy((secret) => sessions.open(secret), request);
    try {
      const found = await find(withToken(request, session), session);
      return { ...found, session, locale: session.locale, onlyLooks: onlyLooks(request) };
    } catch (refused) {
      if (refused instanceof Unauthenticated) await sessions.end(session.secret);
      throw refused;
    }
  },
});

/**
 * A member in a browser. What they may is decided by the API's guard of the same ability: a page never allows more. A login that is over
 * there is over here too.
 */
const pageGuard = (sessions: WebSessions, api: Guard<Caller>, also?: Need): Guard<Viewer> =>
  sessionGuard(sessions, async (asked) => {
    const caller = await api.authenticate(asked);
    if (also !== undefined && !caller.abilities.has(also)) throw refusals.abilityMissing(also);
    return { caller };
  });

/** A person in a browser: who may do nothing in their store, now or any more, still has an account. */
const personGuard = (sessions: WebSessions, member: Guard<Caller>, person: Guard<SignedIn>): Guard<Viewer> =>
  sessionGuard(sessions, async (asked, { store_id: storeId, name }) => {
    const { claims, address } = await person.authenticate(asked);
    try {
      return { caller: await member.authenticate(asked) };
    } catch (closed) {
      if (!(closed instanceof Forbidden || closed instanceof PaymentRequired)) throw closed;
      const { sub: actor, sid } = claims;
      const nobody = { kind: 'user', isService: false, abilities: new Set<Need>() } as const;
      return { caller: { ...nobody, storeId, actor, sid, address, name: name ?? actor }, closed };
    }
  });

type Holder = Guard<{ readonly session: OpenSession; readonly locale: Locale }>;

/** Whoever is signed in, whatever they may: to go to another store, and to sign out, also while nobody exchanges their token. */
export const holderGuards = (sessions: WebSessions): Readonly<Record<'session' | 'leaving', Holder>> => {
  const heldBy = (find: Find): Holder => ({
    label: 'session',
    authenticate: async (request) => {
      const session = await openBy(find, request);
      return { session, locale: session.locale };
    },
  });
  return {
    session: heldBy((secret) => sessions.open(secret)),
    leaving: heldBy((secret) => sessions.asItStands(secret)),
  };
};

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
    return {
      ...{ locale: localeOfRequest(request), secret: known ?? guests.make(), isNew: known === undefined, isMember },
      ...{ browser: cookieOf(request.headers.cookie, BROWSER_COOKIE), onlyLooks: onlyLooks(request) },
    };
  },
});

/** Guards of pages for each ability that an area has. */
export const pageGuards = (
  sessions: WebSessions,
  api: Readonly<Record<string, Guard<unknown>>>,
  needs: readonly Need[],
): Record<PageNeed, Guard<Viewer>> => {
  const { member, person } = api as { readonly member: Guard<Caller>; readonly person: Guard<SignedIn> };
  const ofNeeds = needs.flatMap((need) => {
    const guard = api[need] as Guard<Caller>;
    return [
      [alone(need), pageGuard(sessions, guard)],
      [besides(need), pageGuard(sessions, guard, EVERYBODY)],
    ];
  });
  const all = [...ofNeeds, [`page:${PERSON}`, personGuard(sessions, member, person)]];
  return Object.fromEntries(all) as Record<PageNeed, Guard<Viewer>>;
};
