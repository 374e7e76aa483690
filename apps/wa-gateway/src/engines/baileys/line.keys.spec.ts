import type { SignalDataSet } from 'baileys';
import type { AuthStore } from './auth.store';
import { LineKeys } from './line.keys';

/** A store that counts what it is asked. */
const storeOf = (entries: Record<string, unknown> = {}) => {
  const asked: string[] = [];
  const written: SignalDataSet[] = [];
  const store = {
    get: async (type: string, ids: string[]) => {
      asked.push(...ids.map((id) => `${type} ${id}`));
      return Object.fromEntries(ids.flatMap((id) => (id in entries ? [[id, entries[id]]] : [])));
    },
    set: async (data: SignalDataSet) => void written.push(data),
  };
  return { asked, written, store: store as unknown as AuthStore };
};
const retrying = { limitMs: 0, pauseMs: 1, givingUp: () => undefined };
const a = new Uint8Array([1]);

describe('the keys of a connection', () => {
  it('are asked for once, absence included, and a written one not at all', async () => {
    const { asked, store } = storeOf({ a });
    const keys = new LineKeys(store, retrying);
    expect(await keys.get('session', ['a', 'b'])).toEqual({ a });
    await keys.set({ session: { b: a, c: a } });
    expect(await keys.get('session', ['a', 'b', 'c'])).toEqual({ a, b: a, c: a });
    await keys.set({ session: { a: null } });
    expect(await keys.get('session', ['a'])).toEqual({});
    expect(asked).toEqual(['session a', 'session b']);
  });

  it('that the library changes in place are asked for each time', async () => {
    const { asked, store } = storeOf({ a });
    const keys = new LineKeys(store, retrying);
    for (let n = 0; n < 2; n++) await keys.get('sender-key-memory', ['a']);
    expect(asked).toEqual(['sender-key-memory a', 'sender-key-memory a']);
  });

  it('are all answered, also when they are more than are remembered', async () => {
    const ids = Array.from({ length: 1_200 }, (_, n) => String(n));
    const keys = new LineKeys(storeOf(Object.fromEntries(ids.map((id) => [id, a]))).store, retrying);
    expect(Object.keys(await keys.get('session', ids))).toHaveLength(1_200);
  });

  it('are not written any more when the connection has ended, and what was on its way is waited for', async () => {
    const { written, store } = storeOf();
    let finish = (): void => undefined;
    const slow = { ...store, set: () => new Promise<void>((resolve) => (finish = resolve)) } as unknown as AuthStore;
    const keys = new LineKeys(slow, retrying);
    const write = keys.set({ session: { a } });
    let isSettled = false;
    const settled = keys.settled().then(() => (isSettled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSettled).toBe(false);
    finish();
    await Promise.all([write, settled]);
    await expect(keys.set({ session: { a } })).rejects.toThrow('the connection has ended');
    expect(written).toEqual([]);
  });

  it('that come after the end close no line: it would be that of the next connection', async () => {
    const givingUp = jest.fn();
    const keys = new LineKeys(storeOf().store, { ...retrying, givingUp });
    keys.end();
    await expect(keys.set({ session: { a } })).rejects.toThrow('the connection has ended');
    expect(givingUp).not.toHaveBeenCalled();
  });

  it('remember nothing that could not be written', async () => {
    const { store } = storeOf();
    const failing = { ...store, set: () => Promise.reject(new Error('away')) } as unknown as AuthStore;
    const keys = new LineKeys(failing, retrying);
    await expect(keys.set({ session: { a } })).rejects.toThrow('away');
    expect(await keys.get('session', ['a'])).toEqual({});
  });
});
