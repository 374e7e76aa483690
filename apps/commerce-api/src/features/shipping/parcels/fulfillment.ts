import type { Sql } from '@platform/data';

export const fulfillmentStates = [
  ...(['none', 'partially_packed', 'packed', 'partially_shipped', 'shipped'] as const),
  ...(['partially_delivered', 'delivered', 'partially_returned', 'returned'] as const),
] as const;
export type FulfillmentState = (typeof fulfillmentStates)[number];

/** How far the pieces of a line of an order have come; each number holds the next one, but what came back. */
export interface ItemProgress {
  readonly id: string;
  readonly variant_id: string;
  readonly track_stock: boolean;
  /** Downloads and services are not sent. */
  readonly is_sent: boolean;
  readonly name: string;
  readonly sku: string;
  readonly qty: number;
  /** In a shipment that is not cancelled. */
  readonly packed: number;
  readonly shipped: number;
  readonly delivered: number;
  /** Booked back by the shop; a parcel that its courier brings back is only sent until then. */
  readonly returned: number;
  /** Given up before they were packed, and back on the shelf. */
  readonly restocked: number;
}

const pieces = (condition: string, name: string): string =>
  `coalesce(sum(l.qty) FILTER (WHERE ${condition}), 0)::int AS ${name}`;

export const PROGRESS = `
  SELECT i.id, i.variant_id, v.track_stock, p.kind = 'physical' AS is_sent, i.name, i.sku, i.qty,
    ${pieces(`s.direction = 'out' AND s.status <> 'cancelled'`, 'packed')},
    ${pieces(`s.direction = 'out' AND s.status IN ('in_transit', 'delivered', 'returned')`, 'shipped')},
    ${pieces(`s.direction = 'out' AND s.status = 'delivered'`, 'delivered')},
    ${pieces(`s.direction = 'return' AND s.status <> 'cancelled'`, 'returned')},
    (SELECT coalesce(sum(g.qty), 0)::int FROM refund_line g WHERE g.store_id = i.store_id AND g.order_id = i.order_id
      AND g.order_item_id = i.id AND g.restocked_to IS NOT NULL) AS restocked
  FROM order_item i
    JOIN variant v ON v.store_id = i.store_id AND v.id = i.variant_id
    JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id
    LEFT JOIN shipment_line l ON l.store_id = i.store_id AND l.order_id = i.order_id AND l.order_item_id = i.id
    LEFT JOIN shipment s ON s.store_id = l.store_id AND s.id = l.shipment_id
  WHERE i.store_id = $1 AND i.order_id = $2
  GROUP BY i.store_id, i.order_id, i.id, v.store_id, v.id, p.store_id, p.id ORDER BY i.position`;

/** The lines of an order, in its order. Whoever decides on them holds the order's lock, under which all shipments are written. */
export const progressOf = (sql: Sql, storeId: string, orderId: string): Promise<ItemProgress[]> =>
  sql.prepared<ItemProgress>('order progress', PROGRESS, [storeId, orderId]);

/** What can still be packed of a line. */
export const leftOf = ({ is_sent, qty, packed, restocked }: ItemProgress): number =>
  is_sent ? qty - packed - restocked : 0;
/** What the buyer, or somebody on the way, has of a line. */
export const goneOf = ({ shipped, returned }: ItemProgress): number => shipped - returned;

type Count = Exclude<keyof ItemProgress & ('packed' | 'shipped' | 'delivered' | 'returned'), symbol>;
const STAGES: readonly Count[] = ['returned', 'delivered', 'shipped', 'packed'];

/** Stages behind which nobody looks for what is to be sent. */
const BEHIND: readonly (Count | undefined)[] = ['returned', 'delivered'];

/**
 * The furthest stage that a piece has reached, `partially_` until all have that are to be sent; but what has arrived, or has come back, hides
 * nothing that is to be sent still: whoever sends that finds it among what is partly sent.
 */
export const fulfillmentOf = (items: readonly ItemProgress[]): FulfillmentState => {
  const sum = (count: Count | 'qty' | 'restocked'): number =>
    items.filter(({ is_sent }) => is_sent).reduce((all, item) => all + item[count], 0);
  const due = sum('qty') - sum('restocked');
  const stage = STAGES.find((each) => sum(each) > 0);
  if (stage === undefined) return 'none';
  if (BEHIND.includes(stage) && sum('shipped') < due) return 'partially_shipped';
  return sum(stage) >= due ? stage : `partially_${stage}`;
};
