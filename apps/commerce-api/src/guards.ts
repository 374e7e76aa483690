import { bearerToken, jwtGuard, keysNotLoaded, type TokenVerifier } from '@platform/auth';
import type { Claims } from '@platform/contracts';
import { InvalidInput, Unauthenticated } from '@platform/errors';
import { publicGuard, type Guard, type GuardMap, type RequestView, type Service } from '@platform/http';
import { forPeopleOnly, storeOfCaller, type Ability, type Caller, type Need, type SignedIn } from './abilities';
import type { Config } from './config';
import type { Callers } from './endpoint';
import { isApiToken, type Access, type Admitted } from './features/identity/access/access';
import { refusals } from './refusals';

const STORE_HEADER = 'x-store-id';
const STORE_ID = /^[\w-]{1,36}$/;

/** What guards ask: who a token belongs to, and what its owner may do. */
export interface Doorkeepers {
  readonly verifier: TokenVerifier;
  readonly access: Access;
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
    return { ...(await access.member(storeId, claims.sub)), sid: claims.sid };
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
] as const;

const tokenGuard = (admit: ReturnType<typeof admission>, need: Need): Guard<Caller> => ({
  label: 'token',
  scheme: 'bearer',
  refuses: forPeopleOnly.has(need) ? [...REFUSES, refusals.tokenNotAllowed] : REFUSES,
  authenticate: async (request) => {
    const { suspended, isOwner, ...admitted } = await admit(request);
    if (admitted.kind === 'token' && forPeopleOnly.has(need)) throw refusals.tokenNotAllowed();
    if (!isOwner && !admitted.abilities.has(need)) throw refusals.abilityMissing(need);
    if (suspended) throw refusals.storeSuspended();
    return { ...admitted, address: request.address };
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
): Omit<GuardMap<Callers>, 'arriving' | 'opened'> => {
  const admit = admission(keepers);
  const needs: readonly Need[] = [...abilities, 'member'];
  return {
    none: { ...publicGuard, label: 'none' },
    link: { ...publicGuard, label: 'none+link' },
    notice: { ...publicGuard, label: 'none+sig' },
    devOnly: { ...publicGuard, label: 'none (dev only)' },
    login: loginGuard(keepers, 'jwt'),
    person: loginGuard(keepers, 'token'),
    lapsed: { label: 'jwt*', scheme: 'bearer', authenticate: bearerOf },
    ...(Object.fromEntries(needs.map((need) => [need, tokenGuard(admit, need)])) as Record<Need, Guard<Caller>>),
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
    guards: [...abilities, 'member', 'login', 'person'],
    requests: RATE_PER_MINUTE,
    perSeconds: 60,
    isFree: (caller) => (caller as Partial<Caller>).isService === true,
  },
  // Half of the connections to the database are left to the others
  share: { places: AT_ONCE, most: Math.ceil(DB_POOL / 2), tenantOf: storeOfCaller },
  uploads: { places: UPLOADS, most: UPLOADS_OF_STORE, tenantOf: storeOfUpload },
});
