import { silentLogger } from '@platform/runtime';
import { openShipping } from '../../../clients/ship-a';
import { jobQueue } from '../../../jobs';
import type { Order } from '../../sales/orders/orders.dto';
import { KEY, useCouriers, type Couriered } from '../couriers/couriers.fixture';
import type { ShippingProvider } from '../port';
import { SharedProvider } from '../shared.provider';
import type { Shipment } from '../parcels/public';
import { shippingShop, type ShippingShop } from '../shipments/shipments.fixture';
import { Parcels } from './tracking';

export { KEY };
export type Tracking = Couriered;

/** `now` unless the suite has a second process, whose clock is the real one. */
export const useTracking = (now?: string): Tracking => useCouriers({}, now);

/** What follows parcels, as a process of the service has it; `count`: so often its store has asked today. */
export const parcelsOf = ({ commerce, sandbox }: Tracking, provider?: ShippingProvider, count = 1): Parcels => {
  const { database, clock, config } = commerce;
  const { provider: real, mostADay } = openShipping({ ...config, SHIP_A_BASE_URL: sandbox.url, SHIP_A_KEY: KEY });
  const nothingKept = { get: async () => null, set: async () => undefined, increment: async () => count };
  const shared = { provider: provider ?? real, mostADay, cache: nothingKept, logger: silentLogger };
  const parts = { database, clock, queue: jobQueue(), logger: silentLogger, cache: nothingKept };
  return new Parcels({ ...parts, provider: new SharedProvider(shared) });
};

let waybills = 0;
/** One that no other parcel of the suite has. */
export const newWaybill = (): string => `JNE-${100_000 + (waybills += 1)}`;

const DAY_MS = 86_400_000;
/** What its clocks are before those of the world. */
const JAKARTA_MS = 7 * 3_600_000;

interface Said {
  readonly delivered?: boolean;
  readonly status?: string;
  readonly daysAgo?: number;
}

/** What the courier says of a waybill from now on. */
export const says = (
  { sandbox, commerce }: Tracking,
  waybill: string,
  { delivered = false, status, daysAgo = 0 }: Said = {},
): void => {
  const at = new Date(commerce.clock.now().getTime() + JAKARTA_MS - daysAgo * DAY_MS).toISOString().slice(0, 16);
  const manifest = [{ code: '1', text: 'Manifested', place: 'BANDUNG', at }];
  const known = { waybill, courier: 'jne', delivered, receiver: 'BUDI', manifest };
  sandbox.desk.waybills.set(waybill, status === undefined ? known : { ...known, status });
};

/** A shop whose buyers may pay at the door. */
export interface DoorShop extends ShippingShop {
  /** An order that is paid at the door. */
  atTheDoor(quantities: readonly number[]): Promise<Order>;
  /** Sends so many of each line of it; resolves to the shipment. */
  sent(order: Order, quantities: readonly number[]): Promise<Shipment>;
  now(order: Order): Promise<Order>;
}

export const doorShop = async ({ commerce }: Tracking, ...stock: readonly number[]): Promise<DoorShop> => {
  const shop = await shippingShop(commerce, ...stock);
  const method = { kind: 'cod', name: 'Bayar di tempat', cost: 5_000 };
  const { id: method_id } = (await shop.ask<{ id: string }>('POST', '/shipping/methods', method)).body.data;
  const address = { line: 'Jl. Dago 1', city: 'Bandung', phone: '6281234567890' };
  return {
    ...shop,
    atTheDoor: (quantities) => shop.order(quantities, { address, payment_method: 'cod', shipping: { method_id } }),
    sent: async (order, quantities) =>
      (await shop.ship(order, quantities, { courier: 'JNE', waybill: newWaybill() })).body.data,
    now: async ({ id }) => (await shop.ask<Order>('GET', `/order/${id}`)).body.data,
  };
};
