import type { Usage } from './chat.model';

/** Micro-dollars per million tokens. */
export interface Price {
  readonly input: bigint;
  readonly cached: bigint;
  readonly output: bigint;
}

const MILLION = 1_000_000n;

/** Cost in micro-dollars, rounded up, in whole numbers throughout: sums of floats drift (design 2.4). */
export const costMicros = (usage: Usage, price: Price): number => {
  const cached = BigInt(Math.min(usage.cached, usage.in));
  const fresh = BigInt(usage.in) - cached;
  const total = fresh * price.input + cached * price.cached + BigInt(usage.out) * price.output;
  return Number((total + MILLION - 1n) / MILLION);
};

/** Micro-dollars as dollars with six decimals: `0.000156`. */
export const dollars = (micros: number): string => (micros / 1e6).toFixed(6);
