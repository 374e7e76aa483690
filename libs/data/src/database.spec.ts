import { Unavailable } from '@platform/errors';
import { loadConfig, silentLogger, type Logger } from '@platform/runtime';
import { expectNoSeqScan, explain, startGate, truncateAll, useDatabase } from '@platform/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintNumber } from './bigint.column';
import { openDatabase } from './database';
import { databaseOptions, databaseSettings } from './database.settings';
import { ForwardMigration } from './migrations';
import { isUniqueViolation } from './postgres.errors';

@Entity('accounts')
class Account {
  @PrimaryColumn('text')
  name!: string;

  @Column('bigint', { transformer: bigintNumber })
  balance!: number;
}

class CreateAccounts1760000000000 extends ForwardMigration {
  readonly steps = ['CREATE TABLE accounts (name text PRIMARY KEY, balance bigint NOT NULL)'];
}

const INSERT = 'INSERT INTO accounts (name, balance) VALUES ($1, $2)';
const errors: unknown[] = [];
const logger: Logger = { ...silentLogger, error: (message, fields) => void errors.push([message, fields?.error]) };
const db = useDatabase({
  schema: 'bank',
  entities: [Account],
  migrations: [CreateAccounts1760000000000],
  poolSize: 4,
  logger,
});

beforeEach(async () => {
  await truncateAll(db);
  errors.length = 0;
});

const names = async () =>
  (await db.query<{ name: string }>('SELECT name FROM accounts ORDER BY name')).map(({ name }) => name);

describe('connections of a database', () => {
  it('connections see the service schema first and public second, with a name and a statement timeout', async () => {
    const settings = `SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS timeout, current_setting('application_name') AS name`;
    expect(await db.query(settings)).toEqual([{ path: 'bank, public', timeout: '15s', name: 'bank' }]);
  });

  it('an aside is a separate pool with its own settings', async () => {
    const aside = db.aside({
      name: 'searches',
      poolSize: 1,
      settings: { statement_timeout: '3s', timezone: 'Asia/Jakarta', 'shop.note': 'two words' },
    });
    const shown = `SELECT current_setting('statement_timeout') AS "limit", current_setting('timezone') AS zone, current_setting('shop.note') AS note, current_schema() AS schema,
      (SELECT count(*)::int FROM pg_stat_activity WHERE application_name = current_setting('application_name') AND datname = current_database()) AS connections`;
    expect(await Promise.all([aside.query(shown), aside.prepared('shown', shown, [])])).toEqual(
      Array(2).fill([{ limit: '3s', zone: 'Asia/Jakarta', note: 'two words', schema: 'bank', connections: 1 }]),
    );
    await aside.stop?.();
    await aside.stop?.();
    await expect(aside.query('SELECT 1')).rejects.toThrow();
  });

  it('connections prepare a statement again after a migration changed its table', async () => {
    const read = () => db.prepared('read-all', 'SELECT * FROM plans', []);
    await db.query('CREATE TABLE plans (a int)');
    await Promise.all([read(), read(), read(), db.tx((tx) => tx.prepared('read-all', 'SELECT * FROM plans', []))]);
    await db.query('ALTER TABLE plans ADD COLUMN b int');
    await db.query('INSERT INTO plans VALUES (1, 2)');
    expect(await read()).toEqual([{ a: 1, b: 2 }]);
    expect(await db.tx((tx) => tx.prepared('read-all', 'SELECT * FROM plans', []))).toEqual([{ a: 1, b: 2 }]);
    await db.query('DROP TABLE plans');
  });

  it('connections that cannot be made are Unavailable everywhere, with their cause', async () => {
    const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', schema: 'bank', logger });
    const calls = [
      nowhere.start?.(),
      nowhere.check?.(),
      nowhere.query('SELECT 1'),
      nowhere.migrate(),
      nowhere.listen('news', () => undefined),
    ];
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { kind: 'unavailable', retryAfterSeconds: 1, cause: { code: 'ECONNREFUSED' } },
      });
    await nowhere.stop?.();
  });

  it('a pool is healthy when a connection is free within two seconds, and not while all are taken', async () => {
    const single = openDatabase({
      url: db.url,
      schema: 'bank',
      migrations: [CreateAccounts1760000000000],
      poolSize: 1,
      logger,
    });
    await single.start?.();
    await expect(single.check?.()).resolves.toBeUndefined();
    await single.tx(() =>
      expect(single.check?.()).rejects.toMatchObject({
        kind: 'unavailable',
        cause: { message: 'The database did not answer within 2000 ms.' },
      }),
    );
    await single.stop?.();
    await expect(single.check?.()).rejects.toBeInstanceOf(Unavailable);
  });
});

describe('the settings of a database', () => {
  const options = (settings: Record<string, string>) => databaseOptions(loadConfig(databaseSettings(), settings));
  const [url, poolUrl] = ['postgres://chat@db.internal/chat', 'postgres://chat@pooler.internal/chat'];

  it('settings of a database need only its address', () =>
    expect(options({ DATABASE_URL: url })).toStrictEqual({ url, poolUrl: undefined, prepared: true, poolSize: 10 }));

  it('settings of a database name a pooler, its statements and the size of the pool', () =>
    expect(
      options({ DATABASE_URL: url, DATABASE_POOL_URL: poolUrl, DB_PREPARED: 'off', DB_POOL: '200' }),
    ).toStrictEqual({ url, poolUrl, prepared: false, poolSize: 200 }));
});

