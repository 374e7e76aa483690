import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { By } from '../../../by';
import {
  buyersFee,
  isGatewayCode,
  refuseUnusable,
  termsIn,
  termsNow,
  type Gateways,
  type MethodCode,
  type MethodTerms,
  type SetTerms,
} from '../../paying/methods/public';
import { chosenShipping, type ChosenShipping, type ShippingAsked } from '../../shipping/rates/public';
import { inForce } from '../../shop/settings/public';
import { cartLines, type StockedLine } from '../carts/public';
import { couponRefusals, discountsFor, type Discounts, type Holder } from '../coupons/public';
import { totalsOf, type Cart, type Totals } from '../totals/public';
import { amountsOf } from './order.rules';
import type { Calculated, OrderCalculation, OrderLine } from './orders.dto';

interface StoreRow {
  readonly currency: string;
  /** Today on the store's clocks. */
  readonly day: string;
  readonly invoice: object | null;
  readonly terms: object | null;
  readonly payment: object | null;
  readonly stock: object | null;
  readonly method: SetTerms | null;
}

const STORE = `
  SELECT s.currency, to_char($2::timestamptz AT TIME ZONE s.timezone, 'YYMMDD') AS day, i.value AS invoice, o.value AS terms,
    p.value AS payment, g.value AS stock,
    ${termsIn('$1', '$3')} AS method
  FROM store s LEFT JOIN setting i ON i.store_id = s.store_id AND i.name = 'invoice'
    LEFT JOIN setting o ON o.store_id = s.store_id AND o.name = 'order'
    LEFT JOIN setting p ON p.store_id = s.store_id AND p.name = 'payment'
    LEFT JOIN setting g ON g.store_id = s.store_id AND g.name = 'stock'
  WHERE s.store_id = $1`;

/** What an order would cost now, and from what that follows. */
export interface Quote {
  readonly store: Pick<StoreRow, 'currency' | 'day'>;
  /** null where nobody has chosen one. */
  readonly method: MethodTerms | null;
  /** When the order is cancelled unless somebody has paid. */
  readonly waitsUntil: Date;
  /** Until when a gateway takes its money. */
  readonly payableUntil: Date;
  readonly stocked: readonly StockedLine[];
  /** All that the totals follow from besides the fee of a method. */
  readonly counted: Omit<Cart, 'fee'>;
  readonly totals: Totals;
  readonly shipping: ChosenShipping['shipping'];
  /** Why the code does not count; without a code undefined. */
  readonly reason: Discounts['reason'];
}

const taxOf = (invoice: object | null): Cart['tax'] => {
  const { tax } = inForce('invoice', { ...invoice }) as {
    tax: { mode: Cart['tax']['mode']; rate_bp: number; base_num: number; base_den: number; shipping: boolean };
  };
  const { mode, rate_bp: rateBp, base_num: baseNum, base_den: baseDen, shipping } = tax;
  return { mode, rateBp, baseNum, baseDen, shipping };
};

const HOUR_MS = 3_600_000;

/** Until when an order that is placed now waits for its payment; `terms` is the store's group `order`. */
const waitsUntilOf = (now: Date, terms: object | null): Date => {
  const { cancel_unpaid_hours: hours } = inForce('order', { ...terms }) as { cancel_unpaid_hours: number };
  return new Date(now.getTime() + hours * HOUR_MS);
};

const MINUTE_MS = 60_000;

/** Until when an attempt that is made now can be paid, and how much longer what it pays for is held: a provider tells of it late. */
const attemptTimes = (now: Date, payment: object | null, stock: object | null) => {
  const { expires_minutes } = inForce('payment', { ...payment }) as { expires_minutes: number };
  const { grace_minutes } = inForce('stock', { ...stock }) as { grace_minutes: number };
  const payableUntil = new Date(now.getTime() + expires_minutes * MINUTE_MS);
  return { payableUntil, heldUntil: new Date(payableUntil.getTime() + grace_minutes * MINUTE_MS) };
};

/** The same where nothing is counted. */
export const gatewayTimes = async (
  sql: Sql,
  { storeId, at }: By,
): Promise<{ readonly payableUntil: Date; readonly heldUntil: Date }> => {
  const groups = `SELECT name, value FROM setting WHERE store_id = $1 AND name IN ('payment', 'stock')`;
  const rows = await sql.query<{ name: string; value: object }>(groups, [storeId]);
  const valueOf = (wanted: string) => rows.find(({ name }) => name === wanted)?.value ?? null;
  return attemptTimes(at, valueOf('payment'), valueOf('stock'));
};

/** Until when an order that nobody has paid waits, where nothing is counted. */
export const waitingTime = async (sql: Sql, { storeId, at }: By): Promise<Date> => {
  const [group] = await sql.query<{ value: object }>(
    `SELECT value FROM setting WHERE store_id = $1 AND name = 'order'`,
    [storeId],
  );
  return waitsUntilOf(at, group?.value ?? null);
};

