import type { Database } from '@platform/data';

/** SQL expression that has the runners of all processes on this schema look for jobs. */
export const wakeEverybody = (schema: string): string => `pg_notify('${schema}', '')`;

/**
 * What tells of a job that may be taken now: its task, and its id so that PostgreSQL keeps one notification for each of several
 * in a transaction. graphile-worker's own channel is one for all schemas of a database and names no task.
 */
export const wakeTrigger = (schema: string): string => `
  CREATE OR REPLACE FUNCTION ${schema}.wake() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_notify('${schema}', NEW.id || ' ' || (SELECT identifier FROM ${schema}._private_tasks WHERE id = NEW.task_id));
    RETURN NULL;
  END $$;
  CREATE TRIGGER wake AFTER INSERT OR UPDATE OF revision ON ${schema}._private_jobs
    FOR EACH ROW WHEN (NEW.run_at <= clock_timestamp()) EXECUTE FUNCTION ${schema}.wake()`;

/** A runner, as far as it is woken. */
export interface Sleeper {
  does(task: string): boolean;
  /** One of its free places looks for a job. */
  wake(): void;
}

/** A transaction that adds a job may commit so long after the job is due. */
const LATE = '10 seconds';

/** Tasks of jobs that are due since the look at $1, and when this look was; the first one finds none, as every runner looks at its start. */
const due = (schema: string): string => `
  SELECT now()::text AS at, ARRAY(
    SELECT DISTINCT t.identifier FROM ${schema}._private_jobs j JOIN ${schema}._private_tasks t ON t.id = j.task_id
    WHERE j.is_available AND j.run_at > $1::timestamptz - interval '${LATE}' AND j.run_at <= now()) AS tasks`;

/**
 * Wakes the runners of a process: listens on one session, where a new job wakes only the one that has its task, and looks for jobs
 * whose time has come with one statement for all of them.
 */
export class Wakeups {
  private end: (() => Promise<void>) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  /** When the last look was, by the clock of the database. */
  private since: string | null = null;

  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly runners: readonly Sleeper[],
    private readonly pollSeconds: number,
  ) {}

  async start(): Promise<void> {
    this.end = await this.database.listen(this.schema, (payload) => this.heard(payload));
    this.timer = setInterval(() => this.tick(), this.pollSeconds * 1000);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
    await this.end?.();
    this.end = undefined;
  }

  /** A look that fails says nothing: the next one sees what it missed, and runners tell when the database is away. */
  private tick(): void {
    this.looking ??= this.look()
      .catch(() => undefined)
      .finally(() => (this.looking = undefined));
  }

  private async look(): Promise<void> {
    const rows = await this.database.query<{ at: string; tasks: string[] }>(due(this.schema), [this.since]);
    const [{ at, tasks }] = rows as [(typeof rows)[number]];
    this.since = at;
    for (const task of tasks) this.wake(task);
  }

  private heard(payload: string): void {
    this.wake(payload.slice(payload.indexOf(' ') + 1));
  }

  /** All of them without a task. */
  private wake(task: string): void {
    for (const runner of this.runners) if (task === '' || runner.does(task)) runner.wake();
  }
}
