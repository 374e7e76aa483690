import { bearerToken, jwtGuard, type TokenVerifier } from '@platform/auth';
import type { Claims } from '@platform/contracts';
import { Forbidden, InvalidInput, Unauthenticated } from '@platform/errors';
import type { Guard, GuardMap, RequestView } from '@platform/http';
import { isService, mayDo, type Ability, type Caller, type SignedIn } from './abilities';
import type { Callers } from './endpoint';

const STORE_HEADER = 'x-store-id';
const STORE_ID = /^[\w-]{1,36}$/;

const refusedHeader = (problem: string): InvalidInput =>
  new InvalidInput([{ field: 'X-Store-Id', tag: 'store', message: `X-Store-Id ${problem}` }]);

/** The store of a token is its claim, or `X-Store-Id` when that is empty; both and different: 403 (design 5.6). */
const storeOf = ({ store_id: claimed }: Claims, { headers }: RequestView): string => {
  const asked = headers[STORE_HEADER];
  if (asked !== undefined && (typeof asked !== 'string' || !STORE_ID.test(asked)))
    throw refusedHeader('is not a store id');
  if (claimed && asked && claimed !== asked) throw new Forbidden('The token belongs to another store');
  const store = claimed || asked;
  if (!store) throw refusedHeader('is a required header for a token without a store');
  return store;
};

/** What a good token lets in: `admit` looks at its claims, and says who comes. */
const claimsGuard = <Who>(
  verifier: TokenVerifier,
  label: string,
  admit: (claims: Claims, request: RequestView) => Who,
): Guard<Who> => {
  const authenticate = jwtGuard({ verifier });
  return {
    label,
    scheme: 'bearer',
    authenticate: async (request) => {
      const principal = await authenticate(request);
      if (principal.kind !== 'token') throw new Unauthenticated({ reason: 'missing' });
      return admit(principal.claims, request);
    },
  };
};

const tokenGuard = (verifier: TokenVerifier, ability: Ability): Guard<Caller> =>
  claimsGuard(verifier, 'token', (claims, request) => {
    const storeId = storeOf(claims, request);
    if (!mayDo(claims, ability)) throw new Forbidden(`This needs the ability ${ability}`, { details: { ability } });
    return { storeId, actor: claims.sub, role: claims.role, isService: isService(claims) };
  });

const bearerOf = (request: RequestView): string => {
  const token = bearerToken(request);
  if (token) return token;
  throw new Unauthenticated({ reason: 'missing' });
};

const loginGuard = (verifier: TokenVerifier): Guard<SignedIn> =>
  claimsGuard(verifier, 'jwt', (claims, request) => {
    if (isService(claims)) throw new Forbidden('This needs a login of a user', { code: 'token_not_allowed' });
    return { token: bearerOf(request), claims };
  });

/** One token guard per ability that an area has; the contract's lists call them all `token`. */
export const guardsOf = (verifier: TokenVerifier, abilities: readonly Ability[]): GuardMap<Callers> => ({
  none: { label: 'none', authenticate: () => undefined },
  login: loginGuard(verifier),
  lapsed: { label: 'jwt*', scheme: 'bearer', authenticate: bearerOf },
  ...(Object.fromEntries(abilities.map((ability) => [ability, tokenGuard(verifier, ability)])) as Record<
    Ability,
    Guard<Caller>
  >),
});
