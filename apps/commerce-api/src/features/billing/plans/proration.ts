/** An amount that was paid for a time, in the settlement unit of its currency. */
export interface PaidTime {
  readonly price: number;
  readonly from: Date;
  readonly until: Date;
}

const secondsBetween = (from: Date, until: Date): bigint =>
  BigInt(Math.floor(until.getTime() / 1000) - Math.floor(from.getTime() / 1000));

const leftAt = ({ from, until }: PaidTime, at: Date): readonly [left: bigint, whole: bigint] => {
  const whole = secondsBetween(from, until);
  const left = secondsBetween(at, until);
  if (left < 0n) return [0n, whole];
  return [left > whole ? whole : left, whole];
};

/** What is given back of it at a moment: floor(remaining seconds * price / its seconds), from 0 to the price. */
export const creditOf = (paid: PaidTime, at: Date): number => {
  const [left, whole] = leftAt(paid, at);
  return Number((left * BigInt(paid.price)) / whole);
};

/** What the rest of a period costs of which the whole costs `price`: rounded up, so that no rest is for nothing. */
export const restOf = (paid: PaidTime, at: Date): number => {
  const [left, whole] = leftAt(paid, at);
  return Number((left * BigInt(paid.price) + whole - 1n) / whole);
};
