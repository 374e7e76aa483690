import type { Cart, CartLine, Discount } from './totals.types';

export const lineOf = (line: Partial<CartLine> = {}): CartLine => ({
  ...{ variantId: 'v1', productId: 'p1', categoryIds: [], price: 10_000, tiers: [], taxable: true, qty: 1 },
  ...line,
});

export const discountOf = (discount: Partial<Discount> = {}): Discount => ({
  ...{ couponId: 'c1', code: 'SALE', kind: 'percent', value: 10, buyQty: 0, getQty: 0 },
  ...{ maxDiscount: null, minSubtotal: 0, scope: { productIds: [], categoryIds: [] } },
  ...discount,
});

export const NO_TAX: Cart['tax'] = { mode: 'none', rateBp: 1200, baseNum: 11, baseDen: 12, shipping: false };

export const cartOf = (cart: Partial<Cart> = {}): Cart => ({
  ...{ lines: [lineOf()], buyerTags: [], shipping: 0, discounts: [], fee: { fixed: 0, percentBp: 0 }, tax: NO_TAX },
  ...cart,
});
