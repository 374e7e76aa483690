import { silentLogger, type Logger } from '@platform/runtime';
import { until, useOpened, type RunningScript } from '@platform/testing';
import { SCHEMA, startWorkChild, useJobs } from './jobs.fixture';

const ended = useOpened();
const heartbeat = { everySeconds: 0.2, silentSeconds: 1 };
const { database, work, jobs, reopen } = useJobs({ heartbeat });

/** Logged warnings and errors. */
const hearing = () => {
  const told: unknown[] = [];
  const tell = (...said: unknown[]) => void told.push(said);
  const logger: Logger = { ...silentLogger, warn: tell, error: tell, child: () => logger };
  return { told, logger };
};

const locked = () =>
  database.query<{ locked_by: string; attempts: number }>(
    `SELECT locked_by, attempts FROM ${SCHEMA}.jobs WHERE locked_by IS NOT NULL`,
  );

const add = (text: string) => database.tx((tx) => jobs.enqueue(tx, 'note', { text }));

/** The end of this job is not recorded as long as there are no orders. */
const refuseEndsOf = (text: string) =>
  database.query(`
    CREATE OR REPLACE FUNCTION shop.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF OLD.payload->>'text' = '${text}' AND NOT EXISTS (SELECT 1 FROM shop.orders) THEN RAISE '${text}'; END IF;
      RETURN OLD;
    END $$;
    CREATE TRIGGER refuse BEFORE DELETE ON ${SCHEMA}._private_jobs FOR EACH ROW EXECUTE FUNCTION shop.refuse()`);

const takenByChild = async (): Promise<RunningScript> => {
  const child = ended(startWorkChild(database));
  await until(locked, (jobs) => jobs.length === 1);
  return child;
};

it('a job whose process was killed with kill -9 runs again, as its next attempt', async () => {
  await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'once more' }));
  const child = await takenByChild();
  await child.stop();
  await jobs.start?.();
  await until(
    () => work.notes,
    (notes) => notes.length === 1,
  );
  await jobs.stop?.();
  expect({ notes: work.notes, attempts: work.attempts }).toEqual({ notes: ['once more'], attempts: [2] });
});

