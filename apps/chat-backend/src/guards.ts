import { ipAllowlist, jwtGuard, type TokenVerifier } from '@platform/auth';
import { Unauthenticated } from '@platform/errors';
import { publicGuard, type Guard, type GuardMap, type SharedRate, type TenantShare } from '@platform/http';
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

type Addresses = Pick<Config, 'ALLOWED_IPS' | 'APP_ENV'>;

const allowlistOf = ({ ALLOWED_IPS, APP_ENV }: Addresses) =>
  ipAllowlist(ALLOWED_IPS, { setting: 'ALLOWED_IPS', production: APP_ENV === 'production' });

/** 600 a minute unless set, of a user, or of an address where the route asks for no token (design 2.1). */
export const rateOf = (config: Addresses & Pick<Config, 'RATE_PER_MINUTE'>): SharedRate => {
  const allowlist = allowlistOf(config);
  return {
    guards: ['jwt'],
    requests: config.RATE_PER_MINUTE,
    perSeconds: 60,
    variants: { free: (address) => allowlist.has(address) },
  };
};

/** The contract's authentication table: a token on default routes, none for allowlisted addresses and for the variants. */
export const chatGuards = (
  config: Addresses & Pick<Config, 'TRUST_PROXY'>,
  verifier: TokenVerifier,
  { admin, crm }: Pick<VariantGuard, 'admin' | 'crm'>,
): GuardMap<Guards> => {
  const production = config.APP_ENV === 'production';
  const principal = jwtGuard({
    verifier,
    allowlist: allowlistOf(config),
    trustedProxies: ipAllowlist(config.TRUST_PROXY, { setting: 'TRUST_PROXY', production }),
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

/** Files that arrive at once, of all stores and of one; those of the gateway and of other services are not counted. */
export const UPLOADS: TenantShare = {
  ...{ places: 200, most: 10 },
  tenantOf: (caller) => {
    const { storeId, userId } = (caller ?? {}) as Partial<Scope>;
    return userId && storeId;
  },
};
