import type { Sql } from '@platform/data';
import { Failure } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import { byOf, type By } from '../../../by';
import { readForm } from '../../../web/form.state';
import type { Typed } from '../../../web/sessions/drafts';
import { methodsFor, type OfferedMethod } from '../../paying/methods/public';
import { placeOf, type RateOption, type Rates } from '../../shipping/rates/public';
import type { StockedLine } from '../carts/public';
import {
  isCountable,
  lineFields,
  pickingFor,
  textOf,
  type PickedLine,
  type Picking,
  type PickingParts,
} from '../picking/public';
import { routed, type Tills } from './order-place';
import { calculate, type Counting } from './order-quote';
import { OrderCalculation, type Calculated, type Order } from './orders.dto';
import { ITEMS, LOST, orderTyped } from './order.typed';

export interface DeskParts extends PickingParts {
  readonly clock: Clock;
  readonly tills: Tills;
  readonly rates: Pick<Rates, 'optionsFor'>;
}

/** Everything that the form of an order is filled in with. */
export interface Desk extends Picking {
  readonly ways: readonly RateOption[];
  /** How the order is sent now. */
  readonly way: string;
  readonly methods: readonly OfferedMethod['code'][];
  /** What it costs as it stands there; undefined: that cannot be told yet. */
  readonly totals: Calculated | undefined;
}

const waysFor = async (
  { rates }: DeskParts,
  by: By,
  typed: Typed,
  lines: readonly StockedLine[],
): Promise<readonly RateOption[]> => {
  if (lines.length === 0) return [];
  const told = ['district', 'city', 'province', 'postcode'].flatMap((name) => {
    const text = textOf(typed, `address[${name}]`);
    return text === '' ? [] : [[name, text] as const];
  });
  return rates.optionsFor(by, { lines, place: placeOf(Object.fromEntries(told)) });
};

const totalsOf = async (counting: Counting, by: By, typed: Typed): Promise<Calculated | undefined> => {
  const names = new Set(['address', 'items', 'shipping', 'coupon', 'payment_method']);
  const fields = Object.entries(orderTyped(typed)).filter(([name]) => names.has(name.split('[')[0] ?? ''));
  try {
    return await calculate(counting, by, readForm(OrderCalculation, Object.fromEntries(fields)));
  } catch (failure) {
    // What is wrong with it is said when it is sent
    if (failure instanceof Failure) return undefined;
    throw failure;
  }
};

/** The order as its form would have it typed. */
export const typedOf = ({ items, buyer, address, coupon, payment_method, note }: Order): Typed => ({
  ...lineFields(
    items.map(({ variant_id, qty }) => ({ variant_id, qty: String(qty) })),
    ITEMS,
  ),
  ...{ 'contact[name]': buyer.name, 'contact[phone]': buyer.phone, 'contact[email]': buyer.email ?? '' },
  ...Object.fromEntries(
    (['line', 'district', 'city', 'province', 'postcode'] as const).map((name) => [
      `address[${name}]`,
      address?.[name] ?? '',
    ]),
  ),
  ...{ coupon: coupon?.code ?? '', payment_method, note: note ?? '' },
});

/** Which of the ways that are offered now is that of the order. */
const wayOf = ({ shipping }: Pick<Order, 'shipping'>, ways: readonly RateOption[]): string => {
  if (!shipping) return '';
  const same = ways.find(
    ({ kind, courier, service, name }) =>
      kind === shipping.kind && courier === shipping.courier && (service ?? name) === shipping.service,
  );
  if (same) return same.option;
  return shipping.kind === 'pickup' ? 'pickup' : LOST;
};

/** So many of each variant. */
const piecesOf = (lines: readonly { readonly variant_id: string; readonly qty: number | string }[]) => {
  const pieces = new Map<string, number>();
  for (const { variant_id: id, qty } of lines) pieces.set(id, (pieces.get(id) ?? 0) + Number(qty));
  return pieces;
};

/** What is short where it would be placed; nothing where there is no such place, which is said when it is sent. */
const shortOf = async (sql: Sql, storeId: string, wanted: Parameters<typeof routed>[2]) => {
  try {
    return (await routed(sql, storeId, wanted)).short;
  } catch (failure) {
    if (failure instanceof Failure) return [];
    throw failure;
  }
};

/**
 * The lines, with what there is of those that want more than that: in the warehouse that the order would be taken from, which is the one that
 * it has, where what it holds already is its own.
 */
const withScarce = async (
  { database }: DeskParts,
  { storeId }: By,
  { lines, typed }: { readonly lines: readonly PickedLine[]; readonly typed: Typed },
  order: Order | undefined,
): Promise<PickedLine[]> => {
  const held = piecesOf(order?.items ?? []);
  const items = [...piecesOf(lines.filter(isCountable))]
    .map(([variant_id, qty]) => ({ variant_id, qty: qty - (held.get(variant_id) ?? 0) }))
    .filter(({ qty }) => qty > 0);
  const place = { warehouse_id: order?.warehouse_id ?? undefined, address: { city: textOf(typed, 'address[city]') } };
  const short = items.length > 0 ? await shortOf(database, storeId, { items, ...place }) : [];
  const left = new Map(
    short.map(({ variant_id: id, available }) => [id, Math.max(0, available) + (held.get(id) ?? 0)]),
  );
  return lines.map((line) => ({ ...line, left: left.get(line.variant_id) }));
};

/** What the form of an order shows: of what was typed, else of the order that is changed. */
export const deskFor = async (
  parts: DeskParts,
  caller: Caller,
  given: Typed | undefined,
  order?: Order,
): Promise<Desk> => {
  const { database, clock, tills } = parts;
  const by = byOf(clock)({ caller });
  const typed = given ?? (order ? typedOf(order) : {});
  const names = new Map(order?.items.map(({ variant_id, name }) => [variant_id, name]));
  const { onSale, found, ...picked } = await pickingFor(parts, caller, typed, { list: ITEMS, names });
  const lines = await withScarce(parts, by, { ...picked, typed }, order);
  const ways = await waysFor(parts, by, typed, onSale);
  const way = given ? textOf(given, 'way') : order ? wayOf(order, ways) : '';
  const quoted = { ...typed, way, quote: ways[0]?.quote_id ?? '' };
  const totals =
    lines.length > 0 && lines.every(isCountable)
      ? await totalsOf({ sql: database, gateways: tills.gateways }, by, quoted)
      : undefined;
  const methods = await methodsFor(database, by.storeId, undefined, tills.gateways);
  return { lines, found, ways, way, totals, methods: methods.map(({ code }) => code) };
};
