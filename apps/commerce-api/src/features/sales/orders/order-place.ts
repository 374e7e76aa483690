import { writeAudit, type Audit, type Sql, type Transaction } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { createHash } from 'node:crypto';
import type { By } from '../../../by';
import { holdKeys } from '../../digital/rights/public';
import { newNumber } from '../../../new-number';
import { withNames } from '../../shipping/areas/public';
import { reserve, stockRefusals } from '../../stock/levels/public';
import type { Buyer, Buyers } from '../buyers/public';
import { hold } from '../coupons/public';
import { isGatewayCode, type Gateways } from '../../paying/methods/public';
import { openAttempt, settleNothing } from '../payments/public';
import { BY_KEY, ROUTE, WRITE_ORDER } from './order-place.sql';
import { withBestDiscount } from './order-discount';
import { linesOf, quoteOf, refuseCoupon, refuseMethod, termsOf, type Quote } from './order-quote';
import { amountsOf, orderRefusals } from './order.rules';
import type { NewOrder, Order, OrderRow } from './orders.dto';
import { orderById, readOrder, type Stored } from './orders.sql';
import { refusals } from '../../../refusals';

/** Where money is taken by providers. */
export interface Tills {
  readonly gateways: Gateways;
  /** Asks the provider of an attempt whose transaction has committed, for a while; whatever comes of it, it resolves. */
  ask(storeId: string, paymentId: string): Promise<unknown>;
}

/** Who places, and with which key of theirs. */
export interface Placing {
  readonly by: By;
  readonly audit: Audit;
  readonly buyers: Buyers;
  readonly tills: Tills;
  /** Of the request, for ever: it finds the order also when `once` has forgotten it. */
  readonly key: string | undefined;
  /** Of what was asked for, where the order follows from more than that; of the order itself unless given. */
  readonly hash?: string;
}

/** An order as its buyer or the staff wants it; staff may not say that it came from a link. */
export type WantedOrder = Omit<NewOrder, 'channel'> & {
  readonly channel?: OrderRow['channel'];
  /** From where its buyer came, as far as their cart knows. */
  readonly touch?: { readonly utm: object | null; readonly visitor_id: string | null; readonly at: Date };
};

const hashOf = ({ hash }: Placing, body: WantedOrder): string =>
  hash ?? createHash('sha256').update(JSON.stringify(body)).digest('hex');
/** A key belongs to whoever uses it: two cashiers of a store may count alike. */
const keyOf = ({ by, key }: Placing): string | null => (key === undefined ? null : `${by.actor} ${key}`);

/** The order that this request has made before. Throws `idempotency_mismatch` when it was another request. */
export const placedBefore = async (tx: Sql, placing: Placing, hash: string): Promise<Order | undefined> => {
  const { storeId } = placing.by;
  const key = keyOf(placing);
  if (key === null) return undefined;
  const [row] = await tx.prepared<{ id: string; request_hash: string }>('order by key', BY_KEY, [storeId, key]);
  if (!row) return undefined;
  if (row.request_hash !== hash) throw orderRefusals.keyUsed();
  return orderById(tx, storeId, row.id);
};

/** Throws `NotFound` for somebody who does not work here. */
export const refuseStranger = async (tx: Sql, storeId: string, userId: string | undefined): Promise<void> => {
  if (userId === undefined) return;
  const member = `SELECT 1 FROM membership WHERE store_id = $1 AND user_id = $2 AND status = 'active'`;
  if ((await tx.query(member, [storeId, userId])).length === 0)
    throw refusals.notHere('assignee_id', 'is not a member of this store');
};

interface Route {
  readonly id: string;
  /** What it has not enough of, as far as anybody knows before the levels are locked. */
  readonly short: Parameters<typeof stockRefusals.outOfStock>[0];
}

