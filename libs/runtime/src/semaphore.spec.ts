import { Semaphore } from './semaphore';

it('a semaphore admits up to its limit, and the next in order when one leaves', async () => {
  const semaphore = new Semaphore(2);
  const order: number[] = [];
  const acquire = async (n: number) => {
    const release = await semaphore.acquire();
    order.push(n);
    return release;
  };
  const all = [1, 2, 3, 4].map(acquire);
  const [releaseFirst] = await Promise.all(all.slice(0, 2));
  expect([order, semaphore.isFull, semaphore.waiting]).toEqual([[1, 2], true, 2]);
  releaseFirst?.();
  await all[2];
  expect([order, semaphore.waiting]).toEqual([[1, 2, 3], 1]);
  (await all[1])?.();
  await all[3];
  expect([order, semaphore.waiting]).toEqual([[1, 2, 3, 4], 0]);
});

it('a permit that is released twice makes room for one', async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire();
  const [second, third] = [semaphore.acquire(), semaphore.acquire()];
  release();
  release();
  (await second)();
  (await third)();
  expect([semaphore.isFull, semaphore.waiting]).toEqual([false, 0]);
});

it('work that fails releases its permit', async () => {
  const semaphore = new Semaphore(1);
  const failure = new Error('no');
  await expect(semaphore.run(() => Promise.reject(failure))).rejects.toBe(failure);
  await expect(semaphore.run(() => Promise.resolve('done'))).resolves.toBe('done');
  expect(semaphore.isFull).toBe(false);
});
