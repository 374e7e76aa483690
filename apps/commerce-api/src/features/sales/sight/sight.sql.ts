import type { Sql } from '@platform/data';
import { isUuid } from '@platform/runtime';
import type { Caller } from '../../../abilities';

/** A query of somebody who sees the customers of these numbers; undefined: all. */
export interface Seen {
  readonly seen: readonly string[] | undefined;
}

/** The query of a list as its caller may ask it. */
export const seenBy = <Q extends object>({ sight }: Pick<Caller, 'sight'>, query: Q): Q & Seen => ({
  ...query,
  seen: sight?.phones,
});

/** SQL condition: the buyer of a row is a customer of the numbers `$n`. */
export const boughtBySeen = (buyer: string, numbers: string): string =>
  `${buyer} ->> 'phone' = ANY (${numbers}::text[])`;

/** SQL condition: the order `id` is of a customer of these numbers. */
export const ofSeenOrder = (id: string, numbers: string): string =>
  `${id} IN (SELECT o.id FROM sales_order o WHERE o.store_id = $1 AND ${boughtBySeen('o.buyer', numbers)})`;

/** Whether what `$2` names in the store `$1` is of a customer of the numbers `$3`. */
export const SEEN = {
  Order: `SELECT 1 FROM sales_order o WHERE o.store_id = $1 AND o.id = $2 AND ${boughtBySeen('o.buyer', '$3')}`,
  'Order by number': `SELECT 1 FROM sales_order o WHERE o.store_id = $1 AND o.number = upper($2) AND ${boughtBySeen('o.buyer', '$3')}`,
  Shipment: `SELECT 1 FROM shipment s WHERE s.store_id = $1 AND s.id = $2 AND ${ofSeenOrder('s.order_id', '$3')}`,
  Delivery: `SELECT 1 FROM digital_delivery d WHERE d.store_id = $1 AND d.id = $2 AND ${ofSeenOrder('d.order_id', '$3')}`,
  Payment: `SELECT 1 FROM payment p WHERE p.store_id = $1 AND p.id = $2 AND ${ofSeenOrder('p.order_id', '$3')}`,
  'Payment by number': `SELECT 1 FROM (
      SELECT order_id FROM payment WHERE store_id = $1 AND invoice_number = $2
      UNION ALL SELECT order_id FROM payment WHERE store_id = $1 AND provider_ref = $2) p WHERE ${ofSeenOrder('p.order_id', '$3')}`,
  'Abandoned cart': `SELECT 1 FROM checkout_session s WHERE s.store_id = $1 AND s.id = $2 AND ${boughtBySeen('s.buyer', '$3')}`,
  Contact: `SELECT 1 FROM contact_phone p WHERE p.store_id = $1 AND p.contact_id = $2 AND p.phone = ANY ($3::text[])`,
} as const;

/** What a route can name. */
export type Named = keyof typeof SEEN;

/** Whether a caller sees what is named so; whoever sees all sees also what is not there. */
export const isSeen = async (
  sql: Sql,
  { storeId, sight }: Pick<Caller, 'storeId' | 'sight'>,
  names: Named,
  id: string,
): Promise<boolean> => {
  if (!sight) return true;
  if (!names.endsWith(' by number') && !isUuid(id)) return false;
  return (await sql.prepared(`seen ${names}`, SEEN[names], [storeId, id, sight.phones])).length > 0;
};
