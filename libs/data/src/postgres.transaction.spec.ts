import 'reflect-metadata';
import { silentLogger as logger } from '@platform/runtime';
import { truncateAll, useDatabase } from '@platform/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { openDatabase } from './database';
import type { Database, Transaction } from './database.types';
import { ForwardMigration } from './migrations';
import { isCheckViolation, isUniqueViolation } from './postgres.errors';

@Entity('notes')
class Note {
  @PrimaryColumn('int')
  id!: number;

  @Column('text')
  text!: string;
}

class CreateNotes1760000000000 extends ForwardMigration {
  readonly steps = [`CREATE TABLE notes (id int PRIMARY KEY, text text NOT NULL CHECK (text <> 'forbidden'))`];
}

const ADD = 'INSERT INTO notes (id, text) VALUES ($1, $2)';
const ALL = 'SELECT id, text FROM notes ORDER BY id';
const db = useDatabase({ schema: 'written', entities: [Note], migrations: [CreateNotes1760000000000] });
const kept = async () => (await db.query<Note>(ALL)).map(({ text }) => text).join(' ');
const add = (tx: Transaction, id: number, text = String(id)) => tx.later('note add', ADD, [id, text]);
beforeEach(() => truncateAll(db));

/** How many writes `work` takes of a transaction. */
const writesOf = async (database: Database, work: (tx: Transaction) => Promise<unknown>): Promise<number> => {
  let writes = 0;
  const hear = (client: { query: (...asked: unknown[]) => unknown }): void => {
    const { query } = client;
    client.query = (...asked) => ((writes += 1), query.apply(client, asked));
    database.pool.once('release', () => (client.query = query));
  };
  database.pool.once('acquire', hear as never);
  await database.tx(work);
  return writes;
};

