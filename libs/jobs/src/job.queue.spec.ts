import type { Sql } from '@platform/data';
import { openJobQueue } from './job.queue';
import type { Payloads } from './jobs.fixture';

const queue = openJobQueue<Payloads>('shop_jobs');
/** Answers one id after the other; null: a worker is just taking the job with this key. */
const answering = (...ids: (string | null)[]) => {
  const names: string[] = [];
  const prepared = (name: string) => (names.push(name), Promise.resolve([{ id: ids.shift() }]));
  return { names, tx: { prepared } as unknown as Sql };
};

it('a job whose key a worker is just taking is added at the second try', async () => {
  const { tx, names } = answering(null, '7');
  expect(await queue.enqueue(tx, 'note', { text: 'a' }, { key: 'k' })).toBe('7');
  expect(names).toEqual(['shop_jobs add_job', 'shop_jobs add_job']);
});

it('a job that cannot be added at all is refused, naming its key', async () => {
  const { tx } = answering(null, null);
  await expect(queue.enqueue(tx, 'note', { text: 'a' }, { key: 'k' })).rejects.toThrow(
    new Error('The job note was not added: the job with the key k is being taken at this very moment.'),
  );
});

it('a job is added by one statement when no worker takes it, and a dead one by its own statement', async () => {
  const { tx, names } = answering('7', '8');
  expect(await queue.enqueue(tx, 'note', { text: 'a' })).toBe('7');
  expect(await queue.bury(tx, 'note', { text: 'a' }, 'no')).toBe('8');
  expect(names).toEqual(['shop_jobs add_job', 'shop_jobs bury']);
});

it('an expression has the given values, and the defaults of `enqueue` otherwise', () => {
  expect(queue.expression('note', { payload: 'p' })).toBe(
    `shop_jobs.add_job('note', payload => (p)::json, run_at => NULL, max_attempts => 10, job_key => NULL, job_key_mode => 'replace')`,
  );
  expect(
    queue.expression(`it's` as 'note', {
      payload: 'p',
      key: 'k',
      runAt: 'now()',
      maxAttempts: 3,
      mode: 'preserve_run_at',
    }),
  ).toBe(
    `shop_jobs.add_job('it''s', payload => (p)::json, run_at => now(), max_attempts => 3, job_key => k, job_key_mode => 'preserve_run_at')`,
  );
});

it.each(['a; drop', 'Jobs', 'x jobs', '1st', ''])('a schema that is not a plain name is refused: %j', (schema) =>
  expect(() => openJobQueue(schema)).toThrow(
    new Error(`The jobs schema "${schema}" is not a plain lower case name: letters, digits and underscores only.`),
  ),
);
