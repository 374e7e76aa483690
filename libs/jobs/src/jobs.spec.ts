import { requestContext, runInContext, Sends, silentLogger, type Logger } from '@platform/runtime';
import { testDatabase, until } from '@platform/testing';
import { openJobs } from './jobs';
import { jobsOf, SCHEMA, useJobs, type Payloads } from './jobs.fixture';
import { openJobQueue } from './job.queue';
import type { JobContext } from './jobs.types';

const { database, work, jobs, reopen } = useJobs();

const add = (text: string, options = {}) => database.tx((tx) => jobs.enqueue(tx, 'note', { text }, options));
const noted = (count: number) =>
  until(
    () => work.notes,
    (notes) => notes.length >= count,
  );
const waiting = () => database.query(`SELECT payload, key FROM ${SCHEMA}._private_jobs ORDER BY id`);

describe('enqueueing a job (enqueue)', () => {
  it('a job runs once its transaction has committed, woken by the notification', async () => {
    reopen({ pollSeconds: 3_600 });
    await jobs.start?.();
    await add('hello');
    await noted(1);
    expect(work.notes).toEqual(['hello']);
    await until(
      () => jobs.backlog(),
      ({ ready }) => ready === 0,
    );
  });

  it('a job of a transaction that was rolled back does not run', async () => {
    const failed = database.tx(async (tx) => {
      await jobs.enqueue(tx, 'note', { text: 'undone' });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await waiting()).toEqual([]);
  });

  it('a job runs in the trace of the request that left it, and so do the jobs that it leaves', async () => {
    const traceId = 'a'.repeat(32);
    const seen: unknown[] = [];
    work.slow = async () => void seen.push(requestContext()?.traceId);
    work.note = async ({ text }) => {
      const { requestId, ...rest } = requestContext() ?? {};
      seen.push({ ...rest, isJob: /^job-\d+$/.test(requestId ?? '') });
      await database.tx((tx) => jobs.enqueue(tx, 'slow', { text }));
    };
    await jobs.start?.();
    await runInContext({ requestId: 'r', traceId }, () => add('traced'));
    await until(
      () => seen,
      ({ length }) => length === 2,
    );
    expect(seen).toEqual([{ traceId, isJob: true }, traceId]);
  });

  it('enqueue keeps one waiting job per key: the newer payload replaces the older', async () => {
    const first = await add('old', { key: 'k' });
    expect(await add('new', { key: 'k' })).toBe(first);
    await add('other');
    expect(await waiting()).toEqual([
      { payload: { text: 'new' }, key: 'k' },
      { payload: { text: 'other' }, key: null },
    ]);
  });

  it('enqueue keeps the planned time of a debounced job, and leaves a deduplicated one unchanged', async () => {
    const runAt = new Date('2999-01-01T00:00:00Z');
    await add('first', { key: 'k', runAt });
    await add('second', { key: 'k', mode: 'preserve_run_at' });
    await add('third', { key: 'k', mode: 'unsafe_dedupe' });
    expect(await database.query(`SELECT payload, run_at FROM ${SCHEMA}._private_jobs`)).toEqual([
      { payload: { text: 'second' }, run_at: runAt },
    ]);
  });

  it('enqueue works inside a statement of the caller and without workers', async () => {
    const queue = openJobQueue<Payloads>(SCHEMA);
    const call = queue.expression('note', {
      payload: `jsonb_build_object('text', added.id)`,
      key: `'order ' || added.id`,
      maxAttempts: 3,
    });
    const [answer] = await database.query<{ id: string }>(
      `WITH added AS (INSERT INTO shop.orders VALUES ($1) RETURNING id) SELECT (${call}).id FROM added`,
      ["o'1"],
    );
    expect(await database.query(`SELECT id, payload, key, max_attempts FROM ${SCHEMA}._private_jobs`)).toEqual([
      { id: answer?.id, payload: { text: "o'1" }, key: "order o'1", max_attempts: 3 },
    ]);
    await jobs.start?.();
    expect(await noted(1)).toEqual(["o'1"]);
  });

  it('a job knows its id and its attempts, and has its own log', async () => {
    const fields: unknown[] = [];
    const logger: Logger = { ...silentLogger, child: (more) => (fields.push(more), logger) };
    reopen({ logger });
    let known: JobContext | undefined;
    work.note = async (_, job) => void (known = job);
    await jobs.start?.();
    await add('a', { maxAttempts: 3 });
    await noted(1);
    const id = expect.stringMatching(/^\d+$/) as string;
    expect(known).toStrictEqual({ id, attempt: 1, maxAttempts: 3, signal: expect.any(AbortSignal), logger });
    expect(fields).toEqual([{ jobs: 'shop_jobs' }, { job: id, task: 'note' }]);
  });
});

describe('failing jobs', () => {
  it('a failing job runs again as its next attempt and is gone after its success', async () => {
    work.note = ({ text }, { attempt }) =>
      attempt === 1 ? Promise.reject(new Error(`${text} failed`)) : Promise.resolve();
    await jobs.start?.();
    await add('a');
    await until(
      () => database.query(`SELECT last_error FROM ${SCHEMA}.jobs`),
      ([job]) => job?.last_error === 'a failed',
    );
    await database.query(`UPDATE ${SCHEMA}._private_jobs SET run_at = now()`); // the pause after the first attempt is over
    await noted(1);
    expect(work.attempts).toEqual([1, 2]);
  });

  it('a job that is given up is dead at once and does not run before a replay', async () => {
    await jobs.start?.();
    const id = await database.tx((tx) => jobs.bury(tx, 'note', { text: 'given up' }, 'nobody answers'));
    await add('other');
    expect(await noted(1)).toEqual(['other']);
    expect(await jobs.dead()).toEqual([
      {
        id,
        task: 'note',
        attempts: 10,
        error: 'nobody answers',
        key: null,
        createdAt: expect.any(Date),
      },
    ]);
    expect(await jobs.replay(id)).toBe(true);
    expect(await noted(2)).toEqual(['other', 'given up']);
  });

  it('a job is dead after its last attempt, is listed, and runs with fresh attempts after a replay', async () => {
    work.note = () => Promise.reject(new Error('never'));
    await jobs.start?.();
    await add('a', { maxAttempts: 1, key: 'k' });
    await until(
      () => jobs.backlog(),
      ({ dead }) => dead === 1,
    );
    expect(await jobs.backlog()).toEqual({ ready: 0, oldestSeconds: 0, dead: 1 });
    const dead = await jobs.dead();
    const id = dead[0]?.id ?? '';
    expect(dead).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        task: 'note',
        attempts: 1,
        error: 'never',
        key: 'k',
        createdAt: expect.any(Date),
      },
    ]);

    work.note = () => Promise.resolve();
    expect(await jobs.replay(id)).toBe(true);
    await noted(1);
    await until(
      () => waiting(),
      (left) => left.length === 0,
    );
    expect(await jobs.replay(id)).toBe(false);
  });

  it('dead jobs are listed newest first, as many as are asked for', async () => {
    const bury = (text: string) => database.tx((tx) => jobs.bury(tx, 'note', { text }, 'no'));
    const [first, second] = [await bury('a'), await bury('b')];
    expect((await jobs.dead()).map(({ id }) => id)).toEqual([second, first]);
    expect((await jobs.dead(1)).map(({ id }) => id)).toEqual([second]);
  });

  it('the backlog has the time for which the oldest job has been due', async () => {
    await add('a', { runAt: new Date(Date.now() - 3_600_000) });
    await add('b');
    await add('later', { runAt: new Date(Date.now() + 3_600_000) });
    const backlog = await jobs.backlog();
    expect(backlog).toEqual({ ready: 2, oldestSeconds: expect.any(Number), dead: 0 });
    expect(Math.floor(backlog.oldestSeconds / 600)).toBe(6);
  });
});

