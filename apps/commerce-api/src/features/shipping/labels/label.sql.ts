import { bigintNumber, type Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import type { Address, StoreAddress } from '../../../address.dto';
import type { PaperLocale } from '../../papers/pdf/public';
import { PAID_OF_ORDER } from '../../sales/payments/public';
import { inForce } from '../../shop/settings/public';
import { collectOf, type Packed, type SentGoods } from './collect';

/** What is printed on a parcel. */
export interface Label {
  readonly number: string;
  readonly courier: string | null;
  readonly service: string | null;
  readonly waybill: string | null;
  readonly sender: { readonly name: string; readonly phone: string | null; readonly address: StoreAddress | null };
  readonly receiver: { readonly name: string; readonly phone: string };
  readonly address: Address | null;
  readonly locale: PaperLocale;
  readonly currency: string;
  /** What the bearer collects for this parcel; 0 when it is paid otherwise. */
  readonly collect: number;
  readonly weight_g: number;
  readonly lines: readonly { readonly name: string; readonly sku: string; readonly qty: number }[];
}

export const labelRefusals = {
  noLabel: (): Failure => new Conflict('Nothing is sent with this shipment', { code: 'no_label' }),
} as const;

/** SQL: the id of what happened to a parcel `p` first. */
const happened = (code: string): string => `(SELECT min(e.id::text) FROM shipment_event e
  WHERE e.store_id = p.store_id AND e.shipment_id = p.id AND e.line IS NULL AND e.code = '${code}')`;
/** What of the order `o` is sent, and all parcels that there were of it. */
const AT_THE_DOOR = `json_build_object('goods', (
  SELECT coalesce(json_agg(g), '[]') FROM (
    SELECT i.id, i.total - i.discount_share + CASE o.tax ->> 'mode' WHEN 'added' THEN i.tax ELSE 0 END AS amount, i.qty
    FROM order_item i
      JOIN variant v ON v.store_id = i.store_id AND v.id = i.variant_id
      JOIN product d ON d.store_id = v.store_id AND d.id = v.product_id AND d.kind = 'physical'
    WHERE i.store_id = $1 AND i.order_id = o.id) g), 'parcels', (
  SELECT coalesce(json_agg(g ORDER BY g.id), '[]') FROM (
    SELECT p.id, ${happened('in_transit')} AS left, ${happened('cancelled')} AS cancelled,
      (SELECT coalesce(json_object_agg(l.order_item_id, l.qty), '{}') FROM shipment_line l
        WHERE l.store_id = p.store_id AND l.shipment_id = p.id) AS pieces
    FROM shipment p WHERE p.store_id = $1 AND p.order_id = o.id AND p.direction = 'out') g))`;

const LABEL = `
  SELECT s.id, o.number, s.courier, s.service, s.waybill, s.direction, s.status, o.buyer, o.address, o.currency,
    o.total, ${PAID_OF_ORDER} AS paid_total,
    CASE WHEN o.payment_method = 'cod' THEN ${AT_THE_DOOR} END AS at_the_door,
    t.name AS store_name, coalesce(w.phone, t.phone) AS phone, coalesce(w.address, t.address) AS from_address,
    (SELECT g.value FROM setting g WHERE g.store_id = $1 AND g.name = 'general') AS general,
    (SELECT json_agg(json_build_object('name', i.name, 'sku', i.sku, 'qty', l.qty, 'weight_g', i.weight_g) ORDER BY l.position)
      FROM shipment_line l
        JOIN order_item i ON i.store_id = l.store_id AND i.order_id = l.order_id AND i.id = l.order_item_id
      WHERE l.store_id = $1 AND l.shipment_id = s.id) AS lines
  FROM shipment s
    JOIN sales_order o ON o.store_id = s.store_id AND o.id = s.order_id
    JOIN warehouse w ON w.store_id = s.store_id AND w.id = s.warehouse_id
    JOIN store t ON t.store_id = s.store_id
  WHERE s.store_id = $1 AND s.id = $2`;

interface Row extends Pick<Label, 'number' | 'courier' | 'service' | 'waybill' | 'address' | 'currency'> {
  readonly id: string;
  readonly buyer: Label['receiver'];
  readonly direction: string;
  readonly status: string;
  readonly total: string;
  readonly paid_total: string;
  /** null where nothing is collected. */
  readonly at_the_door: { readonly goods: readonly SentGoods[]; readonly parcels: readonly Packed[] } | null;
  readonly store_name: string;
  readonly phone: string | null;
  readonly from_address: StoreAddress | null;
  readonly general: object | null;
  readonly lines: readonly (Label['lines'][number] & { readonly weight_g: number })[];
}

const collectedOf = ({ id, at_the_door, ...row }: Pick<Row, 'id' | 'at_the_door' | 'total' | 'paid_total'>): number => {
  const money = { total: bigintNumber.from(row.total), paid_total: bigintNumber.from(row.paid_total) };
  return at_the_door === null ? 0 : collectOf(money, at_the_door, id);
};

/** Throws `NotFound`, and `no_label` for what came back or was cancelled. */
export const labelOf = async (sql: Sql, storeId: string, id: string): Promise<Label> => {
  const [row] = await sql.query<Row>(LABEL, [storeId, id]);
  if (!row) throw new NotFound('Shipment not found');
  const { direction, status, store_name, phone, from_address, general, lines, buyer, address } = row;
  if (direction !== 'out' || status === 'cancelled') throw labelRefusals.noLabel();
  const { locale } = inForce('general', { ...general }) as { locale: PaperLocale };
  const { number, courier, service, waybill, currency } = row;
  return {
    ...{ number, courier, service, waybill, currency, locale, address },
    sender: { name: store_name, phone, address: from_address },
    // Who buys may have it sent to somebody else
    receiver: { name: address?.name ?? buyer.name, phone: address?.phone ?? buyer.phone },
    collect: collectedOf(row),
    weight_g: lines.reduce((sum, line) => sum + line.weight_g * line.qty, 0),
    lines: lines.map(({ name, sku, qty }) => ({ name, sku, qty })),
  };
};

/** A page has a hundred at most. */
const OF_ORDER = `
  SELECT o.number, s.id FROM sales_order o
    LEFT JOIN shipment s ON s.store_id = o.store_id AND s.order_id = o.id AND s.direction = 'out' AND s.status <> 'cancelled'
  WHERE o.store_id = $1 AND o.id = $2 ORDER BY s.id LIMIT 100`;

export interface OrderLabels {
  readonly number: string;
  readonly labels: readonly Label[];
}

/** The labels of all parcels of an order, the first first. Throws `NotFound`. */
export const labelsOfOrder = async (sql: Sql, storeId: string, orderId: string): Promise<OrderLabels> => {
  const rows = await sql.query<{ number: string; id: string | null }>(OF_ORDER, [storeId, orderId]);
  const [first] = rows;
  if (!first) throw new NotFound('Order not found');
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  const labels: Label[] = [];
  for (const id of ids) labels.push(await labelOf(sql, storeId, id));
  return { number: first.number, labels };
};
