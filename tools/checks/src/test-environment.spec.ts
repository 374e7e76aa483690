import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import type * as PerfHooks from 'node:perf_hooks';

interface Environment {
  setup(): Promise<void>;
  teardown(): Promise<void>;
}
const SharedEnvironment = jest.requireActual<new (settings: object) => Environment>('../../jest/environment.cjs');

// As packages have it: with what the environment changes there
const perfHooks = jest.requireActual<typeof PerfHooks>('node:perf_hooks');

const shared = globalThis as { leftBehind?: string };
const listener = () => undefined;
const extended = Array.prototype as { leftBehind?: string };
const formats = Intl.DateTimeFormat.prototype as { leftBehind?: string };
const { stringify } = JSON;
/** undici's, and so that of `fetch`: nobody can delete it. */
const dispatcher = Symbol.for('undici.globalDispatcher.1');
const dispatchers = globalThis as unknown as Record<symbol, unknown>;
const expectations = expect as unknown as { addEqualityTesters(testers: unknown[]): void };
const testersLeft = () =>
  (dispatchers[Symbol.for('$$jest-matchers-object')] as { customEqualityTesters: unknown[] }).customEqualityTesters
    .length;

/** What a spec file does that cleans up nothing. */
const spoil = () => {
  shared.leftBehind = 'something';
  globalThis.setTimeout = (() => undefined) as unknown as typeof setTimeout;
  Error.stackTraceLimit = 1;
  process.on('SIGUSR2', listener);
  process.exitCode = 3;
  extended.leftBehind = 'something';
  formats.leftBehind = 'something';
  JSON.stringify = ((value: unknown) => stringify(value)) as typeof stringify;
  dispatchers[dispatcher] = {};
  expect.extend({ toBeNice: () => ({ pass: true, message: () => 'nice' }) });
  expectations.addEqualityTesters([() => undefined]);
};
const state = () => ({
  left: shared.leftBehind,
  setTimeout: globalThis.setTimeout,
  limit: Error.stackTraceLimit,
  listeners: process.listeners('SIGUSR2'),
  exitCode: process.exitCode,
  members: [extended.leftBehind, formats.leftBehind],
  stringify: JSON.stringify,
  dispatcher: dispatchers[dispatcher],
  matchers: ['toBeNice' in expect(1), testersLeft()],
});

describe('what a spec file leaves behind', () => {
  it('is gone for the next one of the same worker: globals and their members, listeners, matchers and exit code are those from before', async () => {
    const before = state();
    const environment = new SharedEnvironment({ projectConfig: { fakeTimers: {} } });
    spoil();
    const spoilt = state();
    await environment.teardown();
    expect(state()).toEqual(before);
    expect(spoilt).not.toEqual(before);
  });
});

describe('what packages keep of a service for good', () => {
  it('ends with the spec file that started it: intervals, observers and what made them', async () => {
    const environment = new SharedEnvironment({ projectConfig: { fakeTimers: {} } });
    await environment.setup();
    let [beats, seen] = [0, 0];
    setInterval(() => (beats += 1), 1);
    const observer = new perfHooks.PerformanceObserver(() => (seen += 1));
    observer.observe({ entryTypes: ['mark'] });
    await environment.teardown();
    const before = beats;
    perfHooks.performance.mark('after the file');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([beats - before, seen]).toEqual([0, 0]);
  });

  it('is one monitor of the event loop for all of them', () => {
    expect(perfHooks.monitorEventLoopDelay()).toBe(perfHooks.monitorEventLoopDelay({ resolution: 10 }));
  });
});

describe('a storage that a spec file has entered', () => {
  it('is left for the next one, or every file would make promises slower for those after it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const environment = new SharedEnvironment({ projectConfig: { fakeTimers: {} } });
    storage.enterWith('of this file');
    const before = storage.getStore();
    await environment.teardown();
    expect([before, storage.getStore()]).toEqual(['of this file', undefined]);
  });
});

describe('an error that Node throws', () => {
  it('is an instance of the Error that specs use, as in production', () => {
    const read = (): unknown => {
      try {
        return readFileSync('/there/is/no/such/file');
      } catch (error) {
        return error;
      }
    };
    expect(read() instanceof Error).toBe(true);
  });
});
