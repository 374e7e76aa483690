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

/** Ratios are compared as shown, to two decimals: a few background statements must not turn 1 statement per message into more. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Whether a ratio misses its budget. One that is not finite always does: one side measured nothing. */
export const falls = (value: number, { atMost = Infinity, atLeast = -Infinity }: Budget): boolean =>
  !(Number.isFinite(value) && rounded(value) <= atMost && rounded(value) >= atLeast);
