import type { Sql } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import { isRefused, type ChatSyncClient, type PushedRow, type SyncKind } from '../../../clients/chat.sync';
import { jobQueue, type CommerceJobs, type Queue } from '../../../jobs';

export type CopiedKind = SyncKind;

/** A row that has changed; `version` are digits of epoch milliseconds, strictly rising for each row. */
export interface ChangedRow {
  readonly rowId: string;
  readonly version: string;
  readonly deleted?: boolean;
}

/** A row as it stands, in the words of chat-backend; its store and its version are added. */
export interface Standing {
  readonly rowId: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** Rows of one kind for chat-backend; each area has those of its own tables. */
export interface CopiedRows {
  /** Those that exist, in any order. */
  standing(sql: Sql, storeId: string, rowIds: readonly string[]): Promise<Standing[]>;
  /** What names a row that is gone. */
  keys(rowId: string): Readonly<Record<string, string>>;
  /** Rows with a version of their own, told by `changed`. Of others, told by `touched`, the last one is remembered in `sync_pending`. */
  readonly versioned?: true;
}

const MOST = 500;
/** Portions of one run: then it is the turn of other stores. */
const PORTIONS_IN_A_ROW = 10;
const DAY_MS = 86_400_000;

/** Ordered, so that two transactions with the same rows wait for each other and not in a circle. */
const CHANGED = `
  INSERT INTO sync_pending AS s (store_id, kind, row_id, version, deleted)
  SELECT $1::varchar, $2, i.row_id, i.version, i.deleted FROM unnest($3::text[], $4::bigint[], $5::boolean[]) AS i (row_id, version, deleted)
  ORDER BY i.row_id
  ON CONFLICT (store_id, kind, row_id) DO UPDATE SET version = excluded.version, deleted = excluded.deleted, sent_at = NULL
  WHERE excluded.version > s.version`;

/** Rising for each row, whatever the clocks say. */
const TOUCHED = `
  INSERT INTO sync_pending AS s (store_id, kind, row_id, version, deleted)
  SELECT $1::varchar, $2, i.row_id, $4::bigint, false FROM unnest($3::text[]) AS i (row_id) ORDER BY i.row_id
  ON CONFLICT (store_id, kind, row_id) DO UPDATE SET version = greatest(excluded.version, s.version + 1), sent_at = NULL`;

export const PENDING = `
  SELECT row_id AS "rowId", version::text, deleted FROM sync_pending
  WHERE store_id = $1 AND kind = $2 AND sent_at IS NULL ORDER BY version LIMIT ${MOST}`;

/** What has changed since it was read stays, and so does what somebody is changing: nobody waits here for a row while holding another. */
const SAME = `(
  SELECT p.row_id FROM sync_pending p JOIN unnest($3::text[], $4::bigint[]) AS i (row_id, version) USING (row_id, version)
  WHERE p.store_id = $1 AND p.kind = $2 FOR UPDATE OF p SKIP LOCKED) AS same
  WHERE s.store_id = $1 AND s.kind = $2 AND s.row_id = same.row_id`;
const SENT = `UPDATE sync_pending s SET sent_at = $5 FROM ${SAME} AND (s.deleted OR $6)`;
const CLEARED = `DELETE FROM sync_pending s USING ${SAME} AND NOT s.deleted`;
/** So long the version of a deleted row is known, for one that is made anew: until times of then are above it, also where it is of a clock that was ahead. */
const SWEPT = `DELETE FROM sync_pending WHERE store_id = $1 AND sent_at < $2 AND deleted
  AND version < extract(epoch FROM $2::timestamptz) * 1000`;

/** The job before the rows: whoever has locked it writes any of them, also one of another kind later, without waiting in a circle. */
const enqueue = async (queue: Queue, tx: Sql, storeId: string): Promise<void> => {
  await queue.enqueue(tx, 'chat.sync', { storeId }, { key: `chat:${storeId}` });
};

/** Notes rows without a version of their own, whether they changed or are gone, and enqueues the push. */
export const touch = async (
  tx: Sql,
  { storeId, at }: { readonly storeId: string; readonly at: Date },
  kind: CopiedKind,
  rowIds: readonly string[],
  queue = jobQueue(),
): Promise<void> => {
  if (rowIds.length === 0) return;
  await enqueue(queue, tx, storeId);
  await tx.later('copies touched', TOUCHED, [storeId, kind, [...new Set(rowIds)], at.getTime()]);
};

export interface CopiesParts {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined: there is no chat-backend; what has changed waits for one. */
  readonly chat: ChatSyncClient | undefined;
}

/**
 * chat-backend's copy of what it needs of a store's rows (design 5.6). Whoever changes such a row says so in the transaction of the
 * change; one job per store sends the rows as they stand when it runs and clears those that have not moved meanwhile. Pushes may be
 * late or repeated: chat-backend keeps the greatest version, so the last state arrives.
 */
export class ChatCopies {
  constructor(
    private readonly parts: CopiesParts,
    private readonly kinds: Partial<Readonly<Record<CopiedKind, CopiedRows>>>,
  ) {}

