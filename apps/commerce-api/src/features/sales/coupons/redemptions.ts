import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { closedReason, couponOf, couponRefusals, type StoredCoupon } from './coupon.rules';
import { COUPON } from './coupons.sql';

/** A use of a coupon by an order. */
export interface Redemption {
  readonly orderId: string;
  readonly couponId: string;
  /** Whose limit it counts in. */
  readonly phone: string;
  readonly amount: number;
}

/** An order and the coupon whose use it has. */
export interface Holder {
  readonly orderId: string;
  readonly couponId: string | undefined;
}

/** Takes a use where one is left and the coupon is open; the lock of its row lets those who want the last one decide one by one. */
export const TAKE = `
  UPDATE coupon SET used_count = used_count + 1, updated_at = $3
  WHERE store_id = $1 AND id = $2 AND status = 'active' AND (usage_limit IS NULL OR used_count < usage_limit)
    AND (starts_at IS NULL OR starts_at <= $3) AND (ends_at IS NULL OR ends_at > $3)
  RETURNING per_contact_limit`;

/** A statement after TAKE's: it sees what those before it at the coupon have committed. */
export const COUNT_OF_PHONE = `
  SELECT count(*)::int AS uses FROM coupon_redemption
  WHERE store_id = $1 AND coupon_id = $2 AND phone = $3 AND state <> 'released' AND order_id <> $4`;

const HOLD = `
  INSERT INTO coupon_redemption (store_id, order_id, coupon_id, phone, amount, state, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, 'held', $6, $6)
  ON CONFLICT (store_id, order_id) DO UPDATE SET coupon_id = excluded.coupon_id, phone = excluded.phone,
    amount = excluded.amount, state = 'held', updated_at = excluded.updated_at`;

const GIVE_BACK = `
  WITH released AS (
    UPDATE coupon_redemption SET state = 'released', updated_at = $3
    WHERE store_id = $1 AND order_id = $2 AND state <> 'released' RETURNING coupon_id
  )
  UPDATE coupon c SET used_count = c.used_count - 1, updated_at = $3 FROM released
  WHERE c.store_id = $1 AND c.id = released.coupon_id`;

const HOLD_AGAIN = `
  WITH free AS (
    SELECT coupon_id FROM coupon_redemption WHERE store_id = $1 AND order_id = $2 AND state = 'released'
  ), taken AS (
    UPDATE coupon c SET used_count = c.used_count + 1, updated_at = $3 FROM free
    WHERE c.store_id = $1 AND c.id = free.coupon_id AND (c.usage_limit IS NULL OR c.used_count < c.usage_limit) RETURNING c.id
  )
  UPDATE coupon_redemption SET state = 'held', updated_at = $3 FROM taken WHERE store_id = $1 AND order_id = $2`;

/** From one state to another: $1 store, $2 order, $3 now. */
const turn = (from: string, to: string): string =>
  `UPDATE coupon_redemption SET state = '${to}', updated_at = $3 WHERE store_id = $1 AND order_id = $2 AND state = '${from}'`;
const USE = turn('held', 'used');
const UNUSE = turn('used', 'held');

const LOCK_BOTH = 'SELECT 1 FROM coupon WHERE store_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE';

const refusalOf = async (tx: Sql, { storeId, at }: By, couponId: string) => {
  const [row] = await tx.query<StoredCoupon>(`SELECT ${COUPON} FROM coupon c WHERE c.store_id = $1 AND c.id = $2`, [
    storeId,
    couponId,
  ]);
  return couponRefusals.unavailable((row && closedReason(couponOf(row), at)) ?? 'usage_limit');
};

/**
 * Holds a use for an order, in the caller's transaction, which keeps the coupon locked to its end. Throws `coupon_unavailable` when none is left,
 * to anybody or to this phone, or the coupon is closed; the transaction is then to be rolled back.
 */
export const hold = async (tx: Sql, by: By, { orderId, couponId, phone, amount }: Redemption): Promise<void> => {
  const [taken] = await tx.prepared<{ per_contact_limit: number | null }>('coupon take', TAKE, [
    ...[by.storeId, couponId, by.at],
  ]);
  if (!taken) throw await refusalOf(tx, by, couponId);
  if (taken.per_contact_limit !== null) {
    const [counted] = await tx.query<{ uses: number }>(COUNT_OF_PHONE, [by.storeId, couponId, phone, orderId]);
    if ((counted?.uses ?? 0) >= taken.per_contact_limit) throw couponRefusals.unavailable('contact_limit');
  }
  await tx.later('coupon hold', HOLD, [by.storeId, orderId, couponId, phone, amount, by.at]);
};

/** The order does not use its coupon after all: the use is free again. Nothing happens when it holds none. */
export const giveBack = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<void> => {
  await tx.prepared('coupon back', GIVE_BACK, [storeId, orderId, at]);
};

/** What was given back is taken again for an order whose money came late, where a use is left; its price stands either way. */
export const holdAgain = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<void> => {
  await tx.prepared('coupon again', HOLD_AGAIN, [storeId, orderId, at]);
};

/** The order is paid: the use that it holds counts for good. */
export const use = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<void> => {
  await tx.later('coupon use', USE, [storeId, orderId, at]);
};

/** The order is not paid after all: it holds its use as before. */
export const unuse = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<void> => {
  await tx.query(UNUSE, [storeId, orderId, at]);
};

/** Which coupon's use a locked order has. */
export const holderOf = async (tx: Sql, storeId: string, orderId: string): Promise<Holder> => {
  const [row] = await tx.query<{ id: string }>(
    `SELECT coupon_id AS id FROM coupon_redemption WHERE store_id = $1 AND order_id = $2 AND state <> 'released'`,
    [storeId, orderId],
  );
  return { orderId, couponId: row?.id };
};

/**
 * The order uses this coupon now, or none, in place of the one that it has. Both are locked in one order, so that two who change places
 * never wait in a circle. Throws as `hold` does.
 */
export const exchange = async (
  tx: Sql,
  by: By,
  { orderId, couponId }: Holder,
  next: Redemption | undefined,
): Promise<void> => {
  const ids = [...new Set([couponId, next?.couponId])].filter((id) => id !== undefined);
  if (ids.length > 1) await tx.query(LOCK_BOTH, [by.storeId, ids]);
  if (couponId !== undefined) await giveBack(tx, by, orderId);
  if (next) await hold(tx, by, next);
};
