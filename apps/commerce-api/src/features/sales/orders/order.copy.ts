import type { Sql } from '@platform/data';
import type { CopiedRows } from '../../chat/copies/public';

/** One that was erased has no number that chat-backend could know it by. */
const STANDING = `
  SELECT o.id, o.buyer ->> 'phone' AS nohp, o.number, o.status, o.payment_status, o.total::text, o.currency,
    o.shipping ->> 'courier' AS courier, o.warehouse_id, o.created_at,
    (SELECT coalesce(json_agg(json_build_object('product_id', v.product_id, 'variant_id', i.variant_id, 'nama', i.name, 'qty', i.qty,
        'harga', i.price) ORDER BY i.position), '[]')
      FROM order_item i LEFT JOIN variant v ON v.store_id = i.store_id AND v.id = i.variant_id
      WHERE i.store_id = $1 AND i.order_id = o.id) AS items
  FROM sales_order o WHERE o.store_id = $1 AND o.id = ANY ($2::uuid[]) AND o.status <> 'draft' AND o.buyer ->> 'phone' ~ '^[0-9]+$'`;

interface Row {
  readonly id: string;
  readonly nohp: string;
  readonly number: string;
  readonly status: string;
  readonly payment_status: string;
  readonly total: string;
  readonly currency: string;
  readonly courier: string | null;
  readonly warehouse_id: string | null;
  readonly created_at: Date;
  readonly items: readonly object[];
}

/** Orders as chat-backend shows them beside the chats of their buyer. */
export const orderCopies: CopiedRows = {
  standing: async (sql: Sql, storeId, ids) =>
    (await sql.query<Row>(STANDING, [storeId, ids])).map((row) => ({
      rowId: row.id,
      row: {
        ...{ id: row.id, nohp: row.nohp, order_number: row.number, status: row.status },
        ...{ payment_status: row.payment_status, total: Number(row.total), currency: row.currency, items: row.items },
        ...{ kurir: row.courier ?? undefined, gudang_id: row.warehouse_id ?? undefined },
        created_at: row.created_at.toISOString(),
      },
    })),
  keys: (id) => ({ id }),
};
