import { randomBytes } from 'node:crypto';
import { openCache } from '@platform/data';
import { Unavailable } from '@platform/errors';
import { environment, fixedClock, silentLogger, uuidv7 } from '@platform/runtime';
import { startGate, until, useForEach, useOpened } from '@platform/testing';
import { Limits } from './limits';
import type { Place } from './limits.types';

interface Process {
  readonly limits: Limits;
  stop(): Promise<void>;
}

const opened = useOpened();

const opening = (url: string | undefined) => {
  const clock = fixedClock(new Date());
  const name = `limits-${randomBytes(6).toString('hex')}`;
  const shared = openCache({ logger: silentLogger, name });
  const start = async ({ places = 1_000, address = url } = {}): Promise<Process> => {
    const cache = address ? openCache({ url: address, logger: silentLogger, name }) : shared;
    await cache.start?.();
    const limits = new Limits({ cache, clock, logger: silentLogger, places, heldMs: 15_000 });
    return opened({ limits, stop: async () => void (await Promise.all([limits.stop(), cache.stop?.()])) });
  };
  return { clock, start };
};

let stores = 0;
const newStore = (): string => `S-${++stores}`;

const taken = (begun: Awaited<ReturnType<Limits['begin']>>): Place | undefined =>
  'leave' in begun ? begun : undefined;

/** Begins turns and ends them at once: how many were allowed. */
const turns = async (limits: Limits, storeId: string, count: number): Promise<number> => {
  let allowed = 0;
  for (let n = 0; n < count; n += 1) {
    const place = taken(await limits.begin(storeId, uuidv7()));
    if (place) allowed += 1;
    await place?.leave();
  }
  return allowed;
};

const TOO_MANY = 'too many turns of this store';

const ofStores = ({ clock, start }: ReturnType<typeof opening>): void => {
  const one = useForEach(start);
  const other = useForEach(start);

  it('has 60 turns a minute in two processes together; the next is told when to come back', async () => {
    const storeId = newStore();
    expect(await turns(one.limits, storeId, 30)).toBe(30);
    clock.advance(10_000);
    expect(await turns(other.limits, storeId, 40)).toBe(30);
    for (const { limits } of [one, other])
      await expect(limits.refuseWhenFull(storeId)).rejects.toMatchObject({ message: TOO_MANY, retryAfterSeconds: 50 });
    expect(await one.limits.begin(storeId, uuidv7())).toEqual({ retryAfterMs: 50_000 });
    clock.advance(50_000);
    await other.limits.refuseWhenFull(storeId);
    expect(await turns(one.limits, storeId, 40)).toBe(30);
  });

  it('has 20 turns at once in two processes together, and one more for each that ends', async () => {
    const storeId = newStore();
    const ask = ({ limits }: Process) => limits.begin(storeId, uuidv7());
    const begun = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n % 2 ? one : other)));
    const places = begun.flatMap((each) => taken(each) ?? []);
    expect([places.length, one.limits.running() + other.limits.running()]).toEqual([20, 20]);
    await expect(other.limits.refuseWhenFull(storeId)).rejects.toMatchObject({
      message: TOO_MANY,
      retryAfterSeconds: 2,
    });
    expect(await ask(one)).toEqual({ retryAfterMs: 2_000 });
    await places[0]?.leave();
    await places[0]?.leave();
    expect([taken(await ask(other)) === undefined, taken(await ask(one)) === undefined]).toEqual([false, true]);
  });

  it('gets back the places of a process that was killed, and keeps those of one that lives', async () => {
    const storeId = newStore();
    for (let n = 0; n < 12; n += 1) await one.limits.begin(storeId, `dead-${n}`);
    for (let n = 0; n < 8; n += 1) await other.limits.begin(storeId, `alive-${n}`);
    clock.advance(14_000);
    await other.limits.hold();
    clock.advance(2_000);
    const begun = await Promise.all(Array.from({ length: 20 }, () => other.limits.begin(storeId, uuidv7())));
    expect(begun.filter((each) => taken(each)).length).toBe(12);
  });

  it('does not count who only looks', async () => {
    const storeId = newStore();
    for (let n = 0; n < 100; n += 1) await one.limits.refuseWhenFull(storeId);
    expect(await turns(one.limits, storeId, 61)).toBe(60);
  });

  it('may try its agents 30 times a minute', async () => {
    const storeId = newStore();
    for (let n = 0; n < 30; n += 1) await (n % 2 ? one : other).limits.testing(storeId);
    await expect(one.limits.testing(storeId)).rejects.toMatchObject({ message: TOO_MANY, retryAfterSeconds: 60 });
    await one.limits.testing(newStore());
    await one.limits.refuseWhenFull(storeId);
  });
};

