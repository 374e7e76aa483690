import { fixedClock } from './clock';
import { RevalidatingCache } from './revalidating-cache';
import { SharedPlaces } from './shared-places';

const FRESH_MS = 10;
const STALE_MS = 100;

interface Answer {
  readonly resolve: (value: number | undefined) => void;
  readonly reject: (cause: Error) => void;
}

/** A cache that knows `1`, and a source of which each answer is to be given. */
const knowing = () => {
  const clock = fixedClock('2026-01-01T00:00:00Z');
  const places = new SharedPlaces({ places: 2, most: 1 });
  const limits = { limit: 4, freshMs: FRESH_MS, staleMs: STALE_MS };
  const cache = new RevalidatingCache<string, number>({ ...limits, places, clock });
  const asked: Answer[] = [];
  const ask = () =>
    new Promise<number | undefined>((resolve, reject) => {
      asked.push({ resolve, reject });
    });
  const read = (key = 'a', tenant = 'S1') => cache.get(key, { tenant, ask });
  cache.set('a', 1);
  return { clock, cache, asked, read };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('a fresh value is read and not asked for, an unknown one neither', () => {
  const { clock, asked, read } = knowing();
  clock.advance(FRESH_MS - 1);
  expect([read(), read('b'), asked.length]).toEqual([1, undefined, 0]);
});

it('a stale value is read while it is asked for once, whoever reads, and the new one is fresh again', async () => {
  const { clock, asked, read } = knowing();
  clock.advance(FRESH_MS);
  expect([read(), read(), asked.length]).toEqual([1, 1, 1]);
  asked[0]?.resolve(2);
  await turn();
  clock.advance(FRESH_MS - 1);
  expect([read(), asked.length]).toEqual([2, 1]);
  clock.advance(1);
  expect([read(), asked.length]).toEqual([2, 2]);
});

it('a value that is too old is unknown, also while a new one is on its way', async () => {
  const { clock, asked, read } = knowing();
  clock.advance(FRESH_MS);
  read();
  clock.advance(STALE_MS);
  expect([read(), asked.length]).toEqual([undefined, 1]);
  asked[0]?.resolve(2);
  await turn();
  expect(read()).toBe(2);
});

it.each([
  ['fails', (answer?: Answer) => answer?.reject(new Error('down')), 1],
  ['is that nothing is to be kept', (answer?: Answer) => answer?.resolve(undefined), undefined],
])('what is known when the answer %s', async (_, end, expected) => {
  const { clock, asked, read } = knowing();
  clock.advance(FRESH_MS);
  read();
  end(asked[0]);
  await turn();
  expect(read()).toBe(expected);
  // The next one asks again where something is left to be read
  expect(asked.length).toBe(expected === undefined ? 1 : 2);
});

it('the least recently used value is forgotten beyond the limit', () => {
  const { cache, read } = knowing();
  for (const key of ['b', 'c', 'd']) cache.set(key, 2);
  read('a');
  cache.set('e', 3);
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => read(key))).toEqual([1, undefined, 2, 2, 3]);
});

it('an answer that was asked for before a newer value was set is dropped', async () => {
  const { clock, cache, asked, read } = knowing();
  clock.advance(FRESH_MS);
  read();
  clock.advance(STALE_MS);
  cache.set('a', 3);
  asked[0]?.resolve(2);
  await turn();
  expect(read()).toBe(3);
});

it('one tenant has one value asked for at a time, whatever it reads, and leaves places to others', async () => {
  const { clock, cache, asked, read } = knowing();
  for (const key of ['b', 'c', 'd']) cache.set(key, 2);
  clock.advance(FRESH_MS);
  expect([read('a'), read('b'), read('c', 'S2'), read('d', 'S3'), asked.length]).toEqual([1, 2, 2, 2, 2]);
  asked[0]?.reject(new Error('down'));
  await turn();
  expect([read('b'), read('a'), asked.length]).toEqual([2, 1, 3]);
});

it('who asks for nothing behind anybody reads a fresh value alone', () => {
  const { clock, cache, asked } = knowing();
  expect(cache.get('a')).toBe(1);
  clock.advance(FRESH_MS);
  expect([cache.get('a'), asked.length]).toEqual([undefined, 0]);
});

it('a value that was read before the clock was set back is stale, not fresh until the clock is there again', () => {
  const { clock, asked, read } = knowing();
  clock.advance(-1_000);
  expect([read(), asked.length]).toEqual([1, 1]);
});
