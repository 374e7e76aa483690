import type { Sql } from '@platform/data';
import { useDatabase } from './database';
import { expectFewRead, fill, vacuumed } from './rows-read';

const database = useDatabase({ schema: 'read' });

beforeAll(async () => {
  await database.query(`
    CREATE TABLE person (shop text, id int, phone text, name text, PRIMARY KEY (shop, id) INCLUDE (phone, name), UNIQUE (shop, phone));
    INSERT INTO person SELECT CASE WHEN n <= 2000 THEN 'L' ELSE 'S' || n % 300 END, n, 'p' || n, 'N' FROM generate_series(1, 20000) n;
    CREATE TABLE told (n bigint);
    CREATE FUNCTION count_people() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO told SELECT count(*) FROM person; RETURN NULL; END';
    CREATE TRIGGER told_person AFTER UPDATE ON person FOR EACH STATEMENT EXECUTE FUNCTION count_people();`);
  await vacuumed(database);
});

const NAME = 'SELECT (SELECT name FROM person WHERE shop = $1 AND phone = p) AS name FROM unnest($2::text[]) AS p';
const ASKED = ['L', ['p3', 'p4']];
const RENAMED = `UPDATE person SET name = 'M' WHERE shop = $1 AND id = $2`;

it('a scene is filled in order, without triggers, and for as long as the machine takes', async () => {
  const limit = `SELECT 'L', 0, $1, current_setting('statement_timeout')`;
  await fill(database, [`INSERT INTO person ${limit}`, `UPDATE person SET phone = phone || $1 WHERE id = 0`], ['p']);
  const [filled] = await database.query(
    'SELECT phone, name, (SELECT count(*)::int FROM told) AS told FROM person WHERE id = 0',
  );
  expect(filled).toEqual({ phone: 'pp', name: '0', told: 0 });
});

describe('tables that were vacuumed', () => {
  it('have every page known to be visible at once, so that plans are those of production', async () => {
    const pages = `SELECT sum(relpages)::int AS pages, sum(relallvisible)::int AS visible FROM pg_class WHERE relkind = 'r' AND relnamespace = 'read'::regnamespace`;
    const [row] = await database.query<{ pages: number; visible: number }>(pages);
    expect([row?.visible, (row?.pages ?? 0) > 100]).toEqual([row?.pages, true]);
  });
});

describe('a statement that reads much', () => {
  it.each([
    ['is told with its plan: of an index, for a shop of common size', 'prepared', NAME, ASKED],
    ['is told with its plan: in a trigger', 'query', RENAMED, ['L', 7]],
    [
      'is told with its plan: of rows that do not meet',
      'query',
      'SELECT 1 FROM generate_series(1, 900) a JOIN generate_series(1, 900) b ON a * b = -1',
      [],
    ],
  ] as const)('%s', async (_, way, text, values) => {
    const work = (sql: Sql) => (way === 'query' ? sql.query(text, values) : sql.prepared('x', text, values));
    await expect(expectFewRead(database, 1000, work)).rejects.toThrow(
      /reads \d{4,} rows, not less than 1000[^]*Node Type/,
    );
  });

  it('is nothing where it is planned for its values, and where it takes few', async () => {
    await expectFewRead(database, 1000, (sql) => sql.query(NAME, ASKED));
    await expectFewRead(database, 10, (sql) =>
      sql.prepared('x', 'SELECT name FROM person WHERE shop = $1 AND id = $2', ['L', 7]),
    );
  });

  it('has changed nothing afterwards', async () => {
    await expectFewRead(database, 100_000, (sql) => sql.later('x', RENAMED, ['L', 7]));
    expect(await database.query(`SELECT name FROM person WHERE shop = 'L' AND id = 7`)).toEqual([{ name: 'N' }]);
  });

  it('cannot be one that is never asked', async () => {
    await expect(expectFewRead(database, 10, () => undefined)).rejects.toThrow('It asks no statement.');
  });
});