describe('a transaction', () => {
  it('a transaction commits SQL, prepared statements and entities together, then runs the hooks in order', async () => {
    const ran: string[] = [];
    const result = await db.tx(async (tx) => {
      tx.afterCommit(async () => void ran.push(`first sees ${(await names()).join()}`));
      tx.afterCommit(() => void ran.push('second'));
      await tx.query(INSERT, ['a', 1]);
      await tx.prepared('insert-account', INSERT, ['b', 2]);
      await tx.entities.insert(Account, { name: 'c', balance: Number.MAX_SAFE_INTEGER });
      ran.push(`outside ${(await names()).length}`);
      return 'done';
    });
    expect(result).toBe('done');
    expect(ran).toEqual(['outside 0', 'first sees a,b,c', 'second']);
    expect(await db.entities.find(Account, { order: { name: 'DESC' }, take: 1 })).toEqual([
      { name: 'c', balance: 9007199254740991 },
    ]);
  });

  it('a transaction connects by itself before the start', async () => {
    const unstarted = openDatabase({ url: db.url, schema: 'bank', poolSize: 1, logger });
    await unstarted.tx((tx) => tx.query(INSERT, ['a', 1]));
    expect(await names()).toEqual(['a']);
    await unstarted.stop?.();
  });

  it('a transaction connects once a server that was down is back', async () => {
    const door = await startGate(db.url);
    const early = openDatabase({ url: door.url, schema: 'bank', logger });
    await door.close();
    await expect(early.tx((tx) => tx.query(INSERT, ['a', 1]))).rejects.toBeInstanceOf(Unavailable);
    await door.open();
    await Promise.all(['a', 'b'].map((name) => early.tx((tx) => tx.query(INSERT, [name, 1]))));
    expect(await names()).toEqual(['a', 'b']);
    await early.stop?.();
    await door.close();
  });

  it('a transaction whose commit is refused changes nothing, and leaves its connection usable', async () => {
    const single = openDatabase({ url: db.url, schema: 'bank', poolSize: 1, logger });
    await single.query('CREATE TABLE late (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    const pid = () => single.query('SELECT pg_backend_pid() AS pid');
    const before = await pid();
    await expect(single.tx((tx) => tx.query('INSERT INTO late VALUES (1), (1)'))).rejects.toThrow(/duplicate key/);
    expect([await pid(), await single.query('SELECT * FROM late')]).toEqual([before, []]);
    await single.query('DROP TABLE late');
    await single.stop?.();
  });

  it('a transaction rolls everything back and runs no hook when its work throws', async () => {
    const hook = jest.fn();
    const work = db.tx(async (tx) => {
      tx.afterCommit(hook);
      await tx.entities.insert(Account, { name: 'a', balance: 1 });
      await tx.query(INSERT, ['b', 1]);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await names()).toEqual([]);
    expect(hook).not.toHaveBeenCalled();
  });

  it('a transaction succeeds although a hook fails: the failure is logged and the next hook runs', async () => {
    const failure = new Error('socket gone');
    const next = jest.fn();
    await db.tx(async (tx) => {
      tx.afterCommit(() => Promise.reject(failure));
      tx.afterCommit(next);
      await tx.query(INSERT, ['a', 1]);
    });
    expect(await names()).toEqual(['a']);
    expect(errors).toEqual([['a hook failed after the commit', failure]]);
    expect(next).toHaveBeenCalledTimes(1);
  });

  it('a transaction is retried after a deadlock, and runs only the hooks of the attempt that committed', async () => {
    await db.query(`INSERT INTO accounts VALUES ('a', 0), ('b', 0)`);
    const attempts: string[] = [];
    const hook = jest.fn();
    let bothLocked = 0;
    const transfer = (from: string, to: string) =>
      db.tx(async (tx) => {
        tx.afterCommit(hook);
        attempts.push(from);
        const add = (name: string) => tx.query('UPDATE accounts SET balance = balance + 1 WHERE name = $1', [name]);
        await add(from);
        bothLocked += 1;
        while (bothLocked < 2) await new Promise(setImmediate);
        await add(to);
      });
    await Promise.all([transfer('a', 'b'), transfer('b', 'a')]);
    // Those that are repeated may meet again
    expect(attempts.length).toBeGreaterThan(2);
    expect(hook).toHaveBeenCalledTimes(2);
    expect(await db.query('SELECT DISTINCT balance FROM accounts')).toEqual([{ balance: '2' }]);
  });

  it('a transaction gives up after three retries', async () => {
    let attempts = 0;
    const work = db.tx(async (tx) => {
      attempts += 1;
      await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'not serializable' USING ERRCODE = '40001'; END $$`);
    });
    await expect(work).rejects.toThrow('not serializable');
    expect(attempts).toBe(4);
  });

  it('a violated unique key is reported by its name, from SQL and from entities', async () => {
    await db.query(INSERT, ['a', 1]);
    const failures = await Promise.allSettled([
      db.query(INSERT, ['a', 1]),
      db.entities.insert(Account, { name: 'a', balance: 1 }),
    ]);
    for (const failure of failures) {
      const reason: unknown = failure.status === 'rejected' && failure.reason;
      expect([
        isUniqueViolation(reason),
        isUniqueViolation(reason, 'accounts_pkey'),
        isUniqueViolation(reason, 'other'),
      ]).toEqual([true, true, false]);
    }
  });
});

describe('the check of plans (explain)', () => {
  it('accepts a statement with an index and names the table of one without', async () => {
    expectNoSeqScan(await explain(db, 'SELECT * FROM accounts WHERE name = $1', ['a']));
    const plan = await explain(db, 'UPDATE accounts SET balance = 0 WHERE balance = $1', [5]);
    expect(() => expectNoSeqScan(plan, 'accounts')).toThrow('Sequential scan on accounts');
    expect(() => expectNoSeqScan(plan, 'others')).not.toThrow();
  });
});