/** The warehouse that an order is taken from. Throws `no_warehouse`, and `NotFound` for one that is closed or another store's. */
export const routed = async (
  tx: Sql,
  storeId: string,
  {
    items,
    warehouse_id,
    address,
  }: Pick<WantedOrder, 'items' | 'warehouse_id'> & { readonly address?: { readonly city?: string } | undefined },
): Promise<Route> => {
  const columns = [items.map(({ variant_id }) => variant_id), items.map(({ qty }) => qty)];
  const values = [storeId, ...columns, warehouse_id ?? null, address?.city ?? null];
  const [row] = await tx.prepared<Route>('order route', ROUTE, values);
  if (row) return row;
  throw warehouse_id === undefined
    ? orderRefusals.noWarehouse()
    : refusals.notHere('warehouse_id', 'is not an open warehouse of this store');
};

interface Placed {
  readonly id: string;
  readonly quote: Quote;
  readonly body: WantedOrder;
  readonly buyer: Buyer;
  readonly warehouseId: string;
  readonly contactId: string | null;
}

/** The rows of an order's lines; `known` are the ids that lines have already, by position. */
export const itemsOf = (
  storeId: string,
  { id, quote, body }: Pick<Placed, 'id' | 'quote' | 'body'>,
  known: readonly (string | undefined)[] = [],
): object[] =>
  linesOf(quote).map((line, position) => ({
    ...line,
    ...{ store_id: storeId, order_id: id, id: known[position] ?? uuidv7(), position },
    ...{ cost: quote.stocked[position]?.cost ?? null, note: body.items[position]?.note ?? null },
  }));

/** What orders are found by; PostgreSQL makes small letters of it, as of the words that are sought. */
export const searchText = (number: string, { name, phone }: Buyer): string => [number, name, phone].join(' ');

const rowOf = (
  placing: Placing,
  { id, quote, body, buyer, warehouseId, contactId }: Placed,
  number: string,
): object => {
  const { storeId, at } = placing.by;
  return {
    ...{ store_id: storeId, id, number, idempotency_key: keyOf(placing), request_hash: hashOf(placing, body) },
    ...{ contact_id: contactId, channel: body.channel ?? 'manual', status: 'open', payment_status: 'unpaid', buyer },
    ...{ address: body.address ?? null, shipping: quote.shipping, payment_method: body.payment_method },
    ...{ note: body.note ?? null, ...termsOf(quote), ...amountsOf(quote.totals), currency: quote.store.currency },
    ...{ assignee_id: body.assignee_id ?? null, warehouse_id: warehouseId },
    search_text: searchText(number, buyer),
    ...{ placed_at: at, pay_expires_at: body.payment_method === 'cod' ? null : quote.waitsUntil },
    ...{ created_at: at, updated_at: at, attribution: body.touch ?? {} },
  };
};

/** Who buys: a contact that was chosen, or whoever was typed. Throws `InvalidInput` for both and for none. */
export const buyerOf = async (
  tx: Sql,
  { by, buyers }: Pick<Placing, 'by' | 'buyers'>,
  { contact_id, contact }: Pick<NewOrder, 'contact' | 'contact_id'>,
): Promise<Buyer> => {
  if (contact && contact_id === undefined) return contact;
  if (contact_id !== undefined && !contact) return buyers.known(tx, by, contact_id);
  const message = contact ? 'contact must not be given with contact_id' : 'contact is a required field';
  throw new InvalidInput([{ field: 'contact', tag: contact ? 'excludes' : 'required', message }]);
};

/** What is wanted, to a place that is called as its area is where its id alone was given. */
export const withPlace = async <Wanted extends Pick<WantedOrder, 'address'>>(
  tx: Sql,
  wanted: Wanted,
): Promise<Wanted> =>
  wanted.address === undefined ? wanted : { ...wanted, address: await withNames(tx, wanted.address) };

/** Throws `total_changed` when the buyer was told something else. */
export const refuseTold = ({ totals }: Quote, told: number | undefined): void => {
  if (told !== undefined && told !== totals.total) throw orderRefusals.totalChanged(amountsOf(totals));
};

/** The order as it is written. A number that somebody has is drawn again. */
const write = async (tx: Sql, placing: Placing, placed: Placed): Promise<Order> => {
  const items = JSON.stringify(itemsOf(placing.by.storeId, placed));
  for (;;) {
    const number = newNumber('INV', placed.quote.store.day);
    const values = [JSON.stringify(rowOf(placing, placed, number)), items, uuidv7(), placing.by.actor];
    const [row] = await tx.prepared<Stored<Order> & { readonly job: string }>('order write', WRITE_ORDER, values);
    if (!row) continue;
    const { job: _job, ...order } = row;
    return readOrder(order);
  }
};

