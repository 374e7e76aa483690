import type { Database } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Price } from './cost';

/** The current prices of models. */
export interface Prices {
  current(): Promise<ReadonlyMap<string, Price>>;
}

const KEPT_MS = 60_000;
const CURRENT = `
  SELECT DISTINCT ON (model) model, input_micros, cached_micros, output_micros
  FROM llm_prices WHERE valid_from <= now() ORDER BY model, valid_from DESC`;
const PUT = `
  INSERT INTO llm_prices (model, valid_from, input_micros, cached_micros, output_micros)
  VALUES ($1, '-infinity', $2, $3, $4) ON CONFLICT DO NOTHING`;

interface Row {
  model: string;
  input_micros: string;
  cached_micros: string;
  output_micros: string;
}

const priceOf = (row: Row): [string, Price] => [
  row.model,
  { input: BigInt(row.input_micros), cached: BigInt(row.cached_micros), output: BigInt(row.output_micros) },
];

/** The price list in our own database, read again after a minute. */
export const priceRepository = (
  database: Database,
  clock: Clock,
): Prices & { putDefault(model: string, price: Price): Promise<void> } => {
  let known: ReadonlyMap<string, Price> | undefined;
  let readAt = 0;
  return {
    current: async () => {
      const now = clock.now().getTime();
      if (known && now - readAt < KEPT_MS) return known;
      known = new Map((await database.query<Row>(CURRENT)).map(priceOf));
      readAt = now;
      return known;
    },
    putDefault: async (model, { input, cached, output }) =>
      void (await database.query(PUT, [model, String(input), String(cached), String(output)])),
  };
};