it('a job of a living process is left alone, however long it takes', async () => {
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

it('a job whose end could not be recorded runs again, by new workers', async () => {
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

it('a runner whose pool of workers has shut itself down restarts, and releases the jobs it had locked', async () => {
  const { told, logger } = hearing();
  reopen({ heartbeat, logger });
  await jobs.start?.();
  const workers = () => database.query(`SELECT worker FROM ${SCHEMA}.worker_heartbeat`);
  const [before] = await until(workers, (known) => known.length === 1);
  await refuseEndsOf('lost'); // graphile-worker's reason to shut down
  await add('lost');
  const health = () =>
    jobs.check?.().then(
      () => 'good',
      ({ message }: Error) => message,
    );
  expect(await until(health, (said) => said !== 'good')).toBe(
    'The job runner main is not running: see the log for the reason.',
  );
  // It cannot restart without registering its heartbeat
  await database.query(`ALTER TABLE ${SCHEMA}.worker_heartbeat RENAME TO away`);
  const cannotStart = expect.objectContaining({ runner: 'main', error: expect.stringContaining('does not exist') });
  await until(() => told.some((said) => (said as string[])[0] === 'job runner cannot start yet'));
  await database.query(`INSERT INTO shop.orders VALUES ('from now on')`);
  await database.query(`ALTER TABLE ${SCHEMA}.away RENAME TO worker_heartbeat`);
  const [after] = await until(workers, ([worker]) => worker !== undefined && worker.worker !== before?.worker);
  await add('served');
  await until(() => work.notes.length === 3);
  await jobs.stop?.();
  await database.query(`DROP FUNCTION shop.refuse() CASCADE`);
  expect({ notes: [...work.notes].sort(), renewed: after?.worker !== before?.worker }).toEqual({
    notes: ['lost', 'lost', 'served'],
    renewed: true,
  });
  expect(await health()).toBe('The jobs shop_jobs are not started.');
  expect(told.filter((said) => (said as string[])[0]?.startsWith('job runner'))).toEqual([
    ['job runner broke down; it restarts', { runner: 'main' }],
    ...told.filter((said) => (said as string[])[0] === 'job runner cannot start yet'),
  ]);
  expect(told).toContainEqual(['job runner cannot start yet', cannotStart]);
});

it('takes jobs again after the end of one could not be recorded while others ran', async () => {
  await refuseEndsOf('lost');
  const errors: string[] = [];
  const error = (_: string, more?: object) => void errors.push(JSON.stringify(more));
  const logger: Logger = { ...silentLogger, error, child: () => logger };
  reopen({ heartbeat, logger });
  const letGo = new Map<string, () => void>();
  work.note = ({ text }) =>
    text.startsWith('held') ? new Promise((resolve) => letGo.set(text, resolve)) : Promise.resolve();
  const left = () => database.query(`SELECT 1 FROM ${SCHEMA}._private_jobs`);

  await jobs.start?.();
  for (const held of ['held 1', 'held 2', 'held 3']) await add(held);
  await until(() => letGo.size === 3);
  await add('lost');
  await until(() => errors.some((said) => said.includes('Failed to complete jobs')));
  await database.query(`INSERT INTO shop.orders VALUES ('from now on')`);
  for (const still of [3, 2]) {
    letGo.get(`held ${still}`)?.();
    await until(left, (jobs) => jobs.length === still);
  }
  letGo.get('held 1')?.();
  await add('after');
  await until(() => work.notes.includes('after'));
  await jobs.stop?.();
  await database.query(`DROP FUNCTION shop.refuse() CASCADE`);
  expect([...new Set(work.notes)].sort()).toEqual(['after', 'held 1', 'held 2', 'held 3', 'lost']);
});

it('takes jobs although its first look at them failed', async () => {
  await database.query(`ALTER TABLE ${SCHEMA}._private_tasks RENAME TO away`);
  const { told, logger } = hearing();
  reopen({ heartbeat, logger });
  await jobs.start?.();
  await until(() => told.some((said) => (said as string[])[0] === 'a job runner cannot take jobs'));
  await database.query(`ALTER TABLE ${SCHEMA}.away RENAME TO _private_tasks`);
  await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'taken' }));
  await until(() => work.notes.length === 1);
  expect(work.notes).toEqual(['taken']);
});

it('takes jobs again, though one that does not end still runs, after the end of another could not be recorded', async () => {
  await refuseEndsOf('lost');
  const { told, logger } = hearing();
  reopen({ heartbeat, logger });
  work.note = ({ text }, { attempt }) =>
    text === 'endless' && attempt === 1 ? new Promise(() => undefined) : Promise.resolve();
  await jobs.start?.();
  await add('endless');
  await until(async () => (await locked()).length === 1);
  await add('lost');
  await until(() => JSON.stringify(told).includes('Failed to complete jobs'));
  await expect(jobs.check?.()).rejects.toThrow('is not running');
  await database.query(`INSERT INTO shop.orders VALUES ('from now on')`);
  await add('after');
  await until(() => work.notes.length === 4);
  await jobs.stop?.();
  await database.query(`DROP FUNCTION shop.refuse() CASCADE`);
  expect([...work.notes].sort()).toEqual(['after', 'endless', 'lost', 'lost']);
  expect(told).toContainEqual(['jobs still running at the stop were released to others', { runner: 'main' }]);
});

describe('stop', () => {
  it('stop waits for running jobs, which are not told to hurry before their time is over', async () => {
    const { told, logger } = hearing();
    const signals = () => process.listenerCount('SIGTERM');
    const before = signals();
    reopen({ logger });
    await jobs.start?.();
    expect(signals()).toBe(before);
    let stopping: Promise<void> | undefined;
    let hurried: boolean | undefined;
    work.note = async (_, { signal }) => {
      stopping = jobs.stop?.();
      for (let turn = 0; turn < 5; turn++) await database.query('SELECT 1');
      hurried = signal.aborted;
    };
    await database.tx((tx) => jobs.enqueue(tx, 'note', { text: 'last' }));
    await until(
      () => work.notes,
      (notes) => notes.length === 1,
    );
    await stopping;
    expect([hurried, told]).toEqual([false, []]);
    expect(await database.query(`SELECT id FROM ${SCHEMA}.jobs`)).toEqual([]);
    expect(await database.query(`SELECT worker FROM ${SCHEMA}.worker_heartbeat`)).toEqual([]);
  });

  it('stop aborts long jobs, and releases those that do not end', async () => {
    const { told: warnings, logger } = hearing();
    reopen({ stopSeconds: 1, logger });
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
    expect(warnings).toContainEqual(['jobs still running at the stop were released to others', { runner: 'main' }]);
    expect(await locked()).toEqual([]);
    expect(await jobs.backlog()).toMatchObject({ ready: 1, dead: 0 });
  });

  it('stop ends the heartbeat also when what is locked could not be released', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    const cleared = jest.spyOn(globalThis, 'clearInterval');
    await jobs.start?.();
    const beat =
      timers.mock.results[timers.mock.calls.findIndex(([, after]) => after === heartbeat.everySeconds * 1000)];
    await database.query(`ALTER TABLE ${SCHEMA}.worker_heartbeat RENAME TO away`);
    const stopped = jobs.stop?.();
    await expect(stopped).rejects.toThrow('does not exist');
    await database.query(`ALTER TABLE ${SCHEMA}.away RENAME TO worker_heartbeat`);
    expect(cleared.mock.calls).toContainEqual([beat?.value]);
    for (const spy of [timers, cleared]) spy.mockRestore();
  });
});
