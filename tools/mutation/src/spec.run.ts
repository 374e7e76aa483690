import { ModernFakeTimers } from '@jest/fake-timers';
import expect from 'expect';
import * as circus from 'jest-circus';
import { fn, spyOn } from 'jest-mock';

export interface Outcome {
  readonly id: string;
  readonly name: string;
  readonly timeSpentMs: number;
  /** Why it failed; undefined when it passed. */
  readonly failure: string | undefined;
}

export interface SpecRun {
  /** A stable name for the spec: its path in the workspace. */
  readonly spec: string;
  /** Loads the spec, which declares its tests. */
  readonly load: () => void;
  readonly wants: (id: string) => boolean;
  /** Timeout in milliseconds of a test that sets none. */
  readonly patience: (id: string) => number;
  /** Stops at the first failure. */
  readonly bail: boolean;
  /** Called with each test that begins, and with undefined after it. */
  readonly onTest: (id: string | undefined) => void;
}

type Test = ReturnType<typeof circus.getState>['rootDescribeBlock']['tests'][number];
type Block = ReturnType<typeof circus.getState>['rootDescribeBlock'];

const timers = new ModernFakeTimers({
  config: { fakeTimers: {}, rootDir: '/' } as never,
  global: globalThis as never,
});

/** Timeout of the hooks after a failure: whatever a mutant makes hang ends with the process. */
const CLEARING_MS = 1_000;

/** Defines the globals of a spec. The `jest` object has only what the specs of the six libraries use. */
export const provideGlobals = (): void => {
  const { describe, it, test, beforeAll, beforeEach, afterAll, afterEach } = circus;
  const jest = {
    fn,
    spyOn,
    requireActual: require,
    useFakeTimers: () => timers.useFakeTimers(),
    useRealTimers: () => timers.useRealTimers(),
    advanceTimersByTime: (ms: number) => timers.advanceTimersByTime(ms),
  };
  Object.assign(globalThis, { describe, it, test, beforeAll, beforeEach, afterAll, afterEach, expect, jest });
};

const testsOf = (block: Block): Test[] =>
  block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));

const nameOf = (test: Test): string => {
  const names = [test.name];
  for (let { parent } = test; parent.parent; parent = parent.parent) names.unshift(parent.name);
  return names.join(' ');
};

const textOf = (error: unknown): string => {
  const first: unknown = Array.isArray(error) ? (error[0] ?? error[1]) : error;
  return first instanceof Error ? (first.stack ?? first.message) : String(first);
};

/** Attributes uncaught errors to the running test. */
const withUncaught = async (work: () => Promise<unknown>): Promise<void> => {
  const take = (error: unknown) => {
    const { currentlyRunningTest, unhandledErrors } = circus.getState();
    (currentlyRunningTest?.errors ?? unhandledErrors).push(error as never);
  };
  process.on('uncaughtException', take).on('unhandledRejection', take);
  try {
    await work();
    await new Promise(setImmediate);
  } finally {
    process.off('uncaughtException', take).off('unhandledRejection', take);
  }
};

/** Loads a spec without running its tests. */
export const declareOnly = (load: () => void): void => {
  circus.resetState();
  load();
};

/** Runs the tests of one spec in this process, with jest-circus but without jest's sandbox. */
export const runSpec = async ({ spec, load, wants, patience, bail, onTest }: SpecRun): Promise<Outcome[]> => {
  circus.resetState();
  const state = circus.getState();
  state.testTimeout = 20_000;
  const idOf = (test: Test) => `${spec} ${nameOf(test)}`;
  const failed = (failure: string): Outcome[] => [{ id: spec, name: spec, timeSpentMs: 0, failure }];
  const follow = (event: circus.Event) => {
    if (event.name === 'test_start') onTest(idOf(event.test));
    if (event.name === 'test_done') onTest(undefined);
    const broken = event.name === 'hook_failure' || (event.name === 'test_done' && event.test.errors.length > 0);
    if (!bail || !broken) return;
    for (const test of testsOf(state.rootDescribeBlock)) test.mode = test.startedAt ? test.mode : 'skip';
    state.testTimeout = CLEARING_MS;
  };
  try {
    load();
  } catch (error) {
    return failed(textOf(error));
  }
  for (const test of testsOf(state.rootDescribeBlock)) {
    test.timeout ??= patience(idOf(test));
    if (!wants(idOf(test))) test.mode = 'skip';
  }
  circus.addEventHandler(follow);
  await withUncaught(circus.run).finally(() => circus.removeEventHandler(follow));
  if (state.unhandledErrors.length > 0) return failed(textOf(state.unhandledErrors[0]));
  return testsOf(state.rootDescribeBlock)
    .filter((test) => test.errors.length > 0 || test.status === 'done')
    .map((test) => ({
      id: idOf(test),
      name: nameOf(test),
      timeSpentMs: test.duration ?? 0,
      failure: test.errors.length > 0 ? textOf(test.errors[0]) : undefined,
    }));
};
