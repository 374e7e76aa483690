import { createHash } from 'node:crypto';
import { isClaims, serviceRoles, TOKEN_ISSUER, tokenTypes, type Claims, type TokenType } from '@platform/contracts';
import { Unauthenticated } from '@platform/errors';
import { systemClock, type Clock, type Logger } from '@platform/runtime';
import { verify } from 'jsonwebtoken';
import { JWKS_TTL_MS, remoteKeys, type KeySource } from './key-source';
import { verifiedTokens, type VerifiedToken } from './verified-tokens';

export const CLOCK_SKEW_SECONDS = 30;

/** What a verifier asks about an otherwise valid token. `revocationList` is one. */
export interface Revocations {
  /** `key`: the hex SHA-256 of a sid, a jti, or the kid of the key that signed. */
  isRevoked(key: string): boolean;
  /** The claims with role and teams of a newer membership. */
  current(claims: Claims): Claims;
}

export interface TokenVerifierOptions {
  /** Where the keys are: the address of a JWKS, or any other source. */
  readonly jwksUrl?: string;
  readonly keys?: KeySource;
  readonly issuer?: string;
  /** Own name, or several (introspection): the token's aud must contain one of them. */
  readonly audience: string | [string, ...string[]];
  /** Accepted kinds; access and service tokens by default. */
  readonly types?: readonly TokenType[];
  readonly revocations?: Revocations;
  /** Most verified tokens in the cache. */
  readonly cacheSize?: number;
  readonly logger: Logger;
  readonly clock?: Clock;
}

export interface TokenVerifier {
  /** The claims of a valid token. Rejects with `Unauthenticated`, or with `Unavailable` until keys have been loaded. */
  verify(token: string): Promise<Claims>;
  /** The claims of a token that `verify` has accepted, neither expired nor revoked since; undefined: not known, call `verify`. */
  remembered(token: string): Claims | undefined;
  /** As `verify`, but accepts an expired token that is otherwise valid, for logout and refresh. Never from the cache. */
  verifyExpired(token: string): Promise<Claims>;
  /** Rejects while no token can be verified; for /ready. */
  check(): Promise<void>;
}

/** The only form in which a sid is stored or published. */
export const sidHashOf = (sid: string): string => createHash('sha256').update(sid).digest('hex');

const invalid = (why: string): Unauthenticated => new Unauthenticated({ reason: 'invalid', cause: new Error(why) });

interface Header {
  readonly kid: string;
  readonly typ: string;
}

/** Reads kid and typ only: the algorithm is ours to choose, never the token's. */
const headerOf = (token: string): Header => {
  const [head = '', body, signature, ...rest] = token.split('.');
  if (!body || !signature || rest.length > 0) throw invalid('not a signed token');
  try {
    const { kid, typ, crit } = JSON.parse(Buffer.from(head, 'base64url').toString()) as Partial<
      Record<string, unknown>
    >;
    // We understand no extension, and must refuse one that is critical (RFC 7515 section 4.1.11)
    if (typeof kid === 'string' && typeof typ === 'string' && crit === undefined) return { kid, typ };
  } catch {
    // Reported below, like a header without kid or typ, or with an extension.
  }
  throw invalid('the header is unreadable, lacks kid or typ, or names a critical extension');
};

/** The kind a token claims to be; says nothing about its validity. */
export const tokenTypeOf = (token: string): TokenType | undefined => {
  const { typ } = headerOf(token);
  return Object.values(tokenTypes).find((type) => type === typ);
};

interface Rules {
  readonly keys: KeySource;
  readonly types: readonly TokenType[];
  readonly issuer: string;
  readonly audience: string | [string, ...string[]];
  readonly clock: Clock;
  readonly revocations: Revocations | undefined;
}

/** Services have service tokens, and nobody else has. */
const fitsKind = ({ role }: Claims, typ: string): boolean =>
  serviceRoles.some((one) => one === role) === (typ === tokenTypes.service);

