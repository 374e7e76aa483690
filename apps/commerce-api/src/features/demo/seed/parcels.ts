import type { Row, Rows } from './rows';
import { Chance, idAt } from '../shop/public';
import type { Courier, Parcels, Planned, PlannedOrder } from './planned.types';
import type { Scene } from './scene';

/** Couriers with their services and how their waybills begin. */
const COURIERS = [
  { courier: 'JNE', service: 'REG', mark: 'JNE00', cost: 16_000 },
  { courier: 'SiCepat', service: 'SIUNTUNG', mark: 'SIC', cost: 15_500 },
  { courier: 'J&T', service: 'EZ', mark: 'JT', cost: 17_000 },
] as const satisfies readonly Courier[];
const OWN: Courier = { courier: 'Kurir toko', service: 'Sehari', mark: 'TN', cost: 12_000 };

/** Whole orders go in one parcel; one piece of the first line comes back, if any does. */
export const parcelsOf = ({ storeId }: Scene, order: Planned): Parcels => {
  const chance = new Chance(`${storeId}/parcel/${order.number}`);
  const at = (kind: 'packed' | 'shipped' | 'completed' | 'returned') =>
    order.steps.find((step) => step.kind === kind)?.at;
  const [packed, shipped, returned] = [at('packed') ?? at('shipped'), at('shipped'), at('returned')];
  const [means, digits] = [
    order.sending.kind === 'cod' ? OWN : chance.pick(COURIERS),
    chance.whole(1_000_000, 9_999_999),
  ];
  const waybill = shipped ? `${means.mark}${digits}${order.number.slice(-3)}` : null;
  const progress = order.lines.map((line, position) => {
    const part = (moment: Date | undefined): number => (moment ? line.qty : 0);
    const arrived = shipped && at('completed');
    const named = {
      id: String(position),
      variant_id: line.variantId,
      track_stock: line.trackStock,
      name: line.name,
      sku: line.sku,
    };
    const came = {
      packed: part(packed),
      shipped: part(shipped),
      delivered: part(arrived),
      returned: returned && position === 0 ? 1 : 0,
      restocked: 0,
    };
    return { ...named, is_sent: line.kind === 'physical', qty: line.qty, ...came };
  });
  return {
    sent: packed ? { id: idAt(packed, `${order.id}/parcel`), waybill, means } : null,
    back: returned
      ? { id: idAt(returned, `${order.id}/return`), position: 0, qty: 1, isDamaged: chance.percent(30) }
      : null,
    progress,
  };
};

interface Place {
  readonly scene: Scene;
  readonly warehouseId: string;
  readonly itemIdOf: (order: PlannedOrder, position: number) => string;
}

/** The events of a parcel, each with when it happened. */
const eventsOf = (order: PlannedOrder): (readonly [code: string, at: Date])[] => {
  const at = (kind: string) => order.steps.find((step) => step.kind === kind)?.at;
  const [shipped, completed] = [at('shipped'), at('completed')];
  const packed = at('packed') ?? shipped;
  return [
    ...(packed ? [['packed', packed] as const] : []),
    ...(shipped ? [['in_transit', shipped] as const] : []),
    ...(shipped && completed ? [['delivered', completed] as const] : []),
  ];
};

/** A parcel as it stands, with how it came there. */
interface Sent {
  readonly id: string;
  readonly named: Row;
  readonly events: readonly (readonly [code: string, at: Date])[];
  readonly lines: readonly Row[];
}

const add = (
  rows: Rows,
  order: PlannedOrder,
  { id, named, events, lines }: Sent,
  { scene, warehouseId }: Place,
): void => {
  const of = { store_id: scene.storeId };
  const [[, made] = ['', order.at], [status, changed] = ['packed', order.at]] = [events[0], events.at(-1)];
  const times = { created_at: made, updated_at: changed };
  rows.add('shipment', { ...of, id, order_id: order.id, warehouse_id: warehouseId, ...named, status, ...times });
  lines.forEach((line, position) =>
    rows.add('shipment_line', { ...of, shipment_id: id, position, order_id: order.id, ...line }),
  );
  events.forEach(([code, at], turn) => {
    const event = { id: idAt(at, `${id}/event`, turn), at, code, text: '', place: null };
    rows.add('shipment_event', { ...of, shipment_id: id, ...event });
  });
};

const sentOf = (
  order: PlannedOrder,
  { id, waybill, means }: NonNullable<Parcels['sent']>,
  { itemIdOf }: Place,
): Sent => {
  const { courier, service, cost } = waybill ? means : { courier: null, service: null, cost: null };
  const lines = order.lines.map(({ qty }, position) => ({
    order_item_id: itemIdOf(order, position),
    qty,
    condition: null,
  }));
  return { id, named: { direction: 'out', courier, service, cost, waybill }, events: eventsOf(order), lines };
};

const backOf = (order: PlannedOrder, back: NonNullable<Parcels['back']>, { itemIdOf }: Place): Sent => {
  const { id, position, qty, isDamaged } = back;
  const line = { order_item_id: itemIdOf(order, position), qty, condition: isDamaged ? 'damaged' : 'good' };
  const named = { direction: 'return', courier: null, service: null, cost: null, waybill: null };
  return { id, named, events: [['delivered', order.steps.at(-1)?.at ?? order.at]], lines: [line] };
};

/** Adds what was sent of an order and what came back. */
export const addParcels = (rows: Rows, order: PlannedOrder, place: Place): void => {
  const { sent, back } = order.parcels;
  if (sent) add(rows, order, sentOf(order, sent, place), place);
  if (back) add(rows, order, backOf(order, back, place), place);
};

/** How the timeline of the order names what carries it. */
export const carriedBy = ({ sent }: Parcels): string =>
  sent?.waybill ? [sent.means.courier, sent.means.service, sent.waybill].join(' ') : '';
