import { ipAllowlist, jwtGuard, type TokenVerifier } from '@platform/auth';
import { Unauthenticated } from '@platform/errors';
import { publicGuard, type Guard, type GuardMap } from '@platform/http';
import type { Config } from './config';
import type { Guards } from './endpoint';
import { scopeOf, type Scope } from './features/tenancy/scope';
import type { VariantGuard } from './variant-guard';

/** `/internal/*` knows sibling services only, never people, bots or addresses (design 2.9). */
const serviceGuard = (verifier: TokenVerifier): Guard<Scope> => {
  const principal = jwtGuard({ verifier });
  return {
    label: 'service',
    scheme: 'bearer',
    authenticate: async (request) => {
      const scope = scopeOf(await principal(request));
      if (scope.kind !== 'service') throw new Unauthenticated({ reason: 'invalid' });
      return scope;
    },
  };
};

/** The contract's authentication table: a token on default routes, none for allowlisted addresses and for the variants. */
export const chatGuards = (
  { ALLOWED_IPS, TRUST_PROXY, APP_ENV }: Pick<Config, 'ALLOWED_IPS' | 'TRUST_PROXY' | 'APP_ENV'>,
  verifier: TokenVerifier,
  { admin, crm }: Pick<VariantGuard, 'admin' | 'crm'>,
): GuardMap<Guards> => {
  const production = APP_ENV === 'production';
  const allowlist = ipAllowlist(ALLOWED_IPS, { setting: 'ALLOWED_IPS', production });
  const principal = jwtGuard({
    verifier,
    allowlist,
    trustedProxies: ipAllowlist(TRUST_PROXY, { setting: 'TRUST_PROXY', production }),
  });
  return {
    public: publicGuard,
    jwt: { label: 'jwt', scheme: 'bearer', authenticate: async (request) => scopeOf(await principal(request)) },
    admin,
    crm,
    service: serviceGuard(verifier),
  };
};

/** Whose rate limit and idempotency keys these are: one user of one store. */
export const callerKey = (caller: unknown): string | undefined => {
  const { storeId, userId } = (caller ?? {}) as Partial<Scope>;
  return storeId && userId ? `${storeId}/${userId}` : undefined;
};
