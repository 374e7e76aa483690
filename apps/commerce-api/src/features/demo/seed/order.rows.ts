import { createHash } from 'node:crypto';
import { amountsOf } from '../../sales/orders/public';
import { fulfillmentOf } from '../../shipping/parcels/public';
import type { Row, Rows } from './rows';
import { idAt, idOf } from '../shop/public';
import { WAITS_MS, type Step } from './life';
import type { PlannedOrder } from './planned.types';
import { later, type Scene } from './scene';

/** How an order stands after its steps. */
export interface Standing {
  readonly paid: number;
  /** When its money was complete. */
  readonly paidAt: Date | null;
  readonly status: 'open' | 'processing' | 'completed' | 'cancelled';
  readonly last: Step;
}

/** What each payment of an order was, the first first. */
export const paymentsOf = ({ steps, totals: { total } }: PlannedOrder): (Step & { readonly amount: number })[] => {
  let due = total;
  return steps
    .filter(({ kind }) => kind === 'paid')
    .map((step) => {
      const amount = Math.round(due * (step.part ?? 1));
      due -= amount;
      return { ...step, amount };
    });
};

const STATUS: Partial<Record<Step['kind'], Standing['status']>> = {
  ...{ processing: 'processing', completed: 'completed', cancelled: 'cancelled', expired: 'cancelled' },
};

export const standingOf = (order: PlannedOrder): Standing => {
  const payments = paymentsOf(order);
  const paid = payments.reduce((sum, { amount }) => sum + amount, 0);
  const statuses = order.steps.flatMap(({ kind }) => STATUS[kind] ?? []);
  const last = order.steps.at(-1) ?? { kind: 'placed', at: order.at, actor: order.clerk };
  return {
    paid,
    paidAt: paid === order.totals.total ? (payments.at(-1)?.at ?? null) : null,
    status: statuses.at(-1) ?? 'open',
    last,
  };
};

export const stepOf = ({ steps }: PlannedOrder, kind: Step['kind']): Step | undefined =>
  steps.find((step) => step.kind === kind);

const paymentStatusOf = (order: PlannedOrder, { paid, paidAt }: Standing): string => {
  if (paidAt) return 'paid';
  if (stepOf(order, 'expired')) return 'expired';
  return paid > 0 ? 'partially_paid' : 'unpaid';
};

const buyerOf = ({ person: { name, phone, email } }: PlannedOrder): Row => ({
  name,
  phone,
  ...(email === null ? {} : { email }),
});

/** Each change counts: a step is one, and what arrives with an order that is completed another. */
const versionOf = (order: PlannedOrder): number =>
  order.steps.length + Number(stepOf(order, 'shipped') !== undefined && stepOf(order, 'completed') !== undefined);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What the tables are written with, besides the orders. */
export interface Chronicle {
  readonly scene: Scene;
  readonly warehouses: Readonly<Record<PlannedOrder['place'], string>>;
  /** By the ids of orders. */
  readonly receipts: ReadonlyMap<string, string>;
}

export const sessionIdOf = ({ storeId }: Scene, order: PlannedOrder): string =>
  idAt(order.at, `${storeId}/session/${order.number}`);
export const itemIdOf = (order: PlannedOrder, position: number): string => idAt(order.at, `${order.id}/item`, position);

/** Who wants what, and from where. */
const wantedOf = (order: PlannedOrder, { scene, warehouses }: Chronicle): Row => {
  const { totals, person, coupon, method, sending } = order;
  const { applied, tax } = totals;
  const isFetched = sending.kind === 'pickup';
  return {
    ...{ contact_id: idOf(scene.storeId, 'contact', person.phone), channel: order.channel, buyer: buyerOf(order) },
    ...{ address: isFetched ? null : person.address, payment_method: method, note: null },
    shipping: { kind: sending.kind, courier: null, service: isFetched ? null : sending.name, etd: null },
    coupon: coupon && applied && { code: applied.code, amount: applied.amount },
    tax: tax && { mode: tax.mode, rate_bp: tax.rateBp, base: tax.base },
    ...{ ...amountsOf(totals), currency: scene.currency, warehouse_id: warehouses[order.place] },
    search_text: [order.number, person.name, person.phone].join(' ').toLowerCase(),
  };
};

