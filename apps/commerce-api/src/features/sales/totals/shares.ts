/** `value * part / whole`, exact for safe integers, rounded down. */
export const portionDown = (value: number, part: number, whole: number): number =>
  Number((BigInt(value) * BigInt(part)) / BigInt(whole));

/** `value * part / whole`, exact for safe integers; half a unit is rounded up. None of them is negative. */
export const portionHalfUp = (value: number, part: number, whole: number): number =>
  Number((2n * BigInt(value) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

interface Remainder {
  readonly at: number;
  readonly left: bigint;
}

/** The larger first; of equal ones the earlier line's. */
const byRemainder = (one: Remainder, other: Remainder): number =>
  one.left === other.left ? one.at - other.at : one.left < other.left ? 1 : -1;

/**
 * Parts of `whole` in proportion to `weights` that add up to exactly `whole` (largest remainder method): each weight gets its
 * proportion rounded down, what is left goes in single units to the largest remainders. Weights that are all 0 count alike.
 * Amounts and weights are integers from 0.
 */
export const sharesOf = (whole: number, weights: readonly number[]): number[] => {
  const given = sum(weights) > 0 ? weights : weights.map(() => 1);
  const all = BigInt(sum(given));
  const shares = given.map((weight) => portionDown(whole, weight, Number(all)));
  const remainders = given.map((weight, at) => ({ at, left: (BigInt(whole) * BigInt(weight)) % all }));
  const units = whole - sum(shares);
  for (const { at } of remainders.sort(byRemainder).slice(0, units)) shares[at] = (shares[at] ?? 0) + 1;
  return shares;
};
