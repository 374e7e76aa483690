import { createHash } from 'node:crypto';

/** Of a callback (design 5.3). */
export const duitkuSignature = (...parts: readonly string[]): string =>
  createHash('md5').update(parts.join('')).digest('hex');
