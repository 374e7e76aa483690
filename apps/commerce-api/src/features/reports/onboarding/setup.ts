import type { Sql } from '@platform/data';
import type { DeviceNow, DeviceStates } from '../../devices/public';

/** What a shop needs before it sells, in the order in which it is easiest. */
export const setupSteps = ['shop', 'product', 'payment', 'shipping', 'device', 'team', 'sale'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** What is done of it, and where buyers find the shop. */
export interface Setup {
  readonly done: Readonly<Record<SetupStep, boolean>>;
  readonly slug: string;
}

/** In one statement. $1 store. */
export const SETUP = `
  SELECT s.slug, json_build_object(
    'shop', s.description <> '' AND s.phone IS NOT NULL AND s.address IS NOT NULL,
    'product', EXISTS (SELECT FROM product p WHERE p.store_id = $1 AND p.status = 'active'),
    'payment', EXISTS (SELECT FROM transfer_account a WHERE a.store_id = $1 AND a.active)
      OR EXISTS (SELECT FROM payment_method m WHERE m.store_id = $1 AND m.enabled AND m.code IN ('a', 'b', 'c')),
    'shipping', EXISTS (SELECT FROM shipping_method m WHERE m.store_id = $1 AND m.active)
      OR EXISTS (SELECT FROM courier_setting c WHERE c.store_id = $1 AND c.couriers::text <> '[]'),
    'team', EXISTS (SELECT FROM membership m WHERE m.store_id = $1 AND m.user_id <> s.owner_user_id)
      OR EXISTS (SELECT FROM invitation i WHERE i.store_id = $1),
    'sale', EXISTS (SELECT FROM sales_order o WHERE o.store_id = $1)) AS done,
    (SELECT coalesce(json_agg(d.instance_id), '[]') FROM device d WHERE d.store_id = $1) AS devices
  FROM store s WHERE s.store_id = $1`;

interface Row extends Pick<Setup, 'slug'> {
  readonly done: Omit<Setup['done'], 'device'>;
  readonly devices: readonly string[];
}

/** A phone has scanned its code; of a number of which the gateway does not tell now, that is believed. */
const isLinked = (now: DeviceNow | undefined): boolean => now === undefined || Boolean(now?.number);

export type SetupOf = (storeId: string) => Promise<Setup>;

/** How far a shop has come. */
export const setupsIn =
  (sql: Sql, states: Pick<DeviceStates, 'of'>): SetupOf =>
  async (storeId) => {
    const [row] = await sql.prepared<Row>('setup of a shop', SETUP, [storeId]);
    if (!row) throw new Error('a member belongs to a store that is not there');
    const { devices, done, slug } = row;
    const told = await states.of(devices);
    return { slug, done: { ...done, device: devices.some((instance) => isLinked(told.get(instance))) } };
  };
