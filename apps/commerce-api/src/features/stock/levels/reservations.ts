import type { Sql } from '@platform/data';
import { Unexpected } from '@platform/errors';
import type { By } from '../../../by';
import { COMMIT, OPEN_LEVELS, RELEASE, RESERVE } from './reservations.sql';
import { stockRefusals, type ShortLine } from './stock.refusals';

/** A quantity of a variant in a warehouse. */
export interface StockLine {
  readonly variant_id: string;
  readonly warehouse_id: string;
  /** Pieces, from 1. */
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
  /** A variant that may be backordered, of which nothing was ever there. */
  readonly opens: boolean;
  /** The owner has bought of it already. */
  readonly sold: boolean;
}

const columns = (lines: readonly StockLine[]) => [
  lines.map((line) => line.variant_id),
  lines.map((line) => line.warehouse_id),
  lines.map((line) => line.qty),
];

const attempt = (tx: Sql, { storeId, actor, at }: By, { type, id, expiresAt }: Owner, lines: readonly StockLine[]) =>
  tx.prepared<Refused>('stock reserve', RESERVE, [storeId, ...columns(lines), type, id, expiresAt ?? null, actor, at]);

const shown = ({ variant_id, warehouse_id, available }: Refused): ShortLine => ({
  variant_id,
  warehouse_id,
  available,
});

/**
 * Reserves every line for the owner, or throws `out_of_stock` with the lines that are short; the caller's transaction is then to be rolled
 * back. What an owner holds already is added to. One statement, in whatever order the lines come; untracked variants are passed over.
 */
export const reserve = async (tx: Sql, by: By, owner: Owner, lines: readonly StockLine[]): Promise<void> => {
  const refused = await attempt(tx, by, owner, lines);
  if (refused.some(({ sold }) => sold))
    throw new Unexpected(`${owner.type} ${owner.id} has bought these goods already: reserve for another owner`);
  const short = refused.filter(({ opens }) => !opens);
  if (short.length > 0) throw stockRefusals.outOfStock(short.map(shown));
  if (refused.length === 0) return;
  const opened = lines.filter((line) =>
    refused.some((one) => one.variant_id === line.variant_id && one.warehouse_id === line.warehouse_id),
  );
  await tx.query(OPEN_LEVELS, [by.storeId, ...columns(opened).slice(0, 2), by.at]);
  const still = await attempt(tx, by, owner, opened);
  if (still.length > 0) throw stockRefusals.outOfStock(still.map(shown));
};

const settled =
  (statement: string, name: string) =>
  (tx: Sql, { storeId, actor, at }: By, { type, id }: Owner) =>
    tx.prepared<StockLine>(name, statement, [storeId, type, id, actor, at]);

/** The owner has paid: what it holds leaves the shelf. Resolves to the lines; none when it holds nothing (any more). */
export const commit = settled(COMMIT, 'stock commit');

/** The owner does not buy: what it holds is free again. Resolves to the lines; none when it holds nothing (any more). */
export const release = settled(RELEASE, 'stock release');
