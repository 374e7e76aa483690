import type { Database, Sql } from '@platform/data';
import type { Task, Tasks } from '@platform/jobs';
import { traced } from '@platform/runtime';
import { jobQueue, type CommerceJobs } from './jobs';
import type { ShopEvent, ShopEventKind } from './shop-event.types';

/** Who hears of events, and of which. */
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

type Observer = keyof typeof OBSERVERS;
const observers = Object.entries(OBSERVERS) as [Observer, readonly ShopEventKind[]][];
const told = [...new Set(observers.flatMap(([, kinds]) => kinds))];

const queue = jobQueue();

const PAYLOAD = `$2::jsonb || json_build_object('storeId', n.store_id, 'eventId', n.id, 'kind', n.kind,
    'subjectId', n.subject_id, 'at', n.iso, 'actor', n.actor)::jsonb`;
const JOB = queue.expression('event.told', {
  payload: `(${PAYLOAD})`,
  key: `'event.told:' || n.store_id || ':' || n.id`,
});

/** An event that is known already is told nobody again: its row and the job that tells its observers commit together. */
const ANNOUNCE = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS g (id uuid, kind text, subject_id text, iso text, actor text)
  ), new AS (
    INSERT INTO shop_event (store_id, id, kind, subject_id, at, actor)
    SELECT $1, id, kind, subject_id, iso::timestamptz, actor FROM given ORDER BY id
    ON CONFLICT DO NOTHING RETURNING store_id, id
  ), n AS MATERIALIZED (SELECT new.store_id, given.* FROM new JOIN given USING (id) ORDER BY given.iso, given.id)
  SELECT (${JOB}).id FROM n WHERE n.kind IN (${told.map((kind) => `'${kind}'`).join(', ')})`;

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
  await tx.later('announce', ANNOUNCE, [storeId, JSON.stringify(traced({})), JSON.stringify(rows)]);
};

/**
 * The job `event.told`: everybody who observes such events, one after another, each of whom does the same when told twice. One who fails
 * keeps nobody else from hearing: for them alone there is a job then, which is tried again.
 */
export const tellObservers =
  (tasks: Pick<Tasks<CommerceJobs>, Observer>, database: Database): Task<ShopEvent> =>
  async (event, job) => {
    for (const [observer] of observers.filter(([, kinds]) => kinds.includes(event.kind)))
      try {
        await tasks[observer].run(event, job);
      } catch (error) {
        job.logger.warn('an observer of an event failed and is told again', { observer, error });
        await queue.enqueue(database, observer, event, { key: `${observer}:${event.storeId}:${event.eventId}` });
      }
  };
