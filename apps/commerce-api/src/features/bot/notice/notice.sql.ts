import { bigintNumber, type Sql } from '@platform/data';
import type { PaymentNotice } from '../../../clients/bot.notice';

export type NoticeState = 'waiting' | 'notified' | 'silent' | 'given_up';

/** A payment of which the bot has to be told. */
export interface DueNotice {
  readonly notice: PaymentNotice;
  readonly orderId: string;
  /** How often nobody answered. */
  readonly tries: number;
}

interface Row extends Omit<PaymentNotice, 'amount' | 'paidAt'> {
  readonly order_id: string;
  readonly amount: string;
  readonly paid_at: Date;
  readonly state: NoticeState;
  readonly tries: number;
}

/** A notice has one row for ever: it says that the buyer was told, or who is to tell them. $1 store, $2 payment, $3 now. */
const OPEN = `
  WITH opened AS (
    INSERT INTO bot_notice (store_id, payment_id, state, created_at, updated_at)
    SELECT p.store_id, p.id, 'waiting', $3, $3 FROM payment p
    WHERE p.store_id = $1 AND p.id = $2 AND p.status = 'paid' AND p.order_id IS NOT NULL
    ON CONFLICT (store_id, payment_id) DO UPDATE SET updated_at = bot_notice.updated_at RETURNING store_id, payment_id, state, tries
  )
  SELECT n.state, n.tries, o.id AS order_id, o.number AS "orderNumber", p.store_id AS "idStore", p.amount, p.currency, p.paid_at, p.provider,
    'bot:' || p.id AS "idEvent"
  FROM opened n JOIN payment p ON p.store_id = n.store_id AND p.id = n.payment_id
    JOIN sales_order o ON o.store_id = p.store_id AND o.id = p.order_id`;

/** Undefined where nobody has to be told any more, or has paid. */
export const openNotice = async (
  sql: Sql,
  { storeId, paymentId }: { readonly storeId: string; readonly paymentId: string },
  at: Date,
): Promise<DueNotice | undefined> => {
  const [row] = await sql.query<Row>(OPEN, [storeId, paymentId, at]);
  if (row?.state !== 'waiting') return undefined;
  const { order_id: orderId, tries, state: _state, amount, paid_at, ...rest } = row;
  return { notice: { ...rest, amount: bigintNumber.from(amount), paidAt: paid_at.toISOString() }, orderId, tries };
};

const CLOSE = `UPDATE bot_notice SET state = $3, tries = tries + 1, updated_at = $4
  WHERE store_id = $1 AND payment_id = $2 AND state = 'waiting' RETURNING 1`;

/** False when somebody else has closed it. */
export const closeNotice = async (
  tx: Sql,
  { storeId, paymentId }: { readonly storeId: string; readonly paymentId: string },
  state: NoticeState,
  at: Date,
): Promise<boolean> => (await tx.query(CLOSE, [storeId, paymentId, state, at])).length > 0;

/** The payment that completed an order of the bot, and what became of its notice: $1 store, $2 order. */
const OF_ORDER = `
  SELECT p.id AS "paymentId", n.state FROM sales_order o
    JOIN LATERAL (SELECT p.store_id, p.id FROM payment p WHERE p.store_id = o.store_id AND p.order_id = o.id AND p.status = 'paid'
      ORDER BY p.paid_at DESC, p.updated_at DESC, p.id DESC LIMIT 1) p ON true
    LEFT JOIN bot_notice n ON n.store_id = p.store_id AND n.payment_id = p.id
  WHERE o.store_id = $1 AND o.id = $2 AND o.channel = 'bot'`;

export interface NoticeOfOrder {
  readonly paymentId: string;
  /** null: nobody has begun to tell. */
  readonly state: NoticeState | null;
}

/** Undefined where the bot has taken no such order, or nobody had to pay for it. */
export const noticeOfOrder = async (sql: Sql, storeId: string, orderId: string): Promise<NoticeOfOrder | undefined> =>
  (await sql.query<NoticeOfOrder>(OF_ORDER, [storeId, orderId]))[0];