describe('a transaction', () => {
  it('is begun by its first statement, whether that is prepared or not', async () => {
    expect(await writesOf(db, (tx) => tx.prepared('all', ALL, []))).toBe(2);
    expect(await writesOf(db, (tx) => tx.query(ADD, [1, 'one']))).toBe(2);
    expect(await writesOf(db, () => Promise.resolve())).toBe(1);
    expect(await kept()).toBe('one');
  });

  it('sends what nobody waits for with the next statement, and with its commit, and every later one finds it', async () => {
    let found: unknown[] = [];
    const writes = await writesOf(db, async (tx) => {
      for (const id of [1, 2]) await add(tx, id);
      found = await tx.prepared<Note>('all', ALL, []);
      for (const id of [3, 4]) await add(tx, id);
    });
    expect([found.length, writes, await kept()]).toEqual([2, 2, '1 2 3 4']);
  });

  it('keeps the order of what nobody waits for, plain statements and entities', async () => {
    await db.tx(async (tx) => {
      await add(tx, 1, 'a');
      await tx.entities.update(Note, { id: 1 }, { text: 'b' });
      await tx.later('note more', `UPDATE notes SET text = text || 'c' WHERE id = $1`, [1]);
      await tx.query(`UPDATE notes SET text = text || 'd'; UPDATE notes SET text = text || 'e'`);
      await tx.later('note more', `UPDATE notes SET text = text || 'c' WHERE id = $1`, [1]);
      expect(await tx.entities.findOneBy(Note, { id: 1 })).toEqual({ id: 1, text: 'bcdec' });
    });
    expect(await kept()).toBe('bcdec');
  });

  it('fails with what nobody waited for, at the next statement or at the commit, and nothing of it stays', async () => {
    const hook = jest.fn();
    const begun = db.tx(async (tx) => {
      tx.afterCommit(hook);
      await add(tx, 1);
      await add(tx, 1);
    });
    expect(isUniqueViolation(await begun.catch((error: unknown) => error))).toBe(true);
    const next = db.tx(async (tx) => {
      await add(tx, 1, 'forbidden');
      await add(tx, 2);
      await tx.prepared('all', ALL, []);
    });
    expect(isCheckViolation(await next.catch((error: unknown) => error))).toBe(true);
    const unwritable = db.tx((tx) =>
      add(tx, 3, {
        toPostgres: () => {
          throw new Error('no text');
        },
      } as never),
    );
    await expect(unwritable).rejects.toThrow('no text');
    expect([await kept(), hook.mock.calls.length]).toEqual(['', 0]);
    await db.tx((tx) => add(tx, 4));
    expect(await kept()).toBe('4');
  });

  it('is not told as done where its work kept quiet about what failed', async () => {
    const hook = jest.fn();
    const quiet = (more: (tx: Transaction) => Promise<unknown>) =>
      db.tx(async (tx) => {
        tx.afterCommit(hook);
        await add(tx, 1);
        await tx.query('SELECT 1 / $1::int', [0]).catch(() => undefined);
        await more(tx);
      });
    await expect(quiet(() => Promise.resolve())).rejects.toThrow('The transaction was rolled back');
    await expect(quiet((tx) => add(tx, 2))).rejects.toMatchObject({ code: '25P02' });
    expect([await kept(), hook.mock.calls.length]).toEqual(['', 0]);
  });

  it('is done again when what nobody waited for met others', async () => {
    let tries = 0;
    await db.tx(async (tx) => {
      tries += 1;
      await add(tx, tries);
      const state = tries < 3 ? `DO $$ BEGIN RAISE EXCEPTION 'met' USING ERRCODE = '40001'; END $$` : 'SELECT 1';
      await tx.later(`meets ${tries}`, state, []);
    });
    expect(await kept()).toBe('3');
  });

  it('whose work throws before its first statement leaves its connection to the next', async () => {
    const single = openDatabase({ url: db.url, schema: 'written', poolSize: 1, logger });
    const pid = () => single.query('SELECT pg_backend_pid() AS pid');
    const before = await pid();
    const throwing = single.tx(async (tx) => {
      await add(tx, 1);
      throw new Error('changed my mind');
    });
    await expect(throwing).rejects.toThrow('changed my mind');
    expect([await pid(), await kept()]).toEqual([before, '']);
    await single.stop?.();
  });

  it('that is over takes no statement any more: its connection may be in the next one', async () => {
    let ended: Transaction | undefined;
    const failing = db.tx(async (tx) => {
      ended = tx;
      await tx.query(ALL);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    const { query, prepared, later } = ended as Transaction;
    const late = [() => query(ALL), () => query(ADD, [1, 'a']), () => prepared('all', ALL, [])];
    for (const ask of [...late, () => later('note add', ADD, [1, 'a'])])
      await expect(ask()).rejects.toThrow('The transaction is over');
    expect(await kept()).toBe('');
  });

  it('whose statements have no names sends them together as well', async () => {
    const unnamed = openDatabase({ url: db.url, schema: 'written', prepared: false, logger });
    await unnamed.tx((tx) => tx.query(ALL));
    const writes = await writesOf(unnamed, async (tx) => {
      await add(tx, 1);
      expect(await tx.prepared('all', ALL, [])).toEqual([{ id: 1, text: '1' }]);
      await add(tx, 2);
    });
    expect([writes, await kept()]).toEqual([2, '1 2']);
    await unnamed.stop?.();
  });

  it('sends a statement whose plan a migration made stale anew, also one that nobody waits for', async () => {
    const copy = () => db.tx((tx) => tx.later('note all', 'SELECT * FROM notes', []));
    for (let time = 0; time < 2; time++) await copy();
    await db.query('ALTER TABLE notes ADD COLUMN more text');
    await copy();
    await db.query('ALTER TABLE notes DROP COLUMN more');
    await copy();
  });
});

it('outside a transaction what nobody waits for is done at once', async () => {
  await db.later('note add', ADD, [1, 'one']);
  expect(await kept()).toBe('one');
});
