import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0)));

const tokenOf = (secret: string): Buffer => createHmac('sha256', secret).update('csrf').digest();

/**
 * What a form of the holder of `secret` carries. Masked anew each time: a compressed page that mirrors what was typed would otherwise
 * give the token away bit by bit (BREACH, https://breachattack.com).
 */
export const csrfToken = (secret: string): string => {
  const mask = randomBytes(BYTES);
  return Buffer.concat([mask, xor(tokenOf(secret), mask)]).toString('base64url');
};

/** Whether a form that came back is one that the holder of `secret` was given. */
export const isCsrfToken = (secret: string, given: unknown): boolean => {
  const bytes = Buffer.from(typeof given === 'string' ? given : '', 'base64url');
  if (bytes.length !== 2 * BYTES) return false;
  return timingSafeEqual(xor(bytes.subarray(BYTES), bytes.subarray(0, BYTES)), tokenOf(secret));
};
