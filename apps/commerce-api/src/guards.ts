import { bearerToken, jwtGuard, keysNotLoaded, type TokenVerifier } from '@platform/auth';
import type { Claims } from '@platform/contracts';
import { InvalidInput, Unauthenticated, Unavailable } from '@platform/errors';
import { publicGuard, type Guard, type GuardMap, type RequestView, type Service } from '@platform/http';
import {
  askedEveryTime,
  forPeopleOnly,
  forPaying,
  forSending,
  forServicesOnly,
  personally,
  readByPeople,
  storeOfCaller,
  type Ability,
  type Caller,
  type Need,
  type PersonalNeed,
  type SignedIn,
} from './abilities';
import type { LoginsClient } from './clients/store-auth.logins';
import type { Config } from './config';
import type { Callers } from './endpoint';
import { isApiToken, type Access, type Admitted } from './features/identity/access/access';
import { membershipOf } from './membership';
import { refusals } from './refusals';
import { pageNeeds } from './web/session.guard';

const STORE_HEADER = 'x-store-id';
const STORE_ID = /^[\w-]{1,36}$/;

/** What guards ask: who a token belongs to, and what its owner may do. */
export interface Doorkeepers {
  readonly verifier: TokenVerifier;
  readonly access: Access;
  /** Whether all logins that were revoked are known here. */
  readonly revocations: { isCurrent(): boolean };
  readonly logins: LoginsClient;
}

const refusedHeader = (problem: string): InvalidInput =>
  new InvalidInput([{ field: 'X-Store-Id', tag: 'store', message: `X-Store-Id ${problem}` }]);

const askedStore = ({ headers }: RequestView): string | undefined => {
  const asked = headers[STORE_HEADER];
  if (asked === undefined || (typeof asked === 'string' && STORE_ID.test(asked))) return asked;
  throw refusedHeader('is not a store id');
};

/** The store of a token is its own, or `X-Store-Id` when it has none; both and different: 403 (design 5.6). */
const storeOf = (own: string, request: RequestView): string => {
  const asked = askedStore(request);
  if (own && asked && own !== asked) throw refusals.otherStore();
  const store = own || asked;
  if (!store) throw refusedHeader('is a required header for a token without a store');
  return store;
};

const isService = ({ role }: Claims): boolean => role === 'service' || role === 'bot';

const bearerOf = (request: RequestView): string => {
  const token = bearerToken(request);
  if (token) return token;
  throw new Unauthenticated({ reason: 'missing' });
};

const claimsReader = (verifier: TokenVerifier) => {
  const authenticate = jwtGuard({ verifier });
  return async (request: RequestView): Promise<Claims> => {
    const principal = await authenticate(request);
    if (principal.kind !== 'token') throw new Unauthenticated({ reason: 'missing' });
    return principal.claims;
  };
};

/** Finds out who acts in which store: a service, a store's API token, or a member. */
const admission = ({ verifier, access }: Doorkeepers) => {
  const claimsOf = claimsReader(verifier);
  return async (request: RequestView): Promise<Admitted> => {
    const bearer = bearerToken(request);
    if (bearer !== undefined && isApiToken(bearer)) {
      const admitted = await access.apiToken(bearer);
      storeOf(admitted.storeId, request);
      return admitted;
    }
    const claims = await claimsOf(request);
    const storeId = storeOf(claims.store_id, request);
    if (isService(claims)) return access.service(storeId, claims.sub);
    const known = membershipOf(request, storeId, claims.sub);
    return { ...(await access.member(storeId, claims.sub, known)), sid: claims.sid };
  };
};

/** The store of a service comes from a header when its token has none. */
const REFUSES = [
  keysNotLoaded,
  'invalid',
  refusals.otherStore,
  refusals.notAMember,
  refusals.abilityMissing,
  refusals.storeSuspended,
  refusals.planUnpaid,
] as const;

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Of a store whose plan is unpaid nobody writes, except to pay; the shop itself goes on: its customers have no token, and the services that work
 * for them are none of its staff. When the time to pay is over it writes again, and sends nothing.
 */
const refuseUnpaid = (need: Need, { isService, planState }: Admitted, method: string): void => {
  if (isService || planState === null) return;
  if (planState === 'past_due' && !READING.has(method) && !forPaying.has(need)) throw refusals.planUnpaid();
  if (planState === 'expired' && forSending.has(need)) throw refusals.planEnded();
};

/** While nobody tells which logins were revoked, store-auth is asked of this one; an API token is read anew every time anyway. */
const certainty =
  ({ revocations, logins }: Doorkeepers) =>
  async (request: RequestView): Promise<void> => {
    if (revocations.isCurrent()) return;
    const active = await logins.isActive(bearerOf(request)).catch((cause: unknown) => {
      throw new Unavailable('The login cannot be checked at the moment', { cause });
    });
    if (!active) throw new Unauthenticated({ reason: 'invalid' });
  };

interface Door {
  readonly need: Need;
  /** No API token comes in. */
  readonly people: boolean;
  readonly certain: boolean;
}

type Admit = ReturnType<typeof admission>;
type MakeSure = ReturnType<typeof certainty>;

