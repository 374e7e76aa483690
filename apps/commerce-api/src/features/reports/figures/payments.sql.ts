import { bigintNumber, type Sql } from '@platform/data';
import { ofSeenOrder, type Seen } from '../../sales/sight/public';
import type { PaymentsRow } from './figures.dto';
import { SPAN, within, type Span } from './span';

const seenOrder = (id: string): string => `($4::text[] IS NULL OR ${ofSeenOrder(id, '$4')})`;

/**
 * Payments of orders by their provider. What the platform collects comes into the wallet less the platform's fee: it is pending until the ledger
 * has released it. What the store collects itself it has at once, less what its provider keeps.
 * $1 store, $2 first day, $3 last day, $4 numbers that the caller sees (null: all).
 */
export const PAYMENTS = `
  WITH ${SPAN}, paid AS (
    SELECT p.provider, count(*)::int AS payments, sum(p.amount)::bigint AS amount, sum(k.fee)::bigint AS fee,
      sum(CASE WHEN p.mode = 'direct' THEN p.amount - k.fee WHEN w.released_at IS NOT NULL THEN w.amount ELSE 0 END)::bigint AS settled,
      coalesce(sum(w.amount) FILTER (WHERE w.released_at IS NULL), 0)::bigint AS pending
    FROM payment p
      CROSS JOIN LATERAL (SELECT least(p.amount, CASE p.mode WHEN 'direct' THEN p.fee ELSE p.platform_fee END) AS fee) k
      LEFT JOIN wallet_settlement w ON w.store_id = p.store_id AND w.payment_id = p.id
    WHERE p.store_id = $1 AND p.status = 'paid' AND p.order_id IS NOT NULL AND ${within('p.paid_at')} AND ${seenOrder('p.order_id')}
    GROUP BY 1
  ), returned AS (
    SELECT p.provider, sum(r.amount)::bigint AS refunded
    FROM refund r JOIN payment p ON p.store_id = r.store_id AND p.id = r.payment_id
    WHERE r.store_id = $1 AND r.status = 'succeeded' AND ${within('r.ended_at')} AND ${seenOrder('r.order_id')}
    GROUP BY 1
  )
  SELECT provider, coalesce(payments, 0) AS payments, coalesce(amount, 0) AS amount, coalesce(fee, 0) AS fee,
    coalesce(settled, 0) AS settled, coalesce(pending, 0) AS pending, coalesce(refunded, 0) AS refunded
  FROM paid FULL JOIN returned USING (provider) ORDER BY provider`;

/** What came in by each provider, in the order of their names. */
export const paymentsOf = async (
  sql: Sql,
  storeId: string,
  { from, to, seen }: Span & Seen,
): Promise<PaymentsRow[]> => {
  const rows = await sql.query<PaymentsRow>(PAYMENTS, [storeId, from, to, seen ?? null]);
  return rows.map(({ provider, payments, amount, fee, settled, pending, refunded }) => ({
    ...{ provider, payments, amount: bigintNumber.from(amount), fee: bigintNumber.from(fee) },
    ...{
      settled: bigintNumber.from(settled),
      pending: bigintNumber.from(pending),
      refunded: bigintNumber.from(refunded),
    },
  }));
};
