import type { Place, Planned, PlannedOrder, Sold } from './planned.types';
import type { StockedLine } from '../../sales/carts/public';
import { totalsOf, type Discount, type Totals } from '../../sales/totals/public';
import {
  Chance,
  coupons,
  type DemoCoupon,
  idAt,
  idOf,
  links,
  NEAR,
  NEXT_DAY,
  OWN_COURIER,
  type Person,
  PICKUP,
  REGULAR,
  SECOND_CITY,
  type Sending,
  tax,
  MOST_ON_DELIVERY,
} from '../shop/public';
import { lifeOf } from './life';
import { parcelsOf } from './parcels';
import { momentsOf } from './rhythm';
import { DAY_MS, later, type Scene } from './scene';

/** As `newNumber` writes them, without its randomness. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const numberOf = (chance: Chance, day: Date): string => {
  const signs = Array.from({ length: 6 }, () => SIGNS[chance.whole(0, SIGNS.length - 1)]).join('');
  return `INV-${day.toISOString().slice(2, 10).replaceAll('-', '')}-${signs}`;
};

/** Some buy often: those who come first in the list. */
const buyerOf = (chance: Chance, people: readonly [Person, ...Person[]]): Person =>
  people[Math.floor(people.length * chance.next() ** 1.8)] ?? people[0];

const discountOf = ({ storeId }: Scene, coupon: DemoCoupon): Discount => ({
  ...{ couponId: idOf(storeId, 'coupon', coupon.code), code: coupon.code, kind: coupon.kind, value: coupon.value },
  ...{ buyQty: coupon.buyQty ?? 0, getQty: coupon.getQty ?? 0, maxDiscount: coupon.maxDiscount },
  ...{ minSubtotal: coupon.minSubtotal, scope: { productIds: [], categoryIds: [] } },
});

const couponFor = (chance: Chance, { now }: Scene, at: Date, subtotal: number): DemoCoupon | null => {
  const open = coupons.filter(
    ({ status, from, until, minSubtotal }) =>
      status === 'active' &&
      subtotal >= minSubtotal &&
      at >= later(now, -from * DAY_MS) &&
      (until === null || at < later(now, -until * DAY_MS)),
  );
  const [first, ...others] = open;
  return first && chance.percent(18) ? chance.pick([first, ...others]) : null;
};

/** Far more than anybody buys by hand of one thing at once. */
const piecesOf = (chance: Chance, { resells }: Person): number =>
  resells ? chance.whole(3, 8) : chance.weighted([1, 2, 3], (qty) => [0, 80, 16, 4][qty] ?? 0);

const linesOf = (chance: Chance, person: Person, offered: readonly [Sold, ...Sold[]]): StockedLine[] => {
  const lines = new Map<string, StockedLine>();
  const count = chance.weighted([1, 2, 3, 4], (each) => [0, 52, 30, 13, 5][each] ?? 0);
  for (let line = 0; line < count; line += 1) {
    const sold = chance.weighted(offered, ({ liked }) => liked);
    lines.set(sold.variantId, { ...sold, qty: piecesOf(chance, person) });
  }
  return [...lines.values()];
};

/** One variant of each of its goods. */
const linesOfLink = (chance: Chance, goods: readonly string[], offered: readonly Sold[]): StockedLine[] =>
  goods.flatMap((code) => {
    const [first, ...others] = offered.filter((sold) => sold.code === code);
    return first ? [{ ...chance.pick([first, ...others]), qty: 1 }] : [];
  });

const termsFor = (chance: Chance, channel: PlannedOrder['channel'], { address }: Person, subtotal: number) => {
  const isNear = NEAR.includes(address.city ?? '');
  if (channel === 'manual' && isNear && chance.percent(35)) return { method: 'cash', sending: PICKUP } as const;
  if (isNear && chance.percent(30) && subtotal + OWN_COURIER.cost <= MOST_ON_DELIVERY)
    return { method: 'cod', sending: OWN_COURIER } as const;
  if (isNear && chance.percent(8)) return { method: 'transfer', sending: PICKUP } as const;
  return { method: 'transfer', sending: isNear && chance.percent(30) ? NEXT_DAY : REGULAR } as const;
};

