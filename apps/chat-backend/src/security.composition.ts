import {
  ipAllowlist,
  clientAddress,
  revocationList,
  serviceTokens,
  storeAuthFeed,
  tokenVerifier,
  type KeySource,
  type ServiceTokens,
  type TokenVerifier,
} from '@platform/auth';
import { AUTH_EVENTS_CHANNEL } from '@platform/contracts';
import type { Cache } from '@platform/data';
import type { Component, Logger } from '@platform/runtime';
import type { Config } from './config';

export interface Security {
  readonly verifier: TokenVerifier;
  readonly tokens: ServiceTokens;
  readonly clientAddress: (remoteAddress: string, forwardedFor: string | undefined) => string;
  readonly components: readonly Component[];
}

/** Who may call us, and as whom we call others: everything that knows store-auth. */
export const composeSecurity = (
  config: Config,
  { cache, keys, logger }: { cache: Cache; keys?: KeySource; logger: Logger },
): Security => {
  const { STORE_AUTH_URL, JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE, TRUST_PROXY, APP_ENV, REDIS_URL } = config;
  const tokens = serviceTokens({
    storeAuthUrl: STORE_AUTH_URL,
    clientId: config.SERVICE_CLIENT_ID,
    clientSecret: config.SERVICE_CLIENT_SECRET,
  });
  const revocations = revocationList({
    feed: storeAuthFeed(STORE_AUTH_URL, tokens),
    ...(REDIS_URL
      ? { subscribe: (handler: (message: string) => void) => cache.subscribe(AUTH_EVENTS_CHANNEL, handler) }
      : {}),
    logger,
  });
  const verifier = tokenVerifier({
    ...(keys ? { keys } : { jwksUrl: JWT_JWKS_URL ?? `${STORE_AUTH_URL}/.well-known/jwks.json` }),
    issuer: JWT_ISSUER,
    audience: JWT_AUDIENCE,
    revocations,
    logger,
  });
  const proxies = ipAllowlist(TRUST_PROXY, { setting: 'TRUST_PROXY', production: APP_ENV === 'production' });
  return {
    verifier,
    tokens,
    clientAddress: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies),
    components: [tokens, revocations, { name: 'token keys', check: () => verifier.check() }],
  };
};
