interface Ending {
  stop?(): unknown;
  close?(): unknown;
}

const stop = async (thing: Ending = {}): Promise<void> => {
  if (thing.stop) await thing.stop();
  else await thing.close?.();
};

/** Stands for an object that exists later: forwards everything to it. */
export const standIn = <T extends object>(current: () => T | undefined): T => {
  const forward = new Proxy<ProxyHandler<T>>(
    {},
    {
      get: (_, trap: keyof typeof Reflect & keyof ProxyHandler<T>) => {
        const ask = Reflect[trap] as (target: object, ...more: unknown[]) => unknown;
        return (_target: T, ...more: unknown[]) => {
          const object = current();
          if (!object) throw new Error('It does not run yet: use it in hooks and tests.');
          return ask(object, ...more);
        };
      },
    },
  );
  return new Proxy({} as T, forward);
};

const suites: object[] = [];
const tests: object[] = [];

/**
 * Runs what `start` resolves to while the tests of the surrounding suite run: started in `beforeAll`, ended by its `stop()` or `close()`
 * in `afterAll`, the last started first (Jest runs `afterAll` hooks in the order in which they are written). What it returns stands for that
 * object, so a spec has it in a constant: hooks and tests use it, nothing before.
 */
export const useRunning = <T extends object>(start: () => Promise<T>): T => {
  let started: T | undefined;
  beforeAll(async () => {
    const place = suites.push({}) - 1; // also when the start failed: `afterAll` runs all the same
    started = await start();
    suites[place] = started;
  });
  afterAll(() => stop(suites.pop()));
  return standIn(() => started);
};

/** The same anew for every test of the surrounding suite. */
export const useForEach = <T extends object>(start: () => T | Promise<T>): T => {
  let started: T | undefined;
  beforeEach(async () => {
    started = await start();
    tests.push(started);
  });
  afterEach(() => stop(tests.pop()));
  return standIn(() => started);
};

/** Ends what a test opens after that test, the last opened first; returns it, so that it can be opened inside the call. */
export const useOpened = () => {
  const opened: Ending[] = [];
  afterEach(async () => {
    for (const thing of opened.splice(0).reverse()) await stop(thing);
  });
  return <T extends Ending>(thing: T): T => {
    opened.push(thing);
    return thing;
  };
};
