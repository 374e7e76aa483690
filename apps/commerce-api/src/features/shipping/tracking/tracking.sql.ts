import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { createHash } from 'node:crypto';
import type { By } from '../../../by';
import { nowOf } from '../../../moment';
import type { Tracked, TrackedLine } from '../port';
import type { Tracking } from './tracking.dto';

const MOMENT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

export const TRACKINGS = `
  SELECT s.courier, s.waybill, s.status, s.status = 'delivered' AS delivered, s.received_by,
    to_char(s.received_at AT TIME ZONE 'UTC', ${MOMENT}) AS received_at,
    (SELECT json_agg(json_build_object('at', to_char(e.at AT TIME ZONE 'UTC', ${MOMENT}), 'code', e.code, 'text', e.text,
        'place', e.place) ORDER BY e.at, e.id)
      FROM shipment_event e WHERE e.store_id = s.store_id AND e.shipment_id = s.id) AS events
  FROM shipment s
  WHERE s.store_id = $1 AND s.order_id = $2 AND s.direction = 'out' AND s.waybill IS NOT NULL AND s.status <> 'cancelled'
  ORDER BY s.id`;

const ORDER = 'SELECT 1 FROM sales_order WHERE store_id = $1 AND id = $2';

/** What was heard of the parcels of an order. Throws `NotFound`, also for an order of another store. */
export const trackingsOf = async (sql: Sql, storeId: string, orderId: string): Promise<Tracking[]> => {
  const found = await sql.prepared<Tracking>('trackings of order', TRACKINGS, [storeId, orderId]);
  if (found.length === 0 && (await sql.prepared('order is there', ORDER, [storeId, orderId])).length === 0)
    throw new NotFound('Order not found');
  return found;
};

/** A parcel on its way, and what its courier may ask for. */
export interface Parcel {
  readonly order_id: string;
  readonly courier: string;
  readonly waybill: string;
  readonly phone: string | null;
  readonly created_at: Date;
  /** It is paid to whoever brings it. */
  readonly collects: boolean;
}

const PARCEL = `
  SELECT s.order_id, lower(s.courier) AS courier, s.waybill, coalesce(o.address->>'phone', o.buyer->>'phone') AS phone,
    s.created_at, o.payment_method = 'cod' AS collects
  FROM shipment s JOIN sales_order o ON o.store_id = s.store_id AND o.id = s.order_id
  WHERE s.store_id = $1 AND s.id = $2 AND s.status = 'in_transit' AND s.direction = 'out' AND s.courier IS NOT NULL AND s.waybill IS NOT NULL`;

/** undefined when it is not on its way any more. */
export const parcelOnItsWay = async (sql: Sql, storeId: string, id: string): Promise<Parcel | undefined> =>
  (await sql.query<Parcel>(PARCEL, [storeId, id]))[0];

const COURIER = `SELECT lower(s.courier) AS courier FROM shipment s
  WHERE s.store_id = $1 AND s.waybill = upper($2) AND s.status <> 'cancelled' AND s.courier IS NOT NULL`;

/** Who brings a parcel of the store. */
export const courierOf = async (sql: Sql, storeId: string, waybill: string): Promise<string | undefined> =>
  (await sql.query<{ courier: string }>(COURIER, [storeId, waybill]))[0]?.courier;

const hashOf = ({ at, code, text, place }: TrackedLine): string =>
  createHash('sha256')
    .update(JSON.stringify([at, code, text, place]))
    .digest('hex');

const DOUBT = `
  INSERT INTO shipment_event (store_id, shipment_id, id, at, code, text, line) VALUES ($1, $2, $3, $4, 'doubted', $5, $6)
  ON CONFLICT (store_id, shipment_id, line) WHERE line IS NOT NULL DO NOTHING`;

/** What a courier says is not believed: somebody must look, who is told why, once. */
export const writeDoubt = async (tx: Sql, { storeId, at }: By, id: string, text: string): Promise<void> => {
  await tx.query(DOUBT, [storeId, id, uuidv7(), at, text, hashOf({ at: '', code: 'doubted', text, place: null })]);
};

