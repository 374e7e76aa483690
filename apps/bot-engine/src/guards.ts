import { clientAddress, ipAllowlist, jwtGuard, tokenVerifier, type KeySource, type Principal } from '@platform/auth';
import { publicGuard, type Guard, type GuardMap } from '@platform/http';
import type { Clock, Logger } from '@platform/runtime';
import type { Config } from './config';

type GuardConfig = Pick<
  Config,
  'APP_ENV' | 'ALLOWED_IPS' | 'TRUST_PROXY' | 'STORE_AUTH_URL' | 'JWT_JWKS_URL' | 'JWT_ISSUER' | 'JWT_AUDIENCE'
>;

/** Contract: every `/api` route wants a token, unless the caller's address is in the allowlist. */
export const createGuards = (
  config: GuardConfig,
  { logger, clock, keys }: { logger: Logger; clock?: Clock; keys?: KeySource },
): {
  guards: GuardMap<{ public: undefined; jwt: Principal }>;
  addressOf: (remoteAddress: string, forwardedFor: string | undefined) => string;
} => {
  const trustedProxies = ipAllowlist(config.TRUST_PROXY, { setting: 'TRUST_PROXY' });
  const production = config.APP_ENV === 'production';
  const authenticate = jwtGuard({
    verifier: tokenVerifier({
      jwksUrl: config.JWT_JWKS_URL ?? `${config.STORE_AUTH_URL}/.well-known/jwks.json`,
      keys,
      issuer: config.JWT_ISSUER,
      audience: config.JWT_AUDIENCE,
      logger,
      clock,
    }),
    allowlist: ipAllowlist(config.ALLOWED_IPS, { setting: 'ALLOWED_IPS', production }),
    trustedProxies,
  });
  const jwt: Guard<Principal> = { label: 'jwt', scheme: 'bearer', authenticate };
  return {
    guards: { public: publicGuard, jwt },
    addressOf: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, trustedProxies),
  };
};

/** Rate limits count per caller: the user or service of a token, else the address. */
export const callerKey = (caller: unknown): string | undefined => {
  const principal = caller as Principal | undefined;
  return principal?.kind === 'token' ? `${principal.claims.store_id}:${principal.claims.sub}` : principal?.address;
};
