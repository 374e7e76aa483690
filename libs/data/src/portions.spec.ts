import { silentLogger } from '@platform/runtime';
import { until, useDatabase, useOpened } from '@platform/testing';
import type { QueryRunner } from 'typeorm';
import { openDatabase } from './database';
import type { Database } from './database.types';
import { ForwardMigration } from './migrations';
import { nextPortion, portions, runPortions, type Portions } from './portions';

const host = useDatabase({ schema: 'host' });
const ended = useOpened();
let count = 0;

const TABLE = 'CREATE TABLE goods (shop text, id int, at text, PRIMARY KEY (shop, id))';
/** Which transaction changed the row. */
const MARK: Portions = { table: 'goods', where: 'at IS NULL', set: 'at = txid_current()' };

/** A fresh schema with the tables of `made`, and a migration that runs the change on it. */
const changing = async (change: Portions, made: readonly string[], transaction = false): Promise<Database> => {
  class Made1760000000001 extends ForwardMigration {
    readonly steps = made;
  }
  class Changed1760000000002 extends ForwardMigration {
    readonly transaction = transaction;
    readonly steps = [portions(change)];
  }
  const open = (migrations: (typeof Made1760000000001 | typeof Changed1760000000002)[]) =>
    ended(openDatabase({ url: host.url, schema: `portions_${count}`, migrations, poolSize: 2, logger: silentLogger }));
  count += 1;
  await open([Made1760000000001]).migrate();
  return open([Made1760000000001, Changed1760000000002]);
};

const fill = (rows: number): string => `INSERT INTO goods SELECT 'shop', n, NULL FROM generate_series(1, ${rows}) n`;

