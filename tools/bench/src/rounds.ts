import type { Figures } from './bench.types';

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
};

/** Median and 99th percentile of latencies. */
export const percentiles = (milliseconds: readonly number[]): { 'p50 ms': number; 'p99 ms': number } => {
  const sorted = [...milliseconds].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { 'p50 ms': at(0.5), 'p99 ms': at(0.99) };
};

const medians = (rounds: readonly Figures[]): Figures =>
  Object.fromEntries(
    Object.keys(rounds[0] ?? {}).map((name) => [name, median(rounds.map((round) => round[name] ?? 0))]),
  );

const WARM_UPS = 5;

/**
 * Has a process do several times what will be measured: until it has compiled it, a whole turn or order costs it twice the CPU,
 * and a service runs for weeks.
 */
export const warmUp = async (measure: () => Promise<unknown>): Promise<void> => {
  for (let time = 0; time < WARM_UPS; time++) await measure();
};

type Ways<Name extends string> = Readonly<Record<Name, () => Promise<Figures>>>;

/**
 * Measures every way once per round (A/B/A/B), so that other load on the machine affects all of them alike. An extra first round
 * is a warm-up and does not count. Returns the median of every figure.
 */
export const alternate = async <Name extends string>(
  ways: Ways<Name>,
  rounds: number,
): Promise<Record<Name, Figures>> => {
  const measured = new Map<string, Figures[]>(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, measure] of Object.entries<() => Promise<Figures>>(ways)) {
      const figures = await measure();
      if (round > 0) measured.get(name)?.push(figures);
    }
  return Object.fromEntries([...measured].map(([name, each]) => [name, medians(each)])) as Record<Name, Figures>;
};

/** `one` over `other` in a figure that both have. */
export const ratioOf = (one: Figures, other: Figures, figure: string): number =>
  (one[figure] ?? Number.NaN) / (other[figure] ?? Number.NaN);
