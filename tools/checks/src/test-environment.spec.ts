import { readFileSync } from 'node:fs';

interface Environment {
  teardown(): Promise<void>;
}
const SharedEnvironment = jest.requireActual<new (settings: object) => Environment>('../../jest/environment.cjs');

const shared = globalThis as { leftBehind?: string };
const listener = () => undefined;

/** What a spec file does that cleans up nothing. */
const spoil = () => {
  shared.leftBehind = 'something';
  globalThis.setTimeout = (() => undefined) as unknown as typeof setTimeout;
  Error.stackTraceLimit = 1;
  process.on('SIGUSR2', listener);
  process.exitCode = 3;
};
const state = () => ({
  left: shared.leftBehind,
  setTimeout: globalThis.setTimeout,
  limit: Error.stackTraceLimit,
  listeners: process.listeners('SIGUSR2'),
  exitCode: process.exitCode,
});

describe('the shared test environment', () => {
  it('restores globals, listeners and the exit code after a spec file', async () => {
    const before = state();
    const environment = new SharedEnvironment({ projectConfig: { fakeTimers: {} } });
    spoil();
    const spoilt = state();
    await environment.teardown();
    expect(state()).toEqual(before);
    expect(spoilt).not.toEqual(before);
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
