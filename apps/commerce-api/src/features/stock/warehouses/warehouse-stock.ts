import { listingOf, type Database, type ListedPage, type Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { By } from '../../../by';
import { soughtIn } from '../../../search-text';
import { book, LOW_STOCK, movementOf } from '../levels/public';
import { WarehouseStockQuery, type CountedStock, type StockCount, type WarehouseStock } from './warehouses.dto';
import { openWarehouse } from './warehouses.sql';

class StockOfWarehouse extends WarehouseStockQuery {
  warehouse?: string;
}

export const warehouseStockListing = listingOf(StockOfWarehouse, {
  // For a store of common size, each variant of a page was met with all that a large one has
  weighed: true,
  // Part of the join, for a variant is one row here
  from: ({ warehouse }) => `variant v
    JOIN stock_level s ON s.store_id = v.store_id AND s.variant_id = v.id AND s.warehouse_id = ${warehouse}
    JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id`,
  tenant: 'v.store_id',
  only: `v.status = 'active'`,
  select: `s.variant_id, v.product_id, v.sku, p.name, s.on_hand, s.reserved, s.incoming, s.on_hand - s.reserved AS available`,
  sort: { sku: 'v.sku' },
  usualSort: 'sku',
  tie: 'v.id',
  ...soughtIn('p.search_text'),
  where: {
    warehouse: 's.warehouse_id = ?',
    low: `(v.track_stock AND s.on_hand - s.reserved <= ${LOW_STOCK}) = ?`,
  },
  read: (row: WarehouseStock) => row,
});

/** What is in a warehouse; `NotFound` when it is closed or another store's. */
export const stockOf = async (
  sql: Sql,
  storeId: string,
  id: string,
  query: WarehouseStockQuery,
): Promise<ListedPage<WarehouseStock>> => {
  await openWarehouse(sql, storeId, id);
  return warehouseStockListing.page(sql, storeId, { ...query, warehouse: id });
};

/** Throws `InvalidInput` that names the lines with a variant that was named before. */
export const refuseTwice = (lines: readonly { readonly variant_id: string }[]): void => {
  const seen = new Set<string>();
  const twice = lines.flatMap(({ variant_id }, index) => {
    const id = variant_id.toLowerCase();
    const field = `lines[${index}].variant_id`;
    return seen.size === seen.add(id).size ? [{ field, tag: 'unique', message: `${field} is given twice` }] : [];
  });
  if (twice.length > 0) throw new InvalidInput(twice);
};

/** Writes what was counted, as movements with the counter's name; all lines or, with `below_reserved`, none. */
export const countStock = (
  database: Pick<Database, 'tx'>,
  by: By,
  warehouse_id: string,
  { lines, note }: StockCount,
): Promise<CountedStock> => {
  refuseTwice(lines);
  const as = { reason: 'count', note } as const;
  return database.tx(async (tx) => {
    const counted = lines.map((line) => ({ warehouse_id, ...line }));
    return { changed: (await book(tx, by, as, counted)).map(movementOf(by, as)) };
  });
};
