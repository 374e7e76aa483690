import { AUTH_EVENTS_CHANNEL } from '@platform/contracts';
import {
  httpUrl,
  optional,
  secretText,
  text,
  type Clock,
  type Component,
  type ConfigOf,
  type Logger,
} from '@platform/runtime';
import { clientAddress, ipAllowlist, trustedProxies } from './address-list';
import { remoteKeys, type KeySource } from './key-source';
import { storeAuthFeed } from './revocation-feed';
import { revocationList, type RevocationList } from './revocation-list';
import { serviceTokens, type ServiceTokens } from './service-tokens';
import { tokenVerifier, type TokenVerifier } from './token-verifier';

/** Settings of a service that accepts store-auth's tokens and calls other services with its own. */
export const tokenAccessSettings = (service: string) => ({
  STORE_AUTH_URL: httpUrl(),
  /** Address of the public keys; store-auth's own by default. */
  JWT_JWKS_URL: optional(httpUrl()),
  JWT_ISSUER: text({ fallback: 'store-auth' }),
  JWT_AUDIENCE: text({ fallback: service }),
  SERVICE_CLIENT_ID: text({ fallback: service }),
  SERVICE_CLIENT_SECRET: secretText(),
  TRUST_PROXY: trustedProxies,
});

export type TokenAccessConfig = ConfigOf<ReturnType<typeof tokenAccessSettings>>;

export interface TokenAccessParts {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Replaces store-auth's keys. */
  readonly keys?: KeySource;
  /** The cache port's `subscribe`, if there is a Redis: in process the channel would only reach itself. */
  readonly subscribe?: (channel: string, handler: (message: string) => void) => Promise<() => Promise<void> | void>;
  /** Whether /ready may be green before any key was loaded. */
  readonly keysOptional?: boolean;
}

export interface TokenAccess {
  readonly verifier: TokenVerifier;
  readonly revocations: RevocationList;
  /** Our own tokens for calls to others. */
  readonly tokens: ServiceTokens;
  /** For a service's `clientAddress`: a forged header from an untrusted peer does not count. */
  readonly clientAddress: (remoteAddress: string, forwardedFor: string | undefined) => string;
  readonly components: readonly Component[];
}

/** A process of store-auth knows within five seconds what another has done with its keys. */
const READ_AGAIN_MS = [2_000, 6_000];

/** store-auth's, read again when one is taken out of use: another signs from then on. */
const keysOf = (
  { JWT_JWKS_URL, STORE_AUTH_URL }: TokenAccessConfig,
  revocations: RevocationList,
  parts: Pick<TokenAccessParts, 'logger' | 'clock'>,
): KeySource => {
  const source = remoteKeys({ ...parts, url: JWT_JWKS_URL ?? `${STORE_AUTH_URL}/.well-known/jwks.json` });
  revocations.onChange((event) => {
    if (event.type !== 'revoke' || event.kid === undefined) return;
    void source.renew?.();
    for (const after of READ_AGAIN_MS) setTimeout(() => void source.renew?.(), after).unref();
  });
  return source;
};

/** Everything between a service and store-auth: keys, revocations and membership changes, service tokens. Nothing connects before the components start. */
export const openTokenAccess = (config: TokenAccessConfig, parts: TokenAccessParts): TokenAccess => {
  const { STORE_AUTH_URL, JWT_ISSUER, JWT_AUDIENCE, SERVICE_CLIENT_ID, SERVICE_CLIENT_SECRET, TRUST_PROXY } = config;
  const { logger, clock, keys, subscribe, keysOptional = false } = parts;
  const tokens = serviceTokens({
    storeAuthUrl: STORE_AUTH_URL,
    clientId: SERVICE_CLIENT_ID,
    clientSecret: SERVICE_CLIENT_SECRET,
    isRevoked: (kid) => revocations.isRevoked(kid),
    clock,
  });
  const revocations = revocationList({
    feed: storeAuthFeed(STORE_AUTH_URL, tokens),
    subscribe: subscribe && ((handler) => subscribe(AUTH_EVENTS_CHANNEL, handler)),
    logger,
    clock,
  });
  const source = keys ?? keysOf(config, revocations, { logger, clock });
  const verifier = tokenVerifier({
    keys: source,
    issuer: JWT_ISSUER,
    audience: JWT_AUDIENCE,
    revocations,
    logger,
    clock,
  });
  const proxies = ipAllowlist(TRUST_PROXY, { setting: 'TRUST_PROXY' });
  return {
    verifier,
    revocations,
    tokens,
    clientAddress: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies),
    components: [tokens, revocations, { name: 'token keys', optional: keysOptional, check: () => verifier.check() }],
  };
};
