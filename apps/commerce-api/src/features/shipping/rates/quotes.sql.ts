import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import type { Place } from './place';
import type { Offer } from './sending';

/** How long a price is good. */
const GOOD_MS = 10 * 60_000;

/** What was offered for these goods to this place. */
export interface RateQuote {
  readonly goods: string;
  readonly place: Place;
  readonly options: readonly Offer[];
}

const INSERT = `INSERT INTO rate_quote (store_id, id, goods, place, options, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
export const QUOTE = `SELECT goods, place, options FROM rate_quote WHERE store_id = $1 AND id = $2 AND expires_at > $3`;

/** Keeps what was offered for ten minutes; resolves to its id. */
export const keepQuote = async (
  sql: Sql,
  { storeId, at }: Pick<By, 'storeId' | 'at'>,
  { goods, place, options }: RateQuote,
): Promise<string> => {
  const id = uuidv7();
  const values = [goods, JSON.stringify(place), JSON.stringify(options), at, new Date(at.getTime() + GOOD_MS)];
  await sql.prepared('rate quote', INSERT, [storeId, id, ...values]);
  return id;
};

/** undefined when it has expired, or is another store's. */
export const liveQuote = async (
  sql: Sql,
  { storeId, at }: Pick<By, 'storeId' | 'at'>,
  id: string,
): Promise<RateQuote | undefined> => (await sql.prepared<RateQuote>('rate quote by id', QUOTE, [storeId, id, at]))[0];
