import type { Clock, Component, Logger } from '@platform/runtime';
import { isAstray } from './astray';
import type { Sql } from './database.types';

const EVERY_MS = 10 * 60_000;
/** Few enough that a statement stays short, even where it deletes rows of other tables by cascade. */
const STEP = 1000;

/** Rows of a table that nobody needs any more, or one column of them. `column` leads an index. */
export interface Expiry {
  readonly table: string;
  /** This column alone is emptied, and the row stays. */
  readonly clears?: string;
  readonly column: string;
  /** How long after the time in `column` the row may still be needed. */
  readonly keepMs: number;
  /** The value of `column` that stands for a time; the time itself when left out. */
  readonly at?: (time: Date) => string;
}

export interface HousekeepingOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly expired: readonly Expiry[];
}

/** Deletes what has expired every ten minutes; replicas may do it concurrently. */
export class Housekeeping implements Component {
  readonly name = 'housekeeping';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Sql,
    private readonly options: HousekeepingOptions,
  ) {}

  start(): Promise<void> {
    this.timer = setInterval(() => {
      this.sweepInTime().catch((cause: unknown) =>
        this.options.logger.warn('expired rows could not be deleted', { cause }),
      );
    }, EVERY_MS).unref();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    clearInterval(this.timer);
    return Promise.resolve();
  }

  private async sweepInTime(): Promise<void> {
    if (!(await isAstray(this.database, this.options))) await this.sweep();
  }

  /** Deletes what has expired by now. A table that cannot be swept keeps no other one from it; throws the first failure then. */
  async sweep(): Promise<void> {
    const now = this.options.clock.now().getTime();
    const failures: unknown[] = [];
    for (const { keepMs, at, ...rows } of this.options.expired) {
      const end = new Date(now - keepMs);
      await this.clear(rows, at ? at(end) : end).catch((cause: unknown) => failures.push(cause));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Deletes in batches until nothing is left before `end`. */
  private async clear(
    { table, column, clears }: Pick<Expiry, 'table' | 'column' | 'clears'>,
    end: Date | string,
  ): Promise<void> {
    const [go, due] = clears
      ? [`UPDATE ${table} SET ${clears} = NULL`, `${clears} IS NOT NULL AND`]
      : [`DELETE FROM ${table}`, ''];
    const statement = `WITH gone AS (
        ${go} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${table} WHERE ${due} ${column} < $1 ORDER BY ${column} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)) RETURNING 1)
      SELECT count(*)::int AS deleted FROM gone`;
    for (let deleted = STEP; deleted === STEP;) {
      const [row] = await this.database.query<{ deleted: number }>(statement, [end]);
      deleted = row?.deleted ?? 0;
    }
  }
}
