import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, untilWaiting } from '@platform/testing';
import { auditedIn, invalid, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { unexplained } from '../levels/shelf.fixture';
import { transferListing } from '../transfers/transfers.sql';
import { warehouseStockListing } from './warehouse-stock';
import type { Warehouse } from './warehouses.dto';
import { warehouseListing } from './warehouses.sql';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const body = { name: 'Gudang Bandung', phone: '0812-3456-7890', address: { line: 'Jl. Merdeka 7', city: 'Bandung' } };
const view = { ...body, id: expect.any(String) as string, phone: '6281234567890', is_default: false, status: 'active' };

/** A store with five pieces of one variant in its main warehouse, and an empty second warehouse. */
const twoWarehouses = async (): Promise<OwnStore & Record<'main' | 'second' | 'variant', string>> => {
  const store = await ownStore(commerce, [{ sku: 'SHOE', name: 'Shoe', stock: 5 }]);
  const { body: created } = await store.ask<Warehouse>('POST', '/warehouse', body);
  const [row] = await commerce.database.query<{ main: string; variant: string }>(
    'SELECT warehouse_id AS main, variant_id AS variant FROM stock_level WHERE store_id = $1',
    [store.storeId],
  );
  return { ...store, second: created.data.id, main: row?.main ?? '', variant: row?.variant ?? '' };
};
const stock = async ({ ask }: OwnStore, warehouse: string, query = '') =>
  (await ask<{ on_hand: number; incoming: number }[]>('GET', `/warehouse/${warehouse}/stock?${query}`)).body.data.map(
    ({ on_hand, incoming }) => [on_hand, incoming],
  );

describe('a warehouse', () => {
  it('that becomes the default waits for one at which goods come back before it locks the other', async () => {
    const { ask, main, second } = await twoWarehouses();
    const [first, last] = [main, second].sort();
    await ask('PUT', `/warehouse/${last}/default`);
    const share = 'SELECT FROM warehouse WHERE id = $1 FOR SHARE';
    const { changed } = await commerce.database.tx(async (tx) => {
      await tx.query(share, [first]);
      const changing = ask('PUT', `/warehouse/${first}/default`);
      await untilWaiting(tx, changing);
      await tx.query(`${share} NOWAIT`, [last]);
      return { changed: changing };
    });
    expect((await changed).status).toBe(200);
  });

  it('is created, listed, changed, made the default and, when it is empty, closed', async () => {
    const store = await twoWarehouses();
    const { ask, main, second } = store;
    expect(await ask('PUT', `/warehouse/${second}`, { ...body, name: 'Bandung' })).toEqual(
      succeeded(200, 'Warehouse updated', { ...view, name: 'Bandung' }),
    );
    expect(await ask('PUT', `/warehouse/${second}/default`)).toEqual(
      succeeded(200, 'Warehouse updated', { ...view, name: 'Bandung', is_default: true }),
    );
    expect(await ask('DELETE', `/warehouse/${second}`)).toEqual(
      refused(409, 'is_default', 'Make another warehouse the default first'),
    );
    expect(await ask('DELETE', `/warehouse/${main}`)).toEqual(
      refused(409, 'not_empty', 'There is stock in the warehouse'),
    );
    await ask('PUT', `/warehouse/${main}/default`);
    expect(await ask('DELETE', `/warehouse/${second}`)).toEqual(succeeded(200, 'Warehouse deleted', null));
    const listed = await ask<Warehouse[]>('GET', '/warehouse?sort=-name');
    expect(listed.body.data.map(({ name, is_default, status }) => [name, is_default, status])).toEqual([
      ['Gudang utama', true, 'active'],
      ['Bandung', false, 'closed'],
    ]);
    expect((await ask<[]>('GET', '/warehouse?status=closed')).body.data).toHaveLength(1);
    expect((await auditedIn(commerce, store.storeId)).slice(1)).toEqual(
      ['name', 'is_default', 'is_default', 'status'].map((member) => `warehouse.write warehouse: ${member}`),
    );
  });

  it.each([
    ['without an address', { ...body, address: undefined }, 'address', 'address is a required field'],
    ['with a misspelt field', { ...body, nmae: 'x' }, 'nmae', 'nmae is not a known field'],
    ['with U+0000 in its name', { ...body, name: 'a\0b' }, 'name', "name cannot contain the following 'U+0000'"],
    [
      'with a name of 64 KB',
      { ...body, name: 'x'.repeat(65_536) },
      'name',
      'name must be a maximum of 80 characters in length',
    ],
  ])('%s is refused', async (_, wrong, field, message) => {
    const { ask } = await ownStore(commerce);
    expect(await ask('POST', '/warehouse', wrong)).toEqual(invalid(field, message));
  });

  it('with half of a surrogate pair in its name is kept with U+FFFD', async () => {
    const { ask } = await ownStore(commerce);
    const { body: created } = await ask<Warehouse>('POST', '/warehouse', { ...body, name: 'a\ud83d' });
    expect(created.data.name).toBe('a\ufffd');
  });

  it("of another store is 404 in every route, and its list is one's own", async () => {
    const [mine, other] = [await twoWarehouses(), await twoWarehouses()];
    const line = { variant_id: other.variant, counted: 1 };
    const transfer = { from_id: other.main, to_id: other.second, lines: [{ variant_id: other.variant, qty: 1 }] };
    const sent = await other.ask<{ id: string }>('POST', '/warehouse/transfer', transfer);
    const calls: [string, string, unknown?][] = [
      ['PUT', `/warehouse/${other.main}`, body],
      ['DELETE', `/warehouse/${other.second}`],
      ['PUT', `/warehouse/${other.second}/default`],
      ['GET', `/warehouse/${other.main}/stock`],
      ['PUT', `/warehouse/${other.main}/stock`, { lines: [line] }],
      ['PUT', `/warehouse/${mine.main}/stock`, { lines: [line] }],
      ['POST', '/warehouse/transfer', transfer],
      ['POST', '/warehouse/transfer', { ...transfer, to_id: mine.second }],
      ['POST', `/warehouse/transfer/${sent.body.data.id}/receive`, {}],
    ];
    const answers = await Promise.all(calls.map(([method, path, sent]) => mine.ask(method, path, sent)));
    expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 404));
    expect((await mine.ask<[]>('GET', '/warehouse/transfer')).body.data).toEqual([]);
    expect((await mine.ask<Warehouse[]>('GET', '/warehouse')).body.data.map(({ id }) => id).sort()).toEqual(
      [mine.main, mine.second].sort(),
    );
  });
});

