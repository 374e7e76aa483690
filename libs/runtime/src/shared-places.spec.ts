import { setImmediate as turn } from 'node:timers/promises';
import { SharedPlaces } from './shared-places';

const taken = (places: SharedPlaces, key: string, count: number) =>
  Array.from({ length: count }, () => places.take(key)).filter((leave) => leave !== undefined);
/** Who was admitted, in that order. */
const queue = (places: SharedPlaces) => {
  const admitted: string[] = [];
  const enter = (key: string, name = key) =>
    places.acquire(key).then((leave) => {
      admitted.push(name);
      return leave;
    });
  return { admitted, enter };
};

it('a key has as many places as it may, and one again when it gives one back', () => {
  const places = new SharedPlaces({ places: 100, most: 2 });
  const [first] = taken(places, 'a', 3);
  expect([places.full(), taken(places, 'a', 1), taken(places, 'b', 1).length]).toEqual([['a'], [], 1]);
  first?.();
  expect([places.full(), taken(places, 'a', 2).length]).toEqual([[], 1]);
});

it('the last quarter of the places is for keys that have none, one each', () => {
  const places = new SharedPlaces({ places: 8, most: 4 });
  expect(['a', 'b', 'c'].map((key) => taken(places, key, 8).length)).toEqual([4, 2, 1]);
  expect(places.full()).toEqual(['a', 'b', 'c']);
  expect(['d', 'e'].map((key) => taken(places, key, 8).length)).toEqual([1, 0]);
});

it('who waits is admitted in the order of arrival, as far as the key may have a place', async () => {
  const places = new SharedPlaces({ places: 4, most: 2 });
  const { admitted, enter } = queue(places);
  const [a] = taken(places, 'a', 2);
  taken(places, 'b', 2);
  void enter('b', 'b again');
  const c = await enter('c');
  void enter('d');
  void enter('e');
  a?.();
  a?.();
  await turn();
  expect(admitted).toEqual(['c', 'd']);
  c();
  await turn();
  expect(admitted).toEqual(['c', 'd', 'e']);
});

it('a key that has a place waits while only the last quarter is free, and goes on when more is', async () => {
  const places = new SharedPlaces({ places: 8, most: 4 });
  const { admitted, enter } = queue(places);
  const [first, second] = taken(places, 'a', 4);
  taken(places, 'b', 2);
  void enter('b');
  first?.();
  await turn();
  expect([admitted, places.full()]).toEqual([['b'], ['a', 'b']]);
  void enter('b', 'b again');
  await turn();
  expect(admitted).toEqual(['b']);
  second?.();
  await turn();
  expect(admitted).toEqual(['b', 'b again']);
});

it('who waits for too long is refused with the reason, and takes no place from the others', async () => {
  const places = new SharedPlaces({ places: 1, most: 1 });
  const [leave] = taken(places, 'a', 1);
  const impatient = new AbortController();
  const refused = places.acquire('b', impatient.signal);
  const next = places.acquire('c', new AbortController().signal);
  impatient.abort(new Error('the time is over'));
  await expect(refused).rejects.toThrow('the time is over');
  await expect(places.acquire('b', impatient.signal)).rejects.toThrow('the time is over');
  leave?.();
  expect(await next).toEqual(expect.any(Function));
  expect(places.full()).toEqual(['c']);
});
