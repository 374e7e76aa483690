import type { Database } from '@platform/data';
import { Share } from './job.share';

/** A share of one place, on a database that says whether there is one; `share.spec.ts` has the real one. */
const sharing = (entered: () => boolean | Promise<boolean>, most = 1) => {
  const said: string[] = [];
  const prepared = async (_name: string, _text: string, values: unknown[]): Promise<unknown[]> => {
    said.push(`begins ${values.slice(0, 3).join(' ')}`);
    return [{ begins: await entered() }];
  };
  const query = async (_text: string, values: unknown[]): Promise<unknown[]> => (
    said.push(`back ${values.join(' ')}`),
    []
  );
  const database = { query, prepared } as unknown as Database;
  return { share: new Share(database, 'jobs', { by: 'storeId', most, places: 100, runner: 'mail' }), said };
};
const FULL = ['storeId a'];
const job = (id: string, storeId: unknown = 'a') => ({
  ...{ id, locked_by: 'w1', key: 'k' },
  payload: { storeId },
});
const nothing = () => Promise.resolve();

/** Work that ends when the test says so. */
const held = () => {
  let [begin, end]: (() => void)[] = [nothing, nothing];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const work = () => new Promise<void>((resolve) => ((end = resolve), begin?.()));
  return { begun, work, end: () => end?.() };
};

it('a key with its full share in this process is passed over meanwhile, and what of it was taken already returns', async () => {
  const { share, said } = sharing(() => true);
  const first = held();
  const running = share.run(job('1'), first.work);
  await first.begun;
  expect([share.full(), said.splice(0)]).toEqual([FULL, ['begins 1 w1 share mail a']]);
  expect(await share.run(job('2'), nothing)).toBe(false);
  expect([share.full(), said]).toEqual([FULL, ['back 2 w1 storeId a k']]);
  first.end();
  expect([await running, share.nextRound(), share.full()]).toEqual([true, true, []]);
  expect(await share.run(job('3'), nothing)).toBe(true);
});

it('a key with places left is not flagged, and another key has its own share', async () => {
  const { share } = sharing(() => true, 2);
  const [one, two, other] = [held(), held(), held()];
  const running = [share.run(job('1'), one.work), share.run(job('2', 7), other.work)];
  await Promise.all([one.begun, other.begun]);
  expect(share.full()).toEqual([]);
  running.push(share.run(job('3'), two.work));
  await two.begun;
  expect(share.full()).toEqual(FULL);
  one.end();
  await running[0];
  expect([share.full(), await share.run(job('4'), nothing), share.full()]).toEqual([[], false, FULL]);
  expect([share.nextRound(), share.full()]).toEqual([true, []]);
  for (const each of [two, other]) each.end();
  expect(await Promise.all(running)).toEqual([true, true, true]);
});

it('a key whose share is used elsewhere is skipped for a second, or until one of its jobs has run here', async () => {
  jest.useFakeTimers();
  try {
    let free = false;
    const { share, said } = sharing(() => free);
    expect(await share.run(job('1'), nothing)).toBe(false);
    expect(said).toEqual(['begins 1 w1 share mail a', 'back 1 w1 storeId a k']);
    jest.advanceTimersByTime(999);
    expect(share.full()).toEqual(FULL);
    jest.advanceTimersByTime(1);
    expect(share.full()).toEqual([]);
    await share.run(job('1'), nothing);
    expect(share.full()).toEqual(FULL);
    free = true;
    expect([await share.run(job('1'), nothing), share.nextRound(), share.full()]).toEqual([true, true, []]);
  } finally {
    jest.useRealTimers();
  }
});

it('a clock that is set back keeps no key waiting for longer', async () => {
  jest.useFakeTimers();
  try {
    const { share } = sharing(() => false);
    await share.run(job('1'), nothing);
    jest.setSystemTime(Date.now() - 3_600_000);
    jest.advanceTimersByTime(1_000);
    expect(share.full()).toEqual([]);
  } finally {
    jest.useRealTimers();
  }
});

