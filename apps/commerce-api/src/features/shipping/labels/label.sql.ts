import { bigintNumber, type Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import type { Address, StoreAddress } from '../../../address.dto';
import type { PaperLocale } from '../../papers/pdf/public';
import { PAID_OF_ORDER } from '../../sales/payments/public';
import { inForce } from '../../shop/settings/public';
import { collectOf, type Parcelled } from './collect';

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

/** Of the order `o`, as the parcel `s` sees it. */
const PARCELLED = `(
  SELECT coalesce(json_agg(g), '[]') FROM (
    SELECT i.total - i.discount_share + CASE o.tax ->> 'mode' WHEN 'added' THEN i.tax ELSE 0 END AS amount, i.qty,
      coalesce(sum(l.qty) FILTER (WHERE p.id <= s.id), 0) AS now, coalesce(sum(l.qty) FILTER (WHERE p.id < s.id), 0) AS before
    FROM order_item i
      JOIN variant v ON v.store_id = i.store_id AND v.id = i.variant_id
      JOIN product d ON d.store_id = v.store_id AND d.id = v.product_id AND d.kind = 'physical'
      LEFT JOIN shipment_line l ON l.store_id = i.store_id AND l.order_id = i.order_id AND l.order_item_id = i.id
      LEFT JOIN shipment p ON p.store_id = l.store_id AND p.id = l.shipment_id AND p.direction = 'out' AND p.status <> 'cancelled'
    WHERE i.store_id = $1 AND i.order_id = o.id GROUP BY i.store_id, i.order_id, i.id) g)`;

const LABEL = `
  SELECT o.number, s.courier, s.service, s.waybill, s.direction, s.status, o.buyer, o.address, o.currency,
    o.total, ${PAID_OF_ORDER} AS paid_total,
    CASE WHEN o.payment_method = 'cod' THEN ${PARCELLED} END AS at_the_door,
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
  readonly buyer: Label['receiver'];
  readonly direction: string;
  readonly status: string;
  readonly total: string;
  readonly paid_total: string;
  /** null where nothing is collected. */
  readonly at_the_door: readonly Parcelled[] | null;
  readonly store_name: string;
  readonly phone: string | null;
  readonly from_address: StoreAddress | null;
  readonly general: object | null;
  readonly lines: readonly (Label['lines'][number] & { readonly weight_g: number })[];
}

const collectedOf = ({ at_the_door, total, paid_total }: Pick<Row, 'at_the_door' | 'total' | 'paid_total'>): number =>
  at_the_door === null
    ? 0
    : collectOf({ total: bigintNumber.from(total), paid_total: bigintNumber.from(paid_total) }, at_the_door);

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
