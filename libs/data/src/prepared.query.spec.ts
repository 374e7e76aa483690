import { Client, type QueryConfig } from 'pg';
import { useDatabase } from '@platform/testing';
import { PreparedQuery } from './prepared.query';

const db = useDatabase({ schema: 'bank' });
let client: Client;
let described = 0;
beforeEach(async () => {
  client = new Client({ connectionString: db.url });
  await client.connect();
  described = 0;
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on('rowDescription', () => (described += 1));
});
afterEach(() => client.end());

const runAll = (configs: readonly QueryConfig[], once = true) =>
  client.query(new PreparedQuery<Record<string, unknown>>(configs, once)).answer;
const run = (config: QueryConfig, once = true) => runAll([config], once);

const EVERY_KIND = `SELECT 1 AS int, 9007199254740993::bigint AS big, 1.50::numeric AS numeric, true AS flag, NULL::text AS nothing, '{"a":[1]}'::jsonb AS json,
  timestamptz '2026-11-22 10:00+00' AS at, ARRAY['a,"b"', NULL]::text[] AS texts, '\\x00ff'::bytea AS bytes, '🙂'::text AS text, $1::text[] AS given, $2::jsonb AS object, $3::int AS none`;

it('a prepared statement answers the rows that the driver answers, the first time and again', async () => {
  const values = [['x', 'y"'], { b: null }, undefined];
  const { rows } = await client.query({ text: EVERY_KIND, values });
  const config = { name: 'kinds', text: EVERY_KIND, values };
  expect([await run(config), await run(config)]).toEqual([rows, rows]);
});

it('a prepared statement describes its columns once per connection, and every time where sessions change behind it', async () => {
  const config = { name: 'one', text: 'SELECT $1::int AS n', values: [1] };
  expect([await run(config), await run(config), described]).toEqual([[{ n: 1 }], [{ n: 1 }], 1]);
  expect([await run(config, false), await run(config, false), described]).toEqual([[{ n: 1 }], [{ n: 1 }], 3]);
});

it('a prepared statement answers no rows where there are none', async () => {
  expect(await run({ name: 'none', text: 'SELECT 1 WHERE false' })).toEqual([]);
  expect(await run({ name: 'done', text: 'CREATE TEMPORARY TABLE none AS SELECT 1 AS n' })).toEqual([]);
  expect(await run({ name: 'empty', text: '' })).toEqual([]);
});

it('a prepared statement that fails leaves its connection to the next one', async () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const echo = { name: 'echo', text: 'SELECT $1::jsonb AS value' };
  await expect(run({ ...echo, values: [circular] })).rejects.toThrow('circular');
  await expect(run({ name: 'wrong', text: 'SELEC 1' })).rejects.toMatchObject({ code: '42601' });
  await expect(run({ name: 'zero', text: 'SELECT 1 / $1::int AS n', values: [0] })).rejects.toMatchObject({
    code: '22012',
  });
  await expect(run({ ...echo, text: 'SELECT 2' })).rejects.toThrow('Prepared statements must be unique');
  expect(await run({ ...echo, values: [{ a: 1 }] })).toEqual([{ value: { a: 1 } }]);
  expect(await run({ name: 'zero', text: 'SELECT 1 / $1::int AS n', values: [1] })).toEqual([{ n: 1 }]);
});

it('a prepared statement whose columns a migration changed is refused, not read by the old ones', async () => {
  await client.query('CREATE TEMPORARY TABLE amounts AS SELECT 1 AS amount');
  const config = { name: 'amounts', text: 'SELECT * FROM amounts' };
  expect(await run(config)).toEqual([{ amount: 1 }]);
  await client.query('ALTER TABLE amounts ALTER amount TYPE text');
  await expect(run(config)).rejects.toThrow('cached plan must not change result type');
  expect(await run({ name: 'amounts 1', text: `${config.text} /* 1 */` })).toEqual([{ amount: '1' }]);
});

it('statements of one write that have the same name and other texts are refused, and the second is not done by the first', async () => {
  await client.query('CREATE TEMPORARY TABLE done (text text)');
  const done = (text: string) => ({ name: 'done', text: `INSERT INTO done VALUES ('${text}')` });
  await expect(runAll([done('a'), done('b')])).rejects.toThrow('Prepared statements must be unique');
  expect((await client.query('SELECT text FROM done')).rows).toEqual([{ text: 'a' }]);
});

/** PgBouncer from 1.21 on ends a connection that prepares a name again, whether or not the server came to do so the first time. */
const likePgBouncer = (): void => {
  const { connection } = client as unknown as {
    connection: Record<'parse' | 'close', (named: { name: string }) => void>;
  };
  const { parse, close } = connection;
  const named = new Set<string>();
  connection.parse = (statement) => {
    if (statement.name !== '' && named.has(statement.name)) void client.end();
    named.add(statement.name);
    parse.call(connection, statement);
  };
  connection.close = (statement) => (named.delete(statement.name), close.call(connection, statement));
};

it('a statement to which the server did not come after an error is prepared by the next try, behind PgBouncer too', async () => {
  likePgBouncer();
  const divided = (n: number) => [
    { name: 'zero', text: 'SELECT 1 / $1::int AS n', values: [n] },
    { name: 'one', text: 'SELECT 1 AS n' },
  ];
  await expect(runAll(divided(0), false)).rejects.toMatchObject({ code: '22012' });
  expect(await runAll(divided(1), false)).toEqual([{ n: 1 }]);
  expect(await runAll(divided(1), false)).toEqual([{ n: 1 }]);
});
