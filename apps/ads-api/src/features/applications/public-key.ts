import { createHash, createPublicKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { LruCache } from '@platform/runtime';

/** A parsed public key, whatever text it came in. */
export interface PublicKey {
  readonly key: KeyObject;
  /** Hex SHA-256 of the SPKI DER: equal for every spelling of the same key. */
  readonly fingerprint: string;
}

export const PUBLIC_KEY_LIMIT = 8 * 1024;
const MINIMUM_BITS = 2048;
const ARMOUR = /^-----BEGIN ((?:RSA )?PUBLIC KEY)-----(.*)-----END \1-----$/s;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const keyOf = (der: Buffer): PublicKey | undefined => {
  for (const type of ['spki', 'pkcs1'] as const)
    try {
      const key = createPublicKey({ key: der, format: 'der', type });
      const spki = key.export({ format: 'der', type: 'spki' });
      // Node also derives the public key from a private one, and ignores what follows a key. An SPKI ends with its PKCS#1.
      if (!(type === 'spki' ? spki : spki.subarray(-der.length)).equals(der)) continue;
      return { key, fingerprint: createHash('sha256').update(spki).digest('hex') };
    } catch {
      // Not this structure: try the next one
    }
  return undefined;
};

const percentDecoded = (text: string): string => {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const read = (text: string, wrapped: boolean): PublicKey | undefined => {
  const plain = percentDecoded(text)
    .replace(/\\r|\\n/g, '\n')
    .trim();
  if (/PRIVATE/.test(plain)) return undefined;
  const body = (ARMOUR.exec(plain)?.[2] ?? plain).replace(/\s+/g, '');
  if (!BASE64.test(body)) return undefined;
  const bytes = Buffer.from(body, 'base64');
  if (!wrapped && bytes.subarray(0, 11).toString('latin1') === '-----BEGIN ') return read(bytes.toString('utf8'), true);
  return keyOf(bytes);
};

/**
 * Reads a public key from any spelling that can travel in a header, because a PEM's line ends cannot (design 6.3): literal
 * `\n`, spaces for line ends, no separators, the bare base64 body, percent-encoded, base64 of the PEM; and from the
 * multi-line PEMs of a registration. SPKI or PKCS#1. Undefined for everything else, also for a private key.
 */
export const readPublicKey = (text: string): PublicKey | undefined =>
  text.length > PUBLIC_KEY_LIMIT ? undefined : read(text, false);

/** The same, caching the last texts: clients send theirs with every request. Keeps hashes of them, never the texts. */
export const publicKeyReader = (limit = 1000): typeof readPublicKey => {
  const known = new LruCache<string, PublicKey>({ limit });
  return (text) => {
    const id = createHash('sha256').update(text).digest('base64');
    const found = known.get(id) ?? readPublicKey(text);
    if (!found) return undefined;
    known.set(id, found);
    return found;
  };
};

const exponentOf = (key: KeyObject): bigint => key.asymmetricKeyDetails?.publicExponent ?? 0n;

/** Whether it can check RS256 signatures: RSA of at least 2048 bits with an odd exponent above 1. */
export const isUsableKey = ({ key }: PublicKey): boolean =>
  key.asymmetricKeyType === 'rsa' &&
  (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MINIMUM_BITS &&
  exponentOf(key) > 1n &&
  exponentOf(key) % 2n === 1n;

/** The key of a registration. Throws an Error that says what is wrong with the text. */
export const requirePublicKey = (text: string): PublicKey => {
  const found = readPublicKey(text);
  if (!found)
    throw new Error(
      'The public key cannot be read: give the PEM of an RSA public key (SPKI or PKCS#1), not a private one.',
    );
  if (!isUsableKey(found))
    throw new Error(
      `The public key must be RSA of at least ${MINIMUM_BITS} bits with an odd exponent: make a new pair.`,
    );
  return found;
};

/** Compares fingerprints in constant time. */
export const isAmong = (fingerprint: string, accepted: readonly string[]): boolean => {
  const wanted = Buffer.from(fingerprint, 'hex');
  return accepted.map((one) => timingSafeEqual(Buffer.from(one, 'hex'), wanted)).includes(true);
};