describe('job runners', () => {
  it('runners keep long jobs from starving short ones', async () => {
    reopen({ concurrency: 1, runners: [{ name: 'long', tasks: ['slow'], concurrency: 1 }] });
    let finish: () => void = () => undefined;
    const running = new Promise<void>((started) => {
      work.slow = () => new Promise((resolve) => ((finish = resolve), started()));
    });
    await jobs.start?.();
    await database.tx((tx) => jobs.enqueue(tx, 'slow', { text: 'bot turn' }));
    await running;
    await add('short');
    expect(await noted(1)).toEqual(['short']);
    finish();
  });

  it('runners refuse tasks that are unknown or named by two of them', () => {
    const runners = [{ name: 'a', tasks: ['slow' as const], concurrency: 1 }];
    expect(() =>
      jobsOf(database, work, {
        runners: [...runners, { name: 'b', tasks: ['slow', 'gone' as never], concurrency: 1 }],
      }),
    ).toThrow('The job runners name tasks that do not exist or that another runner has: gone, slow.');
  });
});

describe('cron jobs', () => {
  it('a cron makes up for missed minutes', async () => {
    reopen({
      cron: [{ pattern: '* * * * *', payload: { text: 'tick' }, backfillSeconds: 120 }],
    });
    await jobs.start?.();
    await jobs.stop?.();
    await database.query(
      `UPDATE ${SCHEMA}._private_known_crontabs SET known_since = now() - interval '1 hour', last_execution = now() - interval '150 seconds'`,
    );
    reopen({
      cron: [{ pattern: '* * * * *', payload: { text: 'tick' }, backfillSeconds: 120 }],
    });
    await jobs.start?.();
    await noted(2);
    expect(work.notes.slice(0, 2)).toEqual(['tick', 'tick']);
    expect(await database.query(`SELECT identifier FROM ${SCHEMA}._private_known_crontabs`)).toEqual([
      { identifier: 'note * * * * *' },
    ]);
  });
});

