// Spec files share the globals of their worker, which are restored after each file: an error from a package is an `Error` in the
// spec. See ./runtime.cjs.
const { AsyncLocalStorage } = require('node:async_hooks');
const { appendFileSync } = require('node:fs');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { defaultMetadataStorage } = require('class-transformer/cjs/storage');
const { leftBehind } = require('./left-behind.cjs');
// What these add to globals is there for good: it is not to look as if a spec had added it
require('reflect-metadata');
require('undici');

/** What libs/testing/src/kept.ts keeps for all spec files of this worker. */
globalThis[Symbol.for('platform.kept')] ??= new Map();

/** Remembers the properties of an object; the function that is returned puts back those that are others now. */
const propertiesOf = (object) => {
  const before = new Map(Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]));
  return () => {
    for (const key of Reflect.ownKeys(object)) if (!before.has(key)) Reflect.deleteProperty(object, key);
    for (const [key, old] of before) {
      const now = Object.getOwnPropertyDescriptor(object, key);
      if (now?.value !== old.value || now?.get !== old.get) Reflect.defineProperty(object, key, old);
    }
  };
};

const valuesOf = (object) =>
  Object.entries(Object.getOwnPropertyDescriptors(object)).flatMap(([name, { value }]) =>
    value === globalThis || name === 'Error' ? [] : [value, value?.prototype],
  );
/** Built-in objects and their prototypes: `JSON`, `Array.prototype` … A package that changes one is loaded above. */
const builtIns = [...valuesOf(globalThis), ...valuesOf(Intl)].filter((each) => Object(each) === each);
const putBackBuiltIns = builtIns.map(propertiesOf);

/** Jest keeps matchers and equality testers in a global that cannot be deleted, and adds its own for each spec file. */
const MATCHERS = Symbol.for('$$jest-matchers-object');
const matchersOf = () => {
  const { matchers, customEqualityTesters = [] } = globalThis[MATCHERS] ?? {};
  const [before, testers] = [{ ...matchers }, [...customEqualityTesters]];
  return () => {
    const now = globalThis[MATCHERS];
    if (!now) return;
    for (const name of Object.keys(now.matchers)) if (!Object.hasOwn(before, name)) delete now.matchers[name];
    Object.assign(now.matchers, before);
    now.customEqualityTesters.splice(0, Infinity, ...testers);
  };
};

const listenersOf = (emitter) => {
  const before = new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]));
  return () => {
    for (const name of emitter.eventNames())
      for (const listener of emitter.rawListeners(name))
        if (!before.get(name)?.includes(listener)) emitter.removeListener(name, listener);
  };
};

const exitCodeOf = () => {
  const { exitCode } = process;
  return () => {
    process.exitCode = exitCode;
  };
};

/**
 * The storages that a spec file has entered. Node 20 writes each of them into every promise and timer from then on: the modules of
 * each file bring their own, so a worker would become slower with every file.
 */
const entered = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...given) {
    entered.add(this);
    return original.apply(this, given);
  };
}
const leaveStorages = () => {
  for (const storage of entered) storage.disable();
  entered.clear();
};

/** The spec file that runs, or ran last, and the last error since its start that no promise or test has heard. */
let current;
let unheard;
/**
 * A worker that ends by itself is told to ./suites.cjs: by an error after the last test of a file, or by `process.exit`. Jest would
 * repeat the file that is under way in another worker, and say nothing.
 */
const tellOfEnds = (file) => {
  process.on('uncaughtExceptionMonitor', (error) => {
    unheard = error?.stack ?? String(error);
  });
  process.on('exit', (code) => {
    if (code === 0 || !current) return;
    const message = `The process ended with code ${code} in this file or after it. ${unheard ?? 'Was process.exit called?'}`;
    appendFileSync(file, `${JSON.stringify({ name: current, message })}\n`);
  });
};
if (process.env.JEST_ENDED_WORKERS) tellOfEnds(process.env.JEST_ENDED_WORKERS);

module.exports = class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null; // the legacy ones, which are not used

  constructor({ projectConfig }, { testPath } = {}) {
    [current, unheard] = [testPath];
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.putBack = [
      propertiesOf(globalThis), // including those in which class-validator and TypeORM register decorated classes
      propertiesOf(Error),
      propertiesOf(process),
      propertiesOf(process.env),
      listenersOf(process),
      exitCodeOf(),
      () => defaultMetadataStorage.clear(),
      matchersOf(),
      ...putBackBuiltIns,
    ];
  }

  /** Jest wants a hundred frames of every error, also of those that an answer or a matcher is made of. */
  async setup() {
    Error.stackTraceLimit = 20;
    this.endRest = leftBehind();
  }

  /**
   * Jest gives a callback to a test with more parameters than its row of `it.each` has values, and waits for it: a table with an optional last
   * column would keep a worker for the ten minutes of its limit, row by row.
   */
  handleTestEvent({ name, fn, testName = 'a hook' }, { rootDescribeBlock }) {
    this.suites = rootDescribeBlock;
    if ((name === 'add_test' || name === 'add_hook') && fn?.length > 0)
      throw new Error(`${testName}: tests and hooks take no callback. Give every row a value for each parameter.`);
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.endRest?.(this.suites);
    for (const putBack of this.putBack) putBack();
    leaveStorages();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest only checks that it exists; ./runtime.cjs compiles without it. */
  getVmContext() {
    return globalThis;
  }
};
