import { timingSafeEqual, createHash } from 'node:crypto';
import type { Claims } from '@platform/contracts';
import { Unauthenticated } from '@platform/errors';
import { clientAddress, type AddressList } from './address-list';
import type { TokenVerifier } from './token-verifier';

/** The parts of a request that a guard needs, independent of the web framework. Header names in lower case. */
export interface RequestView {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress?: string;
}

/** Who is calling: somebody with a token, or an address that needs none. */
export type Principal =
  { readonly kind: 'token'; readonly claims: Claims } | { readonly kind: 'address'; readonly address: string };

/** The token of `Authorization: Bearer <token>` (RFC 6750; the scheme in any case), or undefined. */
export const bearerToken = ({ headers }: RequestView): string | undefined => {
  const header = headers.authorization;
  return typeof header === 'string' ? /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1] : undefined;
};

/** Compares secrets in constant time, even when their lengths differ. */
export const equalSecrets = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

/** Id and secret of `Authorization: Basic` (RFC 7617), or undefined. */
export const basicCredentials = ({ headers }: RequestView): { id: string; secret: string } | undefined => {
  const encoded =
    typeof headers.authorization === 'string'
      ? /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(headers.authorization)?.[1]
      : undefined;
  const [, id, secret] = /^([^:]*):([^]*)$/.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  return id && secret !== undefined ? { id, secret } : undefined;
};

export interface JwtGuardOptions {
  readonly verifier: Pick<TokenVerifier, 'verify'> & Partial<Pick<TokenVerifier, 'remembered'>>;
  /** Callers that need no token (ALLOWED_IPS). If they send a valid one, it decides who they are. */
  readonly allowlist?: AddressList;
  /** Proxies whose X-Forwarded-For counts (TRUST_PROXY). */
  readonly trustedProxies?: AddressList;
}

/** Synchronous for a token that was verified before: a promise per layer costs more than the check itself. */
export type JwtGuard = (request: RequestView) => Principal | Promise<Principal>;

const nobody: AddressList = { size: 0, has: () => false };

/** The address a request came from, by the rules of `clientAddress`. */
export const addressOf = ({ headers, remoteAddress }: RequestView, trustedProxies: AddressList = nobody): string =>
  clientAddress({ remoteAddress, forwardedFor: headers['x-forwarded-for'] }, trustedProxies);

/**
 * Requires a valid bearer token or an allowlisted address. Rejects with `Unauthenticated` (missing, invalid, expired), or
 * with `Unavailable` while tokens cannot be checked: a token that was sent is never ignored because of that.
 */
export const jwtGuard = ({ verifier, allowlist = nobody, trustedProxies = nobody }: JwtGuardOptions): JwtGuard => {
  const byAddress = (request: RequestView, failure: Unauthenticated): Principal => {
    const address = allowlist.size > 0 ? addressOf(request, trustedProxies) : '';
    if (!allowlist.has(address)) throw failure;
    return { kind: 'address', address };
  };
  const verified = async (request: RequestView, token: string | undefined): Promise<Principal> => {
    if (!token) return byAddress(request, new Unauthenticated({ reason: 'missing' }));
    try {
      return { kind: 'token', claims: await verifier.verify(token) };
    } catch (failure) {
      if (failure instanceof Unauthenticated) return byAddress(request, failure);
      throw failure;
    }
  };
  return (request) => {
    const { authorization } = request.headers;
    const usual = typeof authorization === 'string' && authorization.startsWith('Bearer ');
    // A cached token is compared as a whole, so its syntax need not be checked again
    const claims = usual ? verifier.remembered?.(authorization.slice('Bearer '.length)) : undefined;
    return claims ? { kind: 'token', claims } : verified(request, bearerToken(request));
  };
};
