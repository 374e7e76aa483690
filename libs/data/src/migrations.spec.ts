import { silentLogger, type Logger } from '@platform/runtime';
import { until, useDatabase, useOpened } from '@platform/testing';
import { openDatabase } from './database';
import type { Database, MigrationClass } from './database.types';
import { ForwardMigration } from './migrations';

class First1760000000001 extends ForwardMigration {
  readonly steps = ['CREATE TABLE first (id int)', 'INSERT INTO first VALUES (1)'];
}
class Second1760000000002 extends ForwardMigration {
  readonly steps = ['CREATE TABLE second AS SELECT id + 1 AS id FROM first'];
}
class Concurrent1760000000003 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = ['CREATE INDEX CONCURRENTLY IF NOT EXISTS first_id ON first (id)'];
}
class Session1760000000005 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE session AS SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS "limit"`,
  ];
}
/** Takes away what builds before Second used. */
class Contract1760000000006 extends ForwardMigration {
  override readonly contract = { suits: 'Second1760000000002' };
  readonly steps = ['DROP TABLE first'];
}
class Unique1760000000007 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = ['CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS first_once ON first (id)'];
}
class Commented1760000000010 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `-- one of each
     /* as the shop wants it */ CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "first_once" ON first (id)`,
  ];
}
class Column1760000000008 extends ForwardMigration {
  readonly steps = ['ALTER TABLE first ADD COLUMN extra text'];
}
class Shared1760000000012 extends ForwardMigration {
  readonly steps = [
    'CREATE TABLE shared (shop text, id text, PRIMARY KEY (shop, id))',
    'CREATE TABLE counted (shop text, id text, PRIMARY KEY (shop, id))',
    `INSERT INTO counted SELECT 'S1', n::text FROM generate_series(1, 10) n`,
    'ANALYZE counted',
  ];
}
class Broken1760000000004 extends ForwardMigration {
  readonly steps = ['CREATE TABLE half (id int)', 'SELECT 1/0'];
}

const WAITS_FOR_LOCK = `SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`;
const host = useDatabase({ schema: 'host' });
const ended = useOpened();
let count = 0;

const open = (schema: string, migrations: MigrationClass[], logger: Logger = silentLogger): Database =>
  ended(openDatabase({ url: host.url, schema, migrations, poolSize: 2, logger }));
const freshSchema = () => `fresh_${(count += 1)}`;

/** What a start is told with, and when it was first told something. */
const waiting = (told: string[]) => {
  let tell: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => (tell = resolve));
  return { heard, waits: (reason: string) => (told.push(reason), tell()) };
};

describe('migrate', () => {
  it('creates the schema, runs what is pending in order, and then nothing more', async () => {
    const schema = freshSchema();
    const database = open(schema, [First1760000000001, Second1760000000002, Concurrent1760000000003]);
    expect(await database.pending()).toEqual(['First1760000000001', 'Second1760000000002', 'Concurrent1760000000003']);
    await database.migrate();
    await database.migrate();
    await database.start?.();
    expect(await database.pending()).toEqual([]);
    expect(await database.query('SELECT id FROM second')).toEqual([{ id: 2 }]);
    const tables = await host.query('SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY 1', [schema]);
    expect(tables).toEqual([{ tablename: 'first' }, { tablename: 'migrations' }, { tablename: 'second' }]);
  });

  it('tells the planner that the first column of a key has many rows, until the table is counted', async () => {
    const schema = freshSchema();
    const database = open(schema, [First1760000000001, Shared1760000000012]);
    await database.migrate();
    await database.migrate();
    const known = `SELECT tablename, attname, n_distinct FROM pg_stats WHERE schemaname = $1 ORDER BY 1, 2 DESC`;
    expect(await database.query(known, [schema])).toEqual([
      { tablename: 'counted', attname: 'shop', n_distinct: 1 },
      { tablename: 'counted', attname: 'id', n_distinct: -1 },
      { tablename: 'shared', attname: 'shop', n_distinct: 4 },
    ]);
  });

  it('runs each migration once when replicas migrate at the same time', async () => {
    const schema = freshSchema();
    const replicas = Array.from({ length: 5 }, () => open(schema, [First1760000000001, Second1760000000002]));
    await Promise.all(replicas.map((replica) => replica.migrate()));
    expect(await replicas[0]?.query('SELECT id FROM first')).toEqual([{ id: 1 }]);
    expect(await replicas[0]?.query('SELECT name FROM migrations ORDER BY id')).toEqual([
      { name: 'First1760000000001' },
      { name: 'Second1760000000002' },
    ]);
  });

  it('keeps the migrations that succeeded, rolls back the failed one, and leaves the connection clean', async () => {
    const database = open(freshSchema(), [First1760000000001, Broken1760000000004]);
    await expect(database.migrate()).rejects.toThrow('division by zero');
    expect(await database.pending()).toEqual(['Broken1760000000004']);
    expect(
      await database.query(`SELECT to_regclass('half') AS half, current_setting('statement_timeout') AS timeout`),
    ).toEqual([{ half: null, timeout: '15s' }]);
  });

  it('has no statement timeout, and a session that names its purpose', async () => {
    const schema = freshSchema();
    const database = open(schema, [Session1760000000005]);
    await database.migrate();
    expect(await host.query(`SELECT * FROM ${schema}.session`)).toEqual([{ name: `${schema} migrate`, limit: '0' }]);
  });

  it('of an older build on a newer schema says so, and changes nothing', async () => {
    const schema = freshSchema();
    await open(schema, [First1760000000001, Second1760000000002]).migrate();
    await expect(open(schema, [First1760000000001, Session1760000000005]).migrate()).rejects.toThrow(
      `The schema "${schema}" is newer than this build: it holds Second1760000000002. Migrate with a build that knows them; this one needs no migration to be rolled back to.`,
    );
    expect(await host.query(`SELECT to_regclass('${schema}.session') AS session`)).toEqual([{ session: null }]);
  });

  it('builds indexes concurrently while another replica waits to migrate', async () => {
    const schema = freshSchema();
    const replicas = Array.from({ length: 3 }, () => open(schema, [First1760000000001, Concurrent1760000000003]));
    await Promise.all(replicas.map((replica) => replica.migrate()));
    expect(await replicas[0]?.pending()).toEqual([]);
  });

  it.each([
    ['', Unique1760000000007],
    [' whose statement has comments before it and quotes around the name', Commented1760000000010],
  ])('drops the invalid index%s that a failed try left, and builds it again', async (_, Index) => {
    const schema = freshSchema();
    await open(schema, [First1760000000001]).migrate();
    await host.query(`INSERT INTO ${schema}.first VALUES (1)`);
    const database = open(schema, [First1760000000001, Index]);
    await expect(database.migrate()).rejects.toThrow('could not create unique index "first_once"');
    const valid = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = '${schema}.first_once'::regclass`;
    expect(await host.query(valid)).toEqual([{ valid: false }]);
    await host.query(`DELETE FROM ${schema}.first`);
    await database.migrate();
    expect(await host.query(valid)).toEqual([{ valid: true }]);
  });

  it('gives way to those who hold the table, and succeeds when they have ended', async () => {
    const schema = freshSchema();
    await open(schema, [First1760000000001]).migrate();
    const holder = await host.pool.connect();
    await holder.query(`BEGIN; SELECT 1 FROM ${schema}.first`);
    const migrating = open(schema, [First1760000000001, Column1760000000008]).migrate();
    await until(async () => (await host.query(WAITS_FOR_LOCK, [`${schema} migrate`])).length > 0);
    // A writer that comes behind the migration is not kept waiting as long as the holder is there
    await host.query(`INSERT INTO ${schema}.first VALUES (2)`);
    await holder.query('COMMIT');
    holder.release();
    await migrating;
    expect(await host.query(`SELECT id, extra FROM ${schema}.first ORDER BY id`)).toEqual([
      { id: 1, extra: null },
      { id: 2, extra: null },
    ]);
  });

  it('waits for the end of a vacuum of its table behind which no writer waits, and which PostgreSQL ends for it', async () => {
    const schema = freshSchema();
    await open(schema, [First1760000000001]).migrate();
    const vacuum = await host.pool.connect();
    await vacuum.query(`BEGIN; LOCK TABLE ${schema}.first IN SHARE UPDATE EXCLUSIVE MODE`);
    const migrating = open(schema, [First1760000000001, Column1760000000008]).migrate();
    const waits = `SELECT mode FROM pg_locks WHERE relation = '${schema}.first'::regclass AND NOT granted AND mode = 'ShareUpdateExclusiveLock'`;
    try {
      await until(async () => (await host.query(waits)).length > 0);
      await host.query(`INSERT INTO ${schema}.first VALUES (2)`);
    } finally {
      await vacuum.query('COMMIT');
      vacuum.release();
    }
    await migrating;
    expect(await host.query(`SELECT id, extra FROM ${schema}.first ORDER BY id`)).toEqual([
      { id: 1, extra: null },
      { id: 2, extra: null },
    ]);
  });

  it('that waits for another process says so, once', async () => {
    const schema = freshSchema();
    await open(schema, [First1760000000001]).migrate();
    const warnings: unknown[] = [];
    const logger: Logger = { ...silentLogger, warn: (...line) => void warnings.push(line) };
    let migrating: Promise<void> | undefined;
    await host.tx(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('migrate ${schema}', 0))`);
      migrating = open(schema, [First1760000000001, Second1760000000002], logger).migrate();
      await until(() => warnings.length > 0);
    });
    await migrating;
    expect(warnings).toEqual([['another process migrates the schema: this one waits for its end', { schema }]]);
  });

  it('refuses to go back', async () => {
    await expect(new First1760000000001().down()).rejects.toThrow('Migrations go forward only');
  });
});

describe('start', () => {
  it('refuses a schema with pending migrations and names the command, where nobody hears that it waits', async () => {
    const database = open(freshSchema(), [First1760000000001]);
    await expect(database.start?.()).rejects.toThrow(
      /is older than this build: the migrations First1760000000001 are pending\. Run the migrate command of this service first\./,
    );
  });

  it('waits until what is pending has run, and says so', async () => {
    const schema = freshSchema();
    const [old, next] = [open(schema, [First1760000000001]), open(schema, [First1760000000001, Second1760000000002])];
    await old.migrate();
    const told: string[] = [];
    const { waits, heard } = waiting(told);
    const started = next.start?.({ waits, signal: new AbortController().signal });
    await heard;
    expect(told[0]).toContain('the migrations Second1760000000002 are pending');
    await open(schema, [First1760000000001, Second1760000000002]).migrate();
    await started;
    expect(await next.query('SELECT id FROM second')).toEqual([{ id: 2 }]);
  });

  it('waits for a schema that nobody has made yet, and works with the settings that came with it', async () => {
    const schema = freshSchema();
    const database = open(schema, [First1760000000001]);
    const { waits, heard } = waiting([]);
    const started = database.start?.({ waits, signal: new AbortController().signal });
    await heard;
    await open(schema, [First1760000000001]).migrate();
    await started;
    expect(await database.query('SELECT id FROM first')).toEqual([{ id: 1 }]);
  });

  it('ends its wait when the start is given up', async () => {
    const abort = new AbortController();
    const { waits, heard } = waiting([]);
    const started = open(freshSchema(), [First1760000000001]).start?.({ waits, signal: abort.signal });
    const refused = expect(started).rejects.toThrow('the migrations First1760000000001 are pending');
    await heard;
    abort.abort();
    await refused;
  });

  it('on a schema that a newer build only added to warns, and works', async () => {
    const schema = freshSchema();
    await open(schema, [First1760000000001, Second1760000000002]).migrate();
    const warnings: unknown[] = [];
    const logger: Logger = { ...silentLogger, warn: (...line) => void warnings.push(line) };
    const database = open(schema, [First1760000000001], logger);
    await database.start?.();
    expect(await database.query('SELECT id FROM first')).toEqual([{ id: 1 }]);
    expect(warnings).toEqual([
      ['the schema is newer than this build, which it suits', { schema, unknown: ['Second1760000000002'] }],
    ]);
  });

  it('works after a contract step that names a migration of this build, and is refused when it names a later one', async () => {
    const schema = freshSchema();
    await open(schema, [First1760000000001, Second1760000000002, Contract1760000000006]).migrate();
    await open(schema, [First1760000000001, Second1760000000002]).start?.();
    await expect(open(schema, [First1760000000001]).start?.()).rejects.toThrow(
      `The schema "${schema}" is beyond this build: Contract1760000000006 has taken away what builds before Second1760000000002 use. Deploy a build that knows Second1760000000002.`,
    );
  });

  it.each(['Chat', 'chat; DROP', 'x"; chat', '1st', ''])(
    'refuses a schema name that would need quoting: %j',
    (schema) =>
      expect(() => open(schema, [])).toThrow(
        new Error(`The schema "${schema}" is not a plain lower case name: letters, digits and underscores only.`),
      ),
  );
});
