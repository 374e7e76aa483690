import { bigintNumber, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import type { Shipment, ShipmentRow, ShipmentState } from './parcels.dto';

export const SHIPMENT_ROW = `s.id, s.order_id, s.direction, s.warehouse_id, s.courier, s.service, s.cost, s.waybill, s.status,
  CASE WHEN s.direction = 'out' AND s.status <> 'cancelled' THEN '/api/shipping/shipments/' || s.id || '/label' END AS label_url`;

const SHIPMENT = `${SHIPMENT_ROW},
  (SELECT coalesce(json_agg(json_build_object('order_item_id', l.order_item_id, 'qty', l.qty, 'condition', l.condition)
      ORDER BY l.position), '[]')
    FROM shipment_line l WHERE l.store_id = s.store_id AND l.shipment_id = s.id) AS lines,
  (SELECT json_agg(json_build_object('at', to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'code', e.code,
      'text', e.text, 'place', e.place) ORDER BY e.id)
    FROM shipment_event e WHERE e.store_id = s.store_id AND e.shipment_id = s.id) AS events`;

/** The shipments of an order as JSON, the first first, of a statement that has the order as these two. */
export const shipmentsOf = (storeId: string, orderId: string): string =>
  `(SELECT coalesce(json_agg(to_jsonb(p) ORDER BY p.id), '[]') FROM
    (SELECT ${SHIPMENT} FROM shipment s WHERE s.store_id = ${storeId} AND s.order_id = ${orderId}) p)`;

type Stored<T extends ShipmentRow> = Omit<T, 'cost'> & { readonly cost: string | null };
export const readShipment = <T extends ShipmentRow>(row: Stored<T>): T =>
  ({ ...row, cost: bigintNumber.from(row.cost) }) as unknown as T;

/** Throws `NotFound`, also for one of another store. */
export const shipmentById = async (sql: Sql, storeId: string, id: string): Promise<Shipment> => {
  const statement = `SELECT ${SHIPMENT} FROM shipment s WHERE s.store_id = $1 AND s.id = $2`;
  const [row] = await sql.prepared<Stored<Shipment>>('shipment by id', statement, [storeId, id]);
  if (row) return readShipment(row);
  throw new NotFound('Shipment not found');
};

/** Those of an order in these states; the caller holds the order's lock. */
export const shipmentsIn = (
  tx: Sql,
  { storeId }: By,
  orderId: string,
  states: readonly ShipmentState[],
): Promise<Pick<ShipmentRow, 'id' | 'status' | 'warehouse_id'>[]> =>
  tx.query(
    `SELECT s.id, s.status, s.warehouse_id FROM shipment s
     WHERE s.store_id = $1 AND s.order_id = $2 AND s.direction = 'out' AND s.status = ANY ($3::text[]) ORDER BY s.id`,
    [storeId, orderId, states],
  );

const MOVE = `
  WITH moved AS (
    UPDATE shipment s SET status = $3, updated_at = $6 WHERE s.store_id = $1 AND s.id = $2 RETURNING s.id
  )
  INSERT INTO shipment_event (store_id, shipment_id, id, at, code, text) SELECT $1, moved.id, $4, $6, $3, $5 FROM moved`;

/** Moves a shipment on; the caller holds the order's lock and has asked the machine. */
export const moveShipment = async (
  tx: Sql,
  { storeId, at }: By,
  id: string,
  { status, text = '' }: { readonly status: ShipmentState; readonly text?: string },
): Promise<void> => {
  await tx.query(MOVE, [storeId, id, status, uuidv7(), text, at]);
};
