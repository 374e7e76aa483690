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

/** Listens for all runners of a process on one session; a new job wakes only the one that has its task. */
export class Wakeups {
  private end: (() => Promise<void>) | undefined;

  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly runners: readonly Sleeper[],
  ) {}

  async start(): Promise<void> {
    this.end = await this.database.listen(this.schema, (payload) => this.heard(payload));
  }

  async stop(): Promise<void> {
    await this.end?.();
    this.end = undefined;
  }

  private heard(payload: string): void {
    const task = payload.slice(payload.indexOf(' ') + 1);
    for (const runner of this.runners) if (task === '' || runner.does(task)) runner.wake();
  }
}
