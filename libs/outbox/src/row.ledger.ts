import type { Sql } from '@platform/data';
import type { Backlog, DeadRow, DeadSelection, Outbox } from './outbox.types';

const DEAD = `
SELECT id, event_id AS "eventId", lane, target, kind, payload, attempts, last_error AS reason, created_at AS "createdAt", finished_at AS "diedAt"
FROM outbox_row WHERE state = 'dead' AND id < $1 AND starts_with(lane, $3) ORDER BY id DESC LIMIT $2`;

const PORTION = 1_000;

// Lanes are locked in one order by everybody; inside a lane the rows keep theirs
const REPLAY = `
SELECT outbox_replay(dead.id) AS id FROM (
  SELECT id FROM outbox_row
  WHERE state = 'dead' AND id <= $4 AND ($1::uuid IS NULL OR event_id = $1) AND starts_with(lane, $2) AND created_at >= coalesce($3, '-infinity'::timestamptz)
  ORDER BY lane COLLATE "C", id LIMIT ${PORTION}
) dead`;

const BACKLOG = `
SELECT count(*) AS queued, coalesce(extract(epoch FROM now() - min(created_at)), 0) AS "oldestSeconds",
  (SELECT count(*) FROM outbox_row WHERE state = 'dead') AS dead
FROM outbox_row WHERE state IN ('queued', 'blocked')`;

// Lane names are compared byte by byte (COLLATE "C"), so a prefix is a range: the head index serves the first count.
const BACKLOG_OF_LANES = `
SELECT count(*) AS queued, coalesce(extract(epoch FROM now() - min(created_at)), 0) AS "oldestSeconds",
  (SELECT count(*) FROM outbox_row WHERE state = 'dead' AND starts_with(lane, $1)) AS dead
FROM outbox_row WHERE state IN ('queued', 'blocked') AND lane >= $1 AND lane < $1 || chr(1114111)`;

const DELETE_DONE = `
DELETE FROM outbox_row WHERE id IN (
  SELECT id FROM outbox_row WHERE state = 'done' AND finished_at < now() - $1 * interval '1 second' LIMIT 5000 FOR UPDATE SKIP LOCKED
) RETURNING 1`;

// A writer that waits for such a lane finds it gone and creates it again.
const DELETE_IDLE_LANES = `
DELETE FROM outbox_lane WHERE lane IN (
  SELECT l.lane FROM outbox_lane l
  WHERE l.next_at = 'infinity' AND l.used_at < now() - $1 * interval '1 second'
    AND NOT EXISTS (SELECT 1 FROM outbox_row r WHERE r.lane = l.lane AND r.state IN ('queued', 'blocked'))
  LIMIT 5000 FOR UPDATE SKIP LOCKED
) RETURNING 1`;

// Lanes whose heads were kept back, and those that manual repairs forgot. $1: kinds that may leave, null for all
const ARM_SLEEPING_LANES = `
UPDATE outbox_lane SET next_at = now() WHERE lane IN (
  SELECT l.lane FROM outbox_lane l CROSS JOIN LATERAL (
    SELECT r.state, r.kind FROM outbox_row r WHERE r.lane = l.lane AND r.state IN ('queued', 'blocked') ORDER BY r.id LIMIT 1
  ) head
  WHERE l.next_at = 'infinity' AND head.state = 'queued' AND ($1::text[] IS NULL OR head.kind = ANY ($1)) FOR UPDATE OF l SKIP LOCKED
)`;

const KEPT_BACK = `
SELECT count(*) AS held FROM outbox_row WHERE state IN ('queued', 'blocked') AND NOT kind = ANY ($1)`;

const untilNone = async (step: () => Promise<unknown[]>): Promise<void> => {
  while ((await step()).length > 0);
};

export const deadRows = (
  sql: Sql,
  { limit = 100, before = '9223372036854775807', lanePrefix = '' }: Parameters<Outbox['dead']>[0] = {},
): Promise<DeadRow[]> => sql.query<DeadRow>(DEAD, [before, limit, lanePrefix]);

export const replayRow = async (sql: Sql, id: string): Promise<string | null> => {
  const [answer] = await sql.query<{ id: string | null }>('SELECT outbox_replay($1) AS id', [id]);
  return answer?.id ?? null;
};

/** In portions, each a transaction of its own: a long list does not keep its lanes locked. A row comes at most once. */
export const replayRows = async (sql: Sql, of: DeadSelection): Promise<number> => {
  // A replayed row gets a higher id: one that dies again at once is left to the next call
  const [highest] = await sql.query<{ id: string }>('SELECT coalesce(max(id), 0) AS id FROM outbox_row');
  const which = 'eventId' in of ? [of.eventId, '', null] : [null, of.lanePrefix, of.since ?? null];
  const values = [...which, highest?.id];
  let replayed = 0;
  for (;;) {
    const rows = await sql.query<{ id: string | null }>(REPLAY, values);
    replayed += rows.filter(({ id }) => id !== null).length;
    if (rows.length < PORTION) return replayed;
  }
};

export const measureBacklog = async (sql: Sql, lanePrefix?: string): Promise<Backlog> => {
  const [row] = await (lanePrefix === undefined
    ? sql.query<Record<keyof Backlog, string>>(BACKLOG)
    : sql.query<Record<keyof Backlog, string>>(BACKLOG_OF_LANES, [lanePrefix]));
  return {
    queued: Number(row?.queued ?? 0),
    oldestSeconds: Math.max(0, Number(row?.oldestSeconds ?? 0)),
    dead: Number(row?.dead ?? 0),
  };
};

/** Lanes that sleep are due again where the kind of their head may leave. */
export const armLanes = async (sql: Sql, open: readonly string[] | null): Promise<void> => {
  await sql.query(ARM_SLEEPING_LANES, [open]);
};

/** Rows of kinds that may not leave. */
export const countKeptBack = async (sql: Sql, open: readonly string[]): Promise<number> => {
  const [row] = await sql.query<{ held: string }>(KEPT_BACK, [open]);
  return Number(row?.held ?? 0);
};

export const tidyRows = async (sql: Sql, retentionSeconds: number, open: readonly string[] | null): Promise<void> => {
  await untilNone(() => sql.query(DELETE_DONE, [retentionSeconds]));
  await untilNone(() => sql.query(DELETE_IDLE_LANES, [retentionSeconds]));
  await armLanes(sql, open);
};
