import type { Row, Rows } from './rows';
import { idAt } from '../shop/public';
import { stepOf, standingOf, type Chronicle } from './order.rows';
import { secondOpens } from './orders.plan';
import type { PlannedOrder, Sold } from './planned.types';
import { DAY_MS, HOUR_MS, later, type Scene } from './scene';

/** A change of a level. */
interface Move {
  readonly at: Date;
  readonly onHand: number;
  readonly reserved: number;
  readonly reason: string;
  readonly ref: string | null;
  readonly actor: string;
  readonly note?: string;
}

/** What is brought to a shelf at a time. */
interface Supply {
  readonly at: Date;
  readonly qty: number;
}

const byTime = (one: { readonly at: Date }, other: { readonly at: Date }): number =>
  one.at.getTime() - other.at.getTime();

/** When what it has bought leaves the shelf: what is paid upon delivery when it is sent, all else when it is paid. */
const saleOf = (order: PlannedOrder, qty: number): Move[] => {
  const gone = { onHand: -qty, reserved: -qty, reason: 'sale' };
  const { paidAt } = standingOf(order);
  const shipped = stepOf(order, 'shipped');
  if (order.method !== 'cod')
    return paidAt ? [{ ...gone, at: paidAt, ref: `order:${order.id}`, actor: order.clerk }] : [];
  return shipped ? [{ ...gone, at: shipped.at, ref: `shipment:${order.parcels.sent?.id}`, actor: shipped.actor }] : [];
};

/** What came back, and is put away again when nobody can have it any more. */
const returnsOf = ({ parcels: { back }, steps, clerk, at }: PlannedOrder): Move[] => {
  if (!back) return [];
  const came = { at: steps.at(-1)?.at ?? at, reserved: 0, ref: `shipment:${back.id}`, actor: clerk };
  const damage = { ...came, onHand: -back.qty, reason: 'damage' };
  return [{ ...came, onHand: back.qty, reason: 'return' }, ...(back.isDamaged ? [damage] : [])];
};

/** What an order does to the levels of one of its lines. */
const movesOf = (order: PlannedOrder, position: number): Move[] => {
  const qty = order.lines[position]?.qty ?? 0;
  const { status, last } = standingOf(order);
  const of = { onHand: 0, ref: `order:${order.id}` };
  const released = { ...of, at: last.at, reserved: -qty, reason: 'release', actor: last.actor };
  return [
    { ...of, at: order.at, reserved: qty, reason: 'reserve', actor: order.steps[0]?.actor ?? order.clerk },
    ...saleOf(order, qty),
    ...(status === 'cancelled' ? [released] : []),
    ...(order.parcels.back?.position === position ? returnsOf(order) : []),
  ];
};

/**
 * So much must be brought at these times that nothing is ever short, and at the end so many are free as are wanted, or a few more that came
 * back since the last time.
 */
const suppliesFor = (moves: readonly Move[], times: readonly Date[], free: number): Supply[] => {
  let available = 0;
  return times.map((at, index) => {
    const until = times[index + 1];
    const within = moves.filter((move) => (index === 0 || move.at >= at) && (until === undefined || move.at < until));
    const taken = within.reduce(
      (sum, { onHand, reserved, reason }) =>
        sum + (reason === 'reserve' ? reserved : reason === 'transfer_out' ? -onHand : 0),
      0,
    );
    const given = within.reduce((sum, { onHand, reserved }) => sum + onHand - reserved, 0) + taken;
    const qty = Math.max(0, taken + (until === undefined ? free : 2) - available);
    available += qty - taken + given;
    return { at, qty };
  });
};

/** How much of a variant is to be free now, in each warehouse. */
export type Wanted = (sold: Sold) => { readonly main: number; readonly second: number; readonly isExact: boolean };

const MORNING_MS = 8 * HOUR_MS;

/** The stock of the shop: what was brought, sold, moved and counted, and the levels that this leaves. */
export class Shelves {
  private readonly moves = new Map<string, Move[]>();
  private readonly scene: Scene;

  constructor(
    private readonly rows: Rows,
    private readonly told: Chronicle,
    orders: readonly PlannedOrder[],
  ) {
    this.scene = told.scene;
    for (const order of orders)
      order.lines.forEach((line, position) => {
        if (line.trackStock) this.add(order.place, line.variantId, ...movesOf(order, position));
      });
  }

  private movesIn(place: PlannedOrder['place'], variantId: string): Move[] {
    const key = `${place} ${variantId}`;
    const known = this.moves.get(key) ?? [];
    this.moves.set(key, known);
    return known;
  }

  private add(place: PlannedOrder['place'], variantId: string, ...moves: readonly Move[]): void {
    this.movesIn(place, variantId).push(...moves);
  }

  private at(daysAgo: number): Date {
    return later(this.scene.now, -daysAgo * DAY_MS - ((this.scene.now.getTime() - MORNING_MS) % DAY_MS));
  }

