import { useRunning } from '@platform/testing';
import { startRajaOngkirSandbox, type RajaOngkirSandbox } from '@platform/testing/shipping';
import { startCommerce, type Commerce } from '../../../commerce.fixture';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';

export const KEY = 'test-key';

/** The service with a provider of couriers beside it. */
export interface Couriered {
  readonly commerce: Commerce;
  readonly sandbox: RajaOngkirSandbox;
  stop(): Promise<void>;
}

/** `now` unless the suite has a second process, whose clock is the real one. */
export const useCouriers = (more: Readonly<Record<string, string>> = {}, now?: string): Couriered =>
  useRunning(async () => {
    const sandbox = await startRajaOngkirSandbox({ port: 0, keys: [KEY] });
    const commerce = await startCommerce({ SHIP_A_BASE_URL: sandbox.url, SHIP_A_KEY: KEY, ...more }, now);
    const stop = () => commerce.stop().finally(() => sandbox.close());
    return { commerce, sandbox, stop };
  });

export const JNE_AND_POS = [
  { code: 'jne', services: ['REG'], markup: { percent_bp: 1_000, fixed: 500 } },
  { code: 'pos' },
];

export interface CourierShop extends OrderShop {
  /** The id of Menteng, and of another place by its names. */
  readonly to: string;
  areaId(names: string): Promise<string>;
}

/** A shop in Bandung that sends by couriers; `to` is Menteng. */
export const courierShop = async (
  commerce: Commerce,
  more: object = {},
  ...stock: readonly number[]
): Promise<CourierShop> => {
  const shop = await orderShop(commerce, ...(stock.length > 0 ? stock : [50]));
  const areaId = async (q: string) =>
    (await shop.ask<{ id: string }[]>('GET', `/ship_a/search?q=${encodeURIComponent(q)}`)).body.data[0]?.id ?? '';
  await commerce.database.query(
    `UPDATE warehouse SET address = coalesce(address, '{}') || jsonb_build_object('area_id', $2::text) WHERE store_id = $1`,
    [shop.storeId, await areaId('Coblong, Bandung')],
  );
  await shop.ask('PUT', '/shipping/couriers', { couriers: JNE_AND_POS, ...more });
  return { ...shop, areaId, to: await areaId('Menteng, Jakarta') };
};
