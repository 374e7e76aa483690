import type { Database } from '@platform/data';
import type { Clock, Component, Logger } from '@platform/runtime';

const EVERY_MS = 10 * 60_000;
const HOUR = 3600_000;

/** Rows that nobody can need any more, and how long after `column` that is so. */
const EXPIRED = [
  { table: 'challenges', column: 'expires_at', keepMs: 0 },
  { table: 'preview_tokens', column: 'expires_at', keepMs: HOUR },
  // An expired token of an expired login still answers "ekspired" for a week
  { table: 'auth_sessions', column: 'expires_at', keepMs: 7 * 24 * HOUR },
  { table: 'verification_codes', column: 'expires_at', keepMs: HOUR },
  { table: 'events', column: 'created_at', keepMs: 25 * HOUR },
  { table: 'http_sessions', column: 'last_seen_at', keepMs: 7 * 24 * HOUR },
  // Locks double for a day: design 3.3
  { table: 'throttle', column: 'window_start', keepMs: 48 * HOUR },
] as const;

/** Deletes what has expired, every ten minutes; replicas may do it together. */
export class Housekeeping implements Component {
  readonly name = 'housekeeping';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  start(): Promise<void> {
    this.timer = setInterval(() => {
      this.sweep().catch((cause: unknown) => this.logger.warn('expired rows could not be deleted', { cause }));
    }, EVERY_MS).unref();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    clearInterval(this.timer);
    return Promise.resolve();
  }

  async sweep(): Promise<void> {
    const now = this.clock.now().getTime();
    for (const { table, column, keepMs } of EXPIRED)
      await this.database.query(`DELETE FROM ${table} WHERE ${column} < $1`, [new Date(now - keepMs)]);
  }
}
