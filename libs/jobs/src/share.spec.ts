import { setTimeout as delay } from 'node:timers/promises';
import { until, useOpened } from '@platform/testing';
import { Lookout } from './job.lookout';
import { Share } from './job.share';
import { jobsOf, SCHEMA, startWorkChild, useJobs, type Payloads } from './jobs.fixture';
import type { JobContext, Jobs } from './jobs.types';

const PLACES = 4;
const MOST = 2;
const by = 'storeId' as const;
const shared = {
  heartbeat: { everySeconds: 0.2, silentSeconds: 1 },
  runners: [{ name: 'shared', tasks: ['slow' as const], concurrency: PLACES, share: { by, most: MOST } }],
};
const ended = useOpened();
const { database, work, jobs, reopen } = useJobs(shared);

/** Running and finished jobs of both processes; those of `busy` wait until the test lets them go. */
let running: string[];
let most: number;
let ran: { text: string; attempt: number }[];
let letGo: () => void;
let other: Jobs<Payloads>;

beforeEach(() => {
  [running, ran, most] = [[], [], 0];
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  work.slow = async ({ text }: Payloads['slow'], { attempt }: JobContext) => {
    running.push(text);
    most = Math.max(most, running.filter((one) => one === text).length);
    if (text.startsWith('busy')) await gate;
    running.splice(running.indexOf(text), 1);
    ran.push({ text, attempt });
  };
  other = jobsOf(database, work, shared);
});
afterEach(async () => {
  letGo();
  await other.stop?.();
});

const add = (...texts: string[]) =>
  database.tx(async (tx) => {
    for (const text of texts) await jobs.enqueue(tx, 'slow', { text, storeId: text });
  });
const waiting = () =>
  database.query<{ attempts: number }>(`SELECT attempts FROM ${SCHEMA}._private_jobs WHERE locked_at IS NULL`);
const drained = () =>
  until(
    () => database.query(`SELECT 1 FROM ${SCHEMA}._private_jobs`),
    (left) => left.length === 0,
  );

