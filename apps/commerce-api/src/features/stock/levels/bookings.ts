import type { Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import type { By } from '../../../by';
import { BOOK } from './bookings.sql';
import { MOST_PIECES, OPEN_LEVELS } from './reservations.sql';
import { stockRefusals } from './stock.refusals';

export type BookingReason = 'adjust' | 'damage' | 'found' | 'return' | 'transfer_out' | 'transfer_in' | 'count';

/** A change of what is on hand: by `delta`, or to `counted`. */
export interface Booking {
  readonly variant_id: string;
  readonly warehouse_id: string;
  readonly delta?: number;
  readonly counted?: number;
}

export interface BookedAs {
  readonly reason: BookingReason;
  /** What it belongs to: `transfer:<id>`. */
  readonly ref?: string;
  readonly note?: string | undefined;
}

/** A line that changed its level; `id` is that of its movement. */
export interface Booked {
  readonly id: string;
  readonly variant_id: string;
  readonly warehouse_id: string;
  readonly delta: number;
}

interface Told extends Omit<Booked, 'id'> {
  readonly id: string | null;
  readonly available: number;
  readonly found: boolean;
  readonly covers: boolean;
  readonly fits: boolean;
}

const tooMany = (index: number): InvalidInput =>
  new InvalidInput([{ field: `lines[${index}]`, tag: 'max', message: `a level holds at most ${MOST_PIECES} pieces` }]);

const missing = (): NotFound => new NotFound('Variant or warehouse not found');

/**
 * Books all lines, at most one a level, in the caller's transaction, and resolves to those that changed a level. Throws, and the transaction is then to be
 * rolled back, `below_reserved` when less would be left than orders have reserved, and `NotFound` for a variant or warehouse of another store.
 */
export const book = async (
  tx: Sql,
  { storeId, actor, at }: By,
  { reason, ref, note }: BookedAs,
  lines: readonly Booking[],
): Promise<Booked[]> => {
  const [variants, warehouses] = [lines.map((line) => line.variant_id), lines.map((line) => line.warehouse_id)];
  const amounts = [lines.map(({ delta }) => delta ?? null), lines.map(({ counted }) => counted ?? null)];
  await tx.prepared('stock open', OPEN_LEVELS, [storeId, variants, warehouses, at]);
  const values = [storeId, variants, warehouses, ...amounts, reason, ref ?? null, note ?? null, actor, at];
  const told = await tx.prepared<Told>('stock book', BOOK, values);
  if (told.some(({ found }) => !found)) throw missing();
  const short = told.filter(({ covers }) => !covers);
  if (short.length > 0)
    throw stockRefusals.belowReserved(
      short.map(({ variant_id, warehouse_id, available }) => ({ variant_id, warehouse_id, available })),
    );
  const over = told.findIndex(({ fits }) => !fits);
  if (over >= 0) throw tooMany(over);
  return told.flatMap(({ id, variant_id, warehouse_id, delta }) =>
    id === null ? [] : [{ id, variant_id, warehouse_id, delta }],
  );
};
