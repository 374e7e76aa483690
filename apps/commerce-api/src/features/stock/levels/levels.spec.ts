import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import {
  expectNoSeqScan,
  explain,
  runProgramCommand,
  startScript,
  until,
  useDatabase,
  untilWaiting,
  lockWaiters,
} from '@platform/testing';
import { join } from 'node:path';
import { migrations, schema } from '../../../data-source';
import { book } from './bookings';
import { BOOK } from './bookings.sql';
import { commit, release, reserve, type Owner, type StockLine } from './reservations';
import { COMMIT, MOST_PIECES, OPEN_LEVELS, RELEASE, RESERVE } from './reservations.sql';
import { levelsOf, newShelf, unexplained, type Shelf } from './shelf.fixture';

const database = useDatabase({ schema, migrations, poolSize: 20 });
const child = join(__dirname, 'shoppers.child.ts');

afterEach(async () => expect(await unexplained(database)).toEqual([]));

const order = (id = uuidv7()): Owner => ({ type: 'order', id });
const lineOf = ({ variants, warehouses }: Shelf, qty: number, variant = 0, warehouse = 0): StockLine => ({
  variant_id: variants[variant] ?? '',
  warehouse_id: warehouses[warehouse] ?? '',
  qty,
});
const take = (shelf: Shelf, owner: Owner, ...lines: StockLine[]) =>
  database.tx((tx) => reserve(tx, shelf.by, owner, lines));
const end = (what: typeof commit, shelf: Shelf, owner: Owner) => database.tx((tx) => what(tx, shelf.by, owner));
const add = (shelf: Shelf, reason: 'adjust' | 'count', more: object) => {
  const { variant_id, warehouse_id } = lineOf(shelf, 1);
  return database.tx((tx) => book(tx, shelf.by, { reason }, [{ variant_id, warehouse_id, ...more }]));
};
const movements = (shelf: Shelf) =>
  database
    .query<{
      told: string;
    }>(
      `SELECT concat_ws(' ', reason, delta_on_hand, delta_reserved, ref) AS told FROM stock_movement WHERE store_id = $1 ORDER BY id`,
      [shelf.by.storeId],
    )
    .then((rows) => rows.map(({ told }) => told));

describe('a reservation', () => {
  it('is held, then sold or given back, and every step is a movement', async () => {
    const shelf = await newShelf(database, { onHand: 10 });
    const [buyer, other] = [order('o1'), order('o2')];
    await take(shelf, buyer, lineOf(shelf, 3));
    await take(shelf, other, lineOf(shelf, 2));
    expect(await levelsOf(database, shelf)).toEqual(['10/5']);
    expect(await end(commit, shelf, buyer)).toEqual([lineOf(shelf, 3)]);
    expect(await end(release, shelf, other)).toEqual([lineOf(shelf, 2)]);
    expect(await levelsOf(database, shelf)).toEqual(['7/0']);
    expect(await movements(shelf)).toEqual([
      'count 10 0',
      'reserve 0 3 order:o1',
      'reserve 0 2 order:o2',
      'sale -3 -3 order:o1',
      'release 0 -2 order:o2',
    ]);
  });

  it('that has ended cannot end again', async () => {
    const shelf = await newShelf(database, { onHand: 10 });
    const buyer = order();
    await take(shelf, buyer, lineOf(shelf, 3));
    const ends = await Promise.all([commit, release, commit, release].map((what) => end(what, shelf, buyer)));
    expect(ends.map((lines) => lines.length).sort()).toEqual([0, 0, 0, 1]);
  });

  it('that was released can be made again, as for a late payment; one that was sold cannot', async () => {
    const shelf = await newShelf(database, { onHand: 5 });
    const buyer = order();
    await take(shelf, buyer, lineOf(shelf, 3));
    await end(release, shelf, buyer);
    await take(shelf, buyer, lineOf(shelf, 4));
    await take(shelf, buyer, lineOf(shelf, 1));
    expect(await end(commit, shelf, buyer)).toEqual([lineOf(shelf, 5)]);
    await add(shelf, 'adjust', { delta: 5 });
    await expect(take(shelf, buyer, lineOf(shelf, 1))).rejects.toThrow('has bought these goods already');
    expect(await levelsOf(database, shelf)).toEqual(['5/0']);
  });

  it('of lines that are short takes nothing, and tells what there is of each', async () => {
    const shelf = await newShelf(database, { variants: 2, onHand: 5 });
    const foreign = await newShelf(database, { onHand: 5 });
    const theirs = { ...lineOf(shelf, 1), variant_id: foreign.variants[0] ?? '' };
    const refusal = await take(shelf, order(), lineOf(shelf, 4), lineOf(shelf, 6, 1), lineOf(shelf, 2), theirs).catch(
      (error: unknown) => error,
    );
    const told = ({ variant_id, warehouse_id }: StockLine, available: number) => ({
      variant_id,
      warehouse_id,
      available,
    });
    expect(refusal).toMatchObject({
      code: 'out_of_stock',
      details: { lines: [told(lineOf(shelf, 0), 5), told(lineOf(shelf, 0, 1), 5), told(theirs, 0)] },
    });
    expect(await levelsOf(database, shelf)).toEqual(['5/0', '5/0']);
    expect(await levelsOf(database, foreign)).toEqual(['5/0']);
  });

  it('of an untracked variant touches no level, and a backorder goes below nothing', async () => {
    const shelf = await newShelf(database, { variants: 2 });
    const [untracked, backorder] = shelf.variants;
    await database.query('UPDATE variant SET track_stock = false WHERE id = $1', [untracked]);
    await database.query('UPDATE variant SET allow_backorder = true WHERE id = $1', [backorder]);
    const buyer = order();
    await take(shelf, buyer, lineOf(shelf, 100), lineOf(shelf, 4, 1));
    expect(await levelsOf(database, shelf)).toEqual(['0/4']);
    await end(commit, shelf, buyer);
    expect(await levelsOf(database, shelf)).toEqual(['-4/0']);
  });

  it('decides on what the one before it left, however long it waited', async () => {
    const shelf = await newShelf(database, { onHand: 1 });
    const first = order();
    await take(shelf, first, lineOf(shelf, 1));
    const waiting = database.tx(async (tx) => {
      await release(tx, shelf.by, first);
      const second = take(shelf, order(), lineOf(shelf, 1));
      await untilWaiting(tx, second);
      return { second };
    });
    await (
      await waiting
    ).second;
    expect(await levelsOf(database, shelf)).toEqual(['1/1']);
  });
});

