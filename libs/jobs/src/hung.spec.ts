// A worker that stands still for so long that its job is given to another, and then goes on as if nothing had been.
import { until, useOpened } from '@platform/testing';
import { jobsOf, newWork, SCHEMA, useJobs } from './jobs.fixture';

// Registered at its start and not heard of again
const { database, work, jobs } = useJobs({ heartbeat: { everySeconds: 3_600, silentSeconds: 1 } });
const opened = useOpened();

const waiting = () =>
  database.query<{ text: string; key: string | null }>(
    `SELECT payload->>'text' AS text, key FROM ${SCHEMA}._private_jobs WHERE locked_at IS NULL ORDER BY id`,
  );

/** Takes what others no longer do, and fails at it. */
const startFailing = async () => {
  const others = newWork();
  others.note = () => Promise.reject(new Error('nobody answers'));
  const other = opened(jobsOf(database, others, { heartbeat: { everySeconds: 0.2, silentSeconds: 1 } }));
  await other.start?.();
  return { others, other };
};

it('a worker that ends a job that was given to another ends nothing that was added under its key meanwhile', async () => {
  let end: (() => void) | undefined;
  work.note = () => new Promise((resolve) => (end = resolve));
  await jobs.start?.();
  await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'first' }, { key: 'k' }));
  await until(() => end !== undefined);
  const { others, other } = await startFailing();
  await until(() => others.attempts.length === 1);
  await until(async () => (await waiting()).length === 1);
  await other.stop?.();
  const runAt = new Date(Date.now() + 3_600_000);
  await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'second' }, { key: 'k', runAt }));
  end?.();
  await jobs.stop?.();
  expect([work.notes, await waiting()]).toEqual([['first'], [{ text: 'second', key: 'k' }]]);
});