describe('the schema of jobs', () => {
  it('jobs refuse to start before their schema is migrated, and name what is missing', async () => {
    const empty = await testDatabase({ schema: 'shop' });
    const fresh = openJobs<Payloads>({
      database: empty,
      logger: silentLogger,
      schema: 'fresh_jobs',
      tasks: {
        note: { effect: 'inside', run: async () => undefined },
        slow: { effect: 'outside', run: async () => undefined },
      },
      sends: new Sends(),
    });
    expect(await fresh.pending()).toEqual([
      'graphile-worker 1 to 19',
      'worker_heartbeat',
      'wake',
      'overtaken',
      'surely_add',
      'of_tenant',
      'begins',
      'in_time',
    ]);
    await expect(fresh.start?.()).rejects.toThrow(
      'The jobs schema "fresh_jobs" lacks graphile-worker 1 to 19, worker_heartbeat, wake, overtaken, surely_add, of_tenant, begins, in_time: run the migrate command of this service first.',
    );
    await Promise.all([fresh.migrate(), fresh.migrate(), fresh.migrate()]);
    await fresh.migrate();
    expect(await fresh.pending()).toEqual([]);
    expect(await empty.query('SELECT max(id) AS newest FROM fresh_jobs.migrations')).toEqual([{ newest: 19 }]);
    await empty.stop?.();
  });

  it('jobs are known by their name, and by their schema without one', async () => {
    expect(jobs.name).toBe('jobs shop_jobs');
    reopen({ name: 'shop' });
    expect(jobs.name).toBe('jobs shop');
    await expect(jobs.check?.()).rejects.toThrow('The jobs shop are not started.');
  });

  it('jobs are not healthy before the start and after the stop', async () => {
    await expect(jobs.check?.()).rejects.toThrow('The jobs shop_jobs are not started.');
    await jobs.start?.();
    await expect(jobs.check?.()).resolves.toBeUndefined();
    await jobs.stop?.();
    await expect(jobs.check?.()).rejects.toThrow('The jobs shop_jobs are not started.');
  });
});
