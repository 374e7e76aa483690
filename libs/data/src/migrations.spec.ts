import { silentLogger } from '@platform/runtime';
import { useDatabase, useOpened } from '@platform/testing';
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
  readonly steps = ['CREATE INDEX CONCURRENTLY first_id ON first (id)'];
}
class Session1760000000005 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE session AS SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS "limit"`,
  ];
}
class Broken1760000000004 extends ForwardMigration {
  readonly steps = ['CREATE TABLE half (id int)', 'SELECT 1/0'];
}

const host = useDatabase({ schema: 'host' });
const ended = useOpened();
let count = 0;

const open = (schema: string, migrations: MigrationClass[]): Database =>
  ended(openDatabase({ url: host.url, schema, migrations, poolSize: 2, logger: silentLogger }));
const freshSchema = () => `fresh_${(count += 1)}`;

describe('the migrate command', () => {
  it('creates the schema, runs pending migrations in order, and then nothing more', async () => {
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

  it('refuses to revert', async () => {
    await expect(new First1760000000001().down()).rejects.toThrow('Migrations go forward only');
  });
});

describe('the start of a database', () => {
  it('refuses a schema with pending migrations and names the command', async () => {
    const database = open(freshSchema(), [First1760000000001]);
    await expect(database.start?.()).rejects.toThrow(
      /is older than this build: the migrations First1760000000001 are pending\. Run the migrate command of this service first\./,
    );
  });

  it('refuses a schema that a newer build migrated', async () => {
    const schema = freshSchema();
    await open(schema, [First1760000000001, Second1760000000002]).migrate();
    await expect(open(schema, [First1760000000001]).start?.()).rejects.toThrow(
      /newer than this build: it holds the unknown migrations Second1760000000002/,
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