const ofCustomers = ({ clock, start }: ReturnType<typeof opening>): void => {
  const one = useForEach(start);
  const other = useForEach(start);

  it('has 10 turns a minute; a message that comes again counts once', async () => {
    const conversation = uuidv7();
    const say = (n: number) => (n % 2 ? one : other).limits.customer(conversation, `m${n}`);
    for (const n of [1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10]) expect(await say(n)).toBe(true);
    expect([await say(11), await say(1), await say(12)]).toEqual([false, true, false]);
    expect(await one.limits.customer(uuidv7(), 'm11')).toBe(true);
    clock.advance(60_000);
    expect(await say(11)).toBe(true);
  });
};

const ofProcesses = ({ start }: ReturnType<typeof opening>): void => {
  it('leaves a place for every store, however many turns a few of them have', async () => {
    const { limits } = await start({ places: 40 });
    const busy = [newStore(), newStore(), newStore()];
    const begun = async (storeId: string) => taken(await limits.begin(storeId, uuidv7())) !== undefined;
    for (let n = 0; n < 20; n += 1) for (const storeId of busy) await begun(storeId);
    expect(limits.running()).toBeLessThanOrEqual(30);
    expect(await Promise.all(Array.from({ length: 5 }, () => begun(newStore())))).toEqual(Array(5).fill(true));
  });

  it('of many more stores than places has its places taken, and no more', async () => {
    const { limits } = await start({ places: 8 });
    const begun = await Promise.all(Array.from({ length: 50 }, () => limits.begin(newStore(), uuidv7())));
    const places = begun.flatMap((each) => taken(each) ?? []);
    expect([places.length, limits.running()]).toEqual([8, 8]);
    expect(begun.filter((each) => !taken(each))).toEqual(Array(42).fill({ retryAfterMs: 2_000 }));
    for (const place of places) await place.leave();
    expect(limits.running()).toBe(0);
  });
};

const suite = (url: string | undefined): void => {
  describe('a store', () => ofStores(opening(url)));
  describe('a customer', () => ofCustomers(opening(url)));
  describe('a process', () => ofProcesses(opening(url)));
};

describe('in process', () => suite(undefined));

const withRedis = (url: string): void =>
  describe('on Redis', () => {
    suite(url);

    it('nobody begins while nobody can count, and no place is kept by who failed', async () => {
      const gate = opened(await startGate(url));
      const { limits } = await opening(url).start({ address: gate.url });
      await gate.close();
      const storeId = newStore();
      const asked = [
        () => limits.refuseWhenFull(storeId),
        () => limits.begin(storeId, 'one'),
        () => limits.customer('c', 'm'),
        () => limits.testing(storeId),
      ];
      for (const ask of asked) await expect(ask()).rejects.toBeInstanceOf(Unavailable);
      expect(limits.running()).toBe(0);
      await gate.open();
      await until(() =>
        limits.refuseWhenFull(storeId).then(
          () => true,
          () => false,
        ),
      );
      expect(taken(await limits.begin(storeId, 'one'))).toBeDefined();
    });
  });

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: the limits were tested in process only.\n');
