import type { Database } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import { Heartbeat } from './heartbeat';

const RETIRE = 'retire and unlock';

/** A heartbeat with fake statements, so that time can be set; `crash.spec.ts` has the real ones. */
const beating = (answer: (statement: string) => Promise<unknown[]> = () => Promise.resolve([])) => {
  const [said, warnings]: [string[], unknown[]] = [[], []];
  const words: [RegExp, string][] = [
    [/INSERT INTO jobs\.worker_heartbeat/, 'renew'],
    [/SELECT DISTINCT/, 'look for silent ones'],
    [/^WITH orphans/, 'release unknown ones'],
    [/^WITH retired AS \(DELETE .*\(UPDATE jobs\._private_jobs SET id = DEFAULT/, RETIRE],
    [/_private_jobs SET id = DEFAULT/, 'unlock'],
  ];
  const query = (text: string, values: unknown[]) => {
    const word = words.find(([pattern]) => pattern.test(text))?.[1] ?? text;
    said.push(`${word} ${JSON.stringify(values)}`);
    return answer(word);
  };
  const heartbeat = new Heartbeat({
    database: { query, direct: { options: { query_timeout: 60_000 } } } as unknown as Database,
    logger: { ...silentLogger, warn: (...warning) => void warnings.push(warning) },
    schema: 'jobs',
    everySeconds: 5,
    silentSeconds: 20,
  });
  return { heartbeat, said, warnings };
};
const pass = async (seconds: number) => {
  jest.advanceTimersByTime(seconds * 1000);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

const nothing = { runner: 'main', ids: () => [] };
const RENEW = 'renew [["w1"]]';
const LOOK = 'look for silent ones [20]';
const RELEASE = `release unknown ones ${JSON.stringify([JSON.stringify([{ worker: 'w1', held: [] }]), 120_000])}`;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('a worker beats every five seconds and checks for silent ones, until the stop', async () => {
  const { heartbeat, said, warnings } = beating();
  heartbeat.start();
  await heartbeat.register('w1', nothing);
  expect(said.splice(0)).toEqual([RENEW]);
  await pass(4.999);
  expect(said).toEqual([]);
  await pass(0.001);
  expect(said.splice(0)).toEqual([RENEW, LOOK, RELEASE]);
  await pass(5);
  expect(said.splice(0)).toEqual([RENEW, LOOK, RELEASE]);
  await heartbeat.stop();
  await pass(60);
  expect([said, warnings]).toEqual([[], []]);
});

it('all workers of a process beat together: what each of them knows of goes into one statement', async () => {
  const { heartbeat, said } = beating();
  heartbeat.start();
  await heartbeat.register('w0', { runner: 'main', ids: () => ['7'] });
  await heartbeat.register('w1', nothing);
  said.splice(0);
  await pass(5);
  const known = JSON.stringify([
    { worker: 'w0', held: ['7'] },
    { worker: 'w1', held: [] },
  ]);
  expect(said).toEqual(['renew [["w0","w1"]]', LOOK, `release unknown ones ${JSON.stringify([known, 120_000])}`]);
  await heartbeat.stop();
});

it('jobs of silent workers are released, with a warning', async () => {
  const silent = [{ worker: 'w7' }, { worker: 'w8' }];
  const { heartbeat, said, warnings } = beating((word) =>
    Promise.resolve(word === 'look for silent ones' ? silent : []),
  );
  heartbeat.start();
  await heartbeat.register('w1', nothing);
  await pass(5);
  expect(said).toEqual([RENEW, RENEW, LOOK, 'unlock [["w7","w8"]]', RELEASE]);
  expect(warnings).toEqual([['jobs of silent workers released', { workers: ['w7', 'w8'] }]]);
  await heartbeat.stop();
});

it('a worker that retires is removed, and its locked jobs are released', async () => {
  const { heartbeat, said } = beating();
  heartbeat.start();
  await heartbeat.register('w0', nothing);
  await heartbeat.register('w1', nothing);
  await heartbeat.retire('w0');
  await pass(5);
  expect(said.slice(2)).toEqual([`${RETIRE} [["w0"]]`, RENEW, LOOK, RELEASE]);
  await heartbeat.stop();
});

it('workers that retire together do so in two statements, and hear when theirs fails', async () => {
  let [letGo, fail] = [(): void => undefined, (): void => undefined];
  const first = new Promise<unknown[]>((resolve) => (letGo = () => resolve([])));
  const second = new Promise<unknown[]>((_, reject) => (fail = () => reject(new Error('away'))));
  const answers = [first, second];
  const { heartbeat, said } = beating((word) => (word === RETIRE ? answers.shift()! : Promise.resolve([])));
  const ends = ['w0', 'w1', 'w2'].map((worker) => heartbeat.retire(worker));
  await pass(0);
  const late = ['w3', 'w4'].map((worker) => heartbeat.retire(worker));
  expect(said).toEqual([`${RETIRE} [["w0","w1","w2"]]`]);
  letGo();
  await Promise.all(ends);
  await pass(0);
  fail();
  expect(await Promise.allSettled(late)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(said).toEqual([`${RETIRE} [["w0","w1","w2"]]`, `${RETIRE} [["w3","w4"]]`]);
});

it('no worker counts as silent between an interruption and the next beat', async () => {
  let away = false;
  const { heartbeat, said, warnings } = beating(() => (away ? Promise.reject(new Error('away')) : Promise.resolve([])));
  heartbeat.start();
  await heartbeat.register('w1', nothing);
  away = true;
  await pass(5);
  away = false;
  said.splice(0);
  await pass(5);
  expect(said.splice(0)).toEqual([RENEW]);
  await pass(5);
  expect(said).toEqual([RENEW, LOOK, RELEASE]);
  expect(warnings).toEqual([['job workers could not renew their heartbeat', { error: 'away' }]]);
  await heartbeat.stop();
});

it('a slow beat does not overlap the next one, and the stop waits for it', async () => {
  let answer: () => void = () => undefined;
  const { heartbeat, said } = beating((word) =>
    word === 'renew' ? new Promise((resolve) => (answer = () => resolve([]))) : Promise.resolve([]),
  );
  heartbeat.start();
  await pass(15);
  expect(said).toEqual(['renew [[]]']);
  let stopped = false;
  const stopping = heartbeat.stop().then(() => (stopped = true));
  await pass(5);
  expect(stopped).toBe(false);
  answer();
  await stopping;
});

it('a worker that has not reached the database for longer than twenty seconds is not healthy', async () => {
  const { heartbeat } = beating(() => Promise.reject(new Error('away')));
  heartbeat.start();
  await pass(20);
  expect(() => heartbeat.check()).not.toThrow();
  await pass(1);
  expect(() => heartbeat.check()).toThrow(
    new Error('The job workers have not reached the database for 21 s: see the log for the reason.'),
  );
  await heartbeat.stop();
});
