import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { type TestDatabase, until } from '@platform/testing';
import { clearJobs, jobsDatabase, jobsOf, newWork, SCHEMA, type Work } from './jobs.fixture';

const ROOT = join(__dirname, '../../..');
const heartbeat = { everySeconds: 0.2, silentSeconds: 1 };

let database: TestDatabase;
let work: Work;
let child: ChildProcess | undefined;

beforeAll(async () => {
  database = await jobsDatabase();
});
beforeEach(() => {
  work = newWork();
});
afterEach(async () => {
  await kill();
  await clearJobs(database);
});
afterAll(() => database.stop?.());

const kill = async (): Promise<void> => {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  process.kill(child.pid, 'SIGKILL');
  await gone;
};

const locked = () =>
  database.query<{ locked_by: string; attempts: number }>(
    `SELECT locked_by, attempts FROM ${SCHEMA}.jobs WHERE locked_by IS NOT NULL`,
  );

const takenByChild = async (): Promise<void> => {
  child = spawn(process.execPath, ['-r', join(ROOT, 'tools/swc-hook.cjs'), join(__dirname, 'work.child.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment, ...database.settings },
  });
  await until(locked, (jobs) => jobs.length === 1);
};

it('runs the job of a process that was killed with kill -9 again, as its next attempt', async () => {
  const jobs = jobsOf(database, work, { heartbeat });
  await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'once more' }));
  await takenByChild();
  await kill();
  await jobs.start?.();
  await until(
    () => work.notes,
    (notes) => notes.length === 1,
  );
  await jobs.stop?.();
  expect({ notes: work.notes, attempts: work.attempts }).toEqual({ notes: ['once more'], attempts: [2] });
});

it('leaves the job of a living process alone, however long it takes', async () => {
  const jobs = jobsOf(database, work, { heartbeat });
  await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'mine' }));
  await takenByChild();
  const [before] = await locked();
  await jobs.start?.();
  // Three times the silence after which a dead one's job would have been freed.
  await until(
    () => database.query(`SELECT 1 FROM ${SCHEMA}.jobs WHERE locked_at < now() - interval '3 seconds'`),
    (old) => old.length === 1,
  );
  await jobs.stop?.();
  expect(await locked()).toEqual([before]);
  expect(work.notes).toEqual([]);
});

it('runs a job again, by new workers, when the database did not take its end', async () => {
  const jobs = jobsOf(database, work, { heartbeat });
  await database.query(
    `CREATE OR REPLACE FUNCTION shop.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`,
  );
  const refuse = `CREATE TRIGGER refuse BEFORE DELETE ON ${SCHEMA}._private_jobs EXECUTE FUNCTION shop.refuse()`;
  work.note = async (_, { attempt }) =>
    void (await database.query(attempt === 1 ? refuse : `DROP TRIGGER refuse ON ${SCHEMA}._private_jobs`));
  await jobs.start?.();
  await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'again' }));
  await until(
    () => work.notes,
    (notes) => notes.length === 2,
  );
  await jobs.stop?.();
  expect(work.attempts).toEqual([1, 2]);
  expect(await database.query(`SELECT id FROM ${SCHEMA}.jobs`)).toEqual([]);
});

it('restarts when the pool of workers has shut itself down, and releases what it had locked', async () => {
  const jobs = jobsOf(database, work, { heartbeat });
  await jobs.start?.();
  const workers = () => database.query(`SELECT worker FROM ${SCHEMA}.worker_heartbeat`);
  const [before] = await until(workers, (known) => known.length === 1);
  // Before it listens, nobody would hear of it
  await until(
    () =>
      database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %worker:migrate%'`,
      ),
    (listening) => listening.length === 1,
  );
  await database.query(`SELECT pg_notify('worker:migrate', '{"breaking":true,"migrationNumber":99}')`); // graphile-worker's reason to shut down
  const [after] = await until(workers, ([worker]) => worker !== undefined && worker.worker !== before?.worker);
  process.exitCode = undefined; // which it also sets
  await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'served' }));
  await until(
    () => work.notes,
    (notes) => notes.length === 1,
  );
  await jobs.stop?.();
  expect({ notes: work.notes, renewed: after?.worker !== before?.worker }).toEqual({
    notes: ['served'],
    renewed: true,
  });
});

describe('stop', () => {
  it('stop waits for running jobs', async () => {
    const jobs = jobsOf(database, work);
    await jobs.start?.();
    let stopping: Promise<void> | undefined;
    work.note = async () => {
      stopping = jobs.stop?.();
      await new Promise(setImmediate);
    };
    await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'last' }));
    await until(
      () => work.notes,
      (notes) => notes.length === 1,
    );
    await stopping;
    expect(await database.query(`SELECT id FROM ${SCHEMA}.jobs`)).toEqual([]);
    expect(await database.query(`SELECT worker FROM ${SCHEMA}.worker_heartbeat`)).toEqual([]);
  });

  it('stop tells long jobs to end and releases those that do not', async () => {
    const jobs = jobsOf(database, work, { stopSeconds: 1 });
    let [begun, told] = [false, false];
    work.note = (_, { signal }) =>
      new Promise(() => {
        begun = true;
        signal.addEventListener('abort', () => (told = true));
      });
    await jobs.start?.();
    await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'endless' }));
    await until(() => begun, Boolean);
    await jobs.stop?.();
    expect(told).toBe(true);
    expect(await locked()).toEqual([]);
    expect(await jobs.backlog()).toMatchObject({ ready: 1, dead: 0 });
  });
});
