import type { Sql } from '@platform/data';
import { Failure } from '@platform/errors';
import { withoutCoupon, type Quote } from './order-quote';

const isUnavailable = (error: unknown): boolean => error instanceof Failure && error.code === 'coupon_unavailable';

/**
 * Does `write` with the best discount that can be had, in the caller's transaction. A coupon that counts by itself is nothing the buyer asked
 * for: when somebody else got its last use meanwhile nothing of that try stays, neither rows nor locks, and the order is counted again
 * without it. Every try leaves one coupon out, so there are as many at most as the cart has such coupons, and one more. A code is the
 * buyer's word: without it `write` throws.
 */
export const withBestDiscount = async <T>(tx: Sql, quote: Quote, write: (quote: Quote) => Promise<T>): Promise<T> => {
  const { applied } = quote.totals;
  if (applied === null || applied.code !== null) return write(quote);
  await tx.query('SAVEPOINT discount');
  try {
    return await write(quote);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT discount');
    return withBestDiscount(tx, withoutCoupon(quote, applied.couponId), write);
  }
};
