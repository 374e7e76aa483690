import type { Database } from '@platform/data';
import { Share } from './job.share';

/** A share of one place, on a database that says whether there is one; `share.spec.ts` has the real one. */
const sharing = (entered: () => boolean | Promise<boolean>, most = 1) => {
  const said: string[] = [];
  const query = async (text: string, values: unknown[]): Promise<unknown[]> => {
    if (text.includes('pg_advisory')) return (said.push(`lock ${values[0]}`), []);
    if (text.includes('RETURNING id')) return (await entered()) ? [{ id: values[0] }] : [];
    said.push(`${text.includes('LIMIT') ? 'flagged' : 'back'} ${values.join(' ')}`);
    return [];
  };
  const database = { query, tx: (work: (tx: object) => unknown) => work({ query }) } as unknown as Database;
  return { share: new Share(database, 'jobs', { by: 'tenant', most, places: 100, runner: 'mail' }), said };
};
const job = (id: string, tenant: unknown = 'a') => ({
  ...{ id, locked_by: 'w1', key: 'k', task_identifier: 'letter' },
  payload: { tenant },
});
const nothing = () => Promise.resolve();

/** Work that ends when the test says so. */
const held = () => {
  let [begin, end]: (() => void)[] = [nothing, nothing];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const work = () => new Promise<void>((resolve) => ((end = resolve), begin?.()));
  return { begun, work, end: () => end?.() };
};

it('a key with its full share in this process is flagged meanwhile, and its next job returns with those behind it', async () => {
  const { share, said } = sharing(() => true);
  const first = held();
  const running = share.run(job('1'), first.work);
  await first.begun;
  expect([share.full(), said.splice(0)]).toEqual([['share mail a'], ['lock jobs share mail a']]);
  expect(await share.run(job('2'), nothing)).toBe(false);
  const returned = ['back 2 w1 share mail a k', 'flagged letter tenant a share mail a'];
  expect([share.full(), said]).toEqual([['share mail a'], returned]);
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
  expect(share.full()).toEqual(['share mail a']);
  one.end();
  await running[0];
  expect([share.full(), share.nextRound(), share.full()]).toEqual([['share mail a'], true, []]);
  for (const each of [two, other]) each.end();
  expect(await Promise.all(running)).toEqual([true, true, true]);
});

it('a key whose share is used elsewhere is skipped for a second, or until one of its jobs has run here', async () => {
  jest.useFakeTimers();
  try {
    let free = false;
    const { share, said } = sharing(() => free);
    expect(await share.run(job('1'), nothing)).toBe(false);
    expect(said).toEqual([
      ...['lock jobs share mail a', 'back 1 w1 share mail a k', 'flagged letter tenant a share mail a'],
    ]);
    jest.advanceTimersByTime(999);
    expect(share.full()).toEqual(['share mail a']);
    jest.advanceTimersByTime(1);
    expect(share.full()).toEqual([]);
    await share.run(job('1'), nothing);
    expect(share.full()).toEqual(['share mail a']);
    free = true;
    expect([await share.run(job('1'), nothing), share.nextRound(), share.full()]).toEqual([true, true, []]);
  } finally {
    jest.useRealTimers();
  }
});

it('a job that fails releases its place', async () => {
  const { share } = sharing(() => true);
  await expect(share.run(job('1'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([share.nextRound(), share.full(), await share.run(job('2'), nothing)]).toEqual([true, [], true]);
});

it('a key rests after its turn until a round has ended, or a thousand others have begun', async () => {
  const { share } = sharing(() => true);
  expect(share.nextRound()).toBe(false);
  await share.run(job('1'), nothing);
  expect([share.full(), await share.run(job('2'), nothing)]).toEqual([['share mail a'], false]);
  for (let other = 1; other < 1_000; other += 1) await share.run(job(`${other}`, other), nothing);
  expect(share.full()).toContain('share mail a');
  await share.run(job('1000', 1_000), nothing);
  expect(share.full()).not.toContain('share mail a');
  expect([share.nextRound(), share.full(), share.nextRound()]).toEqual([true, [], false]);
});
