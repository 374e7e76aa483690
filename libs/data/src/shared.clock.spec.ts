import { until, useDatabase } from '@platform/testing';
import { SharedClock } from './shared.clock';

const DAY_MS = 86_400_000;
const db = useDatabase({ schema: 'shared_clock', migrations: [] });
const warn = jest.fn();
afterEach(() => {
  jest.restoreAllMocks();
  warn.mockClear();
});

/** By how many days it is off. */
const daysOff = (clock: SharedClock): number => Math.round((clock.now().getTime() - Date.now()) / DAY_MS) + 0;

it.each([3, -3])('tells the time of the database in a process whose clock is %d days ahead', async (days) => {
  const now = Date.now() + days * DAY_MS;
  jest.spyOn(Date, 'now').mockReturnValue(now);
  const clock = new SharedClock(db, { warn });
  jest.restoreAllMocks();
  expect(daysOff(clock)).toBe(days);
  await clock.start();
  await clock.stop();
  expect([daysOff(clock), warn.mock.calls]).toEqual([
    0,
    [['the clock of this process is off: it goes by that of the database', { offMs: expect.any(Number) }]],
  ]);
});

it('goes on when somebody sets the clock of its process', async () => {
  const clock = new SharedClock(db, { warn });
  await clock.start();
  const before = clock.now().getTime();
  jest.spyOn(Date, 'now').mockReturnValue(0);
  const after = clock.now().getTime();
  jest.restoreAllMocks();
  await clock.stop();
  expect([after >= before, after - before < DAY_MS, warn.mock.calls]).toEqual([true, true, []]);
});

it('does not jump about for less than half a second, which the way to the database may take', async () => {
  let offMs = 400;
  const query = async () => [{ ms: Date.now() + offMs }] as never[];
  const clock = new SharedClock({ query }, { warn });
  await clock.start();
  await clock.stop();
  offMs = -400;
  await clock.start();
  await clock.stop();
  expect(warn.mock.calls).toEqual([]);
});

it.each([
  ['at once', 0],
  ['at the end', 20_000],
])('goes no further than the time of the database, where an answer that took 20 s was told %s', async (_, toldMs) => {
  let ticks = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => ticks);
  const begun = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(begun);
  const query = async () => {
    ticks += 20_000;
    return [{ ms: begun + 1_000 + toldMs }] as never[];
  };
  const clock = new SharedClock({ query }, { warn });
  await clock.start();
  await clock.stop();
  const aheadMs = clock.now().getTime() - (begun + ticks);
  expect([aheadMs >= 0, aheadMs <= 1_000]).toEqual([true, true]);
});

it('follows a database whose clock is set while it runs, and one that cannot be reached for a moment', async () => {
  jest.useFakeTimers({
    doNotFake: ['Date', 'performance', 'setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'],
  });
  const told: (number | Error)[] = [Date.now(), new Error('away'), Date.now() + DAY_MS];
  const query = async () => {
    const ms = told.length > 1 ? told.shift() : told[0];
    if (ms instanceof Error) throw ms;
    return [{ ms }] as never[];
  };
  const clock = new SharedClock({ query }, { warn });
  await clock.start();
  jest.advanceTimersByTime(5_000);
  await until(() => warn.mock.calls.length);
  jest.advanceTimersByTime(5_000);
  await until(() => daysOff(clock) === 1);
  await clock.stop();
  jest.useRealTimers();
  expect(warn.mock.calls.map(([text]) => text as unknown)).toEqual([
    'the time of the database is not known',
    'the clock of this process is off: it goes by that of the database',
  ]);
});
