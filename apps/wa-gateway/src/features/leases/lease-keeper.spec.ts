import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { silentLogger } from '@platform/runtime';
import { testDatabase, type TestDatabase } from '@platform/testing';
import { migrations, schema } from '../../data-source';
import { until } from '../../gateway.fixture';
import { LeaseKeeper, type LeaseOptions } from './lease-keeper';
import { FREED, HEARTBEATS, LeasesRepository } from './leases.repository';

let database: TestDatabase;
let heartbeats: ReturnType<TestDatabase['aside']>;
const keepers: LeaseKeeper[] = [];
beforeAll(async () => {
  database = await testDatabase({ schema, migrations });
  heartbeats = database.aside(HEARTBEATS);
});
afterAll(async () => {
  await heartbeats.stop?.();
  await database.stop?.();
});
beforeEach(async () => {
  await database.query('TRUNCATE lease, device, gateway_process');
  for (const id of ['dev1', 'dev2'])
    await database.query(`INSERT INTO device (instance_id, engine, webhook_url) VALUES ($1, 'simulator', 'http://x')`, [
      id,
    ]);
});
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.stop().catch(() => undefined)));
});

const NOBODY = 'http://127.0.0.1:1';
/** Longer than a busy machine lets anybody stand still. */
const TTL_SECONDS = 2;
const HEARTBEAT_SECONDS = 0.1;
/** More heartbeats than a lease lives. */
const LONG = 1.2 * (TTL_SECONDS / HEARTBEAT_SECONDS);
const keeperOf = (more: Partial<LeaseOptions> = {}): LeaseKeeper => {
  const leases = new LeasesRepository(database, heartbeats);
  const times = { ttlSeconds: TTL_SECONDS, heartbeatSeconds: HEARTBEAT_SECONDS };
  const whenFreed: LeaseOptions['whenFreed'] = (called) => database.listen(FREED, called);
  const keeper = new LeaseKeeper({ leases, address: 'http://a:1', ...times, whenFreed, logger: silentLogger, ...more });
  keepers.push(keeper);
  return keeper;
};
const started = async (keeper: LeaseKeeper) => {
  const lost: string[] = [];
  const free: string[][] = [];
  const surplus: string[] = [];
  await keeper.start({
    serves: ({ engine }) => engine === 'simulator',
    lost: (id) => lost.push(id),
    free: (ids) => free.push([...ids].sort()),
    surplus: (id) => surplus.push(id),
  });
  return { lost, free, surplus };
};
const expiry = async (): Promise<number> => {
  const [row] = await database.query<{ left: string }>(
    'SELECT extract(epoch FROM expires_at - now()) AS left FROM lease',
  );
  return Number(row?.left);
};

describe('a lease', () => {
  it('has one holder; the others learn where the device is served', async () => {
    const [one, other] = [keeperOf(), keeperOf({ address: 'http://b:1' })];
    const answers = await Promise.all([one.take('dev1'), other.take('dev1')]);
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
    expect(await one.take('dev1')).toBe(answers[0]);
    expect(await other.take('dev1')).toBe(answers[1]);
  });

  it('is taken together with those that are asked for at the same time, except what is another one’s', async () => {
    await database.query(`INSERT INTO lease VALUES ('dev5', 'another', 'http://b:1', now() + interval '1 hour'),
      ('dev7', 'dead', 'http://d:1', now() - interval '1 second')`);
    const leases = new LeasesRepository(database, heartbeats);
    const take = jest.spyOn(leases, 'take');
    const keeper = keeperOf({ leases });
    const ids = Array.from({ length: 10 }, (_, n) => `dev${9 - n}`);
    const answers = await Promise.all([...ids, 'dev1'].map((id) => keeper.take(id)));
    expect(answers).toEqual([...ids, 'dev1'].map((id) => (id === 'dev5' ? 'http://b:1' : undefined)));
    expect(take).toHaveBeenCalledTimes(1);
    expect(await database.query('SELECT instance_id AS id, owner FROM lease ORDER BY id')).toEqual(
      [...ids].reverse().map((id) => ({ id, owner: id === 'dev5' ? 'another' : keeper.owner })),
    );
  });

  it('is renewed for as long as its holder lives, and is nobody’s after a stop', async () => {
    const keeper = keeperOf();
    const { lost, free } = await started(keeper);
    expect(free).toEqual([['dev1', 'dev2']]);
    await keeper.take('dev1');
    await until(
      () => free.length,
      (beats) => beats > LONG,
    );
    expect([lost, free.at(-1), (await expiry()) > 0]).toEqual([[], ['dev2'], true]);
    await keeper.stop();
    expect(await database.query('SELECT 1 FROM lease')).toEqual([]);
  });

  it('that somebody else has taken meanwhile is lost as soon as its former holder asks whose it is', async () => {
    const keeper = keeperOf({ heartbeatSeconds: 3_600, ttlSeconds: 10_800 });
    const { lost } = await started(keeper);
    await keeper.take('dev1');
    expect([await keeper.isOurs('dev1'), lost]).toEqual([true, []]);
    await database.query(`UPDATE lease SET owner = 'another'`);
    expect([await keeper.isOurs('dev1'), await keeper.isOurs('dev1'), lost]).toEqual([false, false, ['dev1']]);
  });

  it('that somebody else has taken meanwhile is lost with the next heartbeat, and is not taken back', async () => {
    const keeper = keeperOf();
    const { lost } = await started(keeper);
    await keeper.take('dev1');
    await database.query(
      `UPDATE lease SET owner = 'another', address = 'http://c:1', expires_at = now() + interval '1 hour'`,
    );
    await until(
      () => lost,
      ({ length }) => length === 1,
    );
    expect(await keeper.take('dev1')).toBe('http://c:1');
  });

  it('is kept while every connection of the pool is taken', async () => {
    const keeper = keeperOf();
    const { lost, free } = await started(keeper);
    await keeper.take('dev1');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { max } = database.pool.options;
    const taken = Array.from({ length: max }, () => database.tx(() => released));
    await until(() => database.pool.idleCount === 0 && database.pool.totalCount === max);
    free.length = 0;
    await until(() => free.length > LONG);
    release();
    await Promise.all(taken);
    expect([lost, (await expiry()) > 0]).toEqual([[], true]);
  });

  it('that has run out is anybody’s', async () => {
    await database.query(`INSERT INTO lease VALUES ('dev1', 'dead', 'http://d:1', now() - interval '1 second')`);
    expect(await keeperOf().take('dev1')).toBeUndefined();
  });
});

