import 'reflect-metadata';
import { Unavailable } from '@platform/errors';
import { silentLogger as logger } from '@platform/runtime';
import { startGate, truncateAll, until, useDatabase } from '@platform/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { openDatabase } from './database';
import { ForwardMigration } from './migrations';
import { PreparedQuery } from './prepared.query';

@Entity('accounts')
class Account {
  @PrimaryColumn('text')
  name!: string;

  @Column('bigint')
  balance!: string;
}

class CreateAccounts1760000000000 extends ForwardMigration {
  readonly steps = ['CREATE TABLE accounts (name text PRIMARY KEY, balance bigint NOT NULL)'];
}

const INSERT = 'INSERT INTO accounts (name, balance) VALUES ($1, $2)';
/** Also on a busy machine whoever has something to say says it sooner. */
const silenceMs = 1_000;
const db = useDatabase({ schema: 'bank', entities: [Account], migrations: [CreateAccounts1760000000000] });

beforeEach(() => truncateAll(db));

// Behind a pooler the sessions are the pooler's, so this suite does not run there.
describe('connections to the server itself', () => {
  it('connections are shared by SQL, prepared statements, transactions and entities', async () => {
    const pid = 'SELECT pg_backend_pid() AS pid';
    const single = openDatabase({
      url: db.url,
      schema: 'bank',
      entities: [Account],
      migrations: [CreateAccounts1760000000000],
      poolSize: 1,
      logger,
    });
    await single.start?.();
    const seen = [
      await single.query(pid),
      await single.prepared('pid', pid, []),
      await single.tx((tx) => tx.query(pid)),
      await single.entities.query(pid),
    ];
    expect(new Set(seen.map((rows) => JSON.stringify(rows))).size).toBe(1);
    expect(single.pool.totalCount).toBe(1);
    await single.stop?.();
  });

  it('a silent server is given up, and other connections to it serve again', async () => {
    const gate = await startGate(db.url);
    const hung = openDatabase({ url: gate.url, schema: 'bank', poolSize: 1, silenceMs, logger });
    const lost = await hung
      .tx(async (tx) => {
        await tx.query('SELECT 1');
        gate.hang(true);
        await tx.query('SELECT 2');
      })
      .catch((error: unknown) => error);
    gate.hang(false);
    expect(lost).toBeInstanceOf(Unavailable);
    expect(await hung.query('SELECT 3 AS answer')).toEqual([{ answer: 3 }]);
    await hung.stop?.();
    await gate.close();
  });

  it('a connection that says nothing more is ended, also for those who hand it back as good', async () => {
    const gate = await startGate(db.url);
    const hung = openDatabase({ url: gate.url, schema: 'bank', poolSize: 1, silenceMs, logger });
    // As graphile-worker takes and returns them
    const client = await hung.direct.connect();
    gate.hang(true);
    await expect(client.query('SELECT 1')).rejects.toThrow('Query read timeout');
    client.release();
    gate.hang(false);
    expect(await hung.query('SELECT 2 AS answer')).toEqual([{ answer: 2 }]);
    const another = await hung.direct.connect();
    const ended = new Promise((resolve) => another.once('end', resolve));
    gate.hang(true);
    const { answer } = another.query(new PreparedQuery([{ name: 'three', text: 'SELECT 3 AS answer' }], true));
    await expect(answer).rejects.toThrow('Query read timeout');
    await ended;
    another.release();
    gate.hang(false);
    expect(await hung.query('SELECT 4 AS answer')).toEqual([{ answer: 4 }]);
    await hung.stop?.();
    await gate.close();
  });

  it('searches aside, streams and listeners too give up a server that says nothing more', async () => {
    const gate = await startGate(db.url);
    const hung = openDatabase({ url: gate.url, schema: 'bank', silenceMs, logger });
    const aside = hung.aside({ name: 'searches', poolSize: 1, settings: { statement_timeout: '3s' } });
    const read = async () => {
      for await (const row of hung.stream('SELECT 1 AS one')) return row;
      return undefined;
    };
    await Promise.all([aside.query('SELECT 1'), read(), hung.listen('news', () => undefined)]);
    gate.hang(true);
    const lost = await Promise.all(
      [aside.query('SELECT 1'), read(), hung.listen('more', () => undefined)].map((asked: Promise<unknown>) =>
        asked.catch((error: unknown) => error),
      ),
    );
    gate.hang(false);
    for (const error of lost) expect(error).toBeInstanceOf(Unavailable);
    expect(await aside.query('SELECT 2 AS answer')).toEqual([{ answer: 2 }]);
    expect(await read()).toEqual({ one: 1 });
    const heard = new Promise((resolve) => void hung.listen('more', resolve));
    await until(() =>
      Promise.race([heard.then(() => true), hung.query(`SELECT pg_notify('more', 'here')`).then(() => false)]),
    );
    expect(await heard).toBe('here');
    await aside.stop?.();
    await hung.stop?.();
    await gate.close();
  });

  it('a connection parses a prepared statement once, and keeps it after a failed call', async () => {
    const single = openDatabase({ url: db.url, schema: 'bank', poolSize: 1, logger });
    for (const name of ['a', 'b']) await single.prepared('insert-account', INSERT, [name, 1]);
    await expect(single.prepared('insert-account', INSERT, ['a', 1])).rejects.toThrow(/duplicate key/);
    const statements = await single.query(
      `SELECT name, (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements`,
    );
    expect(statements).toEqual([{ name: 'insert-account', runs: 3 }]);
    await single.stop?.();
  });

  it('no statement is prepared when names are switched off', async () => {
    const single = openDatabase({ url: db.url, schema: 'bank', poolSize: 1, prepared: false, logger });
    for (const name of ['a', 'b']) await single.prepared('insert-account', INSERT, [name, 1]);
    expect(await single.query('SELECT name FROM pg_prepared_statements')).toEqual([]);
    await single.stop?.();
  });

  it('an idle connection that the server ended is logged and replaced', async () => {
    const warnings: unknown[] = [];
    const warn = (...said: unknown[]) => void warnings.push(said);
    const idle = openDatabase({ url: db.url, schema: 'bank', name: 'idle', logger: { ...logger, warn } });
    const [session] = await idle.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await db.query('SELECT pg_terminate_backend($1)', [session?.pid]);
    await until(() => idle.pool.totalCount === 0);
    expect(warnings).toEqual([
      ['an idle database connection was lost', { error: 'terminating connection due to administrator command' }],
    ]);
    expect(await idle.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await idle.stop?.();
    await idle.stop?.();
  });

  it('a transaction whose session the server ended between two statements is Unavailable, and the next one works', async () => {
    const gone = db.tx(async (tx) => {
      const [session] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await db.query('SELECT pg_terminate_backend($1)', [session?.pid]);
      const is = () => db.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [session?.pid]);
      await until(async () => (await is()).length === 0);
      await tx.query('SELECT 1');
    });
    await expect(gone).rejects.toBeInstanceOf(Unavailable);
    expect(await db.tx((tx) => tx.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('a pool tells who waits for a connection when all are in use, and not who gets one at once', async () => {
    const two = openDatabase({ url: db.url, schema: 'bank', poolSize: 2, logger, name: 'two' });
    const told = async () => Object.values((await two.measures?.read()) ?? {});
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const holding = () => new Promise<void>((resolve) => void working.push(two.tx(async () => (resolve(), held))));
    const working: Promise<unknown>[] = [];
    const seen = [await told()];
    await holding();
    const passing = two.query('SELECT 1');
    seen.push(await told());
    await passing;
    await holding();
    const waiting = [1, 2, 3].map(() => two.query('SELECT 1'));
    seen.push(await told());
    end();
    await Promise.all([...working, ...waiting]);
    const onIdle = two.query('SELECT 1');
    seen.push(await told());
    await onIdle;
    await two.stop?.();
    const [size, none] = [2, 0];
    expect(seen).toEqual([
      [size, 0, none],
      [size, 2, none],
      [size, 2, 3],
      [size, 0, none],
    ]);
  });

  it('connections that the server ended fail their calls with Unavailable and are replaced', async () => {
    const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bank' AND datname = current_database()`;
    const admin = openDatabase({ url: db.url, schema: 'bank', logger, name: 'admin' });
    const sleepers = [
      db.query('SELECT pg_sleep(60)'),
      db.tx((tx) => tx.query('SELECT pg_sleep(60)')),
      db.entities.query('SELECT pg_sleep(60)'),
    ];
    const outcomes = Promise.allSettled(sleepers);
    const asleep = () =>
      admin.query(`SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND wait_event = 'PgSleep'`);
    while ((await asleep()).length < 3);
    await admin.query(others);
    expect(
      (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason instanceof Unavailable),
    ).toEqual([true, true, true]);
    while (db.pool.totalCount > 0) await new Promise(setImmediate);
    expect(await Promise.all([1, 2, 3, 4].map(() => db.query('SELECT 1 AS one')))).toEqual(Array(4).fill([{ one: 1 }]));
    await admin.stop?.();
  });
});