/** An order that is thought about: without a method nothing is added for one, nor refused because of it. */
type Thought = Pick<OrderCalculation, 'items' | 'coupon'> &
  Omit<ShippingAsked, 'payment_method'> &
  Partial<Pick<OrderCalculation, 'payment_method'>>;

/** From what an order's costs follow: what is written, and what the gateways take today. */
export interface Counting {
  readonly sql: Sql;
  readonly gateways: Pick<Gateways, 'feeOf'>;
}

const termsOfMethod = (
  { method }: StoreRow,
  code: MethodCode | undefined,
  gateways: Counting['gateways'],
): MethodTerms | null => (code === undefined ? null : termsNow(code, method, gateways));

/** What a method adds to an order, as the totals count it. */
export const feeOf = ({ percent_bp: percentBp, fixed }: MethodTerms['fee']): Cart['fee'] => ({ percentBp, fixed });
const feeWith = (method: MethodTerms | null): Cart['fee'] =>
  method ? feeOf(buyersFee(method)) : { percentBp: 0, fixed: 0 };

/**
 * Counts an order with the prices of the catalogue, and of the quote for its shipping; `holder` is that of one that exists. Throws
 * `InvalidInput` for what is not on sale or not offered, and `quote_expired`.
 */
export const quoteOf = async (
  { sql, gateways }: Counting,
  by: By,
  { items, coupon: code, ...asked }: Thought,
  phone: string | undefined,
  holder?: Holder,
): Promise<Quote> => {
  const [row] = await sql.prepared<StoreRow>('order store', STORE, [by.storeId, by.at, asked.payment_method ?? null]);
  if (!row) throw new NotFound('Store not found');
  const stocked = await cartLines(sql, by.storeId, items);
  const { discounts, reason } = await discountsFor(sql, by, { code, lines: stocked, phone, holder });
  const { price, shipping } = await chosenShipping(sql, by, stocked, asked);
  const method = termsOfMethod(row, asked.payment_method, gateways);
  const counted = { buyerTags: [], lines: stocked, discounts, shipping: price, tax: taxOf(row.invoice) };
  const totals = totalsOf({ ...counted, fee: feeWith(method) });
  const { payableUntil, heldUntil } = attemptTimes(by.at, row.payment, row.stock);
  const isByGateway = asked.payment_method !== undefined && isGatewayCode(asked.payment_method);
  const waitsUntil = isByGateway ? heldUntil : waitsUntilOf(by.at, row.terms);
  return { store: row, method, waitsUntil, payableUntil, stocked, counted, totals, shipping, reason };
};

/** The same, with the best of the other discounts. */
export const withoutCoupon = (quote: Quote, couponId: string): Quote => {
  const discounts = quote.counted.discounts.filter((discount) => discount.couponId !== couponId);
  const counted = { ...quote.counted, discounts };
  return { ...quote, counted, totals: totalsOf({ ...counted, fee: feeWith(quote.method) }) };
};

/** Throws `coupon_unavailable` for a code that does not count. */
export const refuseCoupon = ({ reason }: Quote): void => {
  if (reason !== undefined) throw couponRefusals.unavailable(reason);
};

/** Throws `InvalidInput` for a method that is switched off, or not for this total, which is told without the fee of the method. */
export const refuseMethod = ({ method, totals }: Quote): void => {
  if (method) refuseUnusable(method, totals.total - totals.fee);
};

/** The lines as an order keeps them. */
export const linesOf = ({ stocked, totals }: Quote): OrderLine[] =>
  stocked.map((line, at) => {
    const { price = 0, total = 0, discountShare = 0, tax = 0 } = totals.lines[at] ?? {};
    return {
      ...{ variant_id: line.variantId, name: line.name, sku: line.sku, price, qty: line.qty },
      ...{ discount_share: discountShare, tax, total, weight_g: line.weightG, image_url: line.imageUrl },
    };
  });

/** The coupon and the tax as an order keeps them. */
export const termsOf = ({ totals: { applied, tax } }: Quote): Pick<Calculated, 'coupon' | 'tax'> => ({
  coupon: applied && { code: applied.code, amount: applied.amount },
  tax: tax && { mode: tax.mode, rate_bp: tax.rateBp, base: tax.base },
});

/** What the order would cost; changes nothing. */
export const calculate = async (counting: Counting, by: By, body: OrderCalculation): Promise<Calculated> => {
  const quote = await quoteOf(counting, by, body, undefined);
  const warnings = quote.reason === undefined ? [] : [{ code: 'coupon_unavailable' as const, reason: quote.reason }];
  return { ...amountsOf(quote.totals), ...termsOf(quote), lines: linesOf(quote), warnings };
};
