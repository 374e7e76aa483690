import { createPublicKey, verify } from 'node:crypto';

const P = 2n ** 255n - 19n;
/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410) up to the key itself. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n;
  for (let [b, e] = [base % P, exponent]; e > 0n; [b, e] = [(b * b) % P, e >> 1n])
    if (e & 1n) result = (result * b) % P;
  return result;
};

/**
 * Verifies an XEdDSA signature (signal.org/docs/specifications/xeddsa) of a Curve25519 key over `message`. The library has such
 * a function too, but 7.0.0-rc14 ignores its result and accepts every signature of 64 bytes.
 */
export const isSignedBy = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  if (key.length !== 32 || signature.length !== 64) return false;
  const u = BigInt(`0x${Buffer.from(key).reverse().toString('hex')}`) & ((1n << 255n) - 1n);
  const y = ((u - 1n + P) * power(u + 1n, P - 2n)) % P; // Montgomery to Edwards: y = (u - 1) / (u + 1)
  const point = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
  const plain = Buffer.from(signature);
  point[31] = (point[31] ?? 0) | ((plain[63] ?? 0) & 0x80); // the signature carries the sign of x
  plain[63] = (plain[63] ?? 0) & 0x7f;
  const spki = createPublicKey({ key: Buffer.concat([SPKI, point]), format: 'der', type: 'spki' });
  return verify(null, message, spki, plain);
};
