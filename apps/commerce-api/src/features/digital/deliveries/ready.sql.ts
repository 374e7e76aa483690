import type { Sql } from '@platform/data';
import { inForce } from '../../shop/settings/public';
import type { Ready } from './ready.letter';

const ORDER = `
  SELECT o.number, o.buyer, s.name AS store, s.timezone,
    (SELECT g.value FROM setting g WHERE g.store_id = $1 AND g.name = 'general') AS general
  FROM sales_order o JOIN store s ON s.store_id = o.store_id AND s.status <> 'suspended' WHERE o.store_id = $1 AND o.id = $2`;

/** Those of one issue that work and were not sent: $1 store, $2 order, $3 issue. */
const THINGS = `
  SELECT d.id, d.order_item_id, d.asset_id, d.token_hash, d.max_downloads, d.expires_at, i.name AS item, m.name AS file
  FROM digital_delivery d
    JOIN order_item i ON i.store_id = d.store_id AND i.order_id = d.order_id AND i.id = d.order_item_id
    LEFT JOIN digital_asset a ON a.store_id = d.store_id AND a.id = d.asset_id
    LEFT JOIN media m ON m.store_id = a.store_id AND m.id = a.media_id
  WHERE d.store_id = $1 AND d.order_id = $2 AND d.issue = $3 AND d.revoked_at IS NULL AND d.sent_at IS NULL
  ORDER BY i.position, d.asset_id NULLS FIRST`;

/** $1 store, $2 order, $3 issue, $4 now, $5 event's id, $6 text, $7 actor. */
const SENT = `
  WITH sent AS (
    UPDATE digital_delivery SET sent_at = $4, updated_at = $4
    WHERE store_id = $1 AND order_id = $2 AND issue = $3 AND sent_at IS NULL RETURNING 1
  )
  INSERT INTO order_event (store_id, order_id, id, at, type, text, actor)
  SELECT $1, $2, $5, $4, 'downloads_sent', $6, $7 WHERE EXISTS (SELECT FROM sent)`;

export interface DueThing {
  readonly id: string;
  readonly order_item_id: string;
  readonly asset_id: string | null;
  readonly token_hash: string;
  readonly max_downloads: number;
  readonly expires_at: Date;
  readonly item: string;
  readonly file: string | null;
}

interface OrderRow extends Pick<Ready, 'number' | 'store' | 'timezone'> {
  readonly buyer: { readonly name: string; readonly phone: string; readonly email?: string };
  readonly general: object | null;
}

/** Whom to tell of what; undefined when nothing is left to be sent. */
export interface Due extends Omit<OrderRow, 'general'>, Pick<Ready, 'locale'> {
  readonly things: readonly DueThing[];
}

interface Issue {
  readonly storeId: string;
  readonly orderId: string;
  readonly issue: string;
}

export const dueOf = async (sql: Sql, { storeId, orderId, issue }: Issue): Promise<Due | undefined> => {
  const things = await sql.prepared<DueThing>('downloads due', THINGS, [storeId, orderId, issue]);
  if (things.length === 0) return undefined;
  const [order] = await sql.prepared<OrderRow>('downloads order', ORDER, [storeId, orderId]);
  if (!order) return undefined;
  const { general, ...rest } = order;
  const { locale } = inForce('general', { ...general }) as Pick<Ready, 'locale'>;
  return { ...rest, locale, things };
};

/** They are sent; the timeline of the order tells it once. */
export const markSent = async (
  sql: Sql,
  { storeId, orderId, issue }: Issue,
  {
    at,
    eventId,
    text,
    actor,
  }: { readonly at: Date; readonly eventId: string; readonly text: string; readonly actor: string },
): Promise<void> => {
  await sql.prepared('downloads sent', SENT, [storeId, orderId, issue, at, eventId, text, actor]);
};
