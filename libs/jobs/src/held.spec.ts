import { Sends } from '@platform/runtime';
import { until, useForEach, useOpened } from '@platform/testing';
import { clearJobs, SCHEMA, startWorkChild, useJobs } from './jobs.fixture';

const sends = useForEach(() => new Sends('held'));
const ended = useOpened();
const { database, work, jobs, reopen } = useJobs({ sends });
let ran: string[];

beforeEach(async () => {
  ran = [];
  work.slow = async ({ text }) => void ran.push(text);
  await jobs.start?.();
});

const outward = (text: string) => database.tx((tx) => jobs.enqueue(tx, 'slow', { text }));
const inward = (text: string) => database.tx((tx) => jobs.enqueue(tx, 'note', { text }));
const noted = (count: number) =>
  until(
    () => work.notes,
    (notes) => notes.length >= count,
  );
const done = (count: number) =>
  until(
    () => ran,
    (texts) => texts.length >= count,
  );
const waiting = () =>
  database.query(`SELECT payload->>'text' AS text, attempts, locked_by FROM ${SCHEMA}._private_jobs ORDER BY id`);

describe('jobs while sends are held', () => {
  it('while held, jobs with an outside effect wait untouched and are counted, and the others run', async () => {
    await outward('send');
    await inward('keep');
    await noted(1);
    const left = await until(waiting, ({ length }) => length === 1);
    expect(left).toEqual([{ text: 'send', attempts: 0, locked_by: null }]);
    await expect(jobs.check?.()).resolves.toBeUndefined();
    await jobs.stop?.();
    await inward('nobody is there to do it');
    expect(await jobs.held?.()).toBe(1);
  });

  it('workers of inside tasks keep running through hold and release', async () => {
    await jobs.stop?.();
    reopen({ sends, runners: [{ name: 'inward', tasks: ['note'], concurrency: 1 }] });
    await jobs.start?.();
    const workers = () => database.query<{ worker: string }>(`SELECT worker FROM ${SCHEMA}.worker_heartbeat`);
    const before = await workers();
    sends.release();
    await outward('send');
    await done(1);
    expect(before).toHaveLength(1);
    expect(await workers()).toEqual(expect.arrayContaining(before));
    expect(await workers()).toHaveLength(2);
  });

  it('a held runner with only outward tasks has no workers and is healthy', async () => {
    await jobs.stop?.();
    reopen({ sends, runners: [{ name: 'outward', tasks: ['slow'], concurrency: 1 }] });
    await jobs.start?.();
    await inward('keep');
    await noted(1);
    expect(await database.query(`SELECT worker FROM ${SCHEMA}.worker_heartbeat`)).toHaveLength(1);
    await expect(jobs.check?.()).resolves.toBeUndefined();
    await outward('later');
    sends.release();
    expect(await done(1)).toEqual(['later']);
  });

  it('the held cron of an outward task does not tick, and makes up for missed minutes after the release', async () => {
    const missed = `UPDATE ${SCHEMA}._private_known_crontabs SET known_since = now() - interval '1 hour', last_execution = now() - interval '150 seconds'`;
    await jobs.stop?.();
    const slowCron = [{ pattern: '* * * * *', payload: { text: 'tick' }, backfillSeconds: 120 }];
    reopen({ slowCron });
    await jobs.start?.();
    await until(
      () => database.query(`SELECT 1 FROM ${SCHEMA}._private_known_crontabs`),
      (known) => known.length > 0,
    );
    await jobs.stop?.();
    await clearJobs(database);
    await database.query(missed);
    const before = ran.length;
    reopen({ sends, slowCron });
    await jobs.start?.();
    await inward('meanwhile');
    await noted(1);
    await until(waiting, ({ length }) => length === 0);
    expect(ran).toHaveLength(before);
    sends.release();
    expect((await done(before + 2)).slice(before, before + 2)).toEqual(['tick', 'tick']);
  });
});

