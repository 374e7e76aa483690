import type { Sql } from '@platform/data';

export interface DeadSend {
  readonly id: string;
  readonly chatId: string;
  readonly pesan_id: string;
  readonly nohp: string;
  readonly instance: string;
  readonly attempts: number;
  readonly reason: string | null;
  readonly created_at: number;
  readonly dead_at: number | null;
}

/** Newest first; the partial index of dead rows serves it. $1 store $2 id to go on from, or null $3 limit */
export const DEAD = `
SELECT r.id, (r.payload->>'storeId') || '.' || (r.payload->>'conversationId') AS "chatId", r.payload->>'pesanId' AS pesan_id, r.payload->>'nohp' AS nohp,
  r.payload->>'instance' AS instance, r.attempts, r.last_error AS reason, floor(extract(epoch FROM r.created_at))::float8 AS created_at,
  floor(extract(epoch FROM r.finished_at))::float8 AS dead_at
FROM outbox_row r WHERE r.state = 'dead' AND r.payload->>'storeId' = $1 AND ($2::bigint IS NULL OR r.id < $2) ORDER BY r.id DESC LIMIT $3`;

/** Puts the row at the end of its lane again and clears the failure of its message, both or neither. $1 store $2 row */
export const REPLAY = `
WITH row AS MATERIALIZED (SELECT r.id, r.payload FROM outbox_row r WHERE r.id = $2 AND r.state = 'dead' AND r.payload->>'storeId' = $1 FOR UPDATE),
replayed AS MATERIALIZED (SELECT outbox_replay(id) AS id FROM row),
cleared AS (
  UPDATE messages m SET error = NULL, failed_at = NULL FROM row
  WHERE m.store_id = $1 AND m.conversation_id = (row.payload->>'conversationId')::uuid AND m.seq = (row.payload->>'seq')::int
  RETURNING 1)
SELECT id, (SELECT count(*) FROM cleared) AS cleared FROM replayed WHERE id IS NOT NULL`;

/** Sends that the gateway will not take, of one store (design 2.9). */
export class DeadSendsRepository {
  constructor(private readonly sql: Sql) {}

  list(storeId: string, before: string | undefined, limit: number): Promise<DeadSend[]> {
    return this.sql.prepared<DeadSend>('dead_sends', DEAD, [storeId, before ?? null, limit]);
  }

  /** Its new id, or undefined when this store has no such dead row. */
  async replay(storeId: string, id: string): Promise<string | undefined> {
    const [row] = await this.sql.prepared<{ id: string }>('dead_sends_replay', REPLAY, [storeId, id]);
    return row?.id;
  }
}
