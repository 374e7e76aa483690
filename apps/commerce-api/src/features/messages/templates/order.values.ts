import { bigintNumber, type Sql } from '@platform/data';
import { sends } from '../../../may-send';
import { leftToPay, payUrlOf, type PayPages } from '../../sales/payments/public';
import { nameOnly } from './render';
import type { ValuesOf } from './message.events';

/** What messages about an order name. */
export type OrderValues = ValuesOf<'order_created' | 'order_paid'>;

/** An order as messages tell of it. */
export interface ToldOrder {
  readonly status: string;
  readonly channel: string;
  readonly phone: string;
  readonly isPaid: boolean;
  /** All of it. */
  readonly hasArrived: boolean;
  readonly values: OrderValues;
}

interface Row {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly fulfillment_status: string;
  readonly payment_method: string | null;
  readonly channel: string;
  readonly buyer: { readonly name: string; readonly phone: string };
  readonly total: string;
  readonly paid_total: string;
  readonly refunded_total: string;
  readonly paid_at: Date | null;
  readonly currency: string;
  readonly placed_at: Date;
  readonly store: string;
  readonly items: readonly { readonly name: string; readonly qty: number }[];
  readonly lines: number;
  readonly payments: readonly { readonly status: string; readonly url: string | null }[];
  readonly refunds: readonly { readonly status: string; readonly amount: number }[];
}

const MOST_LINES = 10;

const ORDER = `
  SELECT o.id, o.number, o.status, o.fulfillment_status, o.payment_method, o.channel, o.buyer, o.total, o.paid_total,
    o.refunded_total, o.paid_at, o.currency,
    coalesce(o.placed_at, o.created_at) AS placed_at, s.name AS store,
    (SELECT coalesce(json_agg(json_build_object('name', i.name, 'qty', i.qty) ORDER BY i.position), '[]')
      FROM order_item i WHERE i.store_id = o.store_id AND i.order_id = o.id AND i.position < ${MOST_LINES}) AS items,
    (SELECT count(*)::int FROM order_item i WHERE i.store_id = o.store_id AND i.order_id = o.id) AS lines,
    (SELECT coalesce(json_agg(json_build_object('status', p.status, 'url', p.url) ORDER BY p.created_at, p.id), '[]')
      FROM payment p WHERE p.store_id = o.store_id AND p.order_id = o.id) AS payments,
    (SELECT coalesce(json_agg(json_build_object('status', r.status, 'amount', r.amount)), '[]')
      FROM refund r WHERE r.store_id = o.store_id AND r.order_id = o.id) AS refunds
  FROM sales_order o JOIN store s ON s.store_id = o.store_id
  WHERE o.store_id = $1 AND o.id = $2`;

/** As prices are written in Indonesia. */
export const moneyText = (amount: number, currency: string): string =>
  new Intl.NumberFormat('id-ID', { style: 'currency', currency, maximumFractionDigits: 0 })
    .format(amount)
    .replace(/\s/g, ' ');

const itemsOf = ({ items, lines }: Row): string => {
  const told = items.map(({ name, qty }) => `- ${name.replace(/\s+/g, ' ')} x${qty}`);
  return [...told, ...(lines > items.length ? ['…'] : [])].join('\n');
};

const toldOf = (pages: PayPages, row: Row, now: Date): ToldOrder => {
  const { id, number, status, channel, buyer, currency, store, payments, refunds } = row;
  const total = bigintNumber.from(row.total);
  const [paid_total, refunded_total] = [bigintNumber.from(row.paid_total), bigintNumber.from(row.refunded_total)];
  const money = { total, paid_total, refunded_total, paid_at: row.paid_at, refunds };
  const payable = { id, placed_at: row.placed_at.toISOString(), status, ...money, payments };
  // Nobody is sent to pay elsewhere what they have chosen to pay at the door
  const payUrl = row.payment_method === 'cod' ? null : payUrlOf(pages, payable, now);
  const values = {
    ...{ store_name: store, buyer_name: nameOnly(buyer.name), order_number: number },
    ...{ total: moneyText(total, currency), items: itemsOf(row), pay_url: payUrl ?? '' },
  };
  const hasArrived = row.fulfillment_status === 'delivered';
  return { status, channel, phone: buyer.phone, isPaid: leftToPay(money) === 0, hasArrived, values };
};

interface OrderOfStore {
  readonly storeId: string;
  readonly id: string;
}

/** Undefined: there is no such order. */
export const previewedOrder = async (
  sql: Sql,
  { storeId, id }: OrderOfStore,
  pages: PayPages,
  now: Date,
): Promise<ToldOrder | undefined> => {
  const [row] = await sql.prepared<Row>('message preview', ORDER, [storeId, id]);
  return row && toldOf(pages, row, now);
};

/** The same for a message that leaves. Undefined also where its store sends nothing. */
export const toldOrder = async (
  sql: Sql,
  { storeId, id }: OrderOfStore,
  pages: PayPages,
  now: Date,
): Promise<ToldOrder | undefined> => {
  const [row] = await sql.prepared<Row>('message order', `${ORDER} AND ${sends('s')}`, [storeId, id]);
  return row && toldOf(pages, row, now);
};
