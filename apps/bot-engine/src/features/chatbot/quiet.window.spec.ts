import { untilQuiet } from './quiet.window';

afterEach(() => jest.restoreAllMocks());

/** For what hangs: it would be an hour. */
const LIMIT_MS = 5_000;
const window = { windowMs: 20, maxWaitMs: 60 };

it('a clock that is set back an hour meanwhile keeps no customer waiting for an hour', async () => {
  const real = Date.now.bind(Date);
  let backMs = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => real() - backMs);
  const arrived = Date.now();
  const lastArrival = () => {
    backMs = 3_600_000;
    return Promise.resolve(arrived);
  };
  const signal = AbortSignal.timeout(LIMIT_MS);
  await untilQuiet({ lastArrival }, 'c', window, signal);
  expect([backMs, signal.aborted]).toEqual([3_600_000, false]);
});

it('a message that a process took whose clock is ahead is waited for no longer than any other', async () => {
  const signal = AbortSignal.timeout(LIMIT_MS);
  let looks = 0;
  const lastArrival = () => {
    looks += 1;
    return Promise.resolve(Date.now() + 3_600_000);
  };
  await untilQuiet({ lastArrival }, 'c', window, signal);
  expect([looks > 0, signal.aborted]).toEqual([true, false]);
});
