import { numbersFrom } from '../plan';

export interface MoneyPlan {
  /** Placed and paid evenly over the time, a third at each provider. */
  readonly orders: number;
  /** How often each of commerce-api and PostgreSQL is killed. */
  readonly kills: number;
  readonly seconds: number;
  readonly seed: number;
  /** How long everything may take to be settled after the last order was placed. */
  readonly patienceSeconds: number;
}

const USUAL: MoneyPlan = { orders: 2_000, kills: 10, seconds: 120, seed: 1, patienceSeconds: 300 };

/** `--orders=300 --kills=4` */
export const moneyPlanFrom = (args: readonly string[]): MoneyPlan => numbersFrom(USUAL, args);

/** Minutes of a provider's ladder of retries last so long here: DOKU's 12 hours are 7 seconds. */
export const PROVIDERS_MINUTE_MS = 10;

export const codes = ['a', 'b', 'c'] as const;
export type Code = (typeof codes)[number];
