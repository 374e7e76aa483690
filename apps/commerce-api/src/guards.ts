import { bearerToken, jwtGuard, keysNotLoaded, type TokenVerifier } from '@platform/auth';
import type { Claims } from '@platform/contracts';
import { InvalidInput, Unauthenticated } from '@platform/errors';
import { publicGuard, type Guard, type GuardMap, type RequestView } from '@platform/http';
import { isService, mayDo, type Ability, type Caller, type SignedIn } from './abilities';
import type { Callers } from './endpoint';
import { refusals } from './refusals';

const STORE_HEADER = 'x-store-id';
const STORE_ID = /^[\w-]{1,36}$/;

const refusedHeader = (problem: string): InvalidInput =>
  new InvalidInput([{ field: 'X-Store-Id', tag: 'store', message: `X-Store-Id ${problem}` }]);

/** The store of a token is its claim, or `X-Store-Id` when that is empty; both and different: 403 (design 5.6). */
const storeOf = ({ store_id: claimed }: Claims, { headers }: RequestView): string => {
  const asked = headers[STORE_HEADER];
  if (asked !== undefined && (typeof asked !== 'string' || !STORE_ID.test(asked)))
    throw refusedHeader('is not a store id');
  if (claimed && asked && claimed !== asked) throw refusals.otherStore();
  const store = claimed || asked;
  if (!store) throw refusedHeader('is a required header for a token without a store');
  return store;
};

/** A guard for valid tokens: `admit` reads the claims and returns the caller. */
const claimsGuard = <Who>(
  verifier: TokenVerifier,
  { label, refuses }: { readonly label: string; readonly refuses: Guard<Who>['refuses'] },
  admit: (claims: Claims, request: RequestView) => Who,
): Guard<Who> => {
  const authenticate = jwtGuard({ verifier });
  return {
    label,
    scheme: 'bearer',
    refuses: [keysNotLoaded, ...(refuses ?? [])],
    authenticate: async (request) => {
      const principal = await authenticate(request);
      if (principal.kind !== 'token') throw new Unauthenticated({ reason: 'missing' });
      return admit(principal.claims, request);
    },
  };
};

/** The store of the caller comes from a header when the token has none. */
const TOKEN = { label: 'token', refuses: ['invalid', refusals.otherStore, refusals.abilityMissing] } as const;

const tokenGuard = (verifier: TokenVerifier, ability: Ability): Guard<Caller> =>
  claimsGuard(verifier, TOKEN, (claims, request) => {
    const storeId = storeOf(claims, request);
    if (!mayDo(claims, ability)) throw refusals.abilityMissing(ability);
    return { storeId, actor: claims.sub, role: claims.role, isService: isService(claims) };
  });

const bearerOf = (request: RequestView): string => {
  const token = bearerToken(request);
  if (token) return token;
  throw new Unauthenticated({ reason: 'missing' });
};

const LOGIN = { label: 'jwt', refuses: [refusals.tokenNotAllowed] } as const;

const loginGuard = (verifier: TokenVerifier): Guard<SignedIn> =>
  claimsGuard(verifier, LOGIN, (claims, request) => {
    if (isService(claims)) throw refusals.tokenNotAllowed();
    return { token: bearerOf(request), claims };
  });

/** One token guard per ability that an area has; the contract's lists call them all `token`. */
export const guardsOf = (verifier: TokenVerifier, abilities: readonly Ability[]): GuardMap<Callers> => ({
  none: { ...publicGuard, label: 'none' },
  login: loginGuard(verifier),
  lapsed: { label: 'jwt*', scheme: 'bearer', authenticate: bearerOf },
  ...(Object.fromEntries(abilities.map((ability) => [ability, tokenGuard(verifier, ability)])) as Record<
    Ability,
    Guard<Caller>
  >),
});
