// A job that runs while a newer one is added under its key.
import type { Transaction } from '@platform/data';
import { until } from '@platform/testing';
import { putBack } from './job.ledger';
import { SCHEMA, useJobs } from './jobs.fixture';

const { database, work, jobs } = useJobs();

const add = (text: string, options = {}) => database.tx((tx) => jobs.enqueue(tx, 'note', { text }, options));
/** Adds the newer one, in a transaction that goes on. */
const addWithin = async (tx: Transaction): Promise<void> => {
  await jobs.enqueue(tx, 'note', { text: 'second' }, { key: 'k' });
  await tx.query('SELECT 1', []); // nobody waits for what is added: it goes with the next statement
};
const waiting = () => database.query(`SELECT payload, key FROM ${SCHEMA}._private_jobs ORDER BY id`);

/** Resolves when the first job runs, to what makes it fail. */
const firstRuns = (): Promise<() => void> =>
  new Promise((runs) => {
    work.note = ({ text }) =>
      text === 'first' ? new Promise((_, fail) => runs(() => fail(new Error('nobody answers')))) : Promise.resolve();
  });

/** Until somebody waits for a row that another transaction has. */
const somebodyWaits = () =>
  until(async () => {
    const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await database.query(waits)).length > 0;
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

it('a job that fails while a newer one is being added is no dead one', async () => {
  const runs = firstRuns();
  await jobs.start?.();
  await add('first', { key: 'k' });
  const fail = await runs;
  await database.tx(async (tx) => {
    await addWithin(tx);
    fail();
    await somebodyWaits();
  });
  await until(async () => (await waiting()).length === 0);
  expect(work.notes).toEqual(['second']);
});

it('a job that nobody overtook is dead after its last attempt, with a key and without one', async () => {
  work.note = () => Promise.reject(new Error('nobody answers'));
  await jobs.start?.();
  await add('a', { key: 'k', maxAttempts: 1 });
  await add('b', { maxAttempts: 1 });
  await until(async () => (await jobs.backlog()).dead === 2);
});

it.each([
  [
    'whose process is killed then',
    `UPDATE ${SCHEMA}._private_jobs SET id = DEFAULT, locked_at = NULL, locked_by = NULL WHERE locked_by = 'w1'`,
  ],
  [
    'that is just about to be reported failed',
    `UPDATE ${SCHEMA}._private_jobs SET last_error = 'nobody answers', run_at = now() + interval '1 hour', locked_at = NULL, locked_by = NULL WHERE locked_by = 'w1'`,
  ],
])('an overtaken job %s is no dead one, and gone', async (_, end) => {
  await add('first', { key: 'k' });
  await database.query(`UPDATE ${SCHEMA}._private_jobs SET locked_by = 'w1', locked_at = now(), attempts = 1`);
  await add('second', { key: 'k' });
  expect(await waiting()).toHaveLength(2);
  await database.query(end);
  expect([await waiting(), (await jobs.backlog()).dead]).toEqual([[{ payload: { text: 'second' }, key: 'k' }], 0]);
});

it('a job that was dead before a newer one came under its key stays to be looked at', async () => {
  await add('first', { key: 'k' });
  await database.query(`UPDATE ${SCHEMA}._private_jobs SET attempts = max_attempts`);
  await add('second', { key: 'k' });
  expect((await jobs.backlog()).dead).toBe(1);
});

it('a job that is overtaken before it begins does not go back to where it waited', async () => {
  await add('first', { key: 'k' });
  await database.query(`UPDATE ${SCHEMA}._private_jobs SET locked_by = 'w1', locked_at = now(), attempts = 1`);
  const rows = `SELECT id, locked_by, key FROM ${SCHEMA}._private_jobs`;
  const [job] = (await database.query(rows)) as [{ id: string; locked_by: string; key: string }];
  const back = await database.tx(async (tx) => {
    await addWithin(tx);
    const going = putBack(database, SCHEMA, job);
    await somebodyWaits();
    return { going };
  });
  await back.going;
  expect(await waiting()).toEqual([{ payload: { text: 'second' }, key: 'k' }]);
});
