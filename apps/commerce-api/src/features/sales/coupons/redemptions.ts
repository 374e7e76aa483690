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
  await tx.prepared('coupon hold', HOLD, [by.storeId, orderId, couponId, phone, amount, by.at]);
};

/** The order does not use its coupon after all: the use is free again. Nothing happens when it holds none. */
export const giveBack = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<void> => {
  await tx.prepared('coupon back', GIVE_BACK, [storeId, orderId, at]);
};
