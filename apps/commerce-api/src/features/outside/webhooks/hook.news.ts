import type { Database, Transaction } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { Queue } from '../../../jobs';
import type { ShopEvent } from '../../../shop-event.types';
import { orderById } from '../../sales/orders/public';
import { shownWithdrawal, withdrawalById } from '../../wallet/public';
import { haveSent, LAGS, type WaitingHook } from './hook.lanes';
import { hookEvents, type HookEvent } from './webhooks.dto';

/**
 * What was announced of the same subject up to this event and is wanted by a hook, so that of two whose jobs change places the former is
 * told first all the same: $1 store, $2 subject, $3 time, $4 id of the event.
 */
export const UP_TO = `
  SELECT e.id, e.kind, e.at FROM shop_event e
  WHERE e.store_id = $1 AND e.subject_id = $2 AND (e.at, e.id) <= ($3::timestamptz, $4::uuid)
    AND EXISTS (SELECT FROM webhook_endpoint h
      WHERE h.store_id = e.store_id AND h.status = 'active' AND e.kind = ANY (h.events) AND h.created_at <= e.at)
  ORDER BY e.at, e.id`;

/** One for each hook and event: $1 store, $2 events, $3 now. */
const WRITE = `
  WITH written AS (
  INSERT INTO webhook_delivery (store_id, hook_id, event_id, kind, at, body, next_at, created_at)
  SELECT h.store_id, h.id, n.id, n.kind, n.at, n.body, $3, $3
  FROM jsonb_to_recordset($2::jsonb) AS n (id uuid, kind text, at timestamptz, body text)
  JOIN webhook_endpoint h
    ON h.store_id = $1 AND h.status = 'active' AND n.kind = ANY (h.events) AND h.created_at <= n.at
  ON CONFLICT DO NOTHING RETURNING hook_id)
  SELECT h.store_id AS "storeId", h.id, ${LAGS} AS lags FROM webhook_endpoint h
  WHERE h.store_id = $1 AND h.id IN (SELECT hook_id FROM written)`;

const VARIANT = `
  SELECT v.id, v.product_id, v.sku, p.name, coalesce(sum(l.on_hand - l.reserved), 0)::int AS available
  FROM variant v JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id
  LEFT JOIN stock_level l ON l.store_id = v.store_id AND l.variant_id = v.id
  WHERE v.store_id = $1 AND v.id = $2 GROUP BY v.store_id, v.id, v.product_id, v.sku, p.name`;

type View = (tx: Transaction, storeId: string, id: string) => Promise<object | undefined>;

const orderView: View = orderById;
const variantView: View = async (tx, storeId, id) => (await tx.query<object>(VARIANT, [storeId, id]))[0];
const withdrawalView: View = async (tx, storeId, id) => shownWithdrawal(await withdrawalById(tx, storeId, id));

const VIEWS: Readonly<Record<HookEvent, View>> = {
  'order.created': orderView,
  'order.paid': orderView,
  'order.shipped': orderView,
  'order.cancelled': orderView,
  'stock.low': variantView,
  'withdrawal.paid': withdrawalView,
};

interface Told {
  readonly id: string;
  readonly kind: HookEvent;
  readonly at: Date;
}

/** What is gone by now is no news. */
const viewOf = (tx: Transaction, kind: HookEvent, storeId: string, id: string): Promise<object | undefined> =>
  VIEWS[kind](tx, storeId, id).catch((failure: unknown) => {
    if (failure instanceof NotFound) return undefined;
    throw failure;
  });

const bodyOf = ({ id, kind, at }: Told, data: object): string =>
  JSON.stringify({ id, event: kind, created_at: at.toISOString(), data });

const isOurs = (kind: string): kind is HookEvent => (hookEvents as readonly string[]).includes(kind);

/** Does `event.hooks`: writes what each hook is to be sent, once for an event, with the subject as it stands now. */
export class HookNews {
  constructor(private readonly parts: { readonly database: Database; readonly clock: Clock; readonly queue: Queue }) {}

  async tell({ storeId, eventId, kind, subjectId, at }: ShopEvent): Promise<void> {
    const { database, clock, queue } = this.parts;
    if (!isOurs(kind)) return;
    await database.tx(async (tx) => {
      const told = await tx.query<Told>(UP_TO, [storeId, subjectId, at, eventId]);
      const data = told.length > 0 ? await viewOf(tx, kind, storeId, subjectId) : undefined;
      if (!data) return;
      const news = told.filter((each) => isOurs(each.kind)).map((each) => ({ ...each, body: bodyOf(each, data) }));
      const hooks = await tx.query<WaitingHook>(WRITE, [storeId, JSON.stringify(news), clock.now()]);
      for (const hook of hooks) await haveSent(queue, tx, hook);
    });
  }
}
