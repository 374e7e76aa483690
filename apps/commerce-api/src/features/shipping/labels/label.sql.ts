import { bigintNumber, type Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import type { Address, StoreAddress } from '../../../address.dto';
import type { PaperLocale } from '../../papers/pdf/public';
import { inForce } from '../../shop/settings/public';

/** What is printed on a parcel. */
export interface Label {
  readonly number: string;
  readonly courier: string | null;
  readonly service: string | null;
  readonly waybill: string | null;
  readonly sender: { readonly name: string; readonly phone: string | null; readonly address: StoreAddress | null };
  readonly buyer: { readonly name: string; readonly phone: string };
  readonly address: Address | null;
  readonly locale: PaperLocale;
  readonly currency: string;
  /** What the bearer collects; 0 when it is paid otherwise. */
  readonly collect: number;
  readonly weight_g: number;
  readonly lines: readonly { readonly name: string; readonly sku: string; readonly qty: number }[];
}

export const labelRefusals = {
  noLabel: (): Failure => new Conflict('Nothing is sent with this shipment', { code: 'no_label' }),
} as const;

const LABEL = `
  SELECT o.number, s.courier, s.service, s.waybill, s.direction, s.status, o.buyer, o.address, o.currency,
    CASE WHEN o.payment_method = 'cod' THEN greatest(o.total - o.paid_total, 0) ELSE 0 END AS collect,
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

interface Row extends Pick<Label, 'number' | 'courier' | 'service' | 'waybill' | 'buyer' | 'address' | 'currency'> {
  readonly direction: string;
  readonly status: string;
  readonly collect: string;
  readonly store_name: string;
  readonly phone: string | null;
  readonly from_address: StoreAddress | null;
  readonly general: object | null;
  readonly lines: readonly (Label['lines'][number] & { readonly weight_g: number })[];
}

/** Throws `NotFound`, and `no_label` for what came back or was cancelled. */
export const labelOf = async (sql: Sql, storeId: string, id: string): Promise<Label> => {
  const [row] = await sql.query<Row>(LABEL, [storeId, id]);
  if (!row) throw new NotFound('Shipment not found');
  const { direction, status, collect, store_name: name, phone, from_address: address, general, lines, ...rest } = row;
  if (direction !== 'out' || status === 'cancelled') throw labelRefusals.noLabel();
  const { locale } = inForce('general', { ...general }) as { locale: PaperLocale };
  return {
    ...{ ...rest, locale, sender: { name, phone, address }, collect: bigintNumber.from(collect) },
    weight_g: lines.reduce((sum, line) => sum + line.weight_g * line.qty, 0),
    lines: lines.map(({ name: item, sku, qty }) => ({ name: item, sku, qty })),
  };
};
