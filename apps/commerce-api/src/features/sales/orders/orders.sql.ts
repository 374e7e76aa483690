import { bigintNumber, listingOf, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { before, since } from '../../../moment';
import { phoneSought, soughtIn } from '../../../search-text';
import { DELIVERIES_OF_ORDER } from '../../digital/rights/public';
import { shipmentsOf } from '../../shipping/parcels/public';
import { PAYMENTS_OF_ORDER } from '../payments/public';
import { REFUNDS_OF_ORDER } from '../refunds/public';
import { boughtBySeen, type Seen } from '../sight/public';
import { PROOF_WAITS } from './to-check.sql';
import { REVIEW, UNPAID } from './to-pay.sql';
import { HAS_GOODS, PAID_FOR } from './to-ship.sql';
import { OrdersQuery, type Order, type OrderEvent, type OrderRow } from './orders.dto';

const ROW = `o.id, o.number, o.channel, o.status, o.payment_status, o.fulfillment_status, o.contact_id, o.buyer, o.address,
  o.shipping, o.payment_method, o.note, o.subtotal, o.discount, o.coupon, o.shipping_total, o.fee, o.tax_total, o.tax, o.total,
  o.paid_total, o.refunded_total, o.receipt_no, o.review_reason, o.attribution, o.currency, o.assignee_id, o.warehouse_id, o.version, o.placed_at,
  o.pay_expires_at, o.paid_at, o.completed_at, o.cancelled_at`;

const linesIn = (rows: string): string => `
  (SELECT json_agg(json_build_object('id', i.id, 'variant_id', i.variant_id, 'name', i.name, 'sku', i.sku, 'price', i.price,
      'qty', i.qty, 'discount_share', i.discount_share, 'tax', i.tax, 'total', i.total, 'weight_g', i.weight_g,
      'image_url', i.image_url, 'note', i.note) ORDER BY i.position)
    FROM ${rows}) AS items`;

/** An order with its lines, shipments, notes, payments, proofs and deliveries, in one statement. */
const WHOLE = `${ROW},${linesIn('order_item i WHERE i.store_id = $1 AND i.order_id = o.id')},
  ${shipmentsOf('$1', 'o.id')} AS shipments,
  (SELECT coalesce(json_agg(json_build_object('id', n.id, 'text', n.text, 'author', n.author,
      'created_at', to_char(n.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY n.id), '[]')
    FROM order_note n WHERE n.store_id = $1 AND n.order_id = o.id) AS notes,
  ${PAYMENTS_OF_ORDER} AS payments, ${REFUNDS_OF_ORDER} AS refunds, ${DELIVERIES_OF_ORDER},
  (SELECT coalesce(json_agg(json_build_object('id', f.id, 'media_id', f.media_id, 'amount', f.amount, 'bank', f.bank, 'status', f.status,
      'reviewer', f.reviewer, 'note', f.note, 'created_at', to_char(f.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      ORDER BY f.id), '[]') FROM transfer_proof f WHERE f.store_id = $1 AND f.order_id = o.id) AS proofs`;

/** The same of an order `o` with the lines `line`, both of the statement that writes them: nothing else belongs to it yet. */
export const NEW_ORDER = `${ROW},${linesIn('line i')},
  '[]'::json AS shipments, '[]'::json AS notes, '[]'::json AS payments, '[]'::json AS refunds,
  '[]'::json AS proofs, '[]'::json AS deliveries`;

type Times = Readonly<Record<'pay_expires_at' | 'paid_at' | 'completed_at' | 'cancelled_at', Date | null>>;
/** As PostgreSQL returns it. */
export type Stored<T extends OrderRow> = Omit<T, 'placed_at' | keyof Times> & Times & { readonly placed_at: Date };

/** Orders of before there were couriers tell the kind alone. */
const shippingOf = ({ shipping }: Pick<OrderRow, 'shipping'>): OrderRow['shipping'] =>
  shipping && { ...{ courier: null, service: null, etd: null }, ...shipping };

const text = (at: Date | null): string | null => at && at.toISOString();

/** Named one by one: objects made of entries cost V8 several times as much, and a page is many rows. */
export const readOrder = <T extends OrderRow>(row: Stored<T>): T =>
  ({
    ...row,
    subtotal: bigintNumber.from(row.subtotal),
    discount: bigintNumber.from(row.discount),
    shipping_total: bigintNumber.from(row.shipping_total),
    fee: bigintNumber.from(row.fee),
    tax_total: bigintNumber.from(row.tax_total),
    total: bigintNumber.from(row.total),
    paid_total: bigintNumber.from(row.paid_total),
    refunded_total: bigintNumber.from(row.refunded_total),
    pay_expires_at: text(row.pay_expires_at),
    paid_at: text(row.paid_at),
    completed_at: text(row.completed_at),
    cancelled_at: text(row.cancelled_at),
    placed_at: row.placed_at.toISOString(),
    shipping: shippingOf(row),
  }) as unknown as T;

class OrdersSeen extends OrdersQuery implements Seen {
  seen!: readonly string[] | undefined;
}

export const orderListing = listingOf(OrdersSeen, {
  from: 'sales_order o',
  tenant: 'o.store_id',
  select: ROW,
  sort: { created_at: 'o.created_at', total: 'o.total' },
  usualSort: '-created_at',
  tie: 'o.id',
  ...soughtIn('o.search_text'),
  soughtAs: phoneSought,
  where: {
    status: 'o.status = ?',
    // Indexes hold the states of few orders: which of them serves is decided for what is asked
    payment_status: { sql: 'o.payment_status = ?', weighed: true },
    fulfillment_status: { sql: 'o.fulfillment_status = ?', weighed: true },
    // PostgreSQL plans it for the view that is asked for, by its index
    view: `(? = 'to_ship' AND ${PAID_FOR} AND ${HAS_GOODS} OR ? = 'unpaid' AND ${UNPAID} OR ? = 'review' AND ${REVIEW})`,
    proof: `${PROOF_WAITS} AND ? = 'pending'`,
    channel: 'o.channel = ?',
    assignee_id: 'o.assignee_id = ?',
    contact_id: 'o.contact_id = ?',
    warehouse_id: 'o.warehouse_id = ?',
    from: since('o.created_at'),
    to: before('o.created_at'),
    number: 'o.number = upper(?)',
    seen: (numbers) => boughtBySeen('o.buyer', numbers),
  },
  read: readOrder<OrderRow>,
});

const orderWhere = async (sql: Sql, column: 'id' | 'number', values: readonly [string, string]): Promise<Order> => {
  const statement = `SELECT ${WHOLE} FROM sales_order o WHERE o.store_id = $1 AND o.${column} = $2`;
  const [row] = await sql.prepared<Stored<Order>>(`order by ${column}`, statement, values);
  if (row) return readOrder(row);
  throw new NotFound('Order not found');
};

/** Throws `NotFound`, also for an order of another store. */
export const orderById = (sql: Sql, storeId: string, id: string): Promise<Order> =>
  orderWhere(sql, 'id', [storeId, id]);
export const orderByNumber = (sql: Sql, storeId: string, number: string): Promise<Order> =>
  orderWhere(sql, 'number', [storeId, number.toUpperCase()]);

/** Everything that happened to an order, the first first. */
export const historyOf = async (sql: Sql, storeId: string, id: string): Promise<OrderEvent[]> => {
  const statement = `SELECT o.id, e.at, e.type, e.text, e.actor FROM sales_order o
    LEFT JOIN order_event e ON e.store_id = o.store_id AND e.order_id = o.id
    WHERE o.store_id = $1 AND o.id = $2 ORDER BY e.id`;
  const rows = await sql.prepared<Omit<OrderEvent, 'at'> & { readonly at: Date }>('order history', statement, [
    storeId,
    id,
  ]);
  if (rows.length === 0) throw new NotFound('Order not found');
  return rows.map(({ at, type, text, actor }) => ({ at: at.toISOString(), type, text, actor }));
};
