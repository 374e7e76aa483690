import type { Sql } from '@platform/data';
import { Failure, InvalidInput, NotFound } from '@platform/errors';
import type { By } from '../../../by';
import { optionPairs, type ProductOption } from '../../catalogue/variants/public';
import { freeKeys } from '../../digital/rights/public';
import { cartLines, type StockedLine } from '../../sales/carts/public';
import { amountsOf, quoteOf, type Order, type Quote } from '../../sales/orders/public';
import type { LinkLine } from '../links/public';
import { FREE_FOR_ONE, stockRefusals } from '../../stock/levels/public';
import { methodsOf, type Offering } from './cart-methods';
import { isExpired, settingsOf, type Session, type SessionLine } from './session';
import type { CartCoupon, CartLineView, CartView } from './sessions.dto';
import { refusals } from '../../../refusals';

interface Shelved {
  readonly id: string;
  readonly name: string;
  readonly options: readonly ProductOption[];
  readonly option_values: object;
  readonly kind: SessionLine['kind'];
  /** In the warehouse that has most, and of licence keys. null: there is no end of it. */
  readonly free: number | null;
}

/** What of the variants of a cart is on sale now, and how many of each can be had. */
export const SHELF = `
  SELECT v.id, p.name, p.options, v.option_values, p.kind, least(${freeKeys('p.id')},
    CASE WHEN v.track_stock AND NOT v.allow_backorder THEN ${FREE_FOR_ONE} END) AS free
  FROM variant v JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id AND p.status = 'active'
  WHERE v.store_id = $1 AND v.id = ANY ($2::uuid[]) AND v.status = 'active'`;

type Shelf = ReadonlyMap<string, Shelved>;

interface Wanted {
  /** In lower case. */
  readonly variant_id: string;
  readonly qty: number;
}

