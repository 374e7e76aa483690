import { openJobQueue } from './job.queue';
import type { Payloads } from './jobs.fixture';

const queue = openJobQueue<Payloads>('shop_jobs');
it('an expression has the given values, and the defaults of `enqueue` otherwise', () => {
  expect(queue.expression('note', { payload: 'p' })).toBe(
    `shop_jobs.surely_add('note', payload => (p)::json, run_at => NULL, max_attempts => 10, job_key => NULL, job_key_mode => 'replace')`,
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
    `shop_jobs.surely_add('it''s', payload => (p)::json, run_at => now(), max_attempts => 3, job_key => k, job_key_mode => 'preserve_run_at')`,
  );
});

it.each(['a; drop', 'Jobs', 'x jobs', '1st', ''])('a schema that is not a plain name is refused: %j', (schema) =>
  expect(() => openJobQueue(schema)).toThrow(
    new Error(`The jobs schema "${schema}" is not a plain lower case name: letters, digits and underscores only.`),
  ),
);
