import { join } from 'node:path';
import type { Database } from '@platform/data';
import { Sends, silentLogger } from '@platform/runtime';
import {
  standIn,
  startScript,
  useDatabase,
  useForEach,
  type RunningScript,
  type TestDatabase,
} from '@platform/testing';
import { openJobs } from './jobs';
import type { Cron, JobContext, Jobs, JobsOptions } from './jobs.types';

export const SCHEMA = 'shop_jobs';

/** `note` records its payload and has an inside effect; `slow` does what the test says and has an outside effect. */
export interface Payloads {
  note: { text: string; storeId?: string };
  slow: { text: string; storeId?: string };
}

export interface Work {
  notes: string[];
  attempts: number[];
  slow: (payload: Payloads['slow'], job: JobContext) => Promise<void>;
  note: (payload: Payloads['note'], job: JobContext) => Promise<void>;
}

export const newWork = (): Work => ({
  notes: [],
  attempts: [],
  slow: () => Promise.resolve(),
  note: () => Promise.resolve(),
});

const bothSchemas = async (database: Database): Promise<void> => {
  await database.query('CREATE SCHEMA IF NOT EXISTS shop');
  await database.query('CREATE TABLE shop.orders (id text PRIMARY KEY)');
  await jobsOf(database, newWork()).migrate();
};

/** A database for jobs, for the tests of the surrounding suite. */
export const useJobsDatabase = (): TestDatabase => useDatabase({ schema: 'shop', beside: bothSchemas });

export interface Settings extends Partial<JobsOptions<Payloads>> {
  /** Payload of `note`. */
  readonly cron?: readonly Cron[];
  readonly slowCron?: readonly Cron[];
}

export const jobsOf = (database: Database, work: Work, { cron, slowCron, ...more }: Settings = {}): Jobs<Payloads> =>
  openJobs<Payloads>({
    database,
    logger: silentLogger,
    schema: SCHEMA,
    tasks: {
      note: {
        effect: 'inside',
        cron,
        run: async (payload, job) => {
          work.attempts.push(job.attempt);
          await work.note(payload, job);
          work.notes.push(payload.text);
        },
      },
      slow: { effect: 'outside', cron: slowCron, run: (payload, job) => work.slow(payload, job) },
    },
    sends: new Sends(),
    pollSeconds: 0.1,
    stopSeconds: 2,
    ...more,
  });

export const clearJobs = (database: TestDatabase): Promise<unknown> =>
  database.query(`TRUNCATE ${SCHEMA}._private_jobs, ${SCHEMA}.worker_heartbeat, shop.orders`);

interface UsedJobs {
  readonly database: TestDatabase;
  /** New for every test, like the jobs. */
  readonly work: Work;
  readonly jobs: Jobs<Payloads>;
  /** Replaces `jobs` by others that are not started. */
  reopen(more?: Settings): void;
}

/** Jobs that are not started, with their tasks, for every test of the surrounding suite; no job outlives its test. */
export const useJobs = (settings: Settings = {}): UsedJobs => {
  const database = useJobsDatabase();
  const work = useForEach(newWork);
  let current: Jobs<Payloads> | undefined;
  const jobs = standIn(() => current);
  const reopen = (more: Settings = {}) => void (current = jobsOf(database, work, more));
  beforeEach(() => reopen(settings));
  afterEach(async () => {
    await jobs.stop?.();
    await clearJobs(database);
  });
  return { database, work, jobs, reopen };
};

/** A process that takes a job and never finishes it. */
export const startWorkChild = ({ settings }: TestDatabase, more: Record<string, string> = {}): RunningScript =>
  startScript(join(__dirname, 'work.child.ts'), { ...settings, ...more });