  /** Notes the changes, each with the version that the row has now, and enqueues the push. */
  async changed(tx: Sql, storeId: string, kind: CopiedKind, rows: readonly ChangedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const columns = [
      rows.map(({ rowId }) => rowId),
      rows.map(({ version }) => version),
      rows.map((row) => row.deleted === true),
    ];
    await enqueue(this.parts.queue, tx, storeId);
    await tx.later('copies changed', CHANGED, [storeId, kind, ...columns]);
  }

  /** `touch`, now. */
  touched(tx: Sql, storeId: string, kind: CopiedKind, rowIds: readonly string[]): Promise<void> {
    const { clock, queue } = this.parts;
    return touch(tx, { storeId, at: clock.now() }, kind, rowIds, queue);
  }

  /** The job of one store: what waits, kind by kind, as far as its turn reaches; the rest is another job behind those of others. */
  async push({ storeId }: CommerceJobs['chat.sync'], signal?: AbortSignal): Promise<void> {
    const { sql, queue, clock, chat } = this.parts;
    if (!chat) return;
    await sql.query(SWEPT, [storeId, new Date(clock.now().getTime() - DAY_MS)]);
    let left = PORTIONS_IN_A_ROW;
    for (const [kind, rows] of Object.entries(this.kinds) as [CopiedKind, CopiedRows][])
      while (!signal?.aborted && (await this.portion(chat, storeId, [kind, rows]))) {
        left -= 1;
        if (left === 0) return enqueue(queue, sql, storeId);
      }
    // What is left goes with the next run
    signal?.throwIfAborted();
  }

  /**
   * For whoever needs chat-backend to know first: sends what waits of this kind, and of those that it names, as the job will. Throws when
   * chat-backend does not take it.
   */
  async pushNow(storeId: string, kind: CopiedKind): Promise<void> {
    const { chat } = this.parts;
    if (!chat) return;
    for (const [each, rows] of Object.entries(this.kinds) as [CopiedKind, CopiedRows][]) {
      await this.portion(chat, storeId, [each, rows]);
      if (each === kind) return;
    }
  }

  /** The first of what waits; whether there was any. */
  private async portion(
    chat: ChatSyncClient,
    storeId: string,
    [kind, rows]: readonly [CopiedKind, CopiedRows],
  ): Promise<boolean> {
    const pending = await this.parts.sql.query<ChangedRow>(PENDING, [storeId, kind]);
    if (pending.length === 0) return false;
    await this.send(chat, kind, await this.outgoing(storeId, rows, pending));
    await this.clear(storeId, kind, pending, rows.versioned !== true);
    return true;
  }

  private async outgoing(storeId: string, rows: CopiedRows, pending: readonly ChangedRow[]): Promise<PushedRow[]> {
    const ids = pending.map(({ rowId }) => rowId);
    const standing = new Map(
      (await rows.standing(this.parts.sql, storeId, ids)).map(({ rowId, row }) => [rowId, row] as const),
    );
    return pending.map(({ rowId, version }) => ({
      ...(standing.get(rowId) ?? { ...rows.keys(rowId), deleted: true }),
      ...{ store_id: storeId, updated_at: Number(version) },
    }));
  }

  /** One that chat-backend will never take is told in the log, alone: nothing behind it waits. */
  private async send(chat: ChatSyncClient, kind: CopiedKind, rows: readonly PushedRow[]): Promise<void> {
    try {
      await chat.push({ [kind]: rows });
    } catch (failure) {
      if (!isRefused(failure)) throw failure;
      if (rows.length === 1) {
        this.parts.logger.error('chat-backend refuses a row', { kind, store: rows[0]?.store_id, error: failure });
        return;
      }
      const half = Math.ceil(rows.length / 2);
      await this.send(chat, kind, rows.slice(0, half));
      await this.send(chat, kind, rows.slice(half));
    }
  }

  private async clear(
    storeId: string,
    kind: CopiedKind,
    rows: readonly ChangedRow[],
    remembered: boolean,
  ): Promise<void> {
    const { sql, clock } = this.parts;
    const values = [storeId, kind, rows.map(({ rowId }) => rowId), rows.map(({ version }) => version)];
    await sql.query(SENT, [...values, clock.now(), remembered]);
    if (!remembered) await sql.query(CLEARED, values);
  }
}
