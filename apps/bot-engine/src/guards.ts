import { ipAllowlist, jwtGuard, type Principal, type TokenVerifier } from '@platform/auth';
import { publicGuard, type GuardMap } from '@platform/http';
import type { Config } from './config';
import type { Callers } from './endpoint';
import { internalGuard, type InternalCaller } from './internal.guard';

/** Contract: every `/api` route needs a token, unless the caller's address is on the allowlist. */
export const createGuards = (
  { APP_ENV, ALLOWED_IPS, TRUST_PROXY }: Pick<Config, 'APP_ENV' | 'ALLOWED_IPS' | 'TRUST_PROXY'>,
  verifier: TokenVerifier,
): GuardMap<Callers> => {
  const authenticate = jwtGuard({
    verifier,
    allowlist: ipAllowlist(ALLOWED_IPS, { setting: 'ALLOWED_IPS', production: APP_ENV === 'production' }),
    trustedProxies: ipAllowlist(TRUST_PROXY, { setting: 'TRUST_PROXY' }),
  });
  return {
    public: publicGuard,
    jwt: { label: 'jwt', scheme: 'bearer', authenticate },
    service: internalGuard(verifier),
  };
};

/** Rate limits count per caller: the user or service of a token, else the address. */
export const callerKey = (caller: unknown): string | undefined => {
  const principal = caller as Principal | InternalCaller | undefined;
  if (principal?.kind === 'internal') return `${principal.storeId}:internal`;
  return principal?.kind === 'token' ? `${principal.claims.store_id}:${principal.claims.sub}` : principal?.address;
};
