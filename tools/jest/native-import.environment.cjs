// For specs that load an ESM-only package (baileys): jest's own `import()` and `require` refuse it, so the specs get Node's as
// `nativeImport`. A spec names this file in its docblock, relative to its project's folder, not its own:
//   /** @jest-environment ../../tools/jest/native-import.environment.cjs */
// The imported module is the worker's own: all spec files of a worker share it.
const SharedEnvironment = require('./environment.cjs');

// baileys leaves timers of up to 30 s running when a socket ends; jest would wait for them after the last test.
const unreferencedAfter = () => {
  const { setTimeout } = globalThis;
  const timers = [];
  const counting = (...args) => {
    const timer = setTimeout(...args);
    timers.push(timer);
    return timer;
  };
  globalThis.setTimeout = Object.defineProperties(counting, Object.getOwnPropertyDescriptors(setTimeout));
  return () => {
    globalThis.setTimeout = setTimeout;
    for (const timer of timers) timer.unref();
  };
};

module.exports = class NativeImportEnvironment extends SharedEnvironment {
  async setup() {
    await super.setup();
    this.release = unreferencedAfter();
    this.global.nativeImport = (specifier) => import(specifier);
  }

  async teardown() {
    this.release();
    await super.teardown();
  }
};