describe('the stock of a warehouse', () => {
  it('is listed whole, searched, and filtered by what is running out', async () => {
    const store = await twoWarehouses();
    const { ask, main, variant } = store;
    expect((await ask('GET', `/warehouse/${main}/stock?q=shoe&low=true`)).body).toEqual({
      status: 'success',
      message: 'OK',
      data: [
        {
          ...{ variant_id: variant, product_id: expect.any(String) as string, sku: 'SHOE', name: 'Shoe' },
          ...{ on_hand: 5, reserved: 0, incoming: 0, available: 5 },
        },
      ],
      meta: { current_page: 1, per_page: 15, total: 1, last_page: 1, from: 1, to: 1 },
    });
    expect([await stock(store, main, 'low=false'), await stock(store, main, 'q=hat')]).toEqual([[], []]);
  });

  it("is set by a count, whose difference is a movement under the counter's name", async () => {
    const store = await twoWarehouses();
    const { ask, main, second, variant } = store;
    const answer = await ask('PUT', `/warehouse/${main}/stock`, {
      lines: [{ variant_id: variant, counted: 3 }],
      note: 'Opname',
    });
    expect(answer).toEqual(
      succeeded(200, 'Stock counted', {
        changed: [
          {
            ...{
              id: expect.any(String) as string,
              at: '2026-03-01T08:00:00.000Z',
              variant_id: variant,
              warehouse_id: main,
            },
            ...{ delta_on_hand: -2, delta_reserved: 0, reason: 'count', ref: null },
            ...{ actor: expect.any(String) as string, note: 'Opname' },
          },
        ],
      }),
    );
    await ask('PUT', `/warehouse/${second}/stock`, { lines: [{ variant_id: variant, counted: 9 }] });
    expect([await stock(store, main), await stock(store, second)]).toEqual([[[3, 0]], [[9, 0]]]);
  });

  it('cannot be counted below what orders reserve; then no line is written', async () => {
    const store = await twoWarehouses();
    const { ask, main, variant, storeId } = store;
    await commerce.database.query(
      `INSERT INTO stock_reservation VALUES ($1, 'order', 'o1', $2, $3, 4, 'held', NULL, now(), now())`,
      [storeId, variant, main],
    );
    await commerce.database.query(
      `INSERT INTO stock_movement (store_id, id, variant_id, warehouse_id, delta_on_hand, delta_reserved, reason, actor, created_at)
       VALUES ($1, $4, $2, $3, 0, 4, 'reserve', 'test', now())`,
      [storeId, variant, main, uuidv7()],
    );
    await commerce.database.query('UPDATE stock_level SET reserved = 4 WHERE store_id = $1', [storeId]);
    expect(await ask('PUT', `/warehouse/${main}/stock`, { lines: [{ variant_id: variant, counted: 3 }] })).toEqual(
      refused(409, 'below_reserved', 'Orders have reserved more than would be left', {
        lines: [{ variant_id: variant, warehouse_id: main, available: 1 }],
      }),
    );
  });

  it('of one variant cannot be counted twice at once', async () => {
    const { ask, main, variant } = await twoWarehouses();
    const lines = [1, 2].map((counted) => ({ variant_id: variant, counted }));
    expect(await ask('PUT', `/warehouse/${main}/stock`, { lines })).toEqual(
      invalid('lines.1.variant_id', 'lines[1].variant_id is given twice'),
    );
  });
});

