import { diffOf, writeAudit, type Sql, type Transaction } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import { invalidTransition } from '../../../machine';
import { refusals } from '../../../refusals';
import { holdKeys, keepRights } from '../../digital/rights/public';
import { change, goodsOf, lockLevels } from '../../stock/levels/public';
import type { Buyer, Buyers } from '../buyers/public';
import { exchange, holderOf, type Holder } from '../coupons/public';
import { orderChanged } from '../news/public';
import { paymentRefusals, settleNothing, withdrawAttempts } from '../payments/public';
import { withBestDiscount } from './order-discount';
import { EDIT_ORDER } from './order-edit.sql';
import {
  beginToPay,
  buyerOf,
  itemsOf,
  refuseStranger,
  refuseTold,
  routed,
  searchText,
  type Tills,
  withPlace,
} from './order-place';
import { quoteOf, refuseCoupon, refuseMethod, termsOf, type Quote } from './order-quote';
import { amountsOf } from './order.rules';
import type { Changing } from './order-steps';
import type { Order, OrderEdit, OrderItem } from './orders.dto';
import { lockOrder, type LockedOrder } from './order.locks';
import { orderById } from './orders.sql';

/** Who edits. */
export interface Editing extends Changing {
  readonly buyers: Buyers;
  readonly tills: Tills;
}

const UNPAID: readonly string[] = ['unpaid', 'pending', 'failed', 'expired'];

type Editable = Pick<LockedOrder, 'status' | 'payment_status' | 'fulfillment_status' | 'version'>;

/** Whether it can be changed still. */
export const isEditable = ({ status, payment_status, fulfillment_status }: Omit<Editable, 'version'>): boolean =>
  (status === 'open' || status === 'processing') && UNPAID.includes(payment_status) && fulfillment_status === 'none';

const refuseUneditable = (order: Editable, version: number): void => {
  if (order.status === 'cancelled' || order.status === 'completed') throw invalidTransition(order.status);
  if (!UNPAID.includes(order.payment_status)) throw paymentRefusals.paid();
  if (order.fulfillment_status !== 'none') throw invalidTransition(order.fulfillment_status);
  if (order.version !== version) throw refusals.versionConflict();
};

/** The ids of the lines that are named again, by their position in the request; a line of a variant is found once. */
const knownLines = (before: readonly OrderItem[], { items }: OrderEdit): (string | undefined)[] => {
  const left = [...before];
  return items.map(({ variant_id }) => {
    const at = left.findIndex((line) => line.variant_id === variant_id.toLowerCase());
    return at < 0 ? undefined : left.splice(at, 1)[0]?.id;
  });
};

/** An order stays in its warehouse unless another one is asked for. */
const placeOf = async (tx: Sql, storeId: string, order: LockedOrder, edit: OrderEdit): Promise<string> => {
  const asked = edit.warehouse_id?.toLowerCase();
  return order.warehouse_id !== null && (asked === undefined || asked === order.warehouse_id)
    ? order.warehouse_id
    : (await routed(tx, storeId, edit)).id;
};

interface Edited {
  readonly order: LockedOrder;
  readonly edit: OrderEdit;
  readonly buyer: Buyer;
  readonly quote: Quote;
  readonly warehouseId: string;
  readonly contactId: string | null;
  readonly holder: Holder;
}

const rowOf = (
  { by: { storeId, at } }: Changing,
  { order, edit, buyer, quote, warehouseId, contactId }: Edited,
): object => ({
  ...{ store_id: storeId, id: order.id, contact_id: contactId, buyer, address: edit.address ?? null },
  ...{ shipping: quote.shipping, payment_method: edit.payment_method, note: edit.note ?? null },
  ...{ ...termsOf(quote), ...amountsOf(quote.totals), assignee_id: edit.assignee_id ?? null },
  ...{ warehouse_id: warehouseId, search_text: searchText(order.number, buyer), updated_at: at },
});

/** By what buyers are reached: whoever is erased would stay in the log for ever. */
const REACHED = ['phone', 'email'];

/** What the audit log tells: lines as pieces by SKU. */
const toldOf = ({ items, total, discount, buyer, address, shipping, payment_method, note }: Order): object => ({
  items: Object.fromEntries(items.map(({ sku, qty }) => [sku, qty])),
  ...{ total, discount, buyer, address, shipping, payment_method, note },
});

