import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { bearer, newStore, useCommerce } from '../../../commerce.fixture';
import { CHECK_STOCK } from './stock.repository';

interface Row {
  readonly product_id: string;
  readonly variant_id: string;
  readonly sku: string;
}

const commerce = useCommerce();
let storeId: string;
let shoe: Row;
let shirt: Row;

beforeAll(async () => {
  storeId = await newStore(commerce, [
    { sku: 'SHOE', name: 'Shoe', stock: 5 },
    { sku: 'SHIRT', name: 'Shirt', stock: 2 },
  ]);
  const rows = await commerce.database.query<Row>(
    'SELECT product_id, id AS variant_id, sku FROM variant WHERE store_id = $1 ORDER BY sku DESC',
    [storeId],
  );
  [shoe, shirt] = rows as [Row, Row];
});

const ask = async (items: unknown, more: object = {}, store = storeId) => {
  const { status, body } = await commerce.post(
    '/api/products/check-stock',
    { items, ...more },
    bearer(commerce.storeAuth.serviceToken('store-auth'), { 'x-store-id': store }),
  );
  return { status, body };
};
type State = Readonly<Record<string, unknown>>;
const answered = (data: readonly State[]) => ({
  status: 200,
  body: { status: 'success', message: 'OK', data, meta: { all_available: data.every(({ available }) => available) } },
});
const of = (row: Row, qty: number, stock: number, available: boolean) => ({ ...row, qty, stock, available });

it('a product of which there is more than 32 bits count has as much as they do', async () => {
  const shop = await newStore(commerce, [{ sku: 'SAND', stock: 10_000_000 }]);
  const [{ product_id } = { product_id: '' }] = await commerce.database.query<Row>(
    `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, created_at, updated_at)
     SELECT store_id, uuidv7(), product_id, 'SAND-' || n, jsonb_build_object('n', n), 1, created_at, created_at
     FROM variant, generate_series(1, 219) n WHERE store_id = $1 RETURNING product_id`,
    [shop],
  );
  await commerce.database.query(
    `INSERT INTO stock_level (store_id, variant_id, warehouse_id, on_hand, updated_at)
     SELECT v.store_id, v.id, w.id, 10000000, v.created_at FROM variant v JOIN warehouse w USING (store_id)
     WHERE v.store_id = $1 ON CONFLICT DO NOTHING`,
    [shop],
  );
  const { status, body } = await ask([{ product_id }], {}, shop);
  expect({ status, stock: (body as { data: State[] }).data[0]?.stock }).toEqual({ status: 200, stock: 2_147_483_647 });
});

describe('a stock question', () => {
  it('is answered in the order of its lines, by variant, SKU or product', async () =>
    expect(
      await ask([{ sku: 'SHIRT', qty: 2 }, { variant_id: shoe.variant_id }, { product_id: shirt.product_id }]),
    ).toEqual(answered([of(shirt, 2, 2, false), of(shoe, 1, 5, true), of(shirt, 1, 2, false)])));

  it('adds up the lines of one variant before it decides', async () => {
    expect(
      await ask([
        { sku: 'SHOE', qty: 3 },
        { variant_id: shoe.variant_id, qty: 3 },
      ]),
    ).toEqual(answered([of(shoe, 3, 5, false), of(shoe, 3, 5, false)]));
    expect(
      await ask([
        { sku: 'SHOE', qty: 3 },
        { variant_id: shoe.variant_id, qty: 2 },
      ]),
    ).toEqual(answered([of(shoe, 3, 5, true), of(shoe, 2, 5, true)]));
  });

  it('answers no stock for items that are unknown or of another store', async () => {
    const other = await newStore(commerce, [{ sku: 'THEIRS', stock: 9 }]);
    const unknown = uuidv7();
    const none = { product_id: null, variant_id: null, sku: null, qty: 1, stock: 0, available: false };
    expect(await ask([{ sku: 'THEIRS' }, { variant_id: unknown }, { product_id: unknown }, { sku: 'SHOE' }])).toEqual(
      answered([
        { ...none, sku: 'THEIRS' },
        { ...none, variant_id: unknown },
        { ...none, product_id: unknown },
        of(shoe, 1, 5, true),
      ]),
    );
    expect(await ask([{ variant_id: shoe.variant_id }], {}, other)).toEqual(
      answered([{ ...none, variant_id: shoe.variant_id }]),
    );
  });

  it("of a user is about the store of the user's token", async () => {
    const headers = bearer(commerce.storeAuth.userToken({ store_id: storeId }));
    const { status, body } = await commerce.post('/api/products/check-stock', { items: [{ sku: 'SHOE' }] }, headers);
    expect({ status, body }).toEqual(answered([of(shoe, 1, 5, true)]));
  });

  it("takes one statement beside the guard's, however many lines it has", async () => {
    let statements = 0;
    commerce.app.database.pool.on('acquire', () => (statements += 1));
    await ask(Array.from({ length: 100 }, () => ({ sku: 'SHOE', qty: 1 })));
    expect(statements).toBe(2);
  });
});

