// A job that is added under the key of one that a worker is just taking.
import type { Sql } from '@platform/data';
import { until, untilWaiting } from '@platform/testing';
import { openJobQueue } from './job.queue';
import { SCHEMA, useJobs, type Payloads } from './jobs.fixture';

const { database, jobs, work } = useJobs();
const queue = openJobQueue<Payloads>(SCHEMA);

const added = `SELECT (${queue.expression('note', { payload: `'{"text":"second"}'`, key: `'k'` })}).id`;

it.each<[string, (sql: Sql) => Promise<unknown>]>([
  ['by a call', (sql) => jobs.enqueue(sql, 'note', { text: 'second' }, { key: 'k' })],
  ['within a statement', (sql) => sql.query(added)],
])('is added %s, and runs after it', async (_, add) => {
  await jobs.enqueue(database, 'note', { text: 'first' }, { key: 'k' });
  const adding = await database.tx(async (worker) => {
    await worker.query(`UPDATE ${SCHEMA}._private_jobs SET locked_by = 'w1', locked_at = now(), attempts = 1`);
    const second = add(database);
    await untilWaiting(worker, second);
    return { second };
  });
  await adding.second;
  expect(await database.query(`SELECT payload->>'text' AS text, key FROM ${SCHEMA}._private_jobs ORDER BY id`)).toEqual(
    [
      { text: 'first', key: null },
      { text: 'second', key: 'k' },
    ],
  );
});

it.each([
  ['U+0000', 'a\u0000b'],
  ['half of an emoji', '\ud83d'],
])('is added and runs when its payload holds %s, too, of which PostgreSQL makes no text', async (_, text) => {
  await jobs.enqueue(database, 'note', { text, storeId: 's1' });
  await jobs.start?.();
  expect(
    await until(
      () => work.notes,
      ({ length }) => length > 0,
    ),
  ).toEqual([text]);
});

it('that cannot be added at all is refused, naming its key', async () => {
  await database.query(
    `CREATE FUNCTION ${SCHEMA}.nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
  );
  await database.query(
    `CREATE TRIGGER nothing BEFORE INSERT ON ${SCHEMA}._private_jobs FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.nothing()`,
  );
  await expect(jobs.enqueue(database, 'note', { text: 'a' }, { key: 'k' })).rejects.toThrow(
    'The job note was not added: the job with the key k is being taken at this very moment.',
  );
});
