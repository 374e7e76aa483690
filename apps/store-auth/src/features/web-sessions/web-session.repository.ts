import type { Database } from '@platform/data';

/** Values of one browser; none of them proves an identity. */
export interface BrowserValues {
  readonly email?: string;
  readonly referer?: string;
  readonly user_id?: string;
}

export interface SessionClock {
  readonly now: Date;
  /** A session has ended unless it was used after `idleSince` and begun after `begunSince`. */
  readonly idleSince: Date;
  readonly begunSince: Date;
}

const LIVE = 'id_hash = $1 AND last_seen_at > $3 AND created_at > $4';

/** Browser sessions by the SHA-256 of their cookie. */
export class WebSessionRepository {
  constructor(private readonly database: Database) {}

  /** The values of a session that has not ended; counts as a use of it. */
  async touch(idHash: string, { now, idleSince, begunSince }: SessionClock): Promise<BrowserValues | undefined> {
    const [row] = await this.database.prepared<{ data: BrowserValues }>(
      'web-session-touch',
      `UPDATE http_sessions SET last_seen_at = $2 WHERE ${LIVE} RETURNING data`,
      [idHash, now, idleSince, begunSince],
    );
    return row?.data;
  }

  /** Sets values, and removes those that are null. False when the session has ended. */
  async change(
    idHash: string,
    { now, idleSince, begunSince }: SessionClock,
    values: { readonly [K in keyof BrowserValues]?: string | null },
  ): Promise<boolean> {
    const rows = await this.database.prepared(
      'web-session-change',
      `UPDATE http_sessions SET data = jsonb_strip_nulls(data || $5::jsonb), last_seen_at = $2 WHERE ${LIVE} RETURNING 1`,
      [idHash, now, idleSince, begunSince, JSON.stringify(values)],
    );
    return rows.length > 0;
  }

  async insert(idHash: string, values: BrowserValues, now: Date): Promise<void> {
    await this.database.prepared(
      'web-session-insert',
      'INSERT INTO http_sessions (id_hash, data, created_at, last_seen_at) VALUES ($1, $2::jsonb, $3, $3)',
      [idHash, JSON.stringify(values), now],
    );
  }

  /** Replaces the id and sets values. Of two concurrent calls one gets true; false also when the session has ended. */
  async rename(
    idHash: string,
    { now, idleSince, begunSince }: SessionClock,
    { id, values }: { readonly id: string; readonly values: BrowserValues },
  ): Promise<boolean> {
    const rows = await this.database.prepared(
      'web-session-rename',
      `UPDATE http_sessions SET id_hash = $5, data = data || $6::jsonb, created_at = $2, last_seen_at = $2
       WHERE ${LIVE} RETURNING 1`,
      [idHash, now, idleSince, begunSince, id, JSON.stringify(values)],
    );
    return rows.length > 0;
  }
}
