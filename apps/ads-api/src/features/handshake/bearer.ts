import { createHash, createHmac } from 'node:crypto';

/** The only form in which a bearer is stored. */
export const bearerHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * The bearer that belongs to a handshake's nonce: opaque, 256 bits. Derived, so that a repeated handshake gets the same
 * one although only hashes of bearers are stored (design 6.4).
 */
export const bearerOf = (secret: string, nonce: Buffer): string =>
  createHmac('sha256', secret).update(nonce).digest('base64url');

/** Identity of one handshake: a hash of the decoded signature, because base64 has more than one spelling. */
export const handshakeDigest = (clientKey: string, timestamp: string, signature: Buffer): Buffer =>
  createHash('sha256').update(`${clientKey}|${timestamp}|`).update(signature).digest();
