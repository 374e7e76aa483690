import type { Sql } from '@platform/data';
import type { Measures } from '@platform/runtime';
import type { Backlog, DeadRow, DeadSelection, Outbox } from './outbox.types';

// Lane names are compared byte by byte (COLLATE "C"), so a prefix is a range of an index
const ofLanes = (prefix: string) => `lane >= ${prefix} AND lane < ${prefix} || chr(1114111)`;

const DEAD = `
SELECT id, event_id AS "eventId", lane, target, kind, payload, attempts, last_error AS reason, created_at AS "createdAt", finished_at AS "diedAt"
FROM outbox_row WHERE state = 'dead' AND id < $1`;
const NEWEST = ' ORDER BY id DESC LIMIT $2';

const PORTION = 1_000;

// Lanes are locked in one order by everybody; inside a lane the rows keep theirs
const REPLAY = `
SELECT outbox_replay(dead.id) AS id FROM (
  SELECT id FROM outbox_row
  WHERE state = 'dead' AND id <= $4 AND ($1::uuid IS NULL OR event_id = $1) AND ${ofLanes('$2::text')} AND created_at >= coalesce($3, '-infinity'::timestamptz)
  ORDER BY lane COLLATE "C", id LIMIT ${PORTION}
) dead`;

const BACKLOG = `
SELECT count(*) AS queued, coalesce(extract(epoch FROM now() - min(created_at)), 0) AS "oldestSeconds",
  (SELECT count(*) FROM outbox_row WHERE state = 'dead') AS dead
FROM outbox_row WHERE state IN ('queued', 'blocked')`;

// One row per prefix, independent of the others
const BACKLOG_OF_LANES = `
SELECT queued.count AS queued, queued.age AS "oldestSeconds", dead.count AS dead
FROM unnest($1::text[]) WITH ORDINALITY AS p (prefix, position)
CROSS JOIN LATERAL (
  SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at)), 0) AS age
  FROM outbox_row WHERE state IN ('queued', 'blocked') AND ${ofLanes('p.prefix')}
) queued
CROSS JOIN LATERAL (SELECT count(*) FROM outbox_row WHERE state = 'dead' AND ${ofLanes('p.prefix')}) dead
ORDER BY p.position`;

const DELETE_DONE = `
DELETE FROM outbox_row WHERE id = ANY (ARRAY(
  SELECT id FROM outbox_row WHERE state = 'done' AND finished_at < now() - $1 * interval '1 second' LIMIT 5000 FOR UPDATE SKIP LOCKED
)) RETURNING 1`;

// Oldest first, in portions: ids grow with time
const DELETE_DEAD = `
DELETE FROM outbox_row WHERE id IN (
  SELECT id FROM (SELECT id, finished_at FROM outbox_row WHERE state = 'dead' ORDER BY id LIMIT 5000) oldest
  WHERE finished_at < now() - $1 * interval '1 second'
) AND state = 'dead' RETURNING 1`;

// In the order of their names, so that a portion does not read again what the one before has read. A writer that waits for
// such a lane finds it gone and creates it again. Only the lane is looked at again when it is locked: one that got a row since
// then may sleep, but has been used.
const DELETE_IDLE_LANES = `
WITH portion AS (
  SELECT l.lane FROM outbox_lane l WHERE l.lane > $2 ORDER BY l.lane LIMIT 5000
), deleted AS (
  DELETE FROM outbox_lane WHERE lane = ANY (ARRAY(
    SELECT l.lane FROM outbox_lane l JOIN portion USING (lane)
    WHERE l.next_at = 'infinity' AND l.used_at < now() - $1 * interval '1 second'
      AND NOT EXISTS (SELECT 1 FROM outbox_row r WHERE r.lane = l.lane AND r.state IN ('queued', 'blocked'))
    FOR UPDATE OF l SKIP LOCKED))
)
SELECT max(lane) AS last FROM portion`;

/**
 * Lanes whose heads were held back, and those that manual repairs forgot; $1: kinds that may be sent, null for all. Each lane is looked up by
 * its key, whatever the planner believes: it is asked after trouble, when the tables are not as they were when they were analyzed.
 */
export const ARM_SLEEPING_LANES = `
UPDATE outbox_lane SET next_at = now() WHERE lane = ANY (ARRAY(
  SELECT asleep.lane FROM (
    SELECT DISTINCT ON (lane) lane, state, kind FROM outbox_row WHERE state IN ('queued', 'blocked') ORDER BY lane, id
  ) head CROSS JOIN LATERAL (
    SELECT lane FROM outbox_lane WHERE lane = head.lane AND next_at = 'infinity' FOR UPDATE SKIP LOCKED
  ) asleep
  WHERE head.state = 'queued' AND ($1::text[] IS NULL OR head.kind = ANY ($1))
))`;

