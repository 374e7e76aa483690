import { fixedClock } from './clock';
import { LruCache } from './lru-cache';

/** Reads a key as callers do: a miss costs one query of the store. */
const reading = (cache: LruCache<string, string>) => {
  const asked: string[] = [];
  const read = (key: string): void => {
    if (cache.get(key) !== undefined) return;
    asked.push(key);
    cache.set(key, key);
  };
  return { asked, read };
};

it('an overflow evicts the least recently used entry, and no other', () => {
  const cache = new LruCache<string, number>({ limit: 3 });
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  cache.get('a');
  cache.set('d', 3);
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3]);
  expect(cache.size).toBe(3);
});

it('keys in constant use are queried once each, however many others come and go', () => {
  const { asked, read } = reading(new LruCache({ limit: 100 }));
  const busy = Array.from({ length: 50 }, (_, n) => `busy ${n}`);
  for (let passer = 0; passer < 1_000; passer += 1) {
    busy.forEach(read);
    read(`passer ${passer}`);
  }
  // A map that is emptied when it is full queries them again for every 50 others: 1,000 queries more
  expect([asked.length, asked.filter((key) => key.startsWith('busy')).length]).toEqual([1_050, 50]);
});

it('more keys in rotation than the limit are all queried again: the limit must exceed the keys in use', () => {
  const { asked, read } = reading(new LruCache({ limit: 9 }));
  for (let round = 0; round < 3; round += 1) for (let key = 0; key < 10; key += 1) read(String(key));
  expect(asked).toHaveLength(30);
});

it('an entry is used until it expires, counted from when it was set', () => {
  const clock = fixedClock('2026-01-01T00:00:00Z');
  const cache = new LruCache<string, number>({ limit: 2, ttlMs: 1_000, clock });
  cache.set('a', 1);
  clock.advance(999);
  const before = cache.get('a');
  clock.advance(1);
  expect([before, cache.get('a'), cache.size]).toEqual([1, undefined, 0]);
  cache.set('a', 2);
  clock.advance(600);
  cache.set('a', 3);
  clock.advance(600);
  expect(cache.get('a')).toBe(3);
});

it("an entry expires in its time although the system's clock is set back", () => {
  jest.useFakeTimers();
  try {
    const cache = new LruCache<string, number>({ limit: 2, ttlMs: 1_000 });
    cache.set('a', 1);
    jest.setSystemTime(Date.now() - 86_400_000);
    const before = cache.get('a');
    jest.advanceTimersByTime(1_000);
    expect([before, cache.get('a')]).toEqual([1, undefined]);
  } finally {
    jest.useRealTimers();
  }
});

it('an entry that is set again is not evicted next', () => {
  const cache = new LruCache<string, number>({ limit: 2 });
  cache.set('a', 1);
  cache.set('b', 1);
  cache.set('a', 2);
  cache.set('c', 1);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([2, undefined, 1]);
});

it('entries are forgotten by key or by what their values say', () => {
  const cache = new LruCache<number, string>({ limit: 10 });
  for (const [index, store] of ['x', 'y', 'x', 'y'].entries()) cache.set(index, store);
  cache.deleteWhere((store) => store === 'x');
  cache.delete(1);
  expect([0, 1, 2, 3].map((key) => cache.get(key))).toEqual([undefined, undefined, undefined, 'y']);
});
