// A job that runs while a newer one is added under its key.
import { until } from '@platform/testing';
import { putBack } from './job.ledger';
import { SCHEMA, useJobs } from './jobs.fixture';

const { database, work, jobs } = useJobs();

const add = (text: string, options = {}) => database.tx((tx) => jobs.enqueue(tx, 'note', { text }, options));
const waiting = () => database.query(`SELECT payload, key FROM ${SCHEMA}._private_jobs ORDER BY id`);

/** Resolves when the first job runs, to what makes it fail. */
const firstRuns = (): Promise<() => void> =>
  new Promise((runs) => {
    work.note = ({ text }) =>
      text === 'first' ? new Promise((_, fail) => runs(() => fail(new Error('nobody answers')))) : Promise.resolve();
  });

it('a job that was overtaken and fails is no dead one: the newer does what it was to do', async () => {
  const runs = firstRuns();
  await jobs.start?.();
  await add('first', { key: 'k' });
  const fail = await runs;
  await add('second', { key: 'k' });
  await until(() => work.notes.length === 1);
  fail();
  await until(async () => (await waiting()).length === 0);
  expect([work.notes, work.attempts]).toEqual([['second'], [1, 1]]);
});

it('a job that nobody overtook is dead after its last attempt, with a key and without one', async () => {
  work.note = () => Promise.reject(new Error('nobody answers'));
  await jobs.start?.();
  await add('a', { key: 'k', maxAttempts: 1 });
  await add('b', { maxAttempts: 1 });
  await until(async () => (await jobs.backlog()).dead === 2);
});

it('a job that was overtaken before it began does not go back to where it waited', async () => {
  await add('first', { key: 'k' });
  const take = `UPDATE ${SCHEMA}._private_jobs SET locked_by = 'w1', locked_at = now(), attempts = 1`;
  await database.query(take);
  const [job] = await database.query<{ id: string; locked_by: string; key: string }>(
    `SELECT id, locked_by, key FROM ${SCHEMA}._private_jobs`,
  );
  if (!job) throw new Error('there is no job');
  await add('second', { key: 'k' });
  await putBack(database, SCHEMA, job);
  expect(await waiting()).toEqual([{ payload: { text: 'second' }, key: 'k' }]);
});
