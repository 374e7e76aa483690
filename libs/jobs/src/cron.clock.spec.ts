// A process whose clock is ahead for a while, and is set right again.
import { until, useOpened } from '@platform/testing';
import { clearJobs, jobsOf, newWork, SCHEMA, useJobsDatabase } from './jobs.fixture';

const HOUR_MS = 3_600_000;
const database = useJobsDatabase();
const opened = useOpened();

const realNow = Date.now.bind(Date);
let aheadMs = 0;
/** How often cron has asked how long it is to wait. */
let waits = 0;

const toldNow = (): number => {
  waits += Number(new Error().stack?.includes('scheduleNextLoop') ?? false);
  return realNow() + aheadMs;
};

beforeEach(async () => {
  [aheadMs, waits] = [0, 0];
  jest.spyOn(Date, 'now').mockImplementation(toldNow);
  await database.query(`TRUNCATE ${SCHEMA}._private_jobs, ${SCHEMA}._private_known_crontabs`);
});

afterEach(() => jest.restoreAllMocks());

/** A process of its own that ticks every minute. */
const started = async () => {
  const jobs = opened(jobsOf(database, newWork(), { cron: [{ pattern: '* * * * *', payload: { text: 'tick' } }] }));
  await jobs.start?.();
  return jobs;
};

/** So far ahead that there are so many milliseconds until its next minute: less than a minute, and what is asked for besides. */
const beforeMinute = (leftMs: number): number => 60_000 - leftMs - (realNow() % 60_000);

const added = async (): Promise<number> =>
  (await database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${SCHEMA}._private_jobs`))[0]?.n ?? 0;

/** As if a minute had passed since cron ran. */
const aMinuteLater = () =>
  database.query(`UPDATE ${SCHEMA}._private_known_crontabs SET last_execution = last_execution - interval '1 minute'`);

it('a process that was an hour ahead for a moment keeps no other one from its cron', async () => {
  aheadMs = HOUR_MS;
  const fast = await started();
  // It has caught up with all the minutes of its hour
  await until(() => waits > 60);
  await fast.stop?.();
  const silent = `SELECT 1 FROM ${SCHEMA}._private_known_crontabs WHERE last_execution > now() + interval '1 minute'`;
  expect(await database.query(silent)).toEqual([]);
  await clearJobs(database);
  await aMinuteLater();
  aheadMs = beforeMinute(500);
  await started();
  await until(async () => (await added()) === 1);
});

it('a process whose clock is set back goes on with its cron at once', async () => {
  aheadMs = beforeMinute(2_000);
  await started();
  await until(() => waits === 1);
  aheadMs -= HOUR_MS;
  // Its time has come by the clock before
  await until(() => waits === 2);
  aheadMs = beforeMinute(500);
  await until(async () => (await added()) === 1);
});

it('what was remembered for a time to come is forgotten at the next start', async () => {
  aheadMs = beforeMinute(500);
  const first = await started();
  await until(async () => (await added()) === 1);
  await first.stop?.();
  await clearJobs(database);
  await database.query(
    `UPDATE ${SCHEMA}._private_known_crontabs SET known_since = now() + interval '1 day', last_execution = now() + interval '1 day'`,
  );
  aheadMs = beforeMinute(500);
  await started();
  await until(async () => (await added()) === 1);
});
