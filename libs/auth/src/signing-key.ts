import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';

export const MINIMUM_RSA_BITS = 2048;

/** A public key as a JWKS lists it (RFC 7517): RSA, for RS256 signatures. */
export interface PublicJwk {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
}

export interface SigningKey {
  /** RFC 7638 thumbprint of the public key: the same key always has the same id. */
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly privateKey: KeyObject;
  /** PKCS#8 PEM, to be stored encrypted. */
  exportPem(): string;
}

/** RFC 7638: SHA-256 of the required members in lexical order, without white space, base64url. */
export const thumbprint = ({ n, e }: { readonly n: string; readonly e: string }): string =>
  createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');

/** Throws unless it is an RSA key of at least 2048 bits. */
export const requireStrongRsa = (key: KeyObject): void => {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa')
    throw new Error(`a signing key must be RSA, not ${key.asymmetricKeyType ?? 'a secret'}`);
  if (bits < MINIMUM_RSA_BITS)
    throw new Error(`a signing key must have at least ${MINIMUM_RSA_BITS} bits, this one has ${bits}: make a new one`);
};

const publicJwkOf = (key: KeyObject): PublicJwk => {
  const { n, e } = createPublicKey(key).export({ format: 'jwk' });
  if (!n || !e) throw new Error('the RSA key has no modulus or exponent');
  return { kty: 'RSA', n, e, kid: thumbprint({ n, e }), use: 'sig', alg: 'RS256' };
};

/** A signing key from a PEM text or key object. Throws for anything but RSA of at least 2048 bits. */
export const signingKey = (source: string | KeyObject): SigningKey => {
  const privateKey = typeof source === 'string' ? createPrivateKey(source) : source;
  requireStrongRsa(privateKey);
  const publicJwk = publicJwkOf(privateKey);
  return {
    kid: publicJwk.kid,
    publicJwk,
    privateKey,
    exportPem: () => privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
};

/** A new RSA key, generated off the main thread (about 0.1 s). */
export const generateSigningKey = async (): Promise<SigningKey> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MINIMUM_RSA_BITS });
  return signingKey(privateKey);
};

/** The document of `GET /.well-known/jwks.json`: public members only. */
export const publicJwks = (keys: readonly { readonly publicJwk: PublicJwk }[]): { readonly keys: PublicJwk[] } => ({
  keys: keys.map(({ publicJwk: { kty, n, e, kid, use, alg } }) => ({ kty, n, e, kid, use, alg })),
});

/** The verification keys of a JWKS by kid. Skips anything but RSA signature keys of sufficient size. */
export const verificationKeys = (jwks: unknown): Map<string, KeyObject> => {
  const entries =
    typeof jwks === 'object' && jwks !== null && 'keys' in jwks && Array.isArray(jwks.keys)
      ? (jwks.keys as JsonWebKey[])
      : [];
  const keys = new Map<string, KeyObject>();
  for (const jwk of entries) {
    const usable =
      jwk?.kty === 'RSA' &&
      typeof jwk.kid === 'string' &&
      (jwk.use ?? 'sig') === 'sig' &&
      (jwk.alg ?? 'RS256') === 'RS256';
    if (!usable) continue;
    try {
      const key = createPublicKey({ key: { kty: 'RSA', n: jwk.n, e: jwk.e }, format: 'jwk' });
      requireStrongRsa(key);
      keys.set(String(jwk.kid), key);
    } catch {
      // One unusable key must not discard the usable ones.
    }
  }
  return keys;
};