describe('two processes', () => {
  it('have the same number of devices each: who has too many passes one on, and the other takes it at once', async () => {
    const slow = { ttlSeconds: 600, heartbeatSeconds: 0.1 };
    const [one, other] = [keeperOf(slow), keeperOf({ ...slow, address: 'http://b:1' })];
    const { surplus } = await started(one);
    await one.take('dev1');
    await one.take('dev2');
    const { free } = await started(other);
    const given = await until(
      () => surplus[0],
      (id) => id !== undefined,
    );
    // Not before it is passed on: until then it has a line
    expect(free.flat()).toEqual([]);
    await one.pass(given ?? '');
    await until(
      () => free.flat().length,
      (count) => count > 0,
    );
    expect(free.flat()[0]).toBe(given);
    expect(await other.take(given ?? '')).toBeUndefined();
    expect(await other.take(given === 'dev1' ? 'dev2' : 'dev1')).toBe('http://a:1');
  });

  it('count no devices that they cannot serve: these are offered to nobody, and the others are shared', async () => {
    await database.query(`INSERT INTO device (instance_id, engine, webhook_url) SELECT 'cloud' || n, 'cloud', 'http://x'
      FROM generate_series(1, 20) n`);
    const slow = { ttlSeconds: 600, heartbeatSeconds: 0.1 };
    const [one, other] = [keeperOf(slow), keeperOf({ ...slow, address: 'http://b:1' })];
    const { free, surplus } = await started(one);
    await one.take('dev1');
    await one.take('dev2');
    await started(other);
    await until(
      () => surplus.length,
      (given) => given > 0,
    );
    expect(free[0]).toEqual(['dev1', 'dev2']);
  });

  it('of which one dies leave all devices to the other', async () => {
    await database.query(`INSERT INTO gateway_process VALUES ('http://dead:1', 'dead', now() + interval '1 hour')`);
    await database.query(`INSERT INTO lease VALUES ('dev1', 'dead', 'http://dead:1', now() + interval '1 hour')`);
    const keeper = keeperOf();
    const { free } = await started(keeper);
    expect(free[0]).toEqual(['dev2']);
    await keeper.take('dev2');
    for (const table of ['gateway_process', 'lease'])
      await database.query(`UPDATE ${table} SET expires_at = now() WHERE address = 'http://dead:1'`);
    await until(
      () => free.at(-1) ?? [],
      (ids) => ids.includes('dev1'),
    );
  });

  it('a process that is alone gives nothing up, also when a device is no more', async () => {
    const keeper = keeperOf();
    const { free, surplus } = await started(keeper);
    await keeper.take('dev1');
    await keeper.take('dev2');
    await database.query(`DELETE FROM device WHERE instance_id = 'dev2'`);
    await until(
      () => free.length,
      (beats) => beats > 5,
    );
    expect(surplus).toEqual([]);
  });

  it('a lease that was given back and could not be released is not kept alive', async () => {
    const leases = new LeasesRepository(database, heartbeats);
    const keeper = keeperOf({ leases });
    const { free } = await started(keeper);
    await keeper.take('dev1');
    jest.spyOn(leases, 'release').mockRejectedValueOnce(new Error('the database is away'));
    await expect(keeper.giveBack('dev1')).rejects.toThrow('away');
    free.length = 0;
    await until(
      () => free.at(-1) ?? [],
      (ids) => ids.includes('dev1'),
    );
  });
});

