import { ExpiringStore } from './memory.backend';

describe('the in-process store', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('the memory cache expires a value to the millisecond', () => {
    const store = new ExpiringStore();
    store.set('a', 1, 100);
    jest.advanceTimersByTime(99);
    expect(store.get('a')).toBe(1);
    jest.advanceTimersByTime(1);
    expect(store.get('a')).toBeUndefined();
    expect([store.delete('a'), store.expire('a', 10)]).toEqual([false, false]);
  });

  it('the memory cache keeps the time to live of a replaced value and changes it on request', () => {
    const store = new ExpiringStore();
    store.set('a', 1, 100);
    store.replace('a', 2);
    expect(store.expire('a', 200)).toBe(true);
    jest.advanceTimersByTime(150);
    expect(store.get('a')).toBe(2);
    jest.advanceTimersByTime(50);
    expect(store.get('a')).toBeUndefined();
  });

  it('the memory cache lets no value expire between the reads and writes of a script', () => {
    const store = new ExpiringStore();
    store.set('a', 1, 100);
    jest.advanceTimersByTime(99);
    const seen = store.atomically((frozen) => {
      jest.advanceTimersByTime(1);
      frozen.replace('a', Number(frozen.get('a')) + 1);
      return frozen.get('a');
    });
    expect([seen, store.get('a')]).toEqual([2, undefined]);
  });

  it('the memory cache answers whether it deleted a value', () => {
    const store = new ExpiringStore();
    store.set('a', 1);
    expect([store.delete('a'), store.delete('a')]).toEqual([true, false]);
  });

  it('the memory cache does not replace an absent value', () => {
    const store = new ExpiringStore();
    store.replace('a', 1);
    expect(store.get('a')).toBeUndefined();
  });

  it('the memory cache frees expired values that are never read again', () => {
    const store = new ExpiringStore();
    for (let index = 0; index < 10; index++) store.set(`key-${index}`, index, 100);
    store.set('for ever', 1);
    jest.advanceTimersByTime(100);
    store.sweep();
    expect(store.get('for ever')).toBe(1);
    expect(store['entries'].size).toBe(1);
  });
});
