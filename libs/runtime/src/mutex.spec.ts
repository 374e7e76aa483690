import { Mutex } from './mutex';

it('a mutex runs tasks one at a time, in order, and goes on after one that failed', async () => {
  const mutex = new Mutex();
  const told: string[] = [];
  const work = (name: string, ends: () => void) => () => {
    told.push(`${name} begins`);
    return Promise.resolve().then(() => {
      told.push(`${name} ends`);
      ends();
    });
  };
  const failure = new Error('b failed');
  const runs = [
    mutex.run(work('a', () => undefined)),
    mutex.run(
      work('b', () => {
        throw failure;
      }),
    ),
    mutex.run(work('c', () => undefined)),
  ];
  const ends = await Promise.allSettled(runs);
  expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(ends).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'rejected', reason: failure },
    { status: 'fulfilled', value: undefined },
  ]);
});