  /** Brings goods to the second warehouse from the first, as transfers that have come, and one that is on its way. */
  private transfer(offered: readonly Sold[], wanted: Wanted): void {
    const { now, days } = this.scene;
    const opened = secondOpens(this.scene);
    const times = [opened, later(now, -Math.floor(days / 2) * DAY_MS), later(now, -Math.floor(days / 6) * DAY_MS)];
    const there = offered.filter(({ isInBoth, trackStock }) => isInBoth && trackStock);
    const supplies = there.map((sold) => ({
      sold,
      all: suppliesFor(this.movesIn('second', sold.variantId), times, wanted(sold).second),
    }));
    times.forEach((come, index) => {
      const lines = supplies.map(({ sold, all }) => ({ variantId: sold.variantId, qty: all[index]?.qty ?? 0 }));
      this.send(
        lines.filter(({ qty }) => qty > 0),
        later(come, -20 * HOUR_MS),
        come,
      );
    });
    this.send(
      there.slice(0, 6).map(({ variantId }, at) => ({ variantId, qty: 3 + at })),
      later(now, -18 * HOUR_MS),
      null,
    );
  }

  private send(
    lines: readonly { readonly variantId: string; readonly qty: number }[],
    sent: Date,
    come: Date | null,
  ): void {
    const { staff, storeId } = this.scene;
    const id = idAt(sent, `${storeId}/transfer`);
    const [actor, ref, of] = [staff[0].id, `transfer:${id}`, { store_id: storeId }];
    const { main, second } = this.told.warehouses;
    this.rows.add('stock_transfer', {
      ...of,
      id,
      from_id: main,
      to_id: second,
      status: come ? 'received' : 'in_transit',
      created_at: sent,
      updated_at: come ?? sent,
    });
    for (const { variantId, qty } of lines) {
      this.rows.add('stock_transfer_line', {
        ...of,
        transfer_id: id,
        variant_id: variantId,
        qty,
        received: come ? qty : null,
      });
      this.add('main', variantId, { at: sent, onHand: -qty, reserved: 0, reason: 'transfer_out', ref, actor });
      if (come)
        this.add('second', variantId, { at: come, onHand: qty, reserved: 0, reason: 'transfer_in', ref, actor });
      else this.coming.set(variantId, qty);
    }
  }

  private readonly coming = new Map<string, number>();

  /** Brings goods to the first warehouse: at the beginning, and once a month. */
  private deliver(offered: readonly Sold[], wanted: Wanted): void {
    const { days, staff } = this.scene;
    const times = [days + 2, Math.floor((days * 2) / 3), Math.floor(days / 3)].map((ago) => this.at(ago));
    for (const sold of offered.filter(({ trackStock }) => trackStock)) {
      const { main, isExact } = wanted(sold);
      const moves = this.movesIn('main', sold.variantId);
      const supplies = suppliesFor(moves, times, main);
      const base = { reserved: 0, ref: null, actor: staff[0].id };
      supplies.forEach(({ at, qty }, index) => {
        if (index === 0) moves.push({ ...base, at, onHand: qty, reason: 'count', note: 'Stok awal' });
        else if (qty > 0) moves.push({ ...base, at, onHand: qty, reason: 'adjust', note: 'Barang masuk dari pemasok' });
      });
      const over = moves.reduce((sum, { onHand, reserved }) => sum + onHand - reserved, 0) - main;
      const counted = later(this.scene.now, -HOUR_MS);
      if (isExact && over > 0)
        moves.push({ ...base, at: counted, onHand: -over, reason: 'count', note: 'Stok opname' });
    }
  }

  /** Adds levels and movements. */
  fill(offered: readonly Sold[], wanted: Wanted): void {
    this.transfer(offered, wanted);
    this.deliver(offered, wanted);
    for (const [key, moves] of this.moves) {
      const [place, variantId = ''] = key.split(' ') as [PlannedOrder['place'], string];
      this.write(place, variantId, moves.toSorted(byTime));
    }
  }

  private write(place: PlannedOrder['place'], variantId: string, moves: readonly Move[]): void {
    const sum = (name: 'onHand' | 'reserved'): number => moves.reduce((all, move) => all + move[name], 0);
    const level: Row = {
      store_id: this.scene.storeId,
      variant_id: variantId,
      warehouse_id: this.told.warehouses[place],
    };
    this.rows.add('stock_level', {
      ...{ ...level, on_hand: sum('onHand'), reserved: sum('reserved'), allow_backorder: false },
      ...{ incoming: place === 'second' ? (this.coming.get(variantId) ?? 0) : 0, updated_at: moves.at(-1)?.at },
    });
    moves.forEach(({ at, onHand, reserved, reason, ref, actor, note = null }, turn) => {
      const id = idAt(at, `${this.scene.storeId}/${place}/${variantId}/${turn}`, turn % 4096);
      this.rows.add('stock_movement', {
        ...level,
        id,
        delta_on_hand: onHand,
        delta_reserved: reserved,
        reason,
        ref,
        actor,
        note,
        created_at: at,
      });
    });
  }
}

/** Adds what an order holds or has bought, which is its parcel's once it is packed. */
export const addReservations = (rows: Rows, order: PlannedOrder, told: Chronicle): void => {
  const { sent } = order.parcels;
  const { status, paidAt, last } = standingOf(order);
  const isGone = order.method === 'cod' ? stepOf(order, 'shipped') !== undefined : paidAt !== null;
  const state = status === 'cancelled' ? 'released' : isGone ? 'committed' : 'held';
  const owner = sent ? { owner_type: 'shipment', owner_id: sent.id } : { owner_type: 'order', owner_id: order.id };
  for (const { variantId, qty, trackStock } of order.lines)
    if (trackStock)
      rows.add('stock_reservation', {
        ...{
          store_id: told.scene.storeId,
          ...owner,
          variant_id: variantId,
          warehouse_id: told.warehouses[order.place],
        },
        ...{ qty, state, expires_at: null, created_at: order.at, updated_at: last.at },
      });
};
