import { bigintNumber, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { BotOrderState, BotState } from './door.dto';

interface Row {
  readonly number: string;
  readonly status: string;
  readonly payment_status: string;
  readonly covered: boolean;
  readonly total: string;
  readonly currency: string;
  readonly paid_at: Date | null;
  readonly waybill: string | null;
}

/** By a number, which is unique over all stores: $1. */
export const BY_NUMBER = `
  SELECT o.number, o.status, o.payment_status, o.paid_total >= o.total AS covered, o.total, o.currency, o.paid_at,
    (SELECT s.waybill FROM shipment s WHERE s.store_id = o.store_id AND s.order_id = o.id AND s.direction = 'out'
      AND s.status <> 'cancelled' AND s.waybill IS NOT NULL ORDER BY s.created_at DESC, s.id DESC LIMIT 1) AS waybill
  FROM global_key k JOIN sales_order o ON o.store_id = k.store_id AND o.id = k.ref_id::uuid
  WHERE k.kind = 'order' AND k.value = $1`;

/** Money that came counts, also for an order that somebody has to look at; where a payment has lapsed and the order is open, another may come. */
export const botStateOf = ({
  status,
  payment_status,
  isPaid,
}: {
  readonly status: string;
  readonly payment_status: string;
  readonly isPaid: boolean;
}): BotState => {
  if (status === 'cancelled') return payment_status === 'expired' ? 'expired' : 'cancelled';
  return isPaid ? 'paid' : 'pending';
};

/** How an order and its payment stand. Throws `NotFound`. */
export const orderStateOf = async (sql: Sql, number: string): Promise<BotOrderState> => {
  const [row] = await sql.prepared<Row>('order state by number', BY_NUMBER, [number]);
  if (!row) throw new NotFound('Order not found');
  const { total, currency, paid_at, waybill } = row;
  const paidAt = paid_at?.toISOString() ?? null;
  return {
    orderNumber: number,
    status: botStateOf({ ...row, isPaid: row.covered && paid_at !== null }),
    total: bigintNumber.from(total),
    currency,
    paidAt,
    waybill,
  };
};