/** An owner may all but what is for services. Throws `Forbidden`. */
const refuseUnable = ({ need, people }: Door, { kind, isOwner, abilities }: Admitted): void => {
  if (kind === 'token' && people) throw refusals.tokenNotAllowed();
  const may = forServicesOnly.has(need) ? kind === 'service' && abilities.has(need) : isOwner || abilities.has(need);
  if (!may) throw refusals.abilityMissing(need);
};

const tokenGuard = (admit: Admit, makeSure: MakeSure, door: Door): Guard<Caller> => ({
  label: 'token',
  scheme: 'bearer',
  refuses: [
    ...REFUSES,
    ...(door.people ? [refusals.tokenNotAllowed] : []),
    ...(forSending.has(door.need) ? [refusals.planEnded] : []),
  ],
  authenticate: async (request) => {
    const admitted = await admit(request);
    refuseUnable(door, admitted);
    const { suspended, isOwner: _isOwner, planState: _state, ...caller } = admitted;
    if (suspended) throw refusals.storeSuspended();
    refuseUnpaid(door.need, admitted, request.method);
    if (door.certain && caller.kind !== 'token') await makeSure(request);
    const bearer = caller.kind === 'user' ? { bearer: () => bearerOf(request) } : {};
    return { ...caller, ...bearer, address: request.address };
  },
});

/** A user's own login, whatever store it is for. */
const loginGuard = ({ verifier, access }: Doorkeepers, label: 'jwt' | 'token'): Guard<SignedIn> => {
  const claimsOf = claimsReader(verifier);
  return {
    label,
    scheme: 'bearer',
    refuses: [keysNotLoaded, refusals.tokenNotAllowed],
    authenticate: async (request) => {
      const token = bearerOf(request);
      // A token that works elsewhere is told so; any other text is nobody's
      if (isApiToken(token) && (await access.apiToken(token))) throw refusals.tokenNotAllowed();
      const claims = await claimsOf(request);
      if (isService(claims)) throw refusals.tokenNotAllowed();
      return { token, claims, address: request.address };
    },
  };
};

/** One token guard per ability that an area has; the contract's lists call them all `token`. */
export const guardsOf = (
  keepers: Doorkeepers,
  abilities: readonly Ability[],
): Omit<GuardMap<Callers>, 'arriving' | 'opened' | 'engine' | 'ingress' | 'download'> => {
  const [admit, makeSure] = [admission(keepers), certainty(keepers)];
  const needs: readonly Need[] = [...abilities, 'member'];
  const guardOf = (need: Need): Guard<Caller> =>
    tokenGuard(admit, makeSure, { need, people: forPeopleOnly.has(need), certain: askedEveryTime.has(need) });
  const personal = (need: Need): Guard<Caller> => tokenGuard(admit, makeSure, { need, people: true, certain: true });
  return {
    none: { ...publicGuard, label: 'none' },
    link: { ...publicGuard, label: 'none+link' },
    notice: { ...publicGuard, label: 'none+sig' },
    devOnly: { ...publicGuard, label: 'none (dev only)' },
    login: loginGuard(keepers, 'jwt'),
    person: loginGuard(keepers, 'token'),
    lapsed: { label: 'jwt*', scheme: 'bearer', authenticate: bearerOf },
    ...(Object.fromEntries(needs.map((need) => [need, guardOf(need)])) as Record<Need, Guard<Caller>>),
    ...(Object.fromEntries(readByPeople.map((need) => [personally(need), personal(need)])) as Record<
      PersonalNeed,
      Guard<Caller>
    >),
  };
};

/** More requests than these wait, of however many stores: most of their time is not the database's. */
const AT_ONCE = 100;

/** Files that arrive at once, of all stores and of one: they need a file and a connection each, and may take minutes. */
const UPLOADS = 200;
const UPLOADS_OF_STORE = 10;
/** A picture of a person goes to the store that they are in. */
const storeOfUpload = (caller: unknown): string | undefined =>
  storeOfCaller(caller) ?? (caller as Partial<SignedIn> | undefined)?.claims?.store_id;

/** What one user, and one store, may ask of the service (design 2.1); the other services are not limited. */
export const fairness = (
  { RATE_PER_MINUTE, DB_POOL }: Pick<Config, 'RATE_PER_MINUTE' | 'DB_POOL'>,
  abilities: readonly Ability[],
): Pick<Service, 'rate' | 'share' | 'uploads'> => ({
  rate: {
    guards: [
      ...abilities,
      ...readByPeople.map(personally),
      ...pageNeeds([...abilities, 'member']),
      'member',
      'login',
      'person',
    ],
    requests: RATE_PER_MINUTE,
    perSeconds: 60,
    isFree: (caller) => (caller as Partial<Caller>).isService === true,
  },
  // Half of the connections to the database are left to the others
  share: { places: AT_ONCE, most: Math.ceil(DB_POOL / 2), tenantOf: storeOfCaller },
  uploads: { places: UPLOADS, most: UPLOADS_OF_STORE, tenantOf: storeOfUpload },
});