describe('a hold of sends', () => {
  const begun: boolean[] = [];
  const untouched = async (left: number) => {
    const jobs = await until(waiting, (all) => all.length === left && all.every(({ locked_by }) => locked_by === null));
    expect(jobs.map(({ attempts }) => attempts)).toEqual(Array(left).fill(0));
  };
  beforeEach(async () => {
    await jobs.stop?.();
    begun.length = 0;
    work.slow = async ({ text }) => {
      begun.push(sends.held);
      ran.push(text);
    };
    sends.release();
    reopen({ sends });
  });

  it('a hold while workers start lets no outward job begin, and spends none of its attempts', async () => {
    for (let n = 0; n < 5; n++) await outward(`send ${n}`);
    // Watched as soon as the workers know what they may take
    const watch = sends.watch.bind(sends);
    sends.watch = (changed) => {
      const unwatch = watch(changed);
      sends.hold();
      return unwatch;
    };
    await jobs.start?.();
    await inward('goes on');
    await noted(1);
    expect(ran).toEqual([]);
    await untouched(5);
    sends.release();
    expect((await done(5)).sort()).toEqual(['send 0', 'send 1', 'send 2', 'send 3', 'send 4']);
  });

  it('a hold while workers take their next jobs lets none of these begin', async () => {
    for (let n = 0; n < 30; n++) await outward(`send ${n}`);
    const run = work.slow;
    work.slow = async (payload, job) => {
      await run(payload, job);
      sends.hold();
    };
    await jobs.start?.();
    await done(1);
    await inward('goes on');
    await noted(1);
    expect(begun).not.toContain(true);
    await untouched(30 - ran.length);
  });
});

describe('a release of held jobs', () => {
  it('the release runs every waiting job once, as its first attempt', async () => {
    const attempts: number[] = [];
    work.slow = async ({ text }, { attempt }) => {
      attempts.push(attempt);
      ran.push(text);
    };
    const texts = Array.from({ length: 30 }, (_, n) => `send ${n}`);
    for (const text of texts) await outward(text);
    sends.release();
    await done(30);
    await until(waiting, (left) => left.length === 0);
    expect([...ran].sort()).toEqual([...texts].sort());
    expect(attempts).toEqual(Array(30).fill(1));
    expect(await jobs.held?.()).toBeUndefined();
  });

  it('the release can be revoked: the running job ends, the next waits', async () => {
    let finish: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      work.slow = ({ text }) =>
        new Promise((end) => {
          finish = () => (ran.push(text), end());
          resolve();
        });
    });
    sends.release();
    await outward('first');
    await begun;
    sends.hold();
    await outward('second');
    finish();
    await inward('goes on');
    await noted(1);
    expect([ran, await jobs.held?.()]).toEqual([['first'], 1]);
  });

  it('the last of releases and holds in quick succession counts', async () => {
    const workers = () => database.query(`SELECT worker FROM ${SCHEMA}.worker_heartbeat`);
    const before = await workers();
    for (let turn = 0; turn < 5; turn++) {
      sends.release();
      sends.hold();
    }
    await outward('held');
    await inward('goes on');
    await noted(1);
    expect([ran, await jobs.held?.()]).toEqual([[], 1]);
    expect(await workers()).toEqual(before);
    sends.release();
    expect(await done(1)).toEqual(['held']);
    expect(await workers()).toHaveLength(1);
  });
});

it('an outward job is not touched by processes that hold it, even when they are killed with kill -9', async () => {
  await jobs.stop?.();
  const heartbeat = { everySeconds: 0.2, silentSeconds: 1 };
  await outward('send');
  for (let round = 0; round < 2; round++) {
    await inward(`taken ${round}`);
    const child = ended(startWorkChild(database, { SENDS: 'held' }));
    await until(waiting, (jobs) => jobs.filter(({ locked_by }) => locked_by !== null).length > round);
    await child.stop();
  }
  expect((await waiting())[0]).toEqual({ text: 'send', attempts: 0, locked_by: null });
  reopen({ heartbeat });
  await jobs.start?.();
  await done(1);
  await until(waiting, (left) => left.length === 0);
  expect(ran).toEqual(['send']);
});
