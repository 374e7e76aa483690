import type { Sql } from '@platform/data';
import { uuidv7, type Clock } from '@platform/runtime';
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

const USER_AGENT_LIMIT = 256;

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
        visitor?.userAgent?.slice(0, USER_AGENT_LIMIT) ?? null,
        this.clock.now(),
      ],
    );
  }
}