const shelfOf = async (sql: Sql, storeId: string, lines: readonly Wanted[]): Promise<Shelf> => {
  if (lines.length === 0) return new Map();
  const ids = lines.map(({ variant_id }) => variant_id);
  const rows = await sql.prepared<Shelved>('cart shelf', SHELF, [storeId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
};

/** The lines that somebody asks for. Throws `NotFound` for what is not on sale in the store, another store's included. */
export const linesFor = async (sql: Sql, storeId: string, items: readonly Wanted[]): Promise<SessionLine[]> => {
  const shelf = await shelfOf(sql, storeId, items);
  return items.map(({ variant_id, qty }, at) => {
    const shelved = shelf.get(variant_id);
    if (shelved) return { variant_id, qty, name: shelved.name, kind: shelved.kind };
    throw refusals.notHere(`items[${at}].variant_id`, 'is not on sale in this store');
  });
};

/** What is not on sale any more is sold out for whoever has it in their cart already. */
export const asSoldOut = (failure: unknown): never => {
  const isGone = failure instanceof NotFound && failure.details.field !== undefined;
  throw isGone ? stockRefusals.outOfStock([]) : failure;
};

/** The lines with which a cart of a link begins; what is not sold any more stays in it and is told so. */
export const linesOfLink = async (sql: Sql, storeId: string, sold: readonly LinkLine[]): Promise<SessionLine[]> => {
  const shelf = await shelfOf(sql, storeId, sold);
  return sold.map(({ variant_id, qty, name }) => {
    const shelved = shelf.get(variant_id);
    return { variant_id, qty, name: shelved?.name ?? name, kind: shelved?.kind ?? 'physical' };
  });
};

/** What of these can still be bought. */
export const onSale = async <L extends Wanted>(sql: Sql, storeId: string, lines: readonly L[]): Promise<Wanted[]> => {
  const shelf = await shelfOf(sql, storeId, lines);
  return lines.flatMap(({ variant_id, qty }) => (shelf.has(variant_id) ? [{ variant_id, qty }] : []));
};

const isEditable = ({ link_lines }: Session, id: string): boolean =>
  link_lines === null || link_lines.some(({ variant_id, editable }) => editable && variant_id === id);

/** A line of what cannot be bought any more costs nothing and is told so. */
const lineOf = (session: Session, line: SessionLine, shelf: Shelf, quote: Quote): CartLineView => {
  const { variant_id, qty, name } = line;
  const at = quote.stocked.findIndex(({ variantId }) => variantId === variant_id);
  const { price = 0, total = 0 } = quote.totals.lines[at] ?? {};
  const shelved = shelf.get(variant_id);
  return {
    ...{ variant_id, name: shelved?.name ?? name, price, qty, total },
    options: shelved ? Object.fromEntries(optionPairs(shelved.options, shelved)) : {},
    available: shelved !== undefined && (shelved.free === null || shelved.free >= qty),
    editable: isEditable(session, variant_id),
    image_url: quote.stocked[at]?.imageUrl ?? null,
  };
};

const couponOf = ({ coupon }: Session, { totals: { applied }, reason }: Quote): CartCoupon | null => {
  if (applied) return { code: applied.code, amount: applied.amount, reason: null };
  return coupon === null ? null : { code: coupon, amount: 0, reason: reason ?? null };
};

/** A cart as it stands, and from what its prices follow. */
export interface Counted {
  readonly view: CartView;
  readonly quote: Quote;
}

/** What was quoted for its shipping is not good for this cart (any more), or is not enough to send it. */
const isOfShipping = (failure: unknown): boolean =>
  (failure instanceof Failure && failure.code === 'quote_expired') || failure instanceof InvalidInput;

/** Whether something of a cart goes by post or hand. */
export const isSent = ({ lines }: Pick<Session, 'lines'>): boolean => lines.some(({ kind }) => kind === 'physical');

const quoted = (offering: Offering, by: By, session: Session, shelf: Shelf): Promise<Quote> => {
  const items = session.lines.filter(({ variant_id }) => shelf.has(variant_id));
  const { coupon, address, shipping } = session;
  const asked = { items, coupon: coupon ?? undefined, address: address ?? undefined, shipping: shipping ?? undefined };
  return quoteOf(offering, by, asked, undefined);
};

/** Nobody pays for nothing, or before it is known how it is sent. */
const isPayable = (session: Session, { shipping }: Quote): boolean =>
  session.lines.length > 0 && (shipping !== null || !isSent(session));

const viewOf = async (
  offering: Offering,
  by: By,
  session: Session,
  { shelf, quote }: { shelf: Shelf; quote: Quote },
) => ({
  state: isExpired(session, by.at) ? ('expired' as const) : session.state,
  ...{ store: session.store, settings: settingsOf(session) },
  lines: session.lines.map((line) => lineOf(session, line, shelf, quote)),
  ...{ buyer: session.buyer, address: session.address, shipping: quote.shipping, coupon: couponOf(session, quote) },
  payment_methods: isPayable(session, quote) ? await methodsOf(offering, by.storeId, quote) : [],
  ...amountsOf(quote.totals),
  ...{ currency: session.currency, expires_at: session.expires_at?.toISOString() ?? null },
});

/**
 * A cart at the prices of now, counted as an order of it would be, without a method to pay it. Whoever types a number proves nothing with it:
 * no limit of a contact is looked up, and no price of a tag counts. Shipping that is not good for it is left out; with `strict` it throws
 * `quote_expired` or `InvalidInput` instead.
 */
export const countCart = async (offering: Offering, by: By, session: Session, strict = false): Promise<Counted> => {
  const { sql } = offering;
  const shelf = await shelfOf(sql, by.storeId, session.lines);
  const quote = await quoted(offering, by, session, shelf).catch((failure: unknown) => {
    if (strict || session.shipping === null || !isOfShipping(failure)) throw failure;
    return quoted(offering, by, { ...session, shipping: null }, shelf);
  });
  return { view: await viewOf(offering, by, session, { shelf, quote }), quote };
};

/** What can be had of a cart, as those who send it count it. */
export const goodsOf = async (sql: Sql, session: Session): Promise<StockedLine[]> => {
  const shelf = await shelfOf(sql, session.storeId, session.lines);
  return cartLines(
    sql,
    session.storeId,
    session.lines.filter(({ variant_id }) => shelf.has(variant_id)),
  );
};

/** A cart that was placed is what its order says, whatever the catalogue says today. */
export const placedCart = (session: Session, order: Order): CartView => ({
  ...{ state: 'placed', store: session.store, settings: settingsOf(session) },
  lines: order.items.map(({ variant_id, name, price, qty, total, image_url }) => ({
    ...{ variant_id, name, options: {}, price, qty, total, available: true, editable: false, image_url },
  })),
  ...{ buyer: session.isOwn ? order.buyer : null, address: session.isOwn ? order.address : null },
  coupon: order.coupon && { ...order.coupon, reason: null },
  ...{ subtotal: order.subtotal, discount: order.discount, shipping_total: order.shipping_total, fee: order.fee },
  ...{
    shipping: order.shipping,
    payment_methods: [],
    tax_total: order.tax_total,
    total: order.total,
    currency: session.currency,
    expires_at: null,
  },
});