describe('the share of a key', () => {
  it('limits a key to its places over two processes, while other keys overtake its waiting jobs', async () => {
    await add(...Array<string>(20).fill('busy'));
    await jobs.start?.();
    await other.start?.();
    await until(() => running.length === MOST);
    const quiet = Array.from({ length: 12 }, (_, n) => `quiet ${n}`);
    await add(...quiet);
    await until(() => ran.length === quiet.length);
    expect([ran.map(({ text }) => text).sort(), running]).toEqual([[...quiet].sort(), ['busy', 'busy']]);
    // Now and then one is taken for a moment, to see whether its key has a place again
    const returned = await until(waiting, ({ length }) => length === 18);
    expect(returned).toEqual(Array(18).fill({ attempts: 0 }));
  });

  it('holds for the jobs that no runner names too', async () => {
    reopen({ heartbeat: shared.heartbeat, concurrency: PLACES, share: { by, most: MOST } });
    await add(...Array<string>(10).fill('busy'), 'quiet');
    await jobs.start?.();
    await until(() => ran.length === 1 && running.length === MOST);
    expect([ran, running]).toEqual([[{ text: 'quiet', attempt: 1 }], ['busy', 'busy']]);
  });

  it('lets every waiting job run once, as its first attempt, and never more at a time', async () => {
    await jobs.start?.();
    await other.start?.();
    await add(...Array<string>(20).fill('busy'));
    await until(() => running.length === MOST);
    letGo();
    await until(() => ran.length === 20);
    await drained();
    expect([most, ran]).toEqual([MOST, Array(20).fill({ text: 'busy', attempt: 1 })]);
  });

  it.each([1, MOST])('of %s goes on with the next job as soon as one has ended, without a poll', async (share) => {
    const runners = shared.runners.map((one) => ({ ...one, concurrency: 12, share: { by, most: share } }));
    reopen({ ...shared, runners, pollSeconds: 3_600 });
    await add(...Array<string>(60).fill('short'));
    await jobs.start?.();
    await until(() => ran.length === 60);
    await drained();
    expect([most <= share, ran]).toEqual([true, Array(60).fill({ text: 'short', attempt: 1 })]);
  });

  it('of one key is not taken from another: none waits for another that has its share', async () => {
    await add('busy a', 'busy a', 'busy a', 'busy a', 'busy b');
    await jobs.start?.();
    await until(() => running.length === 3);
    expect([...running].sort()).toEqual(['busy a', 'busy a', 'busy b']);
    await add('quiet');
    await until(() => ran.length === 1);
    letGo();
    await drained();
    expect(ran).toHaveLength(6);
  });

  it('leaves the backlog of a key untouched while that has its share, whatever else comes', async () => {
    const ids = () => database.query(`SELECT id FROM ${SCHEMA}._private_jobs WHERE locked_at IS NULL ORDER BY id`);
    await add(...Array<string>(10).fill('busy'));
    await jobs.start?.();
    await until(() => running.length === MOST);
    const backlog = await ids();
    await add('quiet 1', 'busy', 'quiet 2');
    await until(() => ran.length === 2);
    expect([backlog.length, (await ids()).slice(0, 8)]).toEqual([8, backlog]);
  });

  it('asks the database hardly more often than each job needs, to be taken, begun and ended, when a key is alone', async () => {
    await add(...Array<string>(200).fill('short'));
    const asked = jest.spyOn(database.direct, 'connect');
    await jobs.start?.();
    await until(() => ran.length === 200);
    await drained();
    expect(asked.mock.calls.length).toBeLessThan(5 * 200);
    asked.mockRestore();
  });

  it('is counted among the jobs that run, however long the backlog is', async () => {
    await database.query(`INSERT INTO ${SCHEMA}._private_tasks (identifier) VALUES ('slow') ON CONFLICT DO NOTHING`);
    await database.query(`
      INSERT INTO ${SCHEMA}._private_jobs (task_id, payload) SELECT id, '{"storeId":"busy"}' FROM ${SCHEMA}._private_tasks, generate_series(1, 2000)`);
    await database.query(`ANALYZE ${SCHEMA}._private_jobs`);
    const read = `SELECT pg_stat_get_xact_tuples_returned('${SCHEMA}._private_jobs'::regclass) AS read`;
    await database.tx(async (tx) => {
      const before = await tx.query(read);
      await tx.query(`SELECT ${SCHEMA}.begins(max(id), 'w1', 'share shared busy', 2, 0) FROM ${SCHEMA}._private_jobs`);
      expect(await tx.query(read)).toEqual(before);
    });
  });

  it('of several keys never uses up the places of a key that has none', async () => {
    await add(...Array<string>(5).fill('busy a'), ...Array<string>(5).fill('busy b'));
    await jobs.start?.();
    await until(() => running.length === PLACES - 1);
    await add('quiet');
    await until(() => ran.length === 1);
    expect([ran, running.length]).toEqual([[{ text: 'quiet', attempt: 1 }], PLACES - 1]);
    letGo();
    await drained();
    expect(ran).toHaveLength(11);
  });

  it.each([0, 1])(
    'lets keys take turns: whoever comes last waits for no backlog of others; %d other processes',
    async (others) => {
      // The first looks of a process may be dear, and jobs then be taken by age for some milliseconds
      const cheap = jest.spyOn(Share.prototype, 'looked').mockReturnValue();
      const runners = shared.runners.map((one) => ({ ...one, concurrency: 2, share: { by, most: 1 } }));
      reopen({ ...shared, runners });
      const [many, few] = [Array.from({ length: 8 }, (_, n) => `many ${n}`), ['late a', 'late b']];
      await add(...Array.from({ length: 50 }, () => many).flat());
      await add(...few, ...few);
      if (others > 0) {
        other = jobsOf(database, work, { ...shared, runners });
        await other.start?.();
      }
      await jobs.start?.();
      await drained();
      cheap.mockRestore();
      const order = ran.map(({ text }) => text);
      expect([order.length, most, order.filter((text) => text === 'many 0').length]).toEqual([404, 1, 50]);
      // A round of each process, and what was under way
      expect(few.map((text) => order.indexOf(text) <= (many.length + few.length) * (1 + others) + 2)).toEqual([
        true,
        true,
      ]);
    },
  );

  it('lets keys take turns where each look is dear, whatever it passes over, and runs every job once without a poll', async () => {
    const { turn } = Lookout.prototype;
    const dear = jest.spyOn(Lookout.prototype, 'turn').mockImplementation(async function (this: Lookout) {
      const flags = await turn.call(this);
      await delay(15);
      return flags;
    });
    const runners = shared.runners.map((one) => ({ ...one, share: { by, most: 1 } }));
    reopen({ ...shared, runners, pollSeconds: 3_600 });
    const many = Array.from({ length: 8 }, (_, n) => `many ${n}`);
    const all = [...Array.from({ length: 25 }, () => many).flat(), 'late', 'late'];
    await add(...all);
    await jobs.start?.();
    await drained();
    dear.mockRestore();
    const order = ran.map(({ text }) => text);
    expect([most, ran.every(({ attempt }) => attempt === 1), [...order].sort()]).toEqual([1, true, [...all].sort()]);
    expect(order.indexOf('late')).toBeLessThan(all.length / 2);
  });

  it('of a runner is its own: what another one does for the same key takes none of it', async () => {
    const share = { by, most: 1 };
    const runners = [
      { name: 'one', tasks: ['slow' as const], concurrency: PLACES, share },
      { name: 'other', tasks: ['note' as const], concurrency: PLACES, share },
    ];
    reopen({ ...shared, runners, pollSeconds: 3_600 });
    await add('busy');
    await jobs.start?.();
    await until(() => running.length === 1);
    await database.tx(async (tx) => {
      for (let n = 0; n < 20; n += 1) await jobs.enqueue(tx, 'note', { text: 'busy', storeId: 'busy' });
    });
    await until(() => work.notes.length === 20);
    expect(running).toEqual(['busy']);
  });

  it('is restored when the process that used it was killed', async () => {
    await add('busy', 'busy', 'busy');
    const child = ended(startWorkChild(database));
    await until(
      () => database.query(`SELECT 1 FROM ${SCHEMA}._private_jobs WHERE flags ? 'begun'`),
      (begun) => begun.length === MOST,
    );
    await jobs.start?.();
    await add('quiet');
    await until(() => ran.length === 1);
    expect(running).toEqual([]);
    await child.stop();
    await until(() => running.length === MOST);
    letGo();
    await drained();
    expect([
      most,
      ran
        .slice(1)
        .map(({ attempt }) => attempt)
        .sort(),
    ]).toEqual([MOST, [1, 2, 2]]);
  });
});
