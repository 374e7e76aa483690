import { randomBytes } from 'node:crypto';

/** Base 32 without I, L, O and U, which people misread; its size divides 256, so every sign is as likely. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * `INV-260301-7K3QX9`, of an order, or `BIL-…`, of a bill of the platform: 17 characters, so that with an attempt a card provider's 30 hold
 * it. `day` is `YYMMDD`.
 */
export const newNumber = (kind: 'INV' | 'BIL', day: string): string => {
  const signs = [...randomBytes(6)].map((byte) => SIGNS[byte % SIGNS.length]);
  return `${kind}-${day}-${signs.join('')}`;
};
