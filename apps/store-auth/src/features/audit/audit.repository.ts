import type { Sql } from '@platform/data';
import { cut, uuidv7, type Clock } from '@platform/runtime';
import type { AuthEventType } from './auth-event.entity';

/** Where a request came from. */
export interface Visitor {
  readonly address: string;
  readonly userAgent?: string;
}

export interface AuditEntry {
  readonly type: AuthEventType;
  readonly userId?: string;
  readonly storeId?: string;
  readonly sidHash?: string;
  readonly visitor?: Visitor;
}

/** A stored entry as the history shows it. */
export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly user_id: string | null;
  readonly type: AuthEventType;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly sid_hash: string | null;
}

export interface AuditQuery {
  readonly storeId?: string;
  readonly userId?: string;
  /** Id of the last entry that was read. */
  readonly cursor?: string;
}

const USER_AGENT_LIMIT = 256;
const PAGE = 100;

/** The smallest id of that time or later (RFC 9562 5.7): the history has no other index by time. */
export const firstIdOf = (time: Date): string =>
  time
    .getTime()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-7000-8000-000000000000');

/** Ids are derived from the time, so their order is that of the events. */
export const auditPage = (column: 'store_id' | 'user_id'): string =>
  `SELECT id, at, user_id, type, ip, user_agent, sid_hash FROM auth_events
   WHERE ${column} = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT ${PAGE}`;

export const ENTRY_BEFORE = `
  SELECT at FROM auth_events WHERE user_id = $1 AND id >= $2::uuid AND type = $5 AND at > $3
  ORDER BY id DESC OFFSET $4 LIMIT 1`;

/** The audit trail `auth_events`. */
export class AuditRepository {
  constructor(private readonly clock: Clock) {}

  /** Written with `sql`: inside the caller's transaction when it is one. */
  async record(sql: Sql, { type, userId, storeId, sidHash, visitor }: AuditEntry): Promise<void> {
    await sql.prepared(
      'audit',
      `INSERT INTO auth_events (id, user_id, store_id, sid_hash, type, ip, user_agent, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        uuidv7(),
        userId ?? null,
        storeId ?? null,
        sidHash ?? null,
        type,
        visitor?.address ?? null,
        visitor?.userAgent ? cut(visitor.userAgent, USER_AGENT_LIMIT) : null,
        this.clock.now(),
      ],
    );
  }

  /** Whether the history, as far as it is kept, has such an entry of the user. */
  async knows(sql: Sql, userId: string, type: AuthEventType): Promise<boolean> {
    const statement = 'SELECT 1 FROM auth_events WHERE user_id = $1 AND type = $2 LIMIT 1';
    return (await sql.prepared('audit-knows', statement, [userId, type])).length > 0;
  }

  /** When the user did this for the last time but `count - 1`; undefined when that was before `since`. */
  async entryBefore(
    sql: Sql,
    { userId, type }: { userId: string; type: AuthEventType },
    { count, since }: { count: number; since: Date },
  ): Promise<Date | undefined> {
    const [row] = await sql.prepared<{ at: Date }>('entry-before', ENTRY_BEFORE, [
      userId,
      firstIdOf(since),
      since,
      count - 1,
      type,
    ]);
    return row?.at;
  }

  /** The history of a user, or of a store; newest first. */
  async page(sql: Sql, { storeId, userId, cursor }: AuditQuery): Promise<{ entries: AuditRow[]; next: string | null }> {
    const [statement, key] = userId === undefined ? [auditPage('store_id'), storeId] : [auditPage('user_id'), userId];
    const entries = await sql.query<AuditRow>(statement, [key, cursor ?? null]);
    return { entries, next: entries.length === PAGE ? (entries.at(-1)?.id ?? null) : null };
  }
}
