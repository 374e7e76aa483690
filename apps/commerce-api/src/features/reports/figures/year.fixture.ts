import { silentLogger, uuidv7 } from '@platform/runtime';
import { askOf, type Ask } from '../../../asked.fixture';
import { newStore, type Commerce } from '../../../commerce.fixture';
import type { Sold } from './figures.fixture';
import { ProductDays } from './product.days';

/** Before and behind UTC, and on both halves of the earth. */
export const ZONES = ['Asia/Jakarta', 'America/New_York', 'Pacific/Auckland'];
const PEOPLE = [uuidv7(), uuidv7(), null];
export const PHONES = ['6281110000001', '6281110000002'];
const CHANNELS = ['chat', 'bot', 'storefront'] as const;
export const HOUR = 3_600_000;
export const YEAR_BEGINS = Date.parse('2025-01-01T00:00:00Z');

/** The same numbers every time. */
export const dice = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** By the calendar of V8, not by that of PostgreSQL. */
export const dayIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  return (at: Date | string): string => format.format(new Date(at));
};

/** Moments around which days, months and summer times change, and any others. */
export const EDGES = [
  ...['2025-01-31T17:00:00Z', '2025-03-01T05:00:00Z', '2025-04-30T12:00:00Z', '2025-12-31T11:00:00Z'],
  ...['2025-03-09T05:00:00Z', '2025-03-10T04:00:00Z', '2025-11-02T04:00:00Z', '2025-11-03T05:00:00Z'],
  ...['2025-04-05T11:00:00Z', '2025-04-06T12:00:00Z', '2025-09-27T12:00:00Z', '2025-09-28T11:00:00Z'],
].flatMap((edge) => [-1, 0, 1].map((ms) => new Date(Date.parse(edge) + ms)));

/** What a store sold in 2025, the same for the same seed. */
export const salesOfYear = (seed: number, variants: readonly string[]): Sold[] => {
  const roll = dice(seed);
  const pick = <T>(from: readonly T[]): T => from[roll(from.length)] as T;
  const anyTime = (): Date => new Date(YEAR_BEGINS + roll(365 * 24) * HOUR + roll(HOUR));
  return [...EDGES, ...Array.from({ length: 250 }, anyTime)].map((at) => {
    const total = 10_000 + roll(90_000);
    const refunds = roll(4) === 0 ? [{ amount: 1 + roll(5_000), at: new Date(at.getTime() + roll(900) * HOUR) }] : [];
    return {
      ...{ id: uuidv7(), at, total, refunds, channel: pick(CHANNELS), assignee: pick(PEOPLE), phone: pick(PHONES) },
      ...{
        provider: pick(['a', 'transfer'] as const),
        fee: 500 + roll(500),
        cost: roll(9_000),
        variant: pick(variants),
      },
    };
  });
};

/** A figure of all rows added up. */
export const total = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

/** A store in a time zone with two variants. */
export const shopIn = async (
  commerce: Commerce,
  zone: string,
): Promise<{ storeId: string; ask: Ask; variants: string[] }> => {
  const storeId = await newStore(commerce, [{ sku: 'A' }, { sku: 'B' }]);
  await commerce.database.query('UPDATE store SET timezone = $2 WHERE store_id = $1', [storeId, zone]);
  const rows = await commerce.database.query<{ id: string }>(
    'SELECT id FROM variant WHERE store_id = $1 ORDER BY sku',
    [storeId],
  );
  return { storeId, ask: askOf(commerce)(storeId), variants: rows.map(({ id }) => id) };
};

/** The job that sums up what products brought on each day. */
export const daysOf = ({ database, clock }: Pick<Commerce, 'database' | 'clock'>): ProductDays =>
  new ProductDays({ database, clock, logger: silentLogger });

/** The days of a store, in UTC, that its reports read from the orders. */
export const leftToSumUp = async ({ database }: Pick<Commerce, 'database'>, storeId: string): Promise<string[]> => {
  const text = 'SELECT DISTINCT day::text AS day FROM product_daily_change WHERE store_id = $1 ORDER BY 1';
  return (await database.query<{ day: string }>(text, [storeId])).map(({ day }) => day);
};