describe('a booking', () => {
  it('adds to a level, makes one where there was none, and a count writes the difference', async () => {
    const shelf = await newShelf(database);
    expect(await add(shelf, 'adjust', { delta: 7 })).toMatchObject([{ delta: 7 }]);
    expect(await add(shelf, 'count', { counted: 4 })).toMatchObject([{ delta: -3 }]);
    expect(await add(shelf, 'count', { counted: 4 })).toEqual([]);
    expect(await movements(shelf)).toEqual(['adjust 7 0', 'count -3 0']);
  });

  it.each([
    ['by less than is reserved', { delta: -3 }, 'below_reserved'],
    ['to less than is reserved', { counted: 2 }, 'below_reserved'],
    ['beyond what a level holds', { counted: MOST_PIECES + 1 }, undefined],
    ['beyond what a level holds, bit by bit', { delta: MOST_PIECES }, undefined],
  ])('%s is refused and writes nothing', async (_, change, code) => {
    const shelf = await newShelf(database, { onHand: 5 });
    await take(shelf, order(), lineOf(shelf, 3));
    const refusal = (await add(shelf, 'adjust', change).catch((error: unknown) => error)) as { code?: string };
    expect([refusal.code, await levelsOf(database, shelf)]).toEqual([code, ['5/3']]);
  });

  it("of another store's variant or warehouse is not found", async () => {
    const [shelf, foreign] = [await newShelf(database), await newShelf(database)];
    const [mine, theirs] = [lineOf(shelf, 1), lineOf(foreign, 1)];
    for (const line of [
      theirs,
      { ...mine, variant_id: theirs.variant_id },
      { ...mine, warehouse_id: theirs.warehouse_id },
    ])
      await expect(
        database.tx((tx) => book(tx, shelf.by, { reason: 'found' }, [{ ...line, delta: 1 }])),
      ).rejects.toThrow('Variant or warehouse not found');
  });
});

