/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import hooks, { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks';
import { silentLogger } from '@platform/runtime';
import type { SignalKeyStore } from 'baileys';
import { libraryLogger, loadLibrary, type Library } from './baileys.library';
import { withSharedStorage } from './shared-storage';

let library: Library;
beforeAll(async () => {
  library = await loadLibrary({ logger: silentLogger });
});

const written: unknown[] = [];
const store: SignalKeyStore = { get: async () => ({}), set: async (data) => void written.push(data) };
const transactional = () =>
  withSharedStorage(() =>
    library.addTransactionCapability(store, libraryLogger(silentLogger), {
      maxCommitRetries: 1,
      delayBetweenTriesMs: 0,
    }),
  );

/** What a promise of this moment carries for the storages of the process. */
const carried = async (): Promise<number> => {
  await Promise.resolve();
  return Object.getOwnPropertySymbols(executionAsyncResource()).length;
};

describe('the transactions of the client library', () => {
  it('add nothing to the promises of the process, however many connections there were', async () => {
    await transactional().transaction(async () => undefined, 'first');
    const before = await carried();
    for (let n = 0; n < 50; n++) await transactional().transaction(async () => undefined, `${n}`);
    expect(await carried()).toBe(before);
  });

  it('of two connections know nothing of each other, also one within the other', async () => {
    const [one, other] = [transactional(), transactional()];
    const seen = await one.transaction(async () => {
      await one.set({ session: { a: new Uint8Array([1]) } });
      const outer = [one.isInTransaction(), other.isInTransaction()];
      const inner = await other.transaction(async () => {
        await other.set({ session: { b: new Uint8Array([2]) } });
        return [one.isInTransaction(), other.isInTransaction()];
      }, 'inner');
      return { outer, inner, after: [one.isInTransaction(), other.isInTransaction()], written: [...written] };
    }, 'outer');
    expect(seen).toEqual({
      outer: [true, false],
      inner: [true, true],
      after: [true, false],
      written: [{ session: { b: new Uint8Array([2]) } }],
    });
    expect(written).toEqual([{ session: { b: new Uint8Array([2]) } }, { session: { a: new Uint8Array([1]) } }]);
    expect([one.isInTransaction(), other.isInTransaction()]).toEqual([false, false]);
  });
});

it('what is made after a connection has storages of Node again', () => {
  transactional();
  expect(hooks.AsyncLocalStorage).toBe(AsyncLocalStorage);
});