const ADD = `
  INSERT INTO shipment_event (store_id, shipment_id, id, at, code, text, place, line)
  SELECT $1, $2, l.id, l.at, l.code, l.text, l.place, l.line
  FROM jsonb_to_recordset($3::jsonb) AS l(id uuid, at timestamptz, code text, text text, place text, line text)
  ON CONFLICT (store_id, shipment_id, line) WHERE line IS NOT NULL DO NOTHING RETURNING 1`;

/** Writes down what a courier said and was not heard before; resolves to how many lines. */
export const addLines = async (tx: Sql, storeId: string, id: string, { events }: Tracked): Promise<number> => {
  const lines = events.map((line) => ({ ...line, id: uuidv7(), line: hashOf(line) }));
  return (await tx.query(ADD, [storeId, id, JSON.stringify(lines)])).length;
};

const RECEIVED = 'UPDATE shipment s SET received_by = $3, received_at = $4 WHERE s.store_id = $1 AND s.id = $2';

export const writeReceived = async (tx: Sql, { storeId, at }: By, id: string, tracked: Tracked): Promise<void> => {
  await tx.query(RECEIVED, [storeId, id, tracked.receivedBy, tracked.receivedAt ?? at]);
};

/** Of one store and of all in one round. */
const PORTION = 50;
const ROUND = 500;
/** A parcel of which nothing is heard for so long is not asked about any more. */
const LOST_DAYS = 60;

const NOW = nowOf('$1');
/** A parcel that is late is asked about less and less, and sooner so one that its courier does not know: its waybill is wrong. */
const NEXT = `CASE
  WHEN NOT EXISTS (SELECT FROM shipment_event e WHERE e.store_id = due.store_id AND e.shipment_id = due.id AND e.line IS NOT NULL)
    THEN CASE WHEN ${NOW} < due.created_at + interval '2 days' THEN interval '3 hours'
      WHEN ${NOW} < due.created_at + interval '7 days' THEN interval '12 hours' ELSE interval '24 hours' END
  WHEN ${NOW} < comes.at - interval '1 day' THEN interval '3 hours'
  WHEN ${NOW} < comes.at + interval '1 day' THEN interval '1 hour'
  WHEN ${NOW} < comes.at + interval '4 days' THEN interval '3 hours'
  WHEN ${NOW} < comes.at + interval '10 days' THEN interval '12 hours'
  ELSE interval '24 hours' END`;

/**
 * Parcels whose couriers are to be asked at $1, a few of every store, with the time of the next question: in 3 hours, in one around the day on
 * which they were said to come, and then ever later.
 */
export const DUE = `
  WITH due AS (
    SELECT p.store_id, p.id, p.order_id, p.created_at FROM store s CROSS JOIN LATERAL (
      SELECT d.store_id, d.id, d.order_id, d.created_at FROM shipment d
      WHERE d.store_id = s.store_id AND d.status = 'in_transit' AND d.direction = 'out' AND d.waybill IS NOT NULL
        AND coalesce(d.next_track_at, '-infinity') <= ${NOW} AND d.created_at > ${NOW} - interval '${LOST_DAYS} days'
      ORDER BY coalesce(d.next_track_at, '-infinity') LIMIT ${PORTION} FOR UPDATE SKIP LOCKED) p
    LIMIT ${ROUND}
  )
  UPDATE shipment s SET next_track_at = ${NOW} + ${NEXT}
  FROM due JOIN sales_order o ON o.store_id = due.store_id AND o.id = due.order_id
    CROSS JOIN LATERAL (
      SELECT due.created_at + make_interval(days => coalesce(substring(o.shipping->>'etd' FROM '\\d+$')::int, 3)) AS at) comes
  WHERE s.store_id = due.store_id AND s.id = due.id
  RETURNING s.store_id, s.id`;

const POSTPONE = `UPDATE shipment s SET next_track_at = $3::timestamptz + interval '1 hour'
  WHERE s.store_id = $1 AND s.id = $2 AND s.status = 'in_transit'`;

/** Its courier is asked about it an hour later. */
export const postpone = async (sql: Sql, { storeId, at }: By, id: string): Promise<void> => {
  await sql.query(POSTPONE, [storeId, id, at]);
};
