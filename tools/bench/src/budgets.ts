/** A bound on a ratio: a maximum or a minimum. */
export interface Budget {
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** By `<bench>.<ratio>`. */
export type Budgets = Readonly<Record<string, Budget>>;

export const boundText = ({ atMost, atLeast }: Budget): string =>
  [
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
  ].join(', ');

/** Ratios are compared as they are shown, with two decimals: a few background statements are no second one per message. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** A ratio to nothing measured is meaningless, so it misses the budget. */
export const falls = (value: number, { atMost = Infinity, atLeast = -Infinity }: Budget): boolean =>
  !(Number.isFinite(value) && rounded(value) <= atMost && rounded(value) >= atLeast);
