import { until, useOpened } from '@platform/testing';
import { jobsOf, SCHEMA, startWorkChild, useJobs, type Payloads } from './jobs.fixture';
import type { JobContext, Jobs } from './jobs.types';

const PLACES = 4;
const MOST = 2;
const shared = {
  heartbeat: { everySeconds: 0.2, silentSeconds: 1 },
  runners: [{ name: 'shared', tasks: ['slow' as const], concurrency: PLACES, share: { by: 'text', most: MOST } }],
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
    for (const text of texts) await jobs.enqueue(tx, 'slow', { text });
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
    reopen({ heartbeat: shared.heartbeat, concurrency: PLACES, share: { by: 'text', most: MOST } });
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
    const runners = shared.runners.map((one) => ({ ...one, concurrency: 12, share: { by: 'text', most: share } }));
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
      const runners = shared.runners.map((one) => ({ ...one, concurrency: 2, share: { by: 'text', most: 1 } }));
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
      const order = ran.map(({ text }) => text);
      expect([order.length, most, order.filter((text) => text === 'many 0').length]).toEqual([404, 1, 50]);
      // A round of each process, and what was under way
      expect(few.map((text) => order.indexOf(text) <= (many.length + few.length) * (1 + others) + 2)).toEqual([
        true,
        true,
      ]);
    },
  );

  it('of a runner is its own: what another one does for the same key takes none of it', async () => {
    const share = { by: 'text', most: 1 };
    const runners = [
      { name: 'one', tasks: ['slow' as const], concurrency: PLACES, share },
      { name: 'other', tasks: ['note' as const], concurrency: PLACES, share },
    ];
    reopen({ ...shared, runners, pollSeconds: 3_600 });
    await add('busy');
    await jobs.start?.();
    await until(() => running.length === 1);
    await database.tx(async (tx) => {
      for (let n = 0; n < 20; n += 1) await jobs.enqueue(tx, 'note', { text: 'busy' });
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
