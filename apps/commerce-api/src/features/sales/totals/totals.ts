import { bestSaving, type Counted } from './discount';
import { portionHalfUp, sharesOf, sum } from './shares';
import type { Cart, CartLine, Fee, PricedLine, TaxRule, Totals } from './totals.types';

/** The lowest price that the variant's quantity in the whole cart reaches, for this buyer. */
const priceOf = ({ price, tiers }: CartLine, qty: number, buyerTags: readonly string[]): number =>
  Math.min(
    price,
    ...tiers
      .filter(({ minQty, tagId }) => qty >= minQty && (tagId === null || buyerTags.includes(tagId)))
      .map((tier) => tier.price),
  );

/** The lines at their prices. */
export const countedLines = ({ lines, buyerTags }: Pick<Cart, 'lines' | 'buyerTags'>): Counted[] => {
  const quantities = new Map<string, number>();
  for (const { variantId, qty } of lines) quantities.set(variantId, (quantities.get(variantId) ?? 0) + qty);
  return lines.map((line) => {
    const price = priceOf(line, quantities.get(line.variantId) ?? line.qty, buyerTags);
    return { line, price, total: price * line.qty };
  });
};

/** What the payment method takes from the buyer; nothing where nothing is left to be paid. */
export const feeOn = (base: number, { fixed, percentBp }: Fee): number =>
  base === 0 ? 0 : fixed + portionHalfUp(base, percentBp, 10_000);

/** Indonesian value added tax: computed once on the whole base, so that lines rounded one by one cannot miss it. */
const taxOn = (base: number, { mode, rateBp, baseNum, baseDen }: TaxRule): number => {
  const part = rateBp * baseNum;
  const whole = 10_000 * baseDen;
  if (mode === 'none') return 0;
  return portionHalfUp(base, part, mode === 'added' ? whole : whole + part);
};

/**
 * What an order costs: one computation for the cart, the bot, `/order/calculate` and the order that is placed (design 3.7).
 *
 * - the lines' totals, discount shares and tax shares add up to subtotal, discount and tax;
 * - total = subtotal - discount + shipping + fee, and the tax where it is added; never below 0;
 * - one discount counts, the one that saves most, on lines or on shipping;
 * - the fee counts on goods and shipping, without an added tax.
 *
 * Exact for amounts up to `MOST_MONEY`; the caller refuses larger ones.
 */
export const totalsOf = (cart: Cart): Totals => {
  const counted = countedLines(cart);
  const saving = bestSaving(counted, cart.shipping, cart.discounts);
  const shares = saving?.shares ?? counted.map(() => 0);
  const subtotal = sum(counted.map(({ total }) => total));
  const discount = sum(shares);
  const shippingTotal = cart.shipping - (saving?.shipping ?? 0);
  const taxed = counted.map(({ line, total }, at) => (line.taxable ? total - (shares[at] ?? 0) : 0));
  const taxBase = sum(taxed) + (cart.tax.shipping ? shippingTotal : 0);
  const taxTotal = taxOn(taxBase, cart.tax);
  const taxes = sharesOf(taxTotal, taxed);
  const net = subtotal - discount + shippingTotal;
  const fee = feeOn(net, cart.fee);
  const lines: PricedLine[] = counted.map(({ line, price, total }, at) => ({
    ...{ variantId: line.variantId, qty: line.qty, price, total },
    ...{ discountShare: shares[at] ?? 0, tax: taxes[at] ?? 0 },
  }));
  const { mode, rateBp } = cart.tax;
  return {
    ...{ lines, subtotal, discount, shippingTotal, fee, taxTotal },
    applied: saving ? { couponId: saving.discount.couponId, code: saving.discount.code, amount: saving.amount } : null,
    tax: mode === 'none' ? null : { mode, rateBp, base: taxBase },
    total: net + fee + (mode === 'added' ? taxTotal : 0),
  };
};
