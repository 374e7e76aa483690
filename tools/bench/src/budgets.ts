/** A bound on a ratio: what it may be at most, or must be at least. */
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

/** A ratio to something that measured nothing says nothing, so it holds no budget. */
export const falls = (value: number, { atMost = Infinity, atLeast = -Infinity }: Budget): boolean =>
  !(Number.isFinite(value) && rounded(value) <= atMost && rounded(value) >= atLeast);
