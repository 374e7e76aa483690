import { uuidv7 } from '@platform/runtime';
import type { Commerce } from '../../../commerce.fixture';
import { post, type Entry } from '../../ledger/postings/public';

/** A sale as a test knows it. Amounts in whole units. */
export interface Sold {
  readonly id: string;
  readonly at: Date;
  readonly total: number;
  readonly channel: 'chat' | 'bot' | 'storefront';
  readonly assignee: string | null;
  readonly phone: string;
  readonly provider: 'a' | 'transfer';
  readonly fee: number;
  /** What a pair of its only line cost when it was sold. */
  readonly cost: number;
  readonly variant: string;
  readonly refunds: readonly { readonly amount: number; readonly at: Date }[];
}

const ORDERS = `
  INSERT INTO sales_order (store_id, id, number, channel, status, payment_status, buyer, payment_method, subtotal, discount, shipping_total, fee,
    tax_total, total, paid_total, refunded_total, currency, assignee_id, search_text, placed_at, paid_at, created_at, updated_at)
  SELECT $1, o.id, o.id::text, o.channel, 'processing', 'paid', jsonb_build_object('name', 'Budi', 'phone', o.phone), o.provider, o.total, 0, 0, 0,
    0, o.total, o.total, 0, 'IDR', o.assignee, '', o.at, o.at, o.at, o.at
  FROM jsonb_to_recordset($2) AS o (id uuid, channel text, phone text, provider text, total bigint, assignee uuid, at timestamptz)`;
const ITEMS = `
  INSERT INTO order_item (store_id, order_id, id, position, variant_id, name, sku, price, cost, qty, discount_share, tax, total, weight_g)
  SELECT $1, o.id, o.id, 0, o.variant, 'Topi', 'T', o.total, o.cost, 1, 0, 0, o.total, 1
  FROM jsonb_to_recordset($2) AS o (id uuid, variant uuid, total bigint, cost bigint)`;
/** The id of a payment is that of its order. */
const PAYMENTS = `
  INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, fee, currency, status, paid_at, mode, platform_fee, created_at,
    updated_at)
  SELECT $1, o.id, o.id, 1, o.id, o.provider, o.total, 0, 'IDR', 'paid', o.at, CASE o.provider WHEN 'a' THEN 'platform' ELSE 'direct' END, o.fee,
    o.at, o.at
  FROM jsonb_to_recordset($2) AS o (id uuid, provider text, total bigint, fee bigint, at timestamptz)`;
const WAITING = `
  INSERT INTO wallet_settlement (store_id, payment_id, amount, currency, due_at)
  SELECT $1, o.id, o.total - o.fee, 'IDR', o.at FROM jsonb_to_recordset($2) AS o (id uuid, provider text, total bigint, fee bigint, at timestamptz)
  WHERE o.provider = 'a'`;
const REFUNDS = `
  INSERT INTO refund (store_id, id, order_id, payment_id, idempotency_key, request_hash, amount, tax, currency, fee_share, method, status, reason,
    actor, ended_at, created_at, updated_at)
  SELECT $1, r.id, r.order_id, r.order_id, r.id::text, '', r.amount, 0, 'IDR', 0, 'manual', 'succeeded', 'rusak', 'test', r.at, r.at, r.at
  FROM jsonb_to_recordset($2) AS r (id uuid, order_id uuid, amount bigint, at timestamptz)`;
const LINES = `
  INSERT INTO refund_line (store_id, refund_id, order_id, order_item_id, qty, amount, tax)
  SELECT $1, r.id, r.order_id, r.order_id, 1, r.amount, 0 FROM jsonb_to_recordset($2) AS r (id uuid, order_id uuid, amount bigint)`;

const entriesOf = ({ provider, total, fee }: Sold): readonly Entry[] =>
  provider === 'transfer'
    ? [
        { account: 'external_cash', side: 'D', amount: total },
        { account: 'external_sales', side: 'C', amount: total },
      ]
    : [
        { account: 'gateway_clearing', side: 'D', amount: total },
        { account: 'wallet_pending', side: 'C', amount: total - fee },
        { account: 'fee_revenue', side: 'C', amount: fee },
      ];

/** Writes orders that were paid, with their lines, payments, postings and refunds. */
export const sell = async (
  { database }: Pick<Commerce, 'database'>,
  storeId: string,
  sold: readonly Sold[],
): Promise<void> => {
  const orders = JSON.stringify(sold);
  const refunds = JSON.stringify(
    sold.flatMap(({ id, refunds: given }) => given.map((refund) => ({ ...refund, id: uuidv7(), order_id: id }))),
  );
  for (const statement of [ORDERS, ITEMS, PAYMENTS, WAITING]) await database.query(statement, [storeId, orders]);
  for (const statement of [REFUNDS, LINES]) await database.query(statement, [storeId, refunds]);
  await database.tx(async (tx) => {
    for (const each of sold) {
      const { id, at } = each;
      const posting = { key: `order_paid:${id}`, kind: 'order_paid', ref: id, currency: 'IDR' } as const;
      await post(tx, { storeId, actor: 'test', at }, { ...posting, entries: entriesOf(each) });
    }
  });
};
