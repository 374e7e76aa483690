import { openDatabase } from '@platform/data';
import { silentLogger, type Logger } from '@platform/runtime';
import { until } from '@platform/testing';
import { SCHEMA, useJobs } from './jobs.fixture';

const { database, work, jobs, reopen } = useJobs();

const add = (count: number) =>
  database.tx(async (tx) => {
    for (let n = 0; n < count; n++) await jobs.enqueue(tx, 'slow', { text: `${n}` });
  });
const drained = () =>
  until(
    () => database.query(`SELECT 1 FROM ${SCHEMA}._private_jobs`),
    (left) => left.length === 0,
  );
const placesOf = (concurrency: number, pollSeconds: number) =>
  reopen({ pollSeconds, runners: [{ name: 'many', tasks: ['slow'], concurrency }] });

/** How often the database was queried until a job ran that came after the start. */
const askedBy = async (concurrency: number): Promise<number> => {
  placesOf(concurrency, 60);
  const asked = jest.spyOn(database.direct, 'connect');
  let ran = 0;
  work.slow = () => Promise.resolve(void (ran += 1));
  await jobs.start?.();
  await add(1);
  await until(() => ran === 1);
  await jobs.stop?.();
  const { length } = asked.mock.calls;
  asked.mockRestore();
  return length;
};

describe('the places of a runner', () => {
  it('cost nothing while they are free: forty query the database hardly more often than five', async () => {
    expect((await askedBy(40)) - (await askedBy(5))).toBeLessThan(5);
  });

  it('fill up without a poll, and are reused as long as there are jobs', async () => {
    placesOf(40, 60);
    let [running, ran, letGo] = [0, 0, (): void => undefined];
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    work.slow = async () => {
      running += 1;
      await gate;
      running -= 1;
      ran += 1;
    };
    await jobs.start?.();
    await add(100);
    await until(() => running === 40);
    letGo();
    await until(() => ran === 100);
    await drained();
    ran = 0;
    await add(1);
    await until(() => ran === 1);
  });

  it('may be more than there are connections, which is nothing to warn of', async () => {
    const told: unknown[] = [];
    const tell = (...said: unknown[]) => void told.push(said);
    const logger: Logger = { ...silentLogger, warn: tell, error: tell, child: () => logger };
    reopen({ logger, runners: [{ name: 'many', tasks: ['slow'], concurrency: 200 }] });
    await jobs.start?.();
    await jobs.stop?.();
    expect(told).toEqual([]);
  });

  it('need no connection while they are free: two runners do their jobs on a single one', async () => {
    const single = openDatabase({ url: database.url, schema: 'shop', poolSize: 1, logger: silentLogger });
    reopen({ database: single, pollSeconds: 3_600, runners: [{ name: 'many', tasks: ['slow'], concurrency: 3 }] });
    let ran = 0;
    work.slow = () => Promise.resolve(void (ran += 1));
    await jobs.start?.();
    await add(3);
    await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'of the other runner' }));
    await until(() => ran === 3 && work.notes.length === 1);
    await jobs.stop?.();
    await single.stop?.();
  });

  it.each([[{}], [{ share: { by: 'storeId' as const, most: 1 } }]])(
    'look again soon when a look has failed, also where one looks for all: %j',
    async (more) => {
      reopen({ pollSeconds: 3_600, runners: [{ name: 'many', tasks: ['slow'], concurrency: 3, ...more }] });
      let ran = 0;
      work.slow = () => Promise.resolve(void (ran += 1));
      await jobs.start?.();
      await add(1);
      await until(() => ran === 1);
      await drained();
      const connect = jest.spyOn(database.direct, 'connect');
      connect.mockImplementation(() => Promise.reject(new Error('no connection for a moment')));
      const other = openDatabase({ url: database.url, schema: 'shop', logger: silentLogger });
      await other.tx((tx) => jobs.enqueue(tx, 'slow', { text: 'meanwhile' }));
      await other.stop?.();
      await until(() => connect.mock.calls.length > 0);
      connect.mockRestore();
      await until(() => ran === 2);
    },
  );

  it('do not hold up a stop while they wait', async () => {
    reopen({ stopSeconds: 3_600, runners: [{ name: 'many', tasks: ['slow'], concurrency: 40 }] });
    await jobs.start?.();
    await jobs.stop?.();
    await expect(jobs.check?.()).rejects.toThrow('are not started');
  });
});