describe('available stock', () => {
  let sku: string;
  let row: Row;
  const change = (text: string, ...values: unknown[]) =>
    commerce.database.query(text, [storeId, row.variant_id, ...values]);
  beforeEach(async () => {
    sku = uuidv7();
    const [product, variant] = [uuidv7(), uuidv7()];
    const time = `'2026-03-01', '2026-03-01'`;
    await commerce.database.query(
      `INSERT INTO product (store_id, id, kind, name, slug, status, created_at, updated_at) VALUES ($1, $2, 'physical', 'New', $3, 'active', ${time})`,
      [storeId, product, sku],
    );
    await commerce.database.query(
      `INSERT INTO variant (store_id, id, product_id, sku, price, created_at, updated_at) VALUES ($1, $2, $3, $4, 1000, ${time})`,
      [storeId, variant, product, sku],
    );
    row = { product_id: product, variant_id: variant, sku };
  });
  const place = async (onHand: number, reserved = 0, backorder = false): Promise<string> => {
    const id = uuidv7();
    await commerce.database.query(
      `INSERT INTO warehouse (store_id, id, name, created_at, updated_at) VALUES ($1, $2, 'Another', now(), now())`,
      [storeId, id],
    );
    await change(
      `INSERT INTO stock_level (store_id, variant_id, warehouse_id, on_hand, reserved, allow_backorder, updated_at) VALUES ($1, $2, $3, $4, $5, $6, now())`,
      id,
      onHand,
      reserved,
      backorder,
    );
    return id;
  };

  it('is on hand less reserved, over all warehouses or in one', async () => {
    await place(4, 1);
    const second = await place(10, 8);
    expect(await ask([{ sku, qty: 5 }])).toEqual(answered([of(row, 5, 5, true)]));
    expect(await ask([{ sku, qty: 3 }], { warehouse_id: second })).toEqual(answered([of(row, 3, 2, false)]));
    expect(await ask([{ sku }], { warehouse_id: uuidv7() })).toEqual(answered([of(row, 1, 0, false)]));
  });

  it('is unlimited for a variant that is not tracked or may be backordered', async () => {
    expect(await ask([{ sku }])).toEqual(answered([of(row, 1, 0, false)]));
    await change('UPDATE variant SET track_stock = false WHERE store_id = $1 AND id = $2');
    expect(await ask([{ sku }])).toEqual(answered([of(row, 1, 0, true)]));
    await change('UPDATE variant SET track_stock = true, allow_backorder = true WHERE store_id = $1 AND id = $2');
    await place(0, 2, true);
    expect(await ask([{ sku }])).toEqual(answered([of(row, 1, -2, true)]));
  });

  it('of a draft is shown but not for sale, and of an archived variant it is gone', async () => {
    await place(4);
    await commerce.database.query(`UPDATE product SET status = 'draft' WHERE id = $1`, [row.product_id]);
    expect(await ask([{ sku }])).toEqual(answered([of(row, 1, 4, false)]));
    await change(`UPDATE variant SET status = 'archived' WHERE store_id = $1 AND id = $2`);
    expect(await ask([{ sku }])).toEqual(
      answered([{ product_id: null, variant_id: null, sku, qty: 1, stock: 0, available: false }]),
    );
  });

  it('of a product is the sum of its variants', async () => {
    await place(4);
    await commerce.database.query(
      `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, track_stock, created_at, updated_at)
       VALUES ($1, $2, $3, $4, '{"Warna":"Merah"}', 1000, true, now(), now())`,
      [storeId, uuidv7(), row.product_id, uuidv7()],
    );
    const sum = { product_id: row.product_id, variant_id: null, sku: null, qty: 4, stock: 4, available: true };
    expect(await ask([{ product_id: row.product_id, qty: 4 }])).toEqual(answered([sum]));
  });

  it('can be neither oversold nor changed without a trace', async () => {
    await expect(place(1, 2)).rejects.toThrow('stock_level_no_oversell');
    await expect(commerce.database.query('UPDATE stock_movement SET delta_on_hand = 0')).rejects.toThrow('append-only');
    await expect(commerce.database.query('DELETE FROM stock_movement')).rejects.toThrow('append-only');
  });
});

describe('a malformed stock question', () => {
  const line = { sku: 'SHOE' };
  it.each([
    ['nothing', undefined, {}, 'items', 'items is a required field'],
    ['no lines', [], {}, 'items', 'items must contain at least 1 items'],
    ['101 lines', Array.from({ length: 101 }, () => line), {}, 'items', 'items must contain at maximum 100 items'],
    ['a line that names nothing', [{ qty: 1 }], {}, 'items.0.variant_id', 'items[0].variant_id is a required field'],
    ['no quantity', [{ ...line, qty: 0 }], {}, 'items.0.qty', 'items[0].qty must be 1 or greater'],
    ['a huge quantity', [line, { ...line, qty: 10_000 }], {}, 'items.1.qty', 'items[1].qty must be 9999 or less'],
    ['half a piece', [{ ...line, qty: 1.5 }], {}, 'items.0.qty', 'items[0].qty must be an integer'],
    ['an id that is none', [{ variant_id: '7' }], {}, 'items.0.variant_id', 'items[0].variant_id must be a valid UUID'],
    ['a misspelt field', [{ ...line, qyt: 2 }], {}, 'items.0.qyt', 'items[0].qyt is not a known field'],
    ['an unknown field', [line], { store_id: 'S2' }, 'store_id', 'store_id is not a known field'],
  ])('with %s is refused, naming the field', async (_, items, more, field, message) =>
    expect(await ask(items, more)).toEqual({
      status: 422,
      body: { status: 'error', message, code: 'validation', errors: { [field]: [message] } },
    }),
  );

  it('with two names in one line is refused', async () => {
    const message = 'items[0].sku must not be given together with variant_id';
    expect(await ask([{ sku: 'SHOE', variant_id: shoe.variant_id }])).toEqual({
      status: 422,
      body: { status: 'error', message, code: 'validation', errors: { 'items.0.sku': [message] } },
    });
  });
});

it('a stock question is served by an index for every kind of id', async () =>
  expectNoSeqScan(await explain(commerce.database, CHECK_STOCK, [storeId, [null], ['SHOE'], [null], [1], null])));
