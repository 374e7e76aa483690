import { TooMany } from '@platform/errors';
import { createLogger, silentLogger } from '@platform/runtime';
import { bundledShipping } from '../../clients/ship-a.bundled';
import { until } from '@platform/testing';
import { anonymousBuyer, STAFF, TRACKING, type Asker } from './askers';
import type { PriceAsked, ShippingProvider } from './port';
import { SharedProvider } from './shared.provider';

const asked = (destination: string): PriceAsked => ({
  ...{ space: 'search', origin: '1', destination, weightG: 1_000, couriers: ['jne'] },
});
const counts = () => {
  const seen = new Map<string, number>();
  const increment = async (key: string) => {
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return seen.get(key) ?? 0;
  };
  return { increment, seen };
};
/** A provider whose prices wait until they are let go. */
const waiting = () => {
  const waiters: (() => void)[] = [];
  const provider: ShippingProvider = {
    ...bundledShipping,
    prices: (wanted) =>
      new Promise((resolve) => {
        if (wanted.destination.startsWith('slow')) waiters.push(() => resolve([]));
        else resolve([]);
      }),
  };
  return { provider, waiters, letGo: () => waiters.forEach((go) => go()) };
};

it('a store whose questions hang leaves the other stores theirs, and gets no more than its share', async () => {
  const { provider, waiters, letGo } = waiting();
  const shared = new SharedProvider({ provider, cache: counts(), logger: silentLogger, mostADay: 1_000 });
  const noisy = Array.from({ length: 40 }, (_, at) =>
    shared
      .of('noisy')
      .prices(asked(`slow ${at}`))
      .catch((failure: unknown) => failure),
  );
  const quiet = Array.from({ length: 20 }, (_, at) => shared.of(`quiet ${at}`).prices(asked(`${at}`)));
  expect(await Promise.all(quiet)).toHaveLength(20);
  expect(waiters).toHaveLength(6);
  const refused = (await Promise.all(noisy.slice(6))).filter((each) => each instanceof TooMany);
  expect(refused).toHaveLength(34);
  letGo();
  expect(await Promise.all(noisy.slice(0, 6))).toEqual(Array(6).fill([]));
});

it('what many ask at once is asked once', async () => {
  const { provider, waiters, letGo } = waiting();
  const shared = new SharedProvider({ provider, cache: counts(), logger: silentLogger, mostADay: 1_000 });
  const all = Array.from({ length: 12 }, (_, at) => shared.of(`store ${at}`).prices(asked('slow')));
  await new Promise(setImmediate);
  expect(waiters).toHaveLength(1);
  letGo();
  expect(await Promise.all(all)).toEqual(Array(12).fill([]));
});

it.each([
  ['tracking', TRACKING, 3],
  ['staff', STAFF, 3],
  ['anonymous buyers', { ...anonymousBuyer('x', '10.0.0.1'), each: [] }, 6],
] as const)(
  'what %s may ask in a day is theirs: when it is used up the others are answered',
  async (_, noisy, most) => {
    const shared = new SharedProvider({
      ...{ provider: bundledShipping, cache: counts(), logger: silentLogger, mostADay: 12 },
    });
    const ask = (asker: Asker, text: string) => shared.of('S', asker).search(text, 5);
    for (let at = 0; at < most; at += 1) await ask(noisy, `nowhere ${at}`);
    await expect(ask(noisy, 'nowhere')).rejects.toBeInstanceOf(TooMany);
    const others = [TRACKING, STAFF, anonymousBuyer('y', '10.0.0.2')].filter(({ share }) => share !== noisy.share);
    for (const asker of others) expect(await ask(asker, 'Menteng')).toHaveLength(1);
  },
);

it('a cart, and whoever has many from one address, cause so many requests in a day, and leave other buyers theirs', async () => {
  const shared = new SharedProvider({
    ...{ provider: bundledShipping, cache: counts(), logger: silentLogger, mostADay: 1_000 },
  });
  const asked = async (cart: string, address: string, times: number) => {
    const answers = Array.from(
      { length: times },
      (_, at) => () => shared.of('S', anonymousBuyer(cart, address)).search(`nowhere ${at}`, 5),
    );
    let told = 0;
    for (const answer of answers)
      told += await answer().then(
        () => 1,
        () => 0,
      );
    return told;
  };
  expect(await asked('one', '10.0.0.1', 30)).toBe(20);
  expect(await asked('one', '10.0.0.2', 30)).toBe(0);
  let told = 20;
  for (let at = 0; at < 8; at += 1) told += await asked(`cart ${at}`, '2001:db8::1', 30);
  expect(told).toBe(120);
  expect(await asked('another', '2001:db8:0:0:ffff::2', 5)).toBe(0);
  expect(await asked('another', '10.0.0.2', 5)).toBe(5);
});

it('questions that cause no request are not counted', async () => {
  const { provider, waiters, letGo } = waiting();
  const cache = counts();
  const shared = new SharedProvider({ provider, cache, logger: silentLogger, mostADay: 4 });
  const all = Array.from({ length: 12 }, () => shared.of('S').prices(asked('slow')));
  await until(() => waiters.length > 0);
  const joined = Array.from({ length: 3 }, (_, at) => shared.of(`other ${at}`).prices(asked('slow')));
  await new Promise(setImmediate);
  letGo();
  expect([await Promise.all(all), await Promise.all(joined)]).toEqual([Array(12).fill([]), Array(3).fill([])]);
  expect([...cache.seen.values()]).toEqual([1]);
});

it('a store that has used up its share of the day is told so once in the log, and others are answered', async () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'x', level: 'warn', write: (line) => lines.push(line) });
  const shared = new SharedProvider({ provider: bundledShipping, cache: counts(), logger, mostADay: 8 });
  const ask = (store: string) => shared.of(store).search('Menteng', 5);
  await ask('noisy');
  await ask('noisy');
  for (let at = 0; at < 3; at += 1) await expect(ask('noisy')).rejects.toBeInstanceOf(TooMany);
  expect(await ask('quiet')).toHaveLength(1);
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    'a store has used up its share of the provider of courier prices',
  ]);
});

it('while nobody counts nobody is refused', async () => {
  const cache = { increment: () => Promise.reject(new Error('away')) };
  const shared = new SharedProvider({ provider: bundledShipping, cache, logger: silentLogger, mostADay: 1 });
  for (let at = 0; at < 3; at += 1) expect(await shared.of('S').search('Menteng', 5)).toHaveLength(1);
});
