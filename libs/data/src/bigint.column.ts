import type { ValueTransformer } from 'typeorm';

const safe = (value: unknown): number => {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(
    `${String(value)} cannot be kept in a number exactly: a bigint column read or written as a number must stay within ±(2^53 - 1).`,
  );
};

/**
 * Column transformer: `bigint` in the database, a safe integer in the entity (`@Column('bigint', { transformer: bigintNumber })`).
 * `bigintNumber.from(row.total)` does the same for a row of raw SQL. NULL stays null. Throws RangeError beyond 2^53 - 1.
 */
export const bigintNumber = {
  // TypeORM also passes `undefined` (column not set) and find operators, which are not values.
  to: (value: unknown) => (typeof value === 'number' || typeof value === 'bigint' ? safe(value) : value),
  from: (value: unknown) => (value === null || value === undefined ? (value as unknown as number) : safe(value)),
} satisfies ValueTransformer;
