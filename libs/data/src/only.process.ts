import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '@platform/errors';
import type { Component, Logger, Sessions } from '@platform/runtime';
import type { Database, Sql } from './database.types';

export interface OnlyProcessOptions {
  readonly database: Pick<Database, 'aside'>;
  /** What there is to be only one of, in this database. */
  readonly of: string;
  /** Said to the second one, and by the first one when it has lost its place. */
  readonly refusal: string;
  readonly logger: Logger;
  /** A second one starts as well, is red in /health, and says so. */
  readonly optional?: boolean;
}

/** A process that was killed is noticed at once, one whose machine vanished within half a minute. */
const SESSION = {
  idle_session_timeout: '0',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};
const LOOK_MS = 10_000;
const TRIES = 20;
const PAUSE_MS = 100;

/** True: this session holds it, since before or from now on. It never holds anything else. */
const HOLD = `SELECT CASE
    WHEN EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) THEN true
    ELSE pg_try_advisory_lock(hashtextextended('only ' || $1, 0)) END AS held`;

/**
 * The only process of its kind on its database: by a lock on a connection of its own, which ends with the process. A second one
 * is refused at its start, or where that is optional waits for the place of the first. Who loses the connection asks for the lock again, and is red when somebody else has it by then.
 */
export class OnlyProcess implements Component {
  readonly name: string;
  readonly optional: boolean;
  readonly sessions: Sessions | undefined;
  private readonly session: Sql & Component;
  private timer: NodeJS.Timeout | undefined;
  private isHolder = false;

  constructor(private readonly options: OnlyProcessOptions) {
    this.name = `only ${options.of}`;
    this.optional = options.optional ?? false;
    this.session = options.database.aside({ name: this.name, poolSize: 1, settings: SESSION });
    this.sessions = this.session.sessions;
  }

  /** False before the start, after the stop, and when another process has taken over. */
  readonly isAlone = (): boolean => this.isHolder;

  async start(): Promise<void> {
    const { refusal, logger } = this.options;
    // The one before may be ending
    for (let tries = TRIES; tries > 0 && !(await this.hold()); tries--) await delay(PAUSE_MS);
    if (!this.isHolder && !this.optional) throw new Error(refusal);
    if (!this.isHolder) logger.warn(refusal);
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.isHolder = false;
    await this.session.stop?.();
  }

  check(): Promise<void> {
    return this.isHolder ? Promise.resolve() : Promise.reject(new Unavailable(this.options.refusal));
  }

  /** Also keeps the connection in use, as idle ones are closed. While the database is away nobody can take over. */
  async look(): Promise<void> {
    const { logger, refusal } = this.options;
    const before = this.isHolder;
    await this.hold().catch((cause: unknown) =>
      logger.warn('whether this is the only process cannot be seen', { cause }),
    );
    if (before && !this.isHolder) logger.error(refusal);
  }

  private async hold(): Promise<boolean> {
    const [row] = await this.session.query<{ held: boolean }>(HOLD, [this.options.of]);
    return (this.isHolder = row?.held === true);
  }
}

interface AloneParts extends Pick<OnlyProcessOptions, 'database' | 'logger'> {
  readonly name: string;
  readonly config: { readonly APP_ENV: string; readonly REDIS_URL: string };
}

/**
 * In production without Redis: what several processes of a service would not share is known to be off. During a roll-out there are two for a
 * while, so both serve (docs/adr/0194).
 */
export const aloneWithoutRedis = ({ config, database, name, logger }: AloneParts): readonly Component[] => {
  if (config.REDIS_URL !== '' || config.APP_ENV !== 'production') return [];
  const refusal = `Another process of ${name} works on this database. Without Redis each counts limits for itself, and an event of a socket reaches those of one process only: end the other one, or set REDIS_URL for all of them.`;
  return [new OnlyProcess({ database, of: `${name} without Redis`, refusal, logger, optional: true })];
};
