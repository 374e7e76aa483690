import { revocationList, serviceTokens, tokenVerifier, type TokenVerifier } from '@platform/auth';
import { AUTH_EVENTS_CHANNEL } from '@platform/contracts';
import type { Cache } from '@platform/data';
import { httpClient } from '@platform/http';
import type { Clock, Component, Logger } from '@platform/runtime';
import { httpIdentityClient, type IdentityClient } from './clients/store-auth.client';
import type { Config } from './config';

export interface AccessParts {
  readonly cache: Cache;
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface Access {
  readonly identity: IdentityClient;
  readonly verifier: TokenVerifier;
  readonly components: readonly Component[];
}

/** Everything that has to do with store-auth: who signs in, whose token is good, which logins were revoked. */
export const openAccess = (config: Config, { cache, logger, clock }: AccessParts): Access => {
  const http = httpClient('store-auth', config.STORE_AUTH_URL);
  const tokens = serviceTokens({
    storeAuthUrl: config.STORE_AUTH_URL,
    clientId: config.SERVICE_CLIENT_ID,
    clientSecret: config.SERVICE_CLIENT_SECRET,
    clock,
  });
  const identity = httpIdentityClient(http, tokens);
  const revocations = revocationList({
    feed: identity,
    // In process the channel would only hear itself
    subscribe: config.REDIS_URL ? (handler) => cache.subscribe(AUTH_EVENTS_CHANNEL, handler) : undefined,
    logger,
    clock,
  });
  const verifier = tokenVerifier({
    jwksUrl: config.JWT_JWKS_URL ?? `${config.STORE_AUTH_URL}/.well-known/jwks.json`,
    issuer: config.JWT_ISSUER,
    audience: config.JWT_AUDIENCE,
    revocations,
    logger,
    clock,
  });
  // Shown in /health; the shop's public pages can do without, and token routes say 503 themselves
  const keysLoaded: Component = { name: 'keys', optional: true, check: () => verifier.check() };
  return { identity, verifier, components: [http, tokens, revocations, keysLoaded] };
};