const write = async (tx: Sql, editing: Editing, edited: Edited, before: Order): Promise<void> => {
  const { by } = editing;
  const { order, edit, quote } = edited;
  const items = itemsOf(by.storeId, { id: order.id, quote, body: edit }, knownLines(before.items, edit));
  await tx.prepared('order edit', EDIT_ORDER, [
    ...[JSON.stringify(rowOf(editing, edited)), JSON.stringify(items), uuidv7(), by.actor, quote.waitsUntil],
  ]);
};

/** Where what is asked for has changed nobody is to pay what was asked for before. */
const payAnew = async (
  tx: Transaction,
  editing: Editing,
  { before, after, quote }: { readonly before: Order; readonly after: Order; readonly quote: Quote },
): Promise<Order> => {
  const { total, payment_method } = before;
  if (total === after.total && payment_method === after.payment_method) return after;
  await withdrawAttempts(tx, editing.by, after.id, 'The order has changed');
  return beginToPay(tx, editing, after, quote);
};

/** What an edit writes, under the order's lock: stock, then coupons, then the order with its licence keys, and the receipt of one that costs nothing. */
const editQuoted = async (tx: Transaction, editing: Editing, edited: Edited, before: Order): Promise<Order> => {
  const { by, audit } = editing;
  const { order, edit, quote, buyer, warehouseId, contactId, holder } = edited;
  const { id } = order;
  // One that was switched off meanwhile stays that of its orders
  if (edit.payment_method !== before.payment_method) refuseMethod(quote);
  refuseTold(quote, edit.expected_total);
  const lines = edit.items.map(({ variant_id, qty }) => ({
    ...{ variant_id: variant_id.toLowerCase(), qty, warehouse_id: warehouseId },
  }));
  const { applied, total } = quote.totals;
  const owner = { type: 'order', id };
  // What costs nothing is sold at once, after its coupon, also what of it stays as it was
  const tracked = lines.filter((_, at) => quote.stocked[at]?.trackStock);
  if (total === 0) await lockLevels(tx, by, [...(await goodsOf(tx, by, owner)), ...tracked]);
  await change(tx, by, owner, lines);
  const { phone } = buyer;
  const use = applied ? { orderId: id, couponId: applied.couponId, phone, amount: applied.amount } : undefined;
  await exchange(tx, by, holder, use);
  await write(tx, editing, edited, before);
  await keepRights(tx, by, id);
  if (quote.stocked.some(({ needsKey }) => needsKey)) await holdKeys(tx, by, id);
  await orderChanged(tx, by.storeId, id, order.contact_id === contactId ? null : order.contact_id);
  const after = await orderById(tx, by.storeId, id);
  const diff = diffOf(toldOf(before), toldOf(after), REACHED);
  await writeAudit(tx, audit, { action: 'order.write', subject: { type: 'order', id }, diff });
  if (total > 0) return payAnew(tx, editing, { before, after, quote });
  await withdrawAttempts(tx, by, id, 'The order has changed');
  await settleNothing(tx, by, id);
  return orderById(tx, by.storeId, id);
};

/**
 * Writes an unpaid order anew, in the caller's transaction: at today's prices and coupons, its stock changed by the difference. Rows are
 * locked as `order.locks` says; whether it can be edited is asked before and under its lock. Throws `paid`, `invalid_transition`,
 * `version_conflict` and what placing throws; the transaction is then to be rolled back.
 */
export const editOrder = async (tx: Transaction, editing: Editing, id: string, asked: OrderEdit): Promise<Order> => {
  const { storeId } = editing.by;
  const edit = await withPlace(tx, asked);
  // What an order of this version says
  const before = await orderById(tx, storeId, id);
  refuseUneditable(before, edit.version);
  await refuseStranger(tx, storeId, edit.assignee_id);
  const buyer = await buyerOf(tx, editing, edit);
  const contactId = edit.contact_id ?? (await editing.buyers.contactOf(tx, editing.by, buyer));
  const order = await lockOrder(tx, storeId, id);
  refuseUneditable(order, edit.version);
  const holder = await holderOf(tx, storeId, id);
  const counting = { sql: tx, gateways: editing.tills.gateways };
  const quoted = await quoteOf(counting, editing.by, edit, buyer.phone, holder);
  refuseCoupon(quoted);
  const warehouseId = await placeOf(tx, storeId, order, edit);
  const edited = { order, edit, buyer, warehouseId, contactId, holder };
  return withBestDiscount(tx, quoted, (quote) => editQuoted(tx, editing, { ...edited, quote }, before));
};
