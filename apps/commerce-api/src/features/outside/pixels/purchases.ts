import type { Database, Transaction } from '@platform/data';
import { uuidv7, type Clock } from '@platform/runtime';
import { hashedFor } from '../../../clients/pixel.hashes';
import type { PixelFact } from '../../../clients/pixel.port';
import { jobQueue } from '../../../jobs';
import type { ShopEvent } from '../../../shop-event.types';
import { orderById, type Order } from '../../sales/orders/public';
import { majorUnits } from '../../wallet/public';
import { COLUMNS, MOST_PIXELS, type PixelRow } from './pixels.sql';

const queue = jobQueue();

/** What a buyer's browser tells of an order that it has placed. */
export interface BrowserPurchase {
  readonly storeId: string;
  readonly orderNumber: string;
  /** Who speaks: believed where the cart of the order was theirs. */
  readonly visitorId: string;
  /** The event's, under which the browser has told the networks itself. */
  readonly eventId: string;
  /** The buyer lets networks hear of it. */
  readonly consent: boolean;
  readonly url?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly at: Date;
}

/**
 * The number of an order stands on its parcel: whoever knows it and did not begin its cart is not believed. The first id stays: under it a
 * network may have been told. The last word on consent counts.
 */
const REMEMBER = `
  INSERT INTO purchase_visit AS v (store_id, order_id, event_id, consent, url, user_agent, at)
  SELECT o.store_id, o.id, $3, $4, $5, $6, $7 FROM sales_order o
  JOIN checkout_session c ON c.store_id = o.store_id AND c.order_id = o.id AND c.visitor_id = $8
  WHERE o.store_id = $1 AND o.number = $2
  ON CONFLICT (store_id, order_id) DO UPDATE SET consent = EXCLUDED.consent, url = coalesce(v.url, EXCLUDED.url),
    user_agent = coalesce(v.user_agent, EXCLUDED.user_agent)
  RETURNING order_id`;

interface Visit {
  readonly event_id: string;
  readonly url: string | null;
  readonly user_agent: string | null;
}

const AGREED = `
  SELECT event_id, url, user_agent FROM purchase_visit WHERE store_id = $1 AND order_id = $2 AND consent FOR SHARE`;
export const TOLD_PIXELS = `
  SELECT ${COLUMNS} FROM pixel p WHERE p.store_id = $1 AND p.token_enc IS NOT NULL AND 'purchase' = ANY (p.events)
  ORDER BY p.created_at, p.id LIMIT ${MOST_PIXELS}`;
const WRITE = `
  INSERT INTO pixel_event (store_id, id, pixel_id, event_id, name, fact, next_at, created_at)
  VALUES ($1, $2, $3, $4, 'Purchase', $5::jsonb, $6, $6) ON CONFLICT DO NOTHING RETURNING id`;

const factOf = ({ kind }: PixelRow, order: Order, visit: Visit): PixelFact => ({
  ...{ name: 'Purchase', eventId: visit.event_id, at: order.paid_at ?? order.placed_at },
  ...hashedFor(kind, order.buyer),
  ...(visit.url && { url: visit.url }),
  ...(visit.user_agent && { userAgent: visit.user_agent }),
  order: {
    ...{ number: order.number, currency: order.currency, value: majorUnits(order.total, order.currency) },
    items: order.items.map(({ sku, qty: quantity, price }) => ({
      ...{ id: sku ?? '', quantity },
      price: majorUnits(price, order.currency),
    })),
  },
});

/** Writes what each pixel of the store is told of a paid order whose buyer agrees, once for ever, and has it sent after the commit. */
const tellPaid = async (tx: Transaction, storeId: string, orderId: string, now: Date): Promise<void> => {
  const [visit] = await tx.query<Visit>(AGREED, [storeId, orderId]);
  const pixels = visit ? await tx.query<PixelRow>(TOLD_PIXELS, [storeId]) : [];
  if (!visit || pixels.length === 0) return;
  const order = await orderById(tx, storeId, orderId);
  if (order.paid_at === null) return;
  for (const pixel of pixels) {
    const fact = JSON.stringify(factOf(pixel, order, visit));
    const [row] = await tx.query<{ id: string }>(WRITE, [storeId, uuidv7(), pixel.id, visit.event_id, fact, now]);
    if (row) await queue.enqueue(tx, 'pixel.send', { storeId, id: row.id }, { key: `pixel:${row.id}` });
  }
};

/**
 * To be called with what a browser tells of a purchase, before the order is paid or after. An order that the store has not, or whose cart
 * another visitor began, changes nothing.
 */
export const browserPurchased = async (
  tx: Transaction,
  { storeId, orderNumber, visitorId, eventId, consent, url, userAgent, at }: BrowserPurchase,
): Promise<void> => {
  const values = [storeId, orderNumber, eventId, consent, url ?? null, userAgent ?? null, at, visitorId];
  const [row] = await tx.query<{ order_id: string }>(REMEMBER, values);
  if (row && consent) await tellPaid(tx, storeId, row.order_id, at);
};

/** Does `event.pixels`: an order was paid. Without a word of consent no network hears of it. */
export const pixelNews =
  (database: Database, clock: Clock) =>
  ({ storeId, subjectId }: Pick<ShopEvent, 'storeId' | 'subjectId'>): Promise<void> =>
    database.tx((tx) => tellPaid(tx, storeId, subjectId, clock.now()));