const subtotalOf = (lines: readonly StockedLine[]): number =>
  lines.reduce((sum, { price, qty }) => sum + price * qty, 0);

/** What they buy is taken from the second warehouse when somebody of the staff says so. */
const placeFor = ({
  channel,
  person,
  lines,
  opened,
}: {
  channel: PlannedOrder['channel'];
  person: Person;
  lines: readonly StockedLine[];
  opened: boolean;
}): Place => {
  const isThere = lines.every((line) => (line as StockedLine & Sold).isInBoth);
  return opened && isThere && person.address.city === SECOND_CITY && ['manual', 'chat'].includes(channel)
    ? 'second'
    : 'main';
};

/** The second warehouse has goods from then on. */
export const secondOpens = ({ now, days }: Scene): Date => later(now, -Math.floor(days * 0.82) * DAY_MS);

const costOf = ({ cost, free_over }: Sending, subtotal: number): number =>
  free_over !== null && subtotal >= free_over ? 0 : cost;

/** What the shop charges for a cart. */
const chargedFor = (
  scene: Scene,
  lines: readonly StockedLine[],
  sending: Sending,
  coupon: DemoCoupon | null,
): Totals => {
  const { mode, rate_bp: rateBp, base_num: baseNum, base_den: baseDen, shipping } = tax;
  return totalsOf({
    ...{ lines, buyerTags: [], shipping: costOf(sending, subtotalOf(lines)) },
    discounts: coupon ? [discountOf(scene, coupon)] : [],
    fee: { fixed: 0, percentBp: 0 },
    tax: { mode, rateBp, baseNum, baseDen, shipping },
  });
};

const WAYS = { link: 34, chat: 26, storefront: 18, manual: 22 } as const;

type Offer = readonly [Sold, ...Sold[]];

/** Who bought what, and how. */
const bought = (
  scene: Scene,
  chance: Chance,
  at: Date,
  { people, offered }: { people: readonly [Person, ...Person[]]; offered: Offer },
) => {
  const person = buyerOf(chance, people);
  const channel = chance.weighted(['link', 'chat', 'storefront', 'manual'] as const, (one) => WAYS[one]);
  const link = channel === 'link' ? chance.pick(links) : null;
  const lines = link ? linesOfLink(chance, link.goods, offered) : linesOf(chance, person, offered);
  const { method, sending } = termsFor(chance, channel, person, subtotalOf(lines));
  const coupon = couponFor(chance, scene, at, subtotalOf(lines));
  const totals = chargedFor(scene, lines, sending, coupon);
  const place = placeFor({ channel, person, lines, opened: at >= secondOpens(scene) });
  return {
    person,
    channel,
    link: link?.code ?? null,
    lines,
    method,
    sending,
    coupon: totals.applied ? coupon : null,
    totals,
    place,
  };
};

const plannedOrder = (
  scene: Scene,
  chance: Chance,
  { at, index, ...cart }: { at: Date; index: number } & ReturnType<typeof bought>,
): PlannedOrder => {
  const { channel, method, sending } = cart;
  const clerk = chance.pick(scene.staff).id;
  const placedBy = channel === 'link' || channel === 'storefront' ? 'checkout' : clerk;
  const isFetched = sending.kind === 'pickup';
  const steps = lifeOf(scene, chance, { at, method, placedBy, clerk, fate: ((index * 37) % 100) + 1, isFetched });
  const number = numberOf(chance, scene.clocks.shown(at));
  const planned: Planned = { ...cart, id: idAt(at, `${scene.storeId}/order/${index}`), number, at, clerk, steps };
  return { ...planned, parcels: parcelsOf(scene, planned) };
};

/** All orders until now, the first first. The same shop at the same moment always has the same. */
export const plannedOrders = (scene: Scene, people: readonly [Person, ...Person[]], offered: Offer): PlannedOrder[] =>
  momentsOf(scene).map((at, index) => {
    const chance = new Chance(`${scene.storeId}/order/${index}/${at.getTime()}`);
    return plannedOrder(scene, chance, { at, index, ...bought(scene, chance, at, { people, offered }) });
  });
