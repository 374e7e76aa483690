import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { timeLimit, withTimeLimit } from './time-limit';

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason));
  });

/** Runs the garbage collector, which otherwise runs sooner or later. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
};

it('a time limit aborts what takes too long, even after a garbage collection', async () => {
  const stopping = new AbortController();
  const signals = Array.from({ length: 50 }, () => timeLimit(150, timeLimit(60_000, stopping.signal)));
  const ends = signals.map(aborted);
  signals.length = 0;
  for (let n = 0; n < 5; n++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // Keeps the process alive: a limit alone does not
  const waiting = setInterval(() => undefined, 1_000);
  const reasons = await Promise.all(ends);
  clearInterval(waiting);
  expect(reasons).toHaveLength(50);
  expect(reasons[0]).toMatchObject({ name: 'TimeoutError' });
});

it('a time limit aborts with any of the other signals and their reason, even one that was aborted before', async () => {
  const stopping = new AbortController();
  const signal = timeLimit(60_000, undefined, stopping.signal);
  stopping.abort('the process stops');
  expect(await aborted(signal)).toBe('the process stops');
  expect(timeLimit(60_000, stopping.signal).reason).toBe('the process stops');
});

it('work that is done within its time leaves nothing behind: no listener, nothing in memory, and its signal aborts no more', async () => {
  const stopping = new AbortController();
  const done = async (): Promise<WeakRef<AbortSignal>> =>
    withTimeLimit(60_000, [undefined, stopping.signal], async (signal) => {
      expect(signal.aborted).toBe(false);
      return new WeakRef(signal);
    });
  const signals = await Promise.all(Array.from({ length: 20 }, done));
  expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(0);
  for (let n = 0; n < 5; n++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectGarbage();
  }
  expect(signals.filter((signal) => signal.deref() !== undefined)).toHaveLength(0);
});

it('work that takes too long, or outlives the other signals, is told why', async () => {
  const stopping = new AbortController();
  const waiting = setInterval(() => undefined, 1_000);
  const late = withTimeLimit(20, [stopping.signal], aborted);
  expect(await late).toMatchObject({ name: 'TimeoutError' });
  const stopped = withTimeLimit(60_000, [stopping.signal], aborted);
  stopping.abort('the process stops');
  expect(await stopped).toBe('the process stops');
  expect(await withTimeLimit(60_000, [stopping.signal], aborted)).toBe('the process stops');
  clearInterval(waiting);
  expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(0);
});
