import { portionDown, sharesOf, sum } from './shares';
import type { CartLine, Discount } from './totals.types';

/** A line at its price: what a discount is counted on. */
export interface Counted {
  readonly line: CartLine;
  readonly price: number;
  readonly total: number;
}

/** What a discount takes off: of each line, and of shipping. */
export interface Saving {
  readonly discount: Discount;
  readonly shares: readonly number[];
  readonly shipping: number;
  readonly amount: number;
}

export type Inapplicable = 'min_subtotal' | 'scope';

const isInScope = ({ productId, categoryIds }: CartLine, { scope }: Discount): boolean =>
  scope.productIds.length + scope.categoryIds.length === 0 ||
  scope.productIds.includes(productId) ||
  categoryIds.some((id) => scope.categoryIds.includes(id));

/** The lines' parts in what the discount counts on; 0 for lines outside its scope. */
const weightsOf = (lines: readonly Counted[], discount: Discount): number[] =>
  lines.map(({ line, total }) => (isInScope(line, discount) ? total : 0));

/** Of every `buyQty + getQty` units in scope `getQty` are free, the cheapest of all first: what that is for each line. */
const freeUnits = (lines: readonly Counted[], discount: Discount): number[] => {
  const { buyQty, getQty } = discount;
  const free = lines.map(() => 0);
  const inScope = [...lines.entries()].filter(([, { line }]) => isInScope(line, discount));
  const units = sum(inScope.map(([, { line }]) => line.qty));
  let left = Math.floor(units / (buyQty + getQty)) * getQty;
  for (const [at, { line, price }] of inScope.sort(([, one], [, other]) => one.price - other.price)) {
    const taken = Math.min(left, line.qty);
    free[at] = taken * price;
    left -= taken;
  }
  return free;
};

/** Takes no more off than `maxDiscount`, in the same proportions. */
const capped = (shares: readonly number[], { maxDiscount }: Discount): readonly number[] =>
  maxDiscount !== null && sum(shares) > maxDiscount ? sharesOf(maxDiscount, shares) : shares;

const linesShares = (lines: readonly Counted[], discount: Discount): readonly number[] => {
  const weights = weightsOf(lines, discount);
  const base = sum(weights);
  switch (discount.kind) {
    case 'percent':
      return sharesOf(portionDown(base, discount.value, 100), weights);
    case 'fixed':
      return sharesOf(Math.min(discount.value, base), weights);
    case 'buy_get':
      return freeUnits(lines, discount);
    case 'free_shipping':
      return lines.map(() => 0);
  }
};

/** Why a discount takes nothing off this cart; undefined when it counts. */
export const inapplicable = (lines: readonly Counted[], discount: Discount): Inapplicable | undefined => {
  if (sum(lines.map(({ total }) => total)) < discount.minSubtotal) return 'min_subtotal';
  return lines.some(({ line }) => isInScope(line, discount)) ? undefined : 'scope';
};

const savingOf = (lines: readonly Counted[], shipping: number, discount: Discount): Saving => {
  const shares = capped(linesShares(lines, discount), discount);
  const free = discount.kind === 'free_shipping' ? Math.min(shipping, discount.maxDiscount ?? shipping) : 0;
  return { discount, shares, shipping: free, amount: sum(shares) + free };
};

const better = (best: Saving, one: Saving): boolean =>
  one.amount === best.amount ? one.discount.code !== null && best.discount.code === null : one.amount > best.amount;

/** The one discount of an order: what saves most; of equal ones the code's. Undefined when nothing is saved. */
export const bestSaving = (
  lines: readonly Counted[],
  shipping: number,
  discounts: readonly Discount[],
): Saving | undefined => {
  const savings = discounts
    .filter((discount) => inapplicable(lines, discount) === undefined)
    .map((discount) => savingOf(lines, shipping, discount))
    .filter(({ amount }) => amount > 0);
  return savings.reduce<Saving | undefined>((best, one) => (best && !better(best, one) ? best : one), undefined);
};
