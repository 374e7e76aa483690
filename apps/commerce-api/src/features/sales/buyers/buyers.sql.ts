import { bigintNumber, type Sql } from '@platform/data';

/** What the orders of a contact add up to; drafts and cancelled ones do not count. */
export interface Bought {
  readonly orders: number;
  /** Paid and not given back, in the store's currency. */
  readonly spent: number;
  readonly lastAt: Date | null;
}

export const BOUGHT = `
  SELECT count(*)::int AS orders, coalesce(sum(paid_total - refunded_total), 0)::bigint AS spent, max(placed_at) AS "lastAt"
  FROM sales_order WHERE store_id = $1 AND contact_id = $2 AND status NOT IN ('draft', 'cancelled')`;

export const boughtBy = async (sql: Sql, storeId: string, contactId: string): Promise<Bought> => {
  const [row] = await sql.prepared<Omit<Bought, 'spent'> & { readonly spent: string }>('bought by', BOUGHT, [
    ...[storeId, contactId],
  ]);
  return { orders: 0, lastAt: null, ...row, spent: bigintNumber.from(row?.spent ?? '0') };
};

/** The orders of these contacts are the kept one's from now on; for whoever holds the locks of all of them. */
export const ordersMove = async (tx: Sql, storeId: string, keep: string, others: readonly string[]): Promise<void> => {
  const move = 'UPDATE sales_order SET contact_id = $2 WHERE store_id = $1 AND contact_id = ANY ($3::uuid[])';
  await tx.query(move, [storeId, keep, others]);
};

/** `62812****890` */
const masked = (phone: string): string =>
  `left(${phone}, 4) || repeat('*', greatest(length(${phone}) - 7, 0)) || right(${phone}, 3)`;
const FORGET = `
  UPDATE sales_order SET contact_id = NULL,
      buyer = (buyer - 'email') || jsonb_build_object('phone', ${masked(`(buyer ->> 'phone')`)}),
      address = address - 'phone',
      search_text = lower(concat_ws(' ', number, buyer ->> 'name', ${masked(`(buyer ->> 'phone')`)}))
    WHERE store_id = $1 AND contact_id = $2 RETURNING id`;
const FORGET_USES = `UPDATE coupon_redemption r SET phone = ${masked('r.phone')} WHERE r.store_id = $1 AND r.order_id = ANY ($2::uuid[])`;

/** Orders stay when their contact is erased: with the name and the amounts, without a number that reaches anybody. Resolves to their ids. */
export const ordersForget = async (tx: Sql, storeId: string, contactId: string): Promise<string[]> => {
  const ids = (await tx.query<{ id: string }>(FORGET, [storeId, contactId])).map(({ id }) => id);
  await tx.query(FORGET_USES, [storeId, ids]);
  return ids;
};