/** Throws for what the buyer cannot have so: a method that is not for this total, or a total that they were not told. */
const refuseUnexpected = (quote: Quote, { expected_total }: WantedOrder): void => {
  refuseMethod(quote);
  refuseTold(quote, expected_total);
};

/** How an order by a gateway begins to be paid: the row with it, the provider after the commit. */
export const beginToPay = async (
  tx: Transaction,
  { by, tills }: Pick<Placing, 'by' | 'tills'>,
  order: Order,
  { payableUntil }: Pick<Quote, 'payableUntil'>,
): Promise<Order> => {
  const { id: orderId, number, total: amount, currency, payment_method: provider } = order;
  if (!isGatewayCode(provider)) return order;
  const of = { orderId, number };
  const attempt = { of, provider, amount, currency, expiresAt: payableUntil, door: 'buyer' } as const;
  const id = await openAttempt(tx, by, tills.gateways, attempt);
  tx.afterCommit(async () => void (await tills.ask(by.storeId, id)));
  return orderById(tx, by.storeId, orderId);
};

/** The order and how it begins to be paid, then what others want too: its stock and its licence keys, its coupon, and the receipt of one that costs nothing. */
const placeQuoted = async (tx: Transaction, placing: Placing, placed: Placed): Promise<Order> => {
  const { by, audit } = placing;
  const { id, quote, body, buyer, warehouseId } = placed;
  refuseUnexpected(quote, body);
  const order = await write(tx, placing, placed);
  const diff = { number: { to: order.number }, total: { to: order.total } };
  await writeAudit(tx, audit, { action: 'order.write', subject: { type: 'order', id }, diff });
  const begun = order.total > 0 ? await beginToPay(tx, placing, order, quote) : undefined;
  const lines = body.items.map(({ variant_id, qty }) => ({ variant_id, qty, warehouse_id: warehouseId }));
  await reserve(tx, by, { type: 'order', id }, lines);
  if (quote.stocked.some(({ needsKey }) => needsKey)) await holdKeys(tx, by, id);
  const { applied } = quote.totals;
  const { phone } = buyer;
  if (applied) await hold(tx, by, { orderId: id, couponId: applied.couponId, phone, amount: applied.amount });
  if (begun) return begun;
  await settleNothing(tx, by, id);
  return orderById(tx, by.storeId, id);
};

/**
 * Places an order in the caller's transaction: stock is reserved, the coupon's use is held, and the prices are those of the catalogue. Rows
 * are locked as `order.locks` says: those that everybody wants last, so that whoever waits for them waits for a commit, not for an order to
 * be written. What is sold out is refused before anything is. An attempt to pay it by a gateway is written with it, and its provider asked
 * after the commit. Throws `out_of_stock`, `total_changed`, `coupon_unavailable` for a code,
 * `no_warehouse`, `InvalidInput`; the transaction is then to be rolled back.
 */
export const placeOrder = async (tx: Transaction, asking: Placing, asked: WantedOrder): Promise<Order> => {
  const { by, buyers } = asking;
  const placing = { ...asking, hash: hashOf(asking, asked) };
  const before = await placedBefore(tx, placing, placing.hash);
  if (before) return before;
  const body = await withPlace(tx, asked);
  await refuseStranger(tx, by.storeId, body.assignee_id);
  const buyer = await buyerOf(tx, placing, body);
  const quoted = await quoteOf({ sql: tx, gateways: placing.tills.gateways }, by, body, buyer.phone);
  refuseCoupon(quoted);
  refuseUnexpected(quoted, body);
  const { id: warehouseId, short } = await routed(tx, by.storeId, body);
  if (short.length > 0) throw stockRefusals.outOfStock(short);
  const contactId = body.contact_id ?? (await buyers.contactOf(tx, by, buyer));
  const id = uuidv7();
  return withBestDiscount(tx, quoted, (quote) =>
    placeQuoted(tx, placing, { id, quote, body, buyer, warehouseId, contactId }),
  );
};
