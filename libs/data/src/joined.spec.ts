import { joined } from './joined';

/** Reads that end when the test says so; each answers its number. */
const slow = () => {
  const ends: { resolve: (answer: string) => void; reject: (reason: Error) => void }[] = [];
  const read = () => new Promise<string>((resolve, reject) => ends.push({ resolve, reject }));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { ends, read, turn };
};

it('who asks while the same is read shares the next read, which begins when that one ends', async () => {
  const { ends, read, turn } = slow();
  const ask = joined<string>();
  const asked = [ask('a', read), ask('a', read), ask('a', read)];
  expect(ends).toHaveLength(1);
  ends[0]?.resolve('before');
  await turn();
  asked.push(ask('a', read));
  expect(ends).toHaveLength(2);
  ends[1]?.resolve('after');
  await turn();
  expect(ends).toHaveLength(3);
  ends[2]?.resolve('last');
  expect(await Promise.all(asked)).toEqual(['before', 'after', 'after', 'last']);
});

it('keys do not wait for each other', async () => {
  const { ends, read } = slow();
  const ask = joined<string>();
  void ask('a', read);
  const other = ask('b', read);
  ends[1]?.resolve('b');
  expect(await other).toBe('b');
});

it('a failure is told to those who shared it, and the next who asks reads anew', async () => {
  const { ends, read, turn } = slow();
  const ask = joined<string>();
  const asked = [ask('a', read), ask('a', read), ask('a', read)];
  const told = Promise.allSettled(asked);
  ends[0]?.resolve('first');
  await turn();
  ends[1]?.reject(new Error('gone'));
  expect((await told).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  const again = ask('a', read);
  ends[2]?.resolve('again');
  expect(await again).toBe('again');
});

it('after a failure, those who came meanwhile have a read of their own', async () => {
  const { ends, read, turn } = slow();
  const ask = joined<string>();
  const told = Promise.allSettled([ask('a', read), ask('a', read)]);
  ends[0]?.reject(new Error('gone'));
  await turn();
  ends[1]?.resolve('second');
  expect((await told).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
