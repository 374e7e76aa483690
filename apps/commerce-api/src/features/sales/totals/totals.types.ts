/** Amounts are integers in the settlement unit of the store's currency, from 0 to `MOST_MONEY`. */
export const MOST_MONEY = 1_000_000_000_000;

/** A lower price from a number of units on, of a variant in the whole cart. */
export interface Tier {
  readonly minQty: number;
  readonly price: number;
  /** Only for buyers who have this tag; null: for everybody. */
  readonly tagId: string | null;
}

/** A line of a cart with what the catalogue says of its variant now: nothing of it comes from a buyer but the quantity. */
export interface CartLine {
  readonly variantId: string;
  readonly productId: string;
  /** The product's category and those above it. */
  readonly categoryIds: readonly string[];
  readonly price: number;
  readonly tiers: readonly Tier[];
  readonly taxable: boolean;
  readonly qty: number;
}

export type DiscountKind = 'percent' | 'fixed' | 'free_shipping' | 'buy_get';

/** What a coupon takes off; whether it may be used now (window, limits) is its feature's to say. */
export interface Discount {
  readonly couponId: string;
  /** null: applies by itself. */
  readonly code: string | null;
  readonly kind: DiscountKind;
  /** Percent from 1 to 100, or an amount. */
  readonly value: number;
  readonly buyQty: number;
  readonly getQty: number;
  readonly maxDiscount: number | null;
  readonly minSubtotal: number;
  /** Neither named: everything. */
  readonly scope: { readonly productIds: readonly string[]; readonly categoryIds: readonly string[] };
}

/** What the payment method costs the buyer: nothing when the merchant bears it. */
export interface Fee {
  readonly fixed: number;
  readonly percentBp: number;
}

/** The rate is `rateBp / 10000 * baseNum / baseDen`: 12 % of 11/12 is 11 %. */
export interface TaxRule {
  readonly mode: 'none' | 'included' | 'added';
  readonly rateBp: number;
  readonly baseNum: number;
  readonly baseDen: number;
  /** Whether shipping is taxed too. */
  readonly shipping: boolean;
}

export interface Cart {
  readonly lines: readonly CartLine[];
  /** Tags of a buyer who is known without typing a number; on public routes none. */
  readonly buyerTags: readonly string[];
  /** Price of the chosen shipping. */
  readonly shipping: number;
  /** The code's discount and those that apply by themselves; one of them counts. */
  readonly discounts: readonly Discount[];
  readonly fee: Fee;
  readonly tax: TaxRule;
}

export interface PricedLine {
  readonly variantId: string;
  readonly qty: number;
  /** Of one unit. */
  readonly price: number;
  /** price * qty */
  readonly total: number;
  readonly discountShare: number;
  readonly tax: number;
}

export interface Totals {
  readonly lines: readonly PricedLine[];
  readonly subtotal: number;
  /** What is taken off the lines; their shares add up to it. */
  readonly discount: number;
  /** What took something off the lines or off shipping, and how much. */
  readonly applied: { readonly couponId: string; readonly code: string | null; readonly amount: number } | null;
  /** What the buyer pays for shipping. */
  readonly shippingTotal: number;
  readonly fee: number;
  readonly taxTotal: number;
  /** null when the store has no tax; `base` is what was taxed. */
  readonly tax: { readonly mode: 'included' | 'added'; readonly rateBp: number; readonly base: number } | null;
  readonly total: number;
}
