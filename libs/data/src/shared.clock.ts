import type { Clock, Component, Logger } from '@platform/runtime';
import type { Sql } from './database.types';

const EVERY_MS = 5_000;
/** Below this the way to the database and back may be all of it; a clock that jumps about would be no better. */
const MOST_MS = 500;

/**
 * The time of the database, which all processes share: for what one process writes and another compares with its own time, such as how long
 * ago something was. It goes on by a clock that nobody sets, and is compared every few seconds; until the start it is the process's own.
 */
export class SharedClock implements Clock, Component {
  readonly name = 'clock';
  private base = Date.now();
  private readonly since = performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Pick<Sql, 'query'>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  readonly now = (): Date => new Date(this.base + performance.now() - this.since);

  async start(): Promise<void> {
    await this.compare();
    this.timer = setInterval(() => {
      this.compare().catch((cause: unknown) => this.logger.warn('the time of the database is not known', { cause }));
    }, EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
  }

  private async compare(): Promise<void> {
    const asked = performance.now();
    const sql = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';
    const [{ ms } = { ms: 0 }] = await this.database.query<{ ms: number }>(sql);
    const halfMs = (performance.now() - asked) / 2;
    const offMs = ms + halfMs - this.now().getTime();
    if (Math.abs(offMs) <= MOST_MS + halfMs) return;
    // By as much as is certain: of an answer that took long nobody knows when the time in it was told
    const surelyMs = offMs - Math.sign(offMs) * halfMs;
    this.base += surelyMs;
    this.logger.warn('the clock of this process is off: it goes by that of the database', {
      offMs: Math.round(surelyMs),
    });
  }
}
