import { openDatabase, type Database } from '@platform/data';
import { Sends, silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { openJobs } from './jobs';
import { SCHEMA, clearJobs, useJobsDatabase } from './jobs.fixture';
import type { JobDefinition, Jobs } from './jobs.types';

const NAMES = ['mail', 'chat', 'papers', 'imports', 'other'] as const;
type Payloads = Record<(typeof NAMES)[number], object>;
const JOBS = 50;
/** Taken, not found again, and its end. */
const STATEMENTS_OF_A_JOB = 3;
/** Of the jobs before, after which each runner looks for another one. */
const LAST_LOOKS = NAMES.length;

const database = useJobsDatabase();
let ran: string[];

/** Each task has a runner of its own; unless told, none looks by itself. */
const jobsIn = (of: Database, schema: string, pollSeconds = 3_600): Jobs<Payloads> => {
  const definition = (name: string): JobDefinition<object> => ({
    effect: 'inside',
    run: async () => void ran.push(name),
  });
  return openJobs<Payloads>({
    database: of,
    logger: silentLogger,
    schema,
    tasks: Object.fromEntries(NAMES.map((name) => [name, definition(name)])) as never,
    sends: new Sends(),
    runners: NAMES.slice(1).map((name) => ({ name, tasks: [name], concurrency: 2 })),
    pollSeconds,
  });
};

let separate: Database;
let jobs: Jobs<Payloads>;
beforeEach(async () => {
  ran = [];
  separate = openDatabase({ url: database.url, schema: 'shop', directSessions: 4, logger: silentLogger });
  jobs = jobsIn(separate, SCHEMA);
  await jobs.start?.();
});
afterEach(async () => {
  await jobs.stop?.();
  await separate.stop?.();
  await clearJobs(database);
});

const left = () => database.query(`SELECT 1 FROM ${SCHEMA}._private_jobs`);
const done = () => until(left, ({ length }) => length === 0);
const add = (name: (typeof NAMES)[number], to = jobs) => database.tx((tx) => to.enqueue(tx, name, {}));

/** How often the runners had the database do something meanwhile, once they had looked after their start. */
const askedDuring = async (work: () => Promise<unknown>): Promise<number> => {
  for (const name of NAMES) await add(name);
  await done();
  const asked = jest.spyOn(separate.direct, 'connect');
  await work();
  const { length } = asked.mock.calls;
  asked.mockRestore();
  return length;
};

describe('a new job', () => {
  it('wakes only the runner that has its task: with five runners it costs what it costs with one', async () => {
    const asked = await askedDuring(async () => {
      for (let n = 0; n < JOBS; n++) {
        await add('papers');
        await done();
      }
    });
    // The first five run at the same time
    const [first, later] = [ran.slice(0, NAMES.length), ran.slice(NAMES.length)];
    expect([first.sort(), later]).toEqual([[...NAMES].sort(), Array<string>(JOBS).fill('papers')]);
    expect(asked).toBeLessThanOrEqual(LAST_LOOKS + JOBS * STATEMENTS_OF_A_JOB);
  });

  it('of another service in the same database wakes nobody', async () => {
    const other = jobsIn(database, 'other_jobs');
    await other.migrate();
    const asked = await askedDuring(async () => {
      for (let n = 0; n < JOBS; n++) await add('papers', other);
      await add('mail');
      await done();
    });
    expect(asked).toBeLessThanOrEqual(LAST_LOOKS + STATEMENTS_OF_A_JOB);
    await database.query('DROP SCHEMA other_jobs CASCADE');
  });

  it('that takes the place of one which was to run later runs at once', async () => {
    const runAt = new Date('2999-01-01T00:00:00Z');
    await database.tx((tx) => jobs.enqueue(tx, 'chat', {}, { key: 'k', runAt }));
    await database.tx((tx) => jobs.enqueue(tx, 'chat', {}, { key: 'k' }));
    await done();
    expect(ran).toEqual(['chat']);
  });

  it.each([1, 30])('and %s more in one transaction all run without a poll', async (more) => {
    await database.tx(async (tx) => {
      for (let n = 0; n <= more; n++) await jobs.enqueue(tx, 'mail', {});
    });
    await done();
    expect(ran).toHaveLength(more + 1);
  });
});

it('a job that is replayed runs without a poll', async () => {
  const id = await database.tx((tx) => jobs.bury(tx, 'imports', {}, 'no'));
  expect(await jobs.replay(id)).toBe(true);
  await done();
  expect(ran).toEqual(['imports']);
});

it('a job whose time has come wakes only the runner that has its task', async () => {
  await jobs.stop?.();
  jobs = jobsIn(separate, SCHEMA, 1);
  await jobs.start?.();
  const asked = await askedDuring(async () => {
    const runAt = new Date(Date.now() + 1_500);
    await database.tx((tx) => jobs.enqueue(tx, 'chat', {}, { runAt }));
    await done();
  });
  expect(asked).toBeLessThanOrEqual(LAST_LOOKS + STATEMENTS_OF_A_JOB);
});

it('runners that end with nothing under way wake nobody', async () => {
  const heard: string[] = [];
  const end = await database.listen(SCHEMA, (payload) => void heard.push(payload));
  await jobs.stop?.();
  await add('mail');
  await until(() => heard.length > 0);
  expect(heard).toEqual([expect.stringMatching(/^\d+ mail$/)]);
  await end();
});
