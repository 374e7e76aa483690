import { portionDown } from '../../sales/totals/public';

/** Goods of an order that are sent. */
export interface SentGoods {
  readonly id: string;
  /** What the buyer pays for all of them, discount and added tax included. */
  readonly amount: number;
  readonly qty: number;
}

/** A parcel of an order, also one that was unpacked again. */
export interface Packed {
  readonly id: string;
  /** How many of which goods. */
  readonly pieces: Readonly<Record<string, number>>;
  /** Ids of what happened to it, which rise with time; null: that has not happened. */
  readonly left: string | null;
  readonly cancelled: string | null;
}

interface Money {
  readonly total: number;
  readonly paid_total: number;
}

/** What parcels collect together: up to each of them. */
type OpenUpTo = (parcels: readonly Packed[]) => number[];

const openUpTo =
  ({ total, paid_total }: Money, goods: readonly SentGoods[]): OpenUpTo =>
  (parcels) => {
    const packed = new Map<string, number>();
    const later = ({ id, amount, qty }: SentGoods): number => amount - portionDown(amount, packed.get(id) ?? 0, qty);
    return parcels.map(({ pieces }) => {
      for (const [id, count] of Object.entries(pieces)) packed.set(id, (packed.get(id) ?? 0) + count);
      return Math.max(0, goods.reduce((rest, each) => rest - later(each), total) - paid_total);
    });
  };

/** Of more parcels nobody asks what each collected when it left. */
const MOST_AGAIN = 200;

/** Of each parcel; what those that have left collect is as it was then, and the first that has not makes up for what is lacking. */
const amountsOf = (open: OpenUpTo, parcels: readonly Packed[], left: ReadonlyMap<string, number>) => {
  const upTo = open(parcels);
  const shares = parcels.map(({ id }, at) => left.get(id) ?? (upTo[at] ?? 0) - (upTo[at - 1] ?? 0));
  const lacking = shares.reduce((rest, share) => rest - share, upTo.at(-1) ?? 0);
  const next = parcels.findIndex(({ id }) => !left.has(id));
  return new Map(
    parcels.map(({ id }, at) => [id, Math.max(0, (shares[at] ?? 0) + (at === next ? lacking : 0))] as const),
  );
};

/**
 * What the bearer of a parcel collects of an order that is paid at the door. The parcels of an order collect its total between them, however
 * it is split: each what its goods cost, the first also what is not for goods that are sent, such as shipping. What was paid already is
 * taken off the first ones. In the order in which they were packed, so that a later parcel changes nothing of a label that is printed; nor
 * does one that is unpacked when others have left: whoever has left collects what their label says. `parcels` are in the order of their ids.
 */
export const collectOf = (
  money: Money,
  { goods, parcels }: { readonly goods: readonly SentGoods[]; readonly parcels: readonly Packed[] },
  id: string,
): number => {
  const open = openUpTo(money, goods);
  const left = new Map<string, number>();
  const leaving = parcels.flatMap((parcel) => (parcel.left === null ? [] : [{ ...parcel, left: parcel.left }]));
  leaving.sort((one, other) => (one.left < other.left ? -1 : 1));
  const first = leaving[0]?.left;
  // Unless one was unpacked when another had left, each collects now what it did then
  const again =
    first !== undefined && parcels.some(({ cancelled }) => cancelled !== null && cancelled > first)
      ? leaving.slice(0, parcels.length > MOST_AGAIN ? 0 : undefined)
      : [];
  for (const { id: leaves, left: moment } of again) {
    const there = parcels.filter(
      (one) => (one.id <= leaves || one.id < moment) && (one.cancelled === null || one.cancelled > moment),
    );
    left.set(leaves, amountsOf(open, there, left).get(leaves) ?? 0);
  }
  const standing = parcels.filter(({ cancelled }) => cancelled === null);
  return amountsOf(open, standing, left).get(id) ?? 0;
};
