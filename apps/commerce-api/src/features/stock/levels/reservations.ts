import type { Sql } from '@platform/data';
import { Unexpected } from '@platform/errors';
import type { By } from '../../../by';
import { COMMIT, HELD, OPEN_LEVELS, RELEASE, RESERVE, UNSELL } from './reservations.sql';
import { stockRefusals, type ShortLine } from './stock.refusals';

/** A quantity of a variant in a warehouse. */
export interface StockLine {
  readonly variant_id: string;
  readonly warehouse_id: string;
  /** Pieces. */
  readonly qty: number;
}

/** What a reservation belongs to: `{ type: 'order', id }`. */
export interface Owner {
  readonly type: string;
  readonly id: string;
  /** When nobody waits for a payment any more. */
  readonly expiresAt?: Date;
}

interface Refused extends ShortLine {
  /** A variant that may be backordered, of which nothing was ever there: then nothing was done with any line. */
  readonly opens: boolean;
  /** The owner has bought of it already. */
  readonly sold: boolean;
}

const placesOf = (lines: readonly Pick<StockLine, 'variant_id' | 'warehouse_id'>[]) => [
  lines.map((line) => line.variant_id),
  lines.map((line) => line.warehouse_id),
];
const columns = (lines: readonly StockLine[]) => [...placesOf(lines), lines.map((line) => line.qty)];

const attempt = (tx: Sql, { storeId, actor, at }: By, { type, id, expiresAt }: Owner, lines: readonly StockLine[]) =>
  tx.prepared<Refused>('stock reserve', RESERVE, [storeId, ...columns(lines), type, id, expiresAt ?? null, actor, at]);

const shown = ({ variant_id, warehouse_id, available }: Refused): ShortLine => ({
  variant_id,
  warehouse_id,
  available,
});

/**
 * Reserves every line for the owner, or throws `out_of_stock` with the lines that are short; the caller's transaction is then to be rolled
 * back. What an owner holds already is added to, and a negative quantity taken from it. One statement, in whatever order the lines come;
 * untracked variants are passed over.
 */
export const reserve = async (tx: Sql, by: By, owner: Owner, lines: readonly StockLine[]): Promise<void> => {
  let refused = await attempt(tx, by, owner, lines);
  const opened = refused.filter(({ opens }) => opens);
  if (opened.length > 0) {
    await tx.query(OPEN_LEVELS, [by.storeId, ...placesOf(opened), by.at]);
    refused = await attempt(tx, by, owner, lines);
  }
  if (refused.some(({ sold }) => sold))
    throw new Unexpected(`${owner.type} ${owner.id} has bought these goods already: reserve for another owner`);
  if (refused.length > 0) throw stockRefusals.outOfStock(refused.map(shown));
};

const placeOf = ({ variant_id, warehouse_id }: StockLine): string => `${variant_id} ${warehouse_id}`;

/** What turns one list of lines into another, by level; nothing for levels that stay as they are. */
const differences = (from: readonly StockLine[], to: readonly StockLine[]): StockLine[] => {
  const changes = new Map<string, StockLine>();
  const add = (line: StockLine, qty: number): void => {
    const before = changes.get(placeOf(line))?.qty ?? 0;
    changes.set(placeOf(line), { ...line, qty: before + qty });
  };
  for (const line of to) add(line, line.qty);
  for (const line of from) add(line, -line.qty);
  return [...changes.values()].filter(({ qty }) => qty !== 0);
};

/**
 * The owner wants these lines in place of what it holds: the difference is reserved and given back, under the same locks in one
 * statement. The caller has locked the owner. Throws `out_of_stock` as `reserve` does.
 */
export const change = async (tx: Sql, by: By, owner: Owner, lines: readonly StockLine[]): Promise<void> => {
  const held = await tx.prepared<StockLine>('stock held', HELD, [by.storeId, owner.type, owner.id]);
  const changes = differences(held, lines);
  if (changes.length > 0) await reserve(tx, by, owner, changes);
};

const settled =
  (statement: string, name: string) =>
  (tx: Sql, { storeId, actor, at }: By, { type, id }: Owner) =>
    tx.prepared<StockLine>(name, statement, [storeId, type, id, actor, at]);

/** The owner has paid: what it holds leaves the shelf. Resolves to the lines; none when it holds nothing (any more). */
export const commit = settled(COMMIT, 'stock commit');

/** The same with the next statement: nobody else waits for these levels longer than the server takes from there to the commit. */
export const commitLater = (tx: Sql, { storeId, actor, at }: By, { type, id }: Owner): Promise<void> =>
  tx.later('stock commit', COMMIT, [storeId, type, id, actor, at]);

/** The owner does not buy: what it holds is free again. Resolves to the lines; none when it holds nothing (any more). */
export const release = settled(RELEASE, 'stock release');

/** The owner has not paid after all: what was sold to it is on the shelf again, and held for it. Resolves to the lines. */
export const unsell = settled(UNSELL, 'stock unsell');
