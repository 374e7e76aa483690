import type { Database } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Price } from './cost';

/** The current prices of models. */
export interface Prices {
  current(): Promise<ReadonlyMap<string, Price>>;
}

export interface PriceEntry extends Price {
  readonly model: string;
  /** A time that PostgreSQL reads. */
  readonly validFrom: string;
}

export interface PriceWriter {
  /** For a model without any price from ever; another one stays. */
  putDefault(model: string, price: Price): Promise<void>;
  /** All of them, in place of those that begin at the same time. */
  putAll(entries: readonly PriceEntry[]): Promise<void>;
}

const KEPT_MS = 60_000;
const CURRENT = `
  SELECT DISTINCT ON (model) model, input_micros, cached_micros, output_micros
  FROM llm_prices WHERE valid_from <= now() ORDER BY model, valid_from DESC`;
const PUT = `
  INSERT INTO llm_prices (model, valid_from, input_micros, cached_micros, output_micros)
  VALUES ($1, '-infinity', $2, $3, $4) ON CONFLICT DO NOTHING`;

const PUT_ALL = `
  INSERT INTO llm_prices (model, valid_from, input_micros, cached_micros, output_micros)
  SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[])
  ON CONFLICT (model, valid_from) DO UPDATE
    SET input_micros = EXCLUDED.input_micros, cached_micros = EXCLUDED.cached_micros, output_micros = EXCLUDED.output_micros`;

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
export const priceRepository = (database: Database, clock: Clock): Prices & PriceWriter => {
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
    putAll: async (entries) => {
      const columns = [
        entries.map(({ model }) => model),
        entries.map(({ validFrom }) => validFrom),
        ...(['input', 'cached', 'output'] as const).map((kind) => entries.map((entry) => String(entry[kind]))),
      ];
      await database.query(PUT_ALL, columns);
      known = undefined;
    },
  };
};