type Signed = Pick<VerifiedToken, 'claims' | 'sidHash' | 'kid'>;

/** Everything but the revocation of a login, and expiry. */
const verifySigned = async (token: string, rules: Rules): Promise<Signed> => {
  const { keys, types, issuer, audience, clock, revocations } = rules;
  const { kid, typ } = headerOf(token);
  // Also while nobody tells which keys there are
  if (revocations?.isRevoked(kid)) throw invalid('revoked');
  if (!types.some((type) => type === typ)) throw invalid(`a token of type ${typ.slice(0, 40)} is not accepted here`);
  const key = await keys.find(kid);
  if (!key) throw invalid('no such key');
  let body: unknown;
  try {
    body = verify(token, key, {
      algorithms: ['RS256'],
      issuer,
      audience,
      clockTolerance: CLOCK_SKEW_SECONDS,
      clockTimestamp: Math.floor(clock.now().getTime() / 1000),
      ignoreExpiration: true,
    });
  } catch (cause) {
    throw new Unauthenticated({ reason: 'invalid', cause });
  }
  if (!isClaims(body)) throw invalid('a claim is missing or of a wrong type');
  if (!fitsKind(body, typ)) throw invalid(`role ${body.role} has no token of type ${typ}`);
  return { claims: body, sidHash: sidHashOf(body.sid), kid };
};

const rulesOf = (options: TokenVerifierOptions): Rules => {
  const {
    audience,
    issuer = TOKEN_ISSUER,
    types = [tokenTypes.access, tokenTypes.service],
    jwksUrl,
    logger,
    clock = systemClock,
    revocations,
  } = options;
  const keys = options.keys ?? (jwksUrl ? remoteKeys({ url: jwksUrl, logger, clock }) : undefined);
  if (!keys) throw new Error('tokenVerifier needs jwksUrl or keys');
  return { keys, types, issuer, audience, clock, revocations };
};

/**
 * The one implementation of the platform's verifier rules (store-auth design 3.1): RS256 only, kind in the header and of the
 * role, issuer, own name in aud, nbf and exp with 30 s of skew, login, token and key not revoked, claims overridden by a newer membership.
 * "Expired" is said only of a token that would otherwise be valid, therefore expiry is looked at last.
 * A good token is remembered by its hash, no longer than keys are (10 min); revocation is looked up on every use.
 */
export const tokenVerifier = (options: TokenVerifierOptions): TokenVerifier => {
  const { revocations, cacheSize = 10_000 } = options;
  const rules = rulesOf(options);
  const cache = verifiedTokens(cacheSize);
  const isRevoked = ({ claims, sidHash, kid }: Signed): boolean =>
    revocations !== undefined &&
    (revocations.isRevoked(sidHash) || revocations.isRevoked(claims.jti) || revocations.isRevoked(kid));
  const refuseRevoked = (signed: Signed): Claims => {
    if (isRevoked(signed)) throw invalid('revoked');
    return revocations?.current(signed.claims) ?? signed.claims;
  };
  return {
    check: () => rules.keys.check(),
    remembered: (token) => {
      const known = cache.get(token, rules.clock.now().getTime());
      if (!known || isRevoked(known)) return undefined;
      return revocations?.current(known.claims) ?? known.claims;
    },
    verifyExpired: async (token) => refuseRevoked(await verifySigned(token, rules)),
    verify: async (token) => {
      const now = rules.clock.now().getTime();
      const known = cache.get(token, now);
      if (known) return refuseRevoked(known);
      const signed = await verifySigned(token, rules);
      const current = refuseRevoked(signed);
      const goodUntil = (signed.claims.exp + CLOCK_SKEW_SECONDS) * 1000;
      if (goodUntil <= now) throw new Unauthenticated({ reason: 'expired' });
      cache.set(token, { ...signed, until: Math.min(goodUntil, now + JWKS_TTL_MS) });
      return current;
    },
  };
};
