import { listingOf, type Database, type Feed, type PageCursor, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { Choice, Int, Text } from '@platform/validation';
import type { By } from '../../../by';
import { book, MOST_PIECES, Movement, movementOf, movementReasons, watchLowStock } from '../../stock/levels/public';
import { refuse, violation } from '../variants/public';

export const stockReasons = ['adjust', 'damage', 'found', 'return'] as const;

export class StockAdjustment {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Text({ format: 'uuid' }) warehouse_id!: string;
  @Int({ optional: true, min: -MOST_PIECES, max: MOST_PIECES, description: 'Or `on_hand`' }) delta?: number;
  @Int({ optional: true, min: 0, max: MOST_PIECES, description: 'What there is now' }) on_hand?: number;
  @Choice(stockReasons) reason!: (typeof stockReasons)[number];
  @Text({ optional: true, max: 200, trim: true }) note?: string;
}

export class MovementsQuery {
  @Text({ optional: true, max: 500 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
  @Text({ optional: true, format: 'uuid' }) variant_id?: string;
  @Text({ optional: true, format: 'uuid' }) warehouse_id?: string;
  @Choice(movementReasons, { optional: true }) reason?: (typeof movementReasons)[number];
}

class MovementsOfProduct extends MovementsQuery {
  product?: string;
}

export const movementListing = listingOf(MovementsOfProduct, {
  from: 'stock_movement m',
  tenant: 'm.store_id',
  select:
    'm.id, m.created_at AS at, m.variant_id, m.warehouse_id, m.delta_on_hand, m.delta_reserved, m.reason, m.ref, m.actor, m.note',
  sort: { created_at: 'm.created_at' },
  usualSort: '-created_at',
  tie: 'm.id',
  where: {
    product: 'm.variant_id IN (SELECT v.id FROM variant v WHERE v.store_id = $1 AND v.product_id = ?)',
    variant_id: 'm.variant_id = ?',
    warehouse_id: 'm.warehouse_id = ?',
    reason: 'm.reason = ?',
  },
  read: ({ at, ...row }: Omit<Movement, 'at'> & { readonly at: Date }): Movement => ({ ...row, at: at.toISOString() }),
});

const refuseForeign = async (sql: Sql, storeId: string, id: string, variant?: string): Promise<void> => {
  const find = `SELECT 1 FROM product p WHERE p.store_id = $1 AND p.id = $2 AND ($3::uuid IS NULL OR EXISTS (
    SELECT FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id AND v.id = $3))`;
  const found = await sql.prepared('product has variant', find, [storeId, id, variant ?? null]);
  if (found.length === 0) throw new NotFound(variant === undefined ? 'Product not found' : 'Variant not found');
};

/** Corrects the stock of one variant of the product, in the caller's transaction, and resolves to the movement. Throws `below_reserved`, `NotFound`. */
export const adjustStock = async (
  tx: Sql,
  by: By,
  id: string,
  { variant_id, warehouse_id, delta, on_hand, reason, note }: StockAdjustment,
): Promise<Movement> => {
  if ((delta === undefined) === (on_hand === undefined))
    refuse([violation('delta', 'required_without', 'or on_hand is required, not both')]);
  const as = { reason, note };
  await refuseForeign(tx, by.storeId, id, variant_id);
  const [moved] = await book(tx, by, as, [{ variant_id, warehouse_id, delta, counted: on_hand }]);
  if (!moved) refuse([violation(delta === undefined ? 'on_hand' : 'delta', 'ne', 'must change the stock')]);
  await watchLowStock(tx, by, [variant_id]);
  return movementOf(by, as)(moved as NonNullable<typeof moved>);
};

/** The stock history of a product, the newest first. */
export const movementsOf = async (
  database: Database,
  cursors: PageCursor,
  storeId: string,
  query: MovementsOfProduct & { readonly product: string },
): Promise<Feed<Movement>> => {
  await refuseForeign(database, storeId, query.product);
  return movementListing.feed(database, storeId, query, cursors);
};
