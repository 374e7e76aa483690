import { isUniqueViolation, listingOf, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { before, since } from '../../../moment';
import type { By } from '../../../by';
import { ofSeenOrder, type Seen } from '../../sales/sight/public';
import { readShipment, SHIPMENT_ROW, type Shipment, type ShipmentRow, type ShipmentState } from '../parcels/public';
import { shipmentRefusals } from './shipment.rules';
import { ShipmentsQuery } from './shipments.dto';

class ShipmentsSeen extends ShipmentsQuery implements Seen {
  seen!: readonly string[] | undefined;
}

export const shipmentListing = listingOf(ShipmentsSeen, {
  from: 'shipment s',
  tenant: 's.store_id',
  select: SHIPMENT_ROW,
  sort: { created_at: 's.created_at' },
  usualSort: '-created_at',
  tie: 's.id',
  where: {
    // Index `shipment_under_way` holds all states but the one that most of them are in
    status: { sql: 's.status = ?', weighed: true },
    direction: 's.direction = ?',
    courier: 'lower(s.courier) = lower(?)',
    order_id: 's.order_id = ?',
    seen: (numbers) => ofSeenOrder('s.order_id', numbers),
    from: since('s.created_at'),
    to: before('s.created_at'),
  },
  read: readShipment<ShipmentRow>,
});

/** A shipment as it is written. */
export interface WrittenShipment extends Pick<Shipment, 'id' | 'order_id' | 'direction' | 'warehouse_id' | 'status'> {
  readonly courier?: string | undefined;
  readonly service?: string | undefined;
  readonly cost?: number | undefined;
  readonly waybill?: string | undefined;
  readonly lines: readonly {
    readonly order_item_id: string;
    readonly qty: number;
    readonly condition: string | null;
  }[];
}

const WRITE = `
  WITH made AS (
    INSERT INTO shipment (store_id, id, order_id, direction, warehouse_id, status, courier, service, cost, waybill, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
  ), lines AS (
    INSERT INTO shipment_line (store_id, shipment_id, order_id, position, order_item_id, qty, condition)
    SELECT $1, $2, $3, l.position, l.order_item_id, l.qty, l.condition
    FROM jsonb_to_recordset($12::jsonb) AS l(position int, order_item_id uuid, qty int, condition text)
  )
  INSERT INTO shipment_event (store_id, shipment_id, id, at, code, text) VALUES ($1, $2, $13, $11, $6, '')`;

/** Two shipments with one waybill are one too many. */
const withOneWaybill = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    throw isUniqueViolation(cause, 'shipment_waybill') ? shipmentRefusals.waybillUsed() : cause;
  }
};

/** A waybill as it is kept: readers of barcodes and people write it differently. */
export const waybillOf = (waybill: string | undefined): string | undefined => waybill?.toUpperCase();

/** Throws `waybill_used`; the transaction is then to be rolled back. */
export const writeShipment = async (tx: Sql, { storeId, at }: By, shipment: WrittenShipment): Promise<void> => {
  const { id, order_id, direction, warehouse_id, status, courier, service, cost, waybill } = shipment;
  const lines = shipment.lines.map((line, position) => ({ ...line, position }));
  const named = [courier ?? null, service ?? null, cost ?? null, waybillOf(waybill) ?? null];
  const values = [
    storeId,
    id,
    order_id,
    direction,
    warehouse_id,
    status,
    ...named,
    at,
    JSON.stringify(lines),
    uuidv7(),
  ];
  await withOneWaybill(tx.query(WRITE, values));
};

const NAME = `UPDATE shipment s SET courier = $3, service = coalesce($4, s.service), waybill = $5, updated_at = $6
  WHERE s.store_id = $1 AND s.id = $2 RETURNING s.courier, coalesce(s.service, '') AS service, s.waybill`;

/** How a parcel goes. */
export interface Waybill {
  readonly courier: string;
  readonly service?: string | undefined;
  readonly waybill: string;
}

/** How it goes now: the service that it was packed for stays unless another is given. Throws `waybill_used`; the transaction is then to be rolled back. */
export const nameWaybill = async (
  tx: Sql,
  { storeId, at }: By,
  id: string,
  { courier, service, waybill }: Waybill,
): Promise<Waybill> => {
  const values = [storeId, id, courier, service ?? null, waybillOf(waybill), at];
  const [named] = await withOneWaybill(tx.query<Waybill>(NAME, values));
  return named as Waybill;
};

/** In the transaction that sends it off: the buyer is not told of it. */
export const keepQuiet = async (tx: Sql, { storeId }: By, id: string): Promise<void> => {
  await tx.query('UPDATE shipment SET quiet = true WHERE store_id = $1 AND id = $2', [storeId, id]);
};

/** The order of a shipment, whose lock is taken before the shipment is looked at. Throws `NotFound`. */
export const orderOf = async (tx: Sql, storeId: string, id: string): Promise<string> => {
  const statement = 'SELECT s.order_id FROM shipment s WHERE s.store_id = $1 AND s.id = $2';
  const [row] = await tx.query<{ order_id: string }>(statement, [storeId, id]);
  if (row) return row.order_id;
  throw new NotFound('Shipment not found');
};

/** Under the lock of its order. */
export const stateOf = async (tx: Sql, storeId: string, id: string): Promise<ShipmentState> => {
  const statement = 'SELECT s.status FROM shipment s WHERE s.store_id = $1 AND s.id = $2';
  const [row] = await tx.query<{ status: ShipmentState }>(statement, [storeId, id]);
  if (row) return row.status;
  throw new NotFound('Shipment not found');
};
