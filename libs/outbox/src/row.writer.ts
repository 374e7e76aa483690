import type { Sql } from '@platform/data';
import { traced, uuidv7 } from '@platform/runtime';
import type { Enqueued, NewRow } from './outbox.types';

// Everybody locks lanes in the same order, so that two transactions never wait for each other.
const ENQUEUE = `
SELECT outbox_enqueue(r.lane, r.target, r.kind, r.dedupe_key, r.payload, r.event_id, r.blocked) AS id, r.n
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::uuid[], $7::boolean[]) WITH ORDINALITY
  AS r (lane, target, kind, dedupe_key, payload, event_id, blocked, n)
ORDER BY r.lane COLLATE "C", r.n`;

/**
 * Adds rows in the caller's transaction, in one statement; needs no started outbox. Call it once per transaction, with all
 * rows: a second call may lock a lane that sorts before those of the first.
 *
 * A repository that writes with its own statement calls the SQL function `outbox_enqueue(lane, target, kind,
 * dedupe_key, payload, event_id, blocked)` in it: it returns the id, or null for a duplicate. Two rules: order by
 * `lane COLLATE "C"`, and use the result (PostgreSQL does not run a WITH query that nothing reads).
 */
export const enqueueRows = async (tx: Sql, rows: readonly NewRow[]): Promise<Enqueued[]> => {
  if (rows.length === 0) return [];
  const eventIds = rows.map((row) => row.eventId ?? uuidv7());
  const added = await tx.prepared<{ id: string | null; n: string }>('outbox_enqueue', ENQUEUE, [
    rows.map((row) => row.lane),
    rows.map((row) => row.target),
    rows.map((row) => row.kind.name),
    rows.map((row) => row.dedupeKey ?? null),
    rows.map((row) => JSON.stringify(traced(row.payload))),
    eventIds,
    rows.map((row) => row.blocked ?? false),
  ]);
  const ids = new Map(added.map(({ id, n }) => [Number(n) - 1, id]));
  return eventIds.map((eventId, index) => ({ id: ids.get(index) ?? null, eventId }));
};

/** See `Outbox.unblock`; needs no started outbox. */
export const unblockRow = async (tx: Sql, id: string, payload?: unknown): Promise<boolean> => {
  const [{ unblocked }] = (await tx.query('SELECT outbox_unblock($1, $2::jsonb) AS unblocked', [
    id,
    payload === undefined ? null : JSON.stringify(payload),
  ])) as [{ unblocked: boolean }];
  return unblocked;
};