it('a lease that was given back and taken again during a heartbeat is not lost', async () => {
  const leases = new LeasesRepository(database, heartbeats);
  const keeper = keeperOf({ leases });
  const { lost, free } = await started(keeper);
  await keeper.take('dev1');
  const renew = leases.renew.bind(leases);
  jest.spyOn(leases, 'renew').mockImplementationOnce(async (...held) => {
    await keeper.giveBack('dev1');
    const renewed = await renew(...held);
    await keeper.take('dev1');
    return renewed;
  });
  free.length = 0;
  await until(
    () => free.length,
    (beats) => beats > 3,
  );
  expect(lost).toEqual([]);
});

it('a process that ends during a heartbeat is not counted any more', async () => {
  const leases = new LeasesRepository(database, heartbeats);
  const keeper = keeperOf({ leases, heartbeatSeconds: 600 });
  await started(keeper);
  const attend = leases.attend.bind(leases);
  let go = (): void => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  const attending = jest.spyOn(leases, 'attend').mockImplementationOnce(async (...me) => {
    await gate;
    return attend(...me);
  });
  await leases.tellFreed();
  await until(
    () => attending.mock.calls.length,
    (calls) => calls === 1,
  );
  const stopping = keeper.stop();
  await new Promise((resolve) => setTimeout(resolve, 50));
  go();
  await stopping;
  expect(await database.query('SELECT address FROM gateway_process')).toEqual([]);
});

describe('a process that starts again at its address', () => {
  beforeEach(async () => {
    await database.query(`INSERT INTO lease VALUES ('dev1', 'dead', $1, now() + interval '1 hour')`, [NOBODY]);
  });

  it('gets the devices of its predecessor at once', async () => {
    const keeper = keeperOf({ address: NOBODY });
    const { free } = await started(keeper);
    expect(free[0]).toEqual(['dev1', 'dev2']);
  });

  it('takes nothing while somebody still answers there', async () => {
    const { port } = new URL(database.url);
    const address = `http://127.0.0.1:${port}`;
    await database.query('UPDATE lease SET address = $1', [address]);
    const { free } = await started(keeperOf({ address }));
    expect(free[0]).toEqual(['dev2']);
  });

  it('does not wait for an answer of its address when nothing was left there', async () => {
    const asked = jest.fn((socket: Socket) => void socket.destroy());
    const there = createServer(asked).listen(0, '127.0.0.1');
    await once(there, 'listening');
    const { free } = await started(keeperOf({ address: `http://127.0.0.1:${(there.address() as AddressInfo).port}` }));
    await new Promise((closed) => there.close(closed));
    expect([asked.mock.calls.length, free[0]]).toEqual([0, ['dev2']]);
  });
});

describe('a heartbeat that fails', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  const holding = async () => {
    const renew = jest.fn(async (_: string, ids: readonly string[]) => new Set(ids));
    const leases = {
      ...{
        renew,
        take: async (ids: readonly string[]) => [...ids],
        anyLeftAt: async () => false,
        free: async () => [],
      },
      ...{ attend: async () => ({ devices: 1, processes: 1 }), release: async () => undefined },
      tellFreed: async () => undefined,
    } as unknown as LeasesRepository;
    const whenFreed = async () => async () => undefined;
    const keeper = keeperOf({ leases, whenFreed, ttlSeconds: 30, heartbeatSeconds: 10 });
    const { lost } = await started(keeper);
    await keeper.take('dev1');
    return { renew, lost };
  };

  it('is repeated long before the next one, and costs no device', async () => {
    const { renew, lost } = await holding();
    // Away for the heartbeat at 10 s and for what follows it until 19 s
    for (let n = 0; n < 9; n++) renew.mockRejectedValueOnce(new Error('away'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(lost).toEqual([]);
  });

  it('again and again gives the device up before its lease ends', async () => {
    const { renew, lost } = await holding();
    renew.mockRejectedValue(new Error('away'));
    await jest.advanceTimersByTimeAsync(29_999);
    expect(lost).toEqual(['dev1']);
  });
});
