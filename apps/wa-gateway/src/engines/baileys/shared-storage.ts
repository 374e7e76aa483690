import hooks, { AsyncLocalStorage } from 'node:async_hooks';
import type * as Modules from 'node:module';
import { nativeImport } from './native-import';

/** Tells ES modules, which is what the library is, what a module of Node exports now. */
let publish: typeof Modules.syncBuiltinESMExports = () => undefined;

/** Before the library is loaded. */
export const readyToShare = async (): Promise<void> => {
  ({ syncBuiltinESMExports: publish } = (await nativeImport('node:module')) as typeof Modules);
};

/** Of each `SharedStorage` what it holds here. */
const storage = new AsyncLocalStorage<ReadonlyMap<object, unknown>>();

/** Does what an AsyncLocalStorage does, however many there are: all of them together are one to Node. */
class SharedStorage<T> {
  getStore(): T | undefined {
    return storage.getStore()?.get(this) as T | undefined;
  }

  run<R, A extends unknown[]>(store: T, work: (...args: A) => R, ...args: A): R {
    return storage.run(new Map(storage.getStore()).set(this, store), work, ...args);
  }
}

const storageOfNode = Object.getOwnPropertyDescriptor(hooks, 'AsyncLocalStorage');

const lend = (descriptor: PropertyDescriptor = {}): void => {
  Object.defineProperty(hooks, 'AsyncLocalStorage', descriptor);
  publish();
};

/**
 * What `open` makes has no AsyncLocalStorage of its own. The client library makes one for every connection, and Node 20 writes
 * each that was ever used into every promise, timer and socket of the process, and forgets none: with 500 devices a quarter of the
 * CPU and most of the memory, and more with every connection that is opened again.
 */
export const withSharedStorage = <T>(open: () => T): T => {
  lend({ configurable: true, enumerable: true, get: () => SharedStorage });
  try {
    return open();
  } finally {
    lend(storageOfNode);
  }
};