it('a job that fails releases its place', async () => {
  const { share } = sharing(() => true);
  await expect(share.run(job('1'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  share.nextRound();
  expect(await share.run(job('2'), nothing)).toBe(true);
});

it('a key rests after its turn until a round has ended, or a thousand others have begun', async () => {
  const { share } = sharing(() => true);
  expect(share.nextRound()).toBe(false);
  await share.run(job('1'), nothing);
  expect([await share.run(job('2'), nothing), share.full()]).toEqual([false, FULL]);
  for (let other = 1; other < 1_000; other += 1) await share.run(job(`${other}`, other), nothing);
  expect(share.full()).toEqual(FULL);
  await share.run(job('1000', 1_000), nothing);
  expect([share.full(), await share.run(job('3'), nothing), share.full()]).toEqual([[], true, FULL]);
  expect([share.nextRound(), share.full(), share.nextRound()]).toEqual([true, [], false]);
});

it('a key is passed over while it rests only when more of its jobs were seen, until nobody waits', async () => {
  const { share } = sharing(() => true);
  const once = async () => [await share.run(job('1'), nothing), share.full()];
  expect([await once(), share.nextRound(), await once()]).toEqual([[true, []], false, [true, []]]);
  expect([await once(), share.nextRound(), share.nextRound()]).toEqual([[false, FULL], true, false]);
  expect(await once()).toEqual([true, []]);
});

it('a key that had the last round for itself goes on for a while, until another one begins', async () => {
  jest.useFakeTimers();
  try {
    const { share } = sharing(() => true);
    const again = () => share.run(job('1'), nothing);
    expect([await again(), await again(), share.nextRound()]).toEqual([true, false, true]);
    expect([await again(), await again(), share.full()]).toEqual([true, true, []]);
    jest.advanceTimersByTime(100);
    expect([await again(), share.full(), await again(), share.nextRound()]).toEqual([true, FULL, false, true]);
    const another = () => share.run(job('2', 'b'), nothing);
    expect([await again(), await another(), await again(), await again(), await another()]).toEqual([
      ...[true, true, true, false, false],
    ]);
    expect([share.nextRound(), await again(), await again()]).toEqual([true, true, false]);
  } finally {
    jest.useRealTimers();
  }
});

it('where it is dear to pass over who rests, they rest again when jobs were taken by age for as long', async () => {
  jest.useFakeTimers();
  try {
    const { share } = sharing(() => true);
    const again = () => share.run(job('1'), nothing);
    expect([await again(), await again()]).toEqual([true, false]);
    share.looked(9);
    expect([share.full(), await again()]).toEqual([FULL, false]);
    share.looked(10);
    expect([share.full(), await again()]).toEqual([[], true]);
    jest.advanceTimersByTime(9);
    expect([share.full(), await again()]).toEqual([[], true]);
    jest.advanceTimersByTime(1);
    expect([share.full(), await again()]).toEqual([FULL, false]);
  } finally {
    jest.useRealTimers();
  }
});

it('where it is too dear a new round begins, and a look that passed over nobody who rests changes nothing', async () => {
  jest.useFakeTimers();
  try {
    const { share } = sharing(() => true);
    const again = () => share.run(job('1'), nothing);
    share.looked(1_000);
    expect([await again(), await again()]).toEqual([true, false]);
    share.looked(100);
    jest.advanceTimersByTime(100);
    expect([share.full(), await again(), await again(), share.full()]).toEqual([[], true, false, FULL]);
  } finally {
    jest.useRealTimers();
  }
});

it('a look that is dear though it passed over nobody who rests is followed by turns, and what it found is not returned', async () => {
  jest.useFakeTimers();
  try {
    const { share } = sharing(() => true);
    const again = () => share.run(job('1'), nothing);
    const look = (ms: number) => (jest.advanceTimersByTime(ms), share.looked(ms));
    expect([await again(), await again()]).toEqual([true, false]);
    look(20);
    expect([share.full(), await again()]).toEqual([[], true]);
    look(20);
    expect([share.full(), await again()]).toEqual([FULL, true]);
    jest.advanceTimersByTime(1);
    look(9);
    expect([share.full(), await again()]).toEqual([FULL, false]);
    look(20);
    expect(share.full()).toEqual([]);
  } finally {
    jest.useRealTimers();
  }
});

it('a key that is served by age while it rests is passed over in the turns that follow', async () => {
  jest.useFakeTimers();
  try {
    const { share } = sharing(() => true);
    const [a, b] = [() => share.run(job('1'), nothing), () => share.run(job('2', 'b'), nothing)];
    expect([await a(), await b(), await a()]).toEqual([true, true, false]);
    share.looked(10);
    expect(await b()).toBe(true);
    jest.advanceTimersByTime(10);
    expect(share.full()).toEqual(['storeId a', 'storeId b']);
  } finally {
    jest.useRealTimers();
  }
});