describe('portions', () => {
  it('change every row that meets the condition, each portion in a transaction of its own', async () => {
    const database = await changing(MARK, [TABLE, fill(250), `INSERT INTO goods VALUES ('other', 1, 'there')`]);
    await database.migrate();
    const [marked] = await database.query<{ rows: number; portions: number }>(
      `SELECT count(at)::int AS rows, count(DISTINCT at)::int AS portions FROM goods WHERE shop = 'shop'`,
    );
    expect(marked).toEqual({ rows: 250, portions: expect.any(Number) });
    expect(marked?.portions).toBeGreaterThan(1);
    expect(await database.query(`SELECT at FROM goods WHERE shop = 'other'`)).toEqual([{ at: 'there' }]);
  });

  it('without a value delete the rows that meet the condition, and no other', async () => {
    const database = await changing({ table: 'goods', where: 'id % 3 > 0' }, [TABLE, fill(450)]);
    await database.migrate();
    const [left] = await database.query(
      'SELECT count(*)::int AS rows, bool_or(id % 3 > 0) AS wrong, max(id) FROM goods',
    );
    expect(left).toEqual({ rows: 150, wrong: false, max: 450 });
  });

  it('look at each row once to find it: a portion begins behind the one before, and reads no further than it needs', async () => {
    const database = await changing({ ...MARK, where: 'CASE WHEN looked(id) THEN at IS NULL END' }, [
      TABLE,
      fill(800),
      'CREATE TABLE looks (id int)',
      `CREATE FUNCTION looked(which int) RETURNS boolean LANGUAGE sql VOLATILE AS 'INSERT INTO looks VALUES (which) RETURNING true'`,
    ]);
    await database.migrate();
    // Seen, locked and changed
    expect(
      await database.query(
        'SELECT looks::int, count(*)::int AS rows FROM (SELECT count(*) AS looks FROM looks GROUP BY id) l GROUP BY looks',
      ),
    ).toEqual([{ looks: 3, rows: 800 }]);
  });

  it('look up what a condition needs by its own index, also where it wants an order', async () => {
    const CHOICES = `(SELECT string_agg(c.word, ' ' ORDER BY c.id) FROM choices c WHERE c.shop = goods.shop AND c.good = goods.id)`;
    const database = await changing(
      { table: 'goods', where: `at IS DISTINCT FROM ${CHOICES}`, set: `at = ${CHOICES}` },
      [
        TABLE,
        fill(3_000),
        'CREATE TABLE choices (shop text, id int, good int, word text, PRIMARY KEY (shop, id))',
        `INSERT INTO choices SELECT 'shop', n, n / 2, 'w' || n FROM generate_series(2, 6001) n`,
        'CREATE INDEX ON choices (shop, good)',
      ],
    );
    await database.query(`ANALYZE portions_${count}.choices`);
    await database.migrate();
    expect(await database.query('SELECT at FROM goods WHERE id = 2345')).toEqual([{ at: 'w4690 w4691' }]);
    await database.query('SELECT pg_stat_force_next_flush()');
    const read = async () =>
      (
        await database.query<{ rows: number }>(
          `SELECT sum(idx_tup_fetch)::int AS rows FROM pg_stat_user_tables WHERE schemaname = 'portions_${count}' AND relname = 'choices'`,
        )
      )[0]?.rows ?? 0;
    await until(async () => (await read()) > 0);
    // Two for each good, each time it is looked at, and once more to be changed
    expect(await read()).toBeLessThan(3_000 * 2 * 5);
  });

  it('walk by keys of several columns whose texts are strange and whose times are exact', async () => {
    const database = await changing({ table: 'marks', where: 'mark IS NULL', set: 'mark = 1' }, [
      'CREATE TABLE marks (word text, "when" timestamptz, ip inet, mark int, PRIMARY KEY (word, "when", ip) INCLUDE (mark))',
      `INSERT INTO marks SELECT word, timestamptz '2026-01-01' + n * interval '1 microsecond', '10.0.0.1'
       FROM unnest(ARRAY['', 'NULL', '"', '{},\\', 'é''s', '😀']) word, generate_series(1, 60) n`,
    ]);
    await database.migrate();
    expect(await database.query('SELECT count(*)::int AS rows, count(mark)::int AS marked FROM marks')).toEqual([
      { rows: 360, marked: 360 },
    ]);
  });

  it('do not wait for a row that another holds: they change the others, and come back for it', async () => {
    const database = await changing(MARK, [TABLE, fill(150)]);
    const holder = await host.pool.connect();
    await holder.query(`BEGIN; SELECT FROM portions_${count}.goods WHERE id = 5 FOR UPDATE`);
    const migrating = database.migrate();
    const unmarked = () => database.query<{ id: number }>('SELECT id FROM goods WHERE at IS NULL');
    await until(async () => (await unmarked()).length === 1);
    expect(await unmarked()).toEqual([{ id: 5 }]);
    await holder.query('COMMIT');
    holder.release();
    await migrating;
    expect(await unmarked()).toEqual([]);
  });

  it('change a row also when another one has taken its place since it was found', async () => {
    const made = [TABLE, fill(150), 'ALTER TABLE goods ADD writes int NOT NULL DEFAULT 0'];
    const database = await changing(MARK, made);
    const client = await database.pool.connect();
    const goods = `portions_${count}.goods`;
    const write = (id: number) => host.query(`UPDATE ${goods} SET writes = writes + 1 WHERE id = ${id}`);
    // Where its index leads is kept for it; where it is found then is not
    await write(5);
    let isFound = false;
    const query = async (text: string, values?: unknown[]) => {
      if (text.includes('changed AS') && !isFound) {
        isFound = true;
        await write(5);
        await host.query(`VACUUM ${goods}`);
        await write(149);
      }
      return (await client.query(text, values)).rows;
    };
    const runner = {
      query,
      startTransaction: () => query('BEGIN'),
      commitTransaction: () => query('COMMIT'),
      rollbackTransaction: () => query('ROLLBACK'),
    } as unknown as QueryRunner;
    await runPortions(runner, MARK).finally(() => client.release());
    expect(await database.query('SELECT id FROM goods WHERE at IS NULL')).toEqual([]);
  });

  it('come to their end while rows are written all the time, and leave none of them out', async () => {
    const made = [TABLE, fill(4_000), 'ALTER TABLE goods ADD writes int NOT NULL DEFAULT 0'];
    const database = await changing({ ...MARK, where: 'id % 2 = 0 AND at IS NULL' }, made);
    const schema = `portions_${count}`;
    let isOver = false;
    const writing = (async () => {
      while (!isOver)
        await host.query(
          `UPDATE ${schema}.goods SET writes = writes + 1 WHERE id IN (SELECT (random() * 4000)::int FROM generate_series(1, 20))`,
        );
    })();
    await database.migrate().finally(() => (isOver = true));
    await writing;
    expect(
      await database.query(
        'SELECT id % 2 AS odd, count(*)::int AS rows, count(at)::int AS marked FROM goods GROUP BY 1 ORDER BY 1',
      ),
    ).toEqual([
      { odd: 0, rows: 2_000, marked: 2_000 },
      { odd: 1, rows: 2_000, marked: 0 },
    ]);
  });

  it.each([
    ['go on however long the way to it was', 11, 0, undefined],
    ['give up after ten minutes of nothing else', 0, 11, 'Rows of "goods" have stayed locked for ten minutes.'],
  ])('with a row that another holds %s', async (_, way, wait, failure) => {
    let minutes = 0;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => minutes * 60_000);
    let walks = 0;
    const query = (text: string) => {
      if (text.includes('pg_index')) return [{ name: 'id' }];
      if (text.includes('AS place, xmin')) return [{ place: '(0,1)', writer: '1', key: ['1'] }];
      if (!text.includes('changed AS')) return [];
      minutes += (walks += 1) === 1 ? way : wait;
      return [{ seen: 1, due: 1, done: walks < 3 ? 0 : 1, again: false }];
    };
    const nothing = () => Promise.resolve();
    const runner = { startTransaction: nothing, commitTransaction: nothing, rollbackTransaction: nothing };
    const run = runPortions({ ...runner, query: (text: string) => Promise.resolve(query(text)) } as never, MARK);
    await (failure === undefined ? run : expect(run).rejects.toThrow(failure));
    clock.mockRestore();
    expect(walks).toBe(failure === undefined ? 3 : 2);
  });

  it('are undone when they take too long, and come again with fewer rows', async () => {
    const database = await changing({ ...MARK, set: 'at = slow()' }, [
      TABLE,
      fill(120),
      `CREATE FUNCTION slow() RETURNS text LANGUAGE sql VOLATILE AS 'SELECT pg_sleep(0.01); SELECT txid_current()'`,
    ]);
    await database.migrate();
    const portions = await database.query<{ rows: number }>('SELECT count(*)::int AS rows FROM goods GROUP BY at');
    expect(portions.reduce((sum, { rows }) => sum + rows, 0)).toBe(120);
    expect(Math.max(...portions.map(({ rows }) => rows))).toBeLessThan(100);
  });

  it.each([
    [
      'that changes rows so that they need it still',
      { ...MARK, set: 'at = NULL' },
      'Rows of "goods" meet "at IS NULL" after their change too: there would be no last portion.',
    ],
    [
      'of a table without a key',
      { table: 'heap', where: 'true' },
      'The table "heap" has no primary key, by which portions walk over it.',
    ],
    ['of two statements', { ...MARK, set: 'at = 1; DROP TABLE heap' }, 'syntax error at or near ";"'],
  ])('refuse a change %s', async (_, change, refusal) => {
    const database = await changing(change, [TABLE, fill(1), 'CREATE TABLE heap (id int)']);
    await expect(database.migrate()).rejects.toThrow(refusal);
    expect(await database.pending()).toEqual(['Changed1760000000002']);
  });

  it('refuse a transaction, which would keep every row locked until its end', async () => {
    const database = await changing(MARK, [TABLE, fill(1)], true);
    await expect(database.migrate()).rejects.toThrow('Every portion is to commit: set `transaction = false`.');
    expect(await database.query('SELECT at FROM goods')).toEqual([{ at: null }]);
  });

  it.each([
    ['twice as many after a quick one', 100, 1, 200],
    ['as many as there was time for after a slow one', 400, 1_000, 40],
    ['as many again after one that took its time', 300, 100, 300],
    ['not more than 2,000', 1_500, 1, 2_000],
    ['one at least', 1, 60_000, 1],
  ])('take rows by the time of the portion before: %s', (_, rows, milliseconds, next) => {
    expect(nextPortion(rows, milliseconds)).toBe(next);
  });
});
