import { portionDown } from '../../sales/totals/public';

/** Goods of an order that are sent, and how many of them are in parcels: in those up to this one, and in those before it. */
export interface Parcelled {
  /** What the buyer pays for all of them, discount and added tax included. */
  readonly amount: number;
  readonly qty: number;
  readonly now: number;
  readonly before: number;
}

/**
 * What the bearer of a parcel collects of an order that is paid at the door. The parcels of an order collect its total between them, however
 * it is split: each what its goods cost, the first also what is not for goods that are sent, such as shipping. What was paid already is
 * taken off the first ones. In the order in which they were packed, so that a later parcel changes nothing of a label that is printed.
 */
export const collectOf = (
  { total, paid_total }: { readonly total: number; readonly paid_total: number },
  goods: readonly Parcelled[],
): number => {
  const openFor = (pieces: 'now' | 'before'): number => {
    const later = goods.map(({ amount, qty, [pieces]: packed }) => amount - portionDown(amount, packed, qty));
    return Math.max(0, later.reduce((rest, amount) => rest - amount, total) - paid_total);
  };
  const isFirst = goods.every(({ before }) => before === 0);
  return openFor('now') - (isFirst ? 0 : openFor('before'));
};