describe('a transfer', () => {
  it('that is sent again under its key is the same one', async () => {
    const store = await twoWarehouses();
    const { ask, main, second, variant } = store;
    const transfer = { from_id: main, to_id: second, lines: [{ variant_id: variant, qty: 2 }] };
    const send = () => ask('POST', '/warehouse/transfer', transfer, 'k1');
    const [first, again] = [await send(), await send()];
    expect([first.status, again, await stock(store, main)]).toEqual([201, first, [[3, 0]]]);
  });

  it('takes stock out at once and brings it when it is received, a short one with the difference as a count', async () => {
    const store = await twoWarehouses();
    const { ask, main, second, variant, storeId } = store;
    const transfer = { from_id: main, to_id: second, lines: [{ variant_id: variant, qty: 4 }] };
    const sent = await ask<{ id: string }>('POST', '/warehouse/transfer', transfer);
    const state = {
      ...{ id: expect.any(String) as string, from_id: main, to_id: second, status: 'in_transit' },
      ...{ lines: [{ variant_id: variant, qty: 4, received: null }], created_at: '2026-03-01T08:00:00.000Z' },
    };
    expect(sent).toEqual(succeeded(201, 'Transfer created', state));
    expect([await stock(store, main), await stock(store, second)]).toEqual([[[1, 0]], [[0, 4]]]);
    expect((await ask('GET', '/warehouse/transfer?status=in_transit')).body.data).toEqual([state]);
    expect(await ask('DELETE', `/warehouse/${second}`)).toMatchObject({ status: 409, body: { code: 'not_empty' } });

    const { id } = sent.body.data;
    const receive = () =>
      ask('POST', `/warehouse/transfer/${id}/receive`, { lines: [{ variant_id: variant, received: 3 }] });
    const answers = await Promise.all([receive(), receive()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 200)).toEqual(
      succeeded(200, 'Transfer received', {
        ...state,
        status: 'received',
        lines: [{ variant_id: variant, qty: 4, received: 3 }],
      }),
    );
    expect(answers.find(({ status }) => status === 409)).toEqual(
      refused(409, 'invalid_transition', 'The transfer is received'),
    );
    expect([await stock(store, main), await stock(store, second)]).toEqual([[[1, 0]], [[3, 0]]]);
    const moved = await commerce.database.query(
      `SELECT reason, delta_on_hand, ref FROM stock_movement WHERE store_id = $1 AND ref IS NOT NULL ORDER BY id`,
      [storeId],
    );
    expect(moved).toEqual([
      { reason: 'transfer_out', delta_on_hand: -4, ref: `transfer:${id}` },
      { reason: 'transfer_in', delta_on_hand: 4, ref: `transfer:${id}` },
      { reason: 'count', delta_on_hand: -1, ref: `transfer:${id}` },
    ]);
  });

  it('in both directions at once never ends in a deadlock or with other stock', async () => {
    const store = await twoWarehouses();
    const { ask, main, second, variant } = store;
    await ask('PUT', `/warehouse/${second}/stock`, { lines: [{ variant_id: variant, counted: 20 }] });
    await ask('PUT', `/warehouse/${main}/stock`, { lines: [{ variant_id: variant, counted: 20 }] });
    const move = (from_id: string, to_id: string) =>
      ask('POST', '/warehouse/transfer', { from_id, to_id, lines: [{ variant_id: variant, qty: 1 }] });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? move(main, second) : move(second, main))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect([await stock(store, main), await stock(store, second)]).toEqual([[[10, 10]], [[10, 10]]]);
  });

  it.each([
    ['to the same warehouse', { to_id: 'main' }, invalid('to_id', 'to_id must be another warehouse than from_id')],
    ['of nothing', { lines: [] }, invalid('lines', 'lines must contain at least 1 items')],
  ])('%s is refused', async (_, wrong, refusal) => {
    const store = await twoWarehouses();
    const { ask, main, second, variant } = store;
    const good = { from_id: main, to_id: second, lines: [{ variant_id: variant, qty: 1 }] };
    const sent = 'to_id' in wrong ? { ...good, to_id: main } : { ...good, ...wrong };
    expect(await ask('POST', '/warehouse/transfer', sent)).toEqual(refusal);
  });

  it('of more than there is is refused, as is a receipt of more than was sent', async () => {
    const { ask, main, second, variant } = await twoWarehouses();
    const of = (qty: number) => ({ from_id: main, to_id: second, lines: [{ variant_id: variant, qty }] });
    expect(await ask('POST', '/warehouse/transfer', of(6))).toMatchObject({
      status: 409,
      body: { code: 'below_reserved' },
    });
    const { body: sent } = await ask<{ id: string }>('POST', '/warehouse/transfer', of(5));
    expect(
      await ask('POST', `/warehouse/transfer/${sent.data.id}/receive`, {
        lines: [{ variant_id: variant, received: 6 }],
      }),
    ).toEqual(invalid('lines.0.received', 'lines[0].received must be 5 or less'));
  });
});

it('the lists of warehouses, their stock and transfers are served by indexes', async () => {
  const store = uuidv7();
  for (const { rows, count } of [
    warehouseListing.statements(store, { status: 'active' }),
    warehouseStockListing.statements(store, { warehouse: uuidv7(), low: true, q: 'shoe' }),
    transferListing.statements(store, { status: 'in_transit' }),
  ])
    for (const { text, values } of [rows, count])
      expectNoSeqScan(
        await explain(commerce.database, text, values),
        'stock_level',
        'variant',
        'product',
        'warehouse',
        'stock_transfer',
      );
});
