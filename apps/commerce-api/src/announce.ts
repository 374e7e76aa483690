import type { Sql } from '@platform/data';
import { traced } from '@platform/runtime';
import { jobQueue, type CommerceJobs } from './jobs';
import type { ShopEvent, ShopEventKind } from './shop-event.types';

/** The jobs that hear of events, each its own job, and which events each hears of. */
const OBSERVERS = {
  'event.hooks': ['order.created', 'order.paid', 'order.shipped', 'order.cancelled', 'stock.low', 'withdrawal.paid'],
  // Of a payment the buyer is told by `order.paid.message`, which knows whether the bot did
  'event.messages': ['order.created', 'order.shipped', 'order.delivered', 'order.cancelled'],
  // Of what runs low members are told once a day
  'event.notices': [
    ...(['order.created', 'order.paid', 'order.cancelled', 'order.review'] as const),
    ...(['withdrawal.paid', 'withdrawal.failed'] as const),
  ],
  'event.pixels': ['order.paid'],
} as const satisfies Partial<Record<keyof CommerceJobs, readonly ShopEventKind[]>>;

const queue = jobQueue();

const job = ([task, kinds]: readonly [keyof typeof OBSERVERS, readonly ShopEventKind[]]): string => {
  const payload = `$2::jsonb || json_build_object('storeId', n.store_id, 'eventId', n.id, 'kind', n.kind,
    'subjectId', n.subject_id, 'at', n.iso, 'actor', n.actor)::jsonb`;
  const added = queue.expression(task, { payload: `(${payload})`, key: `'${task}:' || n.store_id || ':' || n.id` });
  return `CASE WHEN n.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')}) THEN (${added}).id END AS "${task}"`;
};

/** An event that is known already is told nobody again: its row and the jobs of its observers commit together. */
const ANNOUNCE = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS g (id uuid, kind text, subject_id text, iso text, actor text)
  ), new AS (
    INSERT INTO shop_event (store_id, id, kind, subject_id, at, actor)
    SELECT $1, id, kind, subject_id, iso::timestamptz, actor FROM given ORDER BY id
    ON CONFLICT DO NOTHING RETURNING store_id, id
  ), n AS MATERIALIZED (SELECT new.store_id, given.* FROM new JOIN given USING (id) ORDER BY given.iso, given.id)
  SELECT ${(Object.entries(OBSERVERS) as [keyof typeof OBSERVERS, readonly ShopEventKind[]][]).map(job).join(', ')} FROM n`;

/** Tells of what happened, in the transaction in which it did: everybody who observes such events hears of each once. */
export const announce = async (
  tx: Sql,
  storeId: string,
  events: readonly Omit<ShopEvent, 'storeId'>[],
): Promise<void> => {
  if (events.length === 0) return;
  const rows = events.map(({ eventId: id, kind, subjectId, at, actor }) => ({
    ...{ id, kind, subject_id: subjectId, iso: at, actor },
  }));
  await tx.prepared('announce', ANNOUNCE, [storeId, JSON.stringify(traced({})), JSON.stringify(rows)]);
};
