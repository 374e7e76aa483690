import { randomBytes } from 'node:crypto';
import { ForwardMigration, openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { testDatabase, truncateAll } from './database';

class CreateThings1760000000000 extends ForwardMigration {
  readonly steps = [
    'CREATE TABLE things (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL)',
    'CREATE TABLE parts (thing bigint REFERENCES things)',
  ];
}

// Templates stay in the cluster, which may be one that other runs use.
const schema = `warehouse_${randomBytes(4).toString('hex')}`;
const templates = `template\\_${schema}\\_%`;
const open = () => testDatabase({ schema, migrations: [CreateThings1760000000000] });
const add = `INSERT INTO things (name) VALUES ('a') RETURNING id`;

const existing = async (pattern: string) => {
  const admin = openDatabase({ url: environment.TEST_DATABASE_URL ?? '', schema: 'public', logger: silentLogger });
  const rows = await admin.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname LIKE $1', [
    pattern,
  ]);
  await admin.stop?.();
  return rows.map(({ datname }) => datname);
};

describe('a test database (testDatabase)', () => {
  it('is a separate migrated database for each caller, from one template', async () => {
    const databases = await Promise.all([open(), open(), open()]);
    for (const database of databases) expect(await database.query(add)).toEqual([{ id: '1' }]);
    expect(new Set(databases.map(({ url }) => url)).size).toBe(3);
    expect(await existing(templates)).toHaveLength(1);
    await Promise.all(databases.map((database) => database.stop?.()));
  });

  it('is dropped when it is stopped, even while somebody is still connected', async () => {
    const database = await open();
    const other = openDatabase({ url: database.url, schema, logger: silentLogger });
    await other.query(add);
    const name = new URL(database.url).pathname.slice(1);
    expect(await existing(name)).toEqual([name]);
    await database.stop?.();
    expect(await existing(name)).toEqual([]);
    await other.stop?.();
  });

  it('comes from a new template when the migrations changed', async () => {
    class CreateThings1760000000001 extends ForwardMigration {
      readonly steps = ['CREATE TABLE others (id int)'];
    }
    const before = await open();
    const database = await testDatabase({ schema, migrations: [CreateThings1760000000001] });
    expect(await database.query('SELECT * FROM others')).toEqual([]);
    expect(await existing(templates)).toHaveLength(2);
    await before.stop?.();
    await database.stop?.();
  });
});

describe('emptying a database (truncateAll)', () => {
  it('empties the tables, restarts sequences and keeps the migrations', async () => {
    const database = await open();
    await database.query(add);
    await database.query('INSERT INTO parts VALUES (1)');
    await truncateAll(database);
    expect(await database.query('SELECT FROM parts')).toEqual([]);
    expect(await database.query(add)).toEqual([{ id: '1' }]);
    expect(await database.pending()).toEqual([]);
    await database.stop?.();
  });
});