describe('stock under load', () => {
  const settings = (shelf: Shelf) => ({
    DATABASE_URL: database.url,
    STORE: shelf.by.storeId,
    VARIANTS: shelf.variants.join(','),
    WAREHOUSES: shelf.warehouses.join(','),
  });

  it('500 buyers of 10 pieces in two processes are 10 sales', async () => {
    const shelf = await newShelf(database, { onHand: 10 });
    const mine = Array.from({ length: 250 }, () =>
      take(shelf, order(), lineOf(shelf, 1)).then(
        () => 1,
        () => 0,
      ),
    );
    const other = runProgramCommand({
      main: child,
      env: { ...settings(shelf), BUYERS: '250' },
    });
    const bought = (await Promise.all(mine)).reduce<number>((sum, one) => sum + one, 0);
    const { output } = await other;
    expect(bought + (JSON.parse(output) as { bought: number }).bought).toBe(10);
    expect(await levelsOf(database, shelf)).toEqual(['10/10']);
  });

  it('400 carts of two goods in either order all get theirs, none runs into a deadlock', async () => {
    const shelf = await newShelf(database, { variants: 2, onHand: 400 });
    let tries = 0;
    await Promise.all(
      Array.from({ length: 400 }, (_, n) =>
        database.tx((tx) => {
          tries += 1;
          const lines = [lineOf(shelf, 1, n % 2), lineOf(shelf, 1, (n + 1) % 2)];
          return reserve(tx, shelf.by, order(), lines);
        }),
      ),
    );
    expect([tries, await levelsOf(database, shelf)]).toEqual([400, ['400/400', '400/400']]);
  });

  it('a thousand random steps leave levels that their movements explain', async () => {
    const shelf = await newShelf(database, { variants: 3, warehouses: 2, onHand: 20 });
    // A small linear generator: the same steps in every run
    let seed = 7;
    const below = (most: number): number => ((seed = (seed * 1103515245 + 12345) % 2 ** 31) >> 8) % most;
    const owners: Owner[] = [];
    const steps: (() => Promise<unknown>)[] = [
      () => {
        const owner = order();
        owners.push(owner);
        return take(
          shelf,
          owner,
          lineOf(shelf, 1 + below(4), below(3), below(2)),
          lineOf(shelf, 1, below(3), below(2)),
        );
      },
      () => end(commit, shelf, owners[below(owners.length)] ?? order()),
      () => end(release, shelf, owners[below(owners.length)] ?? order()),
      () => {
        const { variant_id, warehouse_id } = lineOf(shelf, 1, below(3), below(2));
        const change = below(2) ? { delta: below(9) - 4 } : { counted: below(30) };
        return database.tx((tx) => book(tx, shelf.by, { reason: 'adjust' }, [{ variant_id, warehouse_id, ...change }]));
      },
    ];
    let refused = 0;
    for (let round = 0; round < 100; round++)
      await Promise.all(
        Array.from({ length: 10 }, () =>
          steps[below(4)]?.().catch((error: { code?: string }) => {
            expect(['out_of_stock', 'below_reserved']).toContain(error.code);
            refused += 1;
          }),
        ),
      );
    expect(refused).toBeGreaterThan(0);
  });

  it('a process killed amid its steps leaves levels that their movements explain', async () => {
    const shelf = await newShelf(database, { variants: 4, warehouses: 2, onHand: 50 });
    const count = async () => (await movements(shelf)).length;
    for (let kill = 0; kill < 3; kill++) {
      const before = await count();
      const script = startScript(child, { ...settings(shelf), STEPS: '1' });
      await until(async () => (await count()) > before + 60);
      await script.stop();
      expect(await unexplained(database)).toEqual([]);
    }
  });
});

it('an order that opens a level holds no other meanwhile, which whoever opens it at once could want', async () => {
  const shelf = await newShelf(database, { variants: 2 });
  const ordered = [lineOf(shelf, 1, 0), lineOf(shelf, 1, 1)];
  const lines = ordered.map(({ variant_id, warehouse_id }) => ({ variant_id, warehouse_id, delta: 3 }));
  await database.query('UPDATE variant SET allow_backorder = true WHERE store_id = $1', [shelf.by.storeId]);
  await add(shelf, 'count', { counted: 5 });
  let booked = false;
  const book3 = () => database.tx((other) => book(other, shelf.by, { reason: 'found' }, lines));
  const { booking } = await database.tx(async (tx) => {
    let opening: Promise<unknown> = Promise.resolve();
    const query: Sql['query'] = async (text, values) => {
      opening = book3().finally(() => (booked = true));
      await until(async () => booked || (await lockWaiters(tx)) > 0);
      expect(booked).toBe(true);
      return tx.query(text, values);
    };
    await reserve({ ...tx, query }, shelf.by, order(), ordered);
    return { booking: opening };
  });
  await booking;
  expect(await levelsOf(database, shelf)).toEqual(['8/1', '3/1']);
});

it('a level that is made while its variant stops being backordered is not oversold', async () => {
  const shelf = await newShelf(database);
  const { variant_id, warehouse_id } = lineOf(shelf, 1);
  const allow = (tx: Pick<typeof database, 'query'>, is: boolean) =>
    tx.query('UPDATE variant SET allow_backorder = $3 WHERE store_id = $1 AND id = $2', [
      ...[shelf.by.storeId, variant_id, is],
    ]);
  await allow(database, true);
  let done = false;
  const { opened } = await database.tx(async (tx) => {
    await allow(tx, false);
    const opening = database
      .tx((other) => other.query(OPEN_LEVELS, [shelf.by.storeId, [variant_id], [warehouse_id], shelf.by.at]))
      .finally(() => (done = true));
    await until(async () => done || (await lockWaiters(tx)) > 0);
    return { opened: opening };
  });
  await opened;
  await expect(take(shelf, order(), lineOf(shelf, 1))).rejects.toMatchObject({ code: 'out_of_stock' });
});

describe('the statements of stock', () => {
  const store = uuidv7();
  const lines = [[uuidv7()], [uuidv7()]];
  const end = [store, 'order', 'o1', 'u1', new Date()];
  it.each<[string, string, unknown[]]>([
    ['reserve', RESERVE, [store, ...lines, [1], 'order', 'o1', null, 'u1', new Date()]],
    ['open levels', OPEN_LEVELS, [store, ...lines, new Date()]],
    ['commit', COMMIT, end],
    ['release', RELEASE, end],
    ['book', BOOK, [store, ...lines, [1], [null], 'adjust', null, null, 'u1', new Date()]],
  ])('%s is served by indexes', async (_, text, values) =>
    expectNoSeqScan(await explain(database, text, values), 'stock_level', 'variant', 'warehouse', 'stock_reservation'),
  );
});
