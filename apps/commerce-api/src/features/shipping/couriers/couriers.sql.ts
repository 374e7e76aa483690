import type { Sql } from '@platform/data';
import { Conflict, InvalidInput, type Failure } from '@platform/errors';
import { audited, type Writer } from '../../../by';
import { lockStore } from '../../../store.lock';
import { demandSeen } from '../../../web/seen';
import type { Couriers, CouriersBody } from './couriers.dto';

export const COURIERS = 'SELECT couriers, free_shipping FROM courier_setting WHERE store_id = $1';
const SAVE = `INSERT INTO courier_setting (store_id, couriers, free_shipping, updated_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (store_id) DO UPDATE SET couriers = EXCLUDED.couriers, free_shipping = EXCLUDED.free_shipping, updated_at = EXCLUDED.updated_at`;

export const courierRefusals = {
  none: (): Failure =>
    new Conflict('There is no provider of courier prices here: send by methods of your own', {
      code: 'provider_unavailable',
    }),
} as const;

/** None while nobody has chosen any. */
export const couriersOf = async (sql: Sql, storeId: string): Promise<Couriers> =>
  (await sql.prepared<Couriers>('couriers', COURIERS, [storeId]))[0] ?? { couriers: [], free_shipping: null };

const completed = ({ couriers, free_shipping: free }: CouriersBody): Couriers => ({
  couriers: couriers.map(({ code, services = [], active = true, markup: { percent_bp = 0, fixed = 0 } = {} }) => ({
    ...{ code, services: [...new Set(services)], active, markup: { percent_bp, fixed } },
  })),
  free_shipping: free ? { min_subtotal: free.min_subtotal, max_cost: free.max_cost ?? null } : null,
});

/** Saves them all anew. Throws `InvalidInput` for a courier that is named twice, and `version_conflict` when they are not any more what was `seen`. */
export const saveCouriers = async (tx: Sql, by: Writer, body: CouriersBody, seen?: string): Promise<Couriers> => {
  const codes = body.couriers.map(({ code }) => code);
  const twice = codes.findIndex((code, at) => codes.indexOf(code) < at);
  const field = `couriers[${twice}].code`;
  if (twice >= 0) throw new InvalidInput([{ field, tag: 'unique', message: `${field} is given twice` }]);
  await lockStore(tx, by.storeId);
  const before = await couriersOf(tx, by.storeId);
  demandSeen(seen, before);
  const after = completed(body);
  const { couriers, free_shipping: free } = after;
  await tx.query(SAVE, [by.storeId, JSON.stringify(couriers), free && JSON.stringify(free), by.at]);
  await audited(tx, by, { action: 'shipping.write', type: 'couriers', id: by.storeId, before, after });
  return after;
};