/** How far it has come. */
const standsOf = (order: PlannedOrder, { receipts }: Chronicle): Row => {
  const standing = standingOf(order);
  const { status, last, paid, paidAt } = standing;
  const isWaiting = order.steps.length === 1 && order.method !== 'cod';
  return {
    ...{
      status,
      payment_status: paymentStatusOf(order, standing),
      fulfillment_status: fulfillmentOf(order.parcels.progress),
    },
    ...{ paid_total: paid, refunded_total: 0, receipt_no: receipts.get(order.id) ?? null, version: versionOf(order) },
    ...{ placed_at: order.at, pay_expires_at: isWaiting ? later(order.at, WAITS_MS) : null, paid_at: paidAt },
    completed_at: stepOf(order, 'completed')?.at ?? null,
    cancelled_at: status === 'cancelled' ? last.at : null,
    ...{ created_at: order.at, updated_at: last.at },
  };
};

const orderRow = (order: PlannedOrder, told: Chronicle): Row => {
  const isByBuyer = order.channel === 'link' || order.channel === 'storefront';
  return {
    ...{ store_id: told.scene.storeId, id: order.id, number: order.number },
    idempotency_key: isByBuyer ? `checkout ${sessionIdOf(told.scene, order)}` : null,
    request_hash: isByBuyer ? hashOf(order.number) : null,
    assignee_id: isByBuyer ? null : order.clerk,
    ...wantedOf(order, told),
    ...standsOf(order, told),
  };
};

const itemRows = (order: PlannedOrder, { scene }: Chronicle): Row[] =>
  order.lines.map((line, position) => {
    const priced = order.totals.lines[position];
    return {
      ...{
        store_id: scene.storeId,
        order_id: order.id,
        id: itemIdOf(order, position),
        position,
        variant_id: line.variantId,
      },
      ...{ name: line.name, sku: line.sku, price: priced?.price, cost: line.cost, qty: line.qty },
      ...{ discount_share: priced?.discountShare, tax: priced?.tax, total: priced?.total },
      ...{ weight_g: line.weightG, image_url: line.imageUrl, note: null },
    };
  });

const paymentRows = (rows: Rows, order: PlannedOrder, { scene }: Chronicle): void =>
  paymentsOf(order).forEach(({ at, actor, amount }, index) => {
    const id = idAt(at, `${order.id}/payment`, index);
    const of = { store_id: scene.storeId };
    rows.add('payment', {
      ...{ ...of, id, order_id: order.id, attempt: index + 1, request_id: idAt(at, `${order.id}/request`, index) },
      ...{ provider: order.method, invoice_number: null, provider_ref: null, channel: null, amount, fee: 0 },
      ...{ currency: scene.currency, status: 'paid', url: null, expires_at: null, paid_at: at, review_reason: null },
      ...{ created_at: at, updated_at: at },
    });
    const text = `${amount} ${scene.currency} by ${order.method}`;
    rows.add('payment_event', { ...of, payment_id: id, id: idAt(at, `${id}/paid`), at, type: 'paid', text, actor });
  });

const redemptionRow = (order: PlannedOrder, { scene }: Chronicle): Row[] => {
  const { coupon, totals, person, at } = order;
  if (!coupon || !totals.applied) return [];
  const { status, paidAt, last } = standingOf(order);
  const state = status === 'cancelled' ? 'released' : paidAt ? 'used' : 'held';
  return [
    {
      ...{ store_id: scene.storeId, order_id: order.id, coupon_id: idOf(scene.storeId, 'coupon', coupon.code) },
      ...{ phone: person.phone, amount: totals.applied.amount, state, created_at: at },
      updated_at: state === 'held' ? at : (paidAt ?? last.at),
    },
  ];
};

/** Adds an order with everything that is its own. */
export const addOrder = (rows: Rows, order: PlannedOrder, told: Chronicle): void => {
  const { storeId } = told.scene;
  rows.add('global_key', { kind: 'order', value: order.number, store_id: storeId, ref_id: order.id });
  rows.add('sales_order', orderRow(order, told));
  rows.add('order_item', ...itemRows(order, told));
  paymentRows(rows, order, told);
  rows.add('coupon_redemption', ...redemptionRow(order, told));
};