const KEPT_BACK = `
SELECT count(*) AS held FROM outbox_row WHERE state IN ('queued', 'blocked') AND NOT kind = ANY ($1)`;

const untilNone = async (step: () => Promise<unknown[]>): Promise<void> => {
  while ((await step()).length > 0);
};

export const deadRows = (
  sql: Sql,
  { limit = 100, before = '9223372036854775807', lanePrefix }: Parameters<Outbox['dead']>[0] = {},
): Promise<DeadRow[]> =>
  !lanePrefix
    ? sql.query<DeadRow>(DEAD + NEWEST, [before, limit])
    : sql.query<DeadRow>(`${DEAD} AND ${ofLanes('$3')}${NEWEST}`, [before, limit, lanePrefix]);

export const replayRow = async (sql: Sql, id: string): Promise<string | null> => {
  const [replayed] = (await sql.query('SELECT outbox_replay($1) AS id', [id])) as [{ id: string | null }];
  return replayed.id;
};

/** In portions, each in its own transaction, so that a long list does not keep its lanes locked. A row comes at most once. */
export const replayRows = async (sql: Sql, of: DeadSelection): Promise<number> => {
  // A replayed row gets a higher id: one that dies again at once is left to the next call
  const [highest] = (await sql.query('SELECT coalesce(max(id), 0) AS id FROM outbox_row')) as [{ id: string }];
  const which = 'eventId' in of ? [of.eventId, '', null] : [null, of.lanePrefix, of.since ?? null];
  const values = [...which, highest.id];
  let replayed = 0;
  for (;;) {
    const rows = await sql.query<{ id: string | null }>(REPLAY, values);
    replayed += rows.filter(({ id }) => id !== null).length;
    if (rows.length < PORTION) return replayed;
  }
};

type BacklogRecord = Record<keyof Backlog, string>;

const backlogOf = ({ queued, oldestSeconds, dead }: BacklogRecord): Backlog => ({
  queued: Number(queued),
  oldestSeconds: Math.max(0, Number(oldestSeconds)),
  dead: Number(dead),
});

/** Of all lanes. */
export const measureBacklog = async (sql: Sql): Promise<Backlog> => {
  const [row] = (await sql.query(BACKLOG)) as [BacklogRecord];
  return backlogOf(row);
};

/** The same for /metrics: every process on the schema shows the same. */
export const backlogMeasures = (sql: Sql): Measures => ({
  help: {
    outbox_queued: 'Deliveries that wait, of all processes',
    outbox_oldest_seconds: 'Age of the oldest delivery that waits, of all processes',
    outbox_dead: 'Deliveries that nobody took and that were given up, of all processes',
  },
  read: async () => {
    const { queued, oldestSeconds, dead } = await measureBacklog(sql);
    return { outbox_queued: queued, outbox_oldest_seconds: oldestSeconds, outbox_dead: dead };
  },
});

/** Of the lanes with each prefix in turn, in one statement. */
export const measureBacklogs = async (sql: Sql, lanePrefixes: readonly string[]): Promise<Backlog[]> =>
  (await sql.query<BacklogRecord>(BACKLOG_OF_LANES, [lanePrefixes])).map(backlogOf);

/** Makes sleeping lanes due again when the kind of their head may be sent. */
export const armLanes = async (sql: Sql, open: readonly string[] | null): Promise<void> => {
  await sql.query(ARM_SLEEPING_LANES, [open]);
};

/** Rows of kinds that may not be sent. */
export const countKeptBack = async (sql: Sql, open: readonly string[]): Promise<number> => {
  const [{ held }] = (await sql.query(KEPT_BACK, [open])) as [{ held: string }];
  return Number(held);
};

/** How long rows are kept after their end, in seconds. */
export interface Retention {
  readonly done: number;
  readonly dead: number;
}

/** Deletes rows and lanes beyond their retention, and arms lanes that should not sleep. */
export const tidyRows = async (sql: Sql, retention: Retention, open: readonly string[] | null): Promise<void> => {
  await untilNone(() => sql.query(DELETE_DONE, [retention.done]));
  await untilNone(() => sql.query(DELETE_DEAD, [retention.dead]));
  await armLanes(sql, open);
};

/** Reads all lanes, so it is too expensive for every minute. */
export const tidyLanes = async (sql: Sql, idleSeconds: number): Promise<void> => {
  for (let last: string | null = ''; last !== null;) {
    const [portion] = (await sql.query(DELETE_IDLE_LANES, [idleSeconds, last])) as [{ last: string | null }];
    ({ last } = portion);
  }
};
