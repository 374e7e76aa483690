// Spec files share the globals of their worker, which are restored after each file: an error from a package is an `Error` in the
// spec. See ./runtime.cjs.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { defaultMetadataStorage } = require('class-transformer/cjs/storage');

/** Remembers the properties of an object and returns a function that restores them. */
const propertiesOf = (object) => {
  const before = Object.getOwnPropertyDescriptors(object);
  return () => {
    for (const key of Reflect.ownKeys(object)) if (!Object.hasOwn(before, key)) Reflect.deleteProperty(object, key);
    for (const key of Reflect.ownKeys(before)) Reflect.defineProperty(object, key, before[key]);
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

module.exports = class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null; // the legacy ones, which are not used

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.putBack = [
      propertiesOf(globalThis), // including those in which class-validator and TypeORM register decorated classes
      propertiesOf(Error),
      propertiesOf(process),
      propertiesOf(process.env),
      listenersOf(process),
      exitCodeOf(),
      () => defaultMetadataStorage.clear(),
    ];
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const putBack of this.putBack) putBack();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest only checks that it exists; ./runtime.cjs compiles without it. */
  getVmContext() {
    return globalThis;
  }
};
