import type { Database } from '@platform/data';
import type { Clock, Component, Logger } from '@platform/runtime';

const EVERY_MS = 10 * 60_000;
const HOUR = 3600_000;
const DAY = 24 * HOUR;
/** Few enough that a statement stays short, even where it deletes rows of other tables by cascade. */
const STEP = 1000;

interface Expiry {
  readonly table: string;
  readonly column: string;
  /** How long after `column` the row may still be needed. */
  readonly keepMs: number;
}

const EXPIRED: readonly Expiry[] = [
  { table: 'challenges', column: 'expires_at', keepMs: 0 },
  { table: 'preview_tokens', column: 'expires_at', keepMs: HOUR },
  // An expired token of an expired login still answers "ekspired" for a week
  { table: 'auth_sessions', column: 'expires_at', keepMs: 7 * DAY },
  { table: 'verification_codes', column: 'expires_at', keepMs: HOUR },
  { table: 'events', column: 'created_at', keepMs: 25 * HOUR },
  // Browser sessions end after a day without use
  { table: 'http_sessions', column: 'last_seen_at', keepMs: DAY },
  // Locks double for a day: design 3.3
  { table: 'throttle', column: 'window_start', keepMs: 48 * HOUR },
];

export interface HousekeepingOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Days that the login history is kept. */
  readonly auditDays: number;
}

/** The smallest id of that time or later (RFC 9562 5.7): the history has no other index by time. */
const firstIdOf = (time: Date): string =>
  time
    .getTime()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-7000-8000-000000000000');

/** Deletes expired rows every ten minutes; replicas may do it concurrently. */
export class Housekeeping implements Component {
  readonly name = 'housekeeping';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly options: HousekeepingOptions,
  ) {}

  start(): Promise<void> {
    this.timer = setInterval(() => {
      this.sweep().catch((cause: unknown) => this.options.logger.warn('expired rows could not be deleted', { cause }));
    }, EVERY_MS).unref();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    clearInterval(this.timer);
    return Promise.resolve();
  }

  async sweep(): Promise<void> {
    const { clock, auditDays } = this.options;
    const now = clock.now().getTime();
    for (const { table, column, keepMs } of EXPIRED) await this.clear(table, column, new Date(now - keepMs));
    await this.clear('auth_events', 'id', firstIdOf(new Date(now - auditDays * DAY)));
  }

  /** Deletes in batches until nothing is left before `end`. */
  private async clear(table: string, column: string, end: Date | string): Promise<void> {
    const statement = `WITH gone AS (
        DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${table} WHERE ${column} < $1 LIMIT ${STEP} FOR UPDATE SKIP LOCKED)) RETURNING 1)
      SELECT count(*)::int AS deleted FROM gone`;
    for (let deleted = STEP; deleted === STEP;) {
      const [row] = await this.database.query<{ deleted: number }>(statement, [end]);
      deleted = row?.deleted ?? 0;
    }
  }
}
