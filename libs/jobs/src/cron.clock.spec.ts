// A process whose clock is ahead for a while, and is set right again.
import { until, useForEach, useOpened } from '@platform/testing';
import { clearJobs, jobsOf, newWork, SCHEMA, useJobsDatabase } from './jobs.fixture';

const HOUR_MS = 3_600_000;
const database = useJobsDatabase();
const opened = useOpened();
const work = useForEach(newWork);

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
  const jobs = opened(jobsOf(database, work, { cron: [{ pattern: '* * * * *', payload: { text: 'tick' } }] }));
  await jobs.start?.();
  return jobs;
};

/** So far ahead that there are so many milliseconds until its next minute: less than a minute, and what is asked for besides. */
const beforeMinute = (leftMs: number): number => 60_000 - leftMs - (realNow() % 60_000);

/** How often the cron has been run. */
const ticks = (): number => work.notes.length;

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
  work.notes.length = 0;
  await aMinuteLater();
  aheadMs = beforeMinute(500);
  await started();
  await until(ticks);
});

it('a process whose clock is set back goes on with its cron at once', async () => {
  aheadMs = beforeMinute(2_000);
  await started();
  await until(() => waits >= 1);
  aheadMs -= HOUR_MS;
  // Its time has come by the clock before
  await until(() => waits >= 2);
  aheadMs = beforeMinute(500);
  await until(ticks);
});

it('a process that is ahead of the database runs what its cron adds at once, not when that has the same time', async () => {
  aheadMs = beforeMinute(500);
  await started();
  const added = `SELECT run_at > now() AS late FROM ${SCHEMA}._private_jobs`;
  const [job] = await until(
    () => database.query<{ late: boolean }>(added),
    (rows) => ticks() + rows.length > 0,
  );
  expect(job?.late ?? false).toBe(false);
});

it('what was remembered for a time to come is forgotten at the next start', async () => {
  aheadMs = beforeMinute(500);
  const first = await started();
  await until(ticks);
  await first.stop?.();
  await clearJobs(database);
  work.notes.length = 0;
  await database.query(
    `UPDATE ${SCHEMA}._private_known_crontabs SET known_since = now() + interval '1 day', last_execution = now() + interval '1 day'`,
  );
  aheadMs = beforeMinute(500);
  await started();
  await until(ticks);
});
