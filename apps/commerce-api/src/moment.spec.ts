import { uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { startCommerce } from './commerce.fixture';
import { shippingShop, type ShippingShop } from './features/shipping/shipments/shipments.fixture';

/** The last second of 1 March in Jakarta, and the first of 2 March. */
const LATE = '2026-03-01T16:59:59.000Z';
const EARLY = '2026-03-01T17:00:00.000Z';
const commerce = useRunning(() => startCommerce({}, LATE));

const CART = `
  INSERT INTO checkout_session (store_id, id, token_hash, lines, state, total, created_at, updated_at, abandoned_at, expires_at)
  VALUES ($1, $2::uuid, $2::text, '[]', 'abandoned', 1, $3, $3, $3, '2027-01-01')`;

let shop: ShippingShop;
beforeAll(async () => {
  shop = await shippingShop(commerce, 20);
  for (const at of [LATE, EARLY]) {
    commerce.clock.advance(Date.parse(at) - commerce.clock.now().getTime());
    const order = await shop.order([2], { contact: { name: at, phone: `62812000000${Date.parse(at) % 7}` } });
    await shop.pay(order.id, { amount: 1_000 });
    await shop.ship(order, [1]);
    await commerce.database.query(CART, [shop.storeId, uuidv7(), at]);
  }
  await commerce.database.query(
    `UPDATE contact c SET last_order_at = o.placed_at FROM sales_order o WHERE c.store_id = $1 AND o.store_id = $1 AND o.contact_id = c.id`,
    [shop.storeId],
  );
});
const inZone = (zone: string) =>
  commerce.database.query('UPDATE store SET timezone = $2 WHERE store_id = $1', [shop.storeId, zone]);

interface Shown {
  readonly placed_at: string;
}
const placed = async (query: string) => {
  const { status, body } = await shop.ask<Shown[]>('GET', `/order?sort=created_at&${query}`);
  return status === 200 ? body.data.map(({ placed_at }) => placed_at) : status;
};

describe('a list of orders of a store in Jakarta, from and to', () => {
  beforeEach(() => inZone('Asia/Jakarta'));
  it.each([
    ['from=2026-03-02', [EARLY]],
    ['to=2026-03-01', [LATE]],
    ['from=2026-03-01&to=2026-03-01', [LATE]],
    ['from=2026-03-01&to=2026-03-02', [LATE, EARLY]],
    ['from=2026-03-02T00:00', [EARLY]],
    ['to=2026-03-02T00:00', [LATE]],
    ['from=2026-03-01T23:59:59', [LATE, EARLY]],
    ['from=2026-03-01T17:00:00Z', [EARLY]],
    ['to=2026-03-01T17:00:00.000Z', [LATE]],
    ['from=2026-03-02T01:00:00%2B08:00', [EARLY]],
    ['to=2026-03-01T12:00:00-05:00', [LATE]],
    ['to=9999-12-31', [LATE, EARLY]],
    ['from=kemarin', 422],
    ['from=2026-02-30', 422],
    ['to=2026-03-01T25:00', 422],
    ['to=2026-03-01T10:00:00%2B19:00', 422],
    ['from=01/03/2026', 422],
  ])('%s', async (query, expected) => expect(await placed(query)).toEqual(expected));
});

it.each([
  ['Asia/Makassar', [LATE, EARLY]],
  ['Asia/Jayapura', [LATE, EARLY]],
  ['UTC', []],
  ['Europe/Berlin', []],
])('a day is one of the clocks in %s', async (zone, expected) => {
  await inZone(zone);
  expect(await placed('from=2026-03-02')).toEqual(expected);
});

it('a time that the clocks of a store leave out is read as the one after it', async () => {
  await inZone('Europe/Berlin');
  expect(await placed('from=2026-03-29T02:30')).toEqual([]);
  expect(await placed('to=2026-03-29T02:30')).toEqual([LATE, EARLY]);
});

describe('every list that knows from and to reads them on the clocks of the store:', () => {
  beforeEach(() => inZone('Asia/Jakarta'));
  const count = async (path: string): Promise<number> => {
    const { body } = await shop.ask<readonly object[] | string>('GET', path);
    return typeof body === 'string' ? (body as string).trim().split('\n').length - 1 : (body.data?.length ?? -1);
  };
  it.each(['/order', '/payment', '/shipping/shipments', '/checkout/abandoned', '/order/export'])('%s', async (path) => {
    expect([await count(`${path}?from=2026-03-02`), await count(`${path}?to=2026-03-01`)]).toEqual([1, 1]);
    expect(await count(`${path}?from=2026-03-01&to=2026-03-02`)).toBe(2);
  });

  it('/order/statistics', async () => {
    const { body } = await shop.ask<{ orders: number }[]>('GET', '/order/statistics?from=2026-03-02&to=2026-03-02');
    expect(body.data.map(({ orders }) => orders)).toEqual([1]);
  });

  it('/logs', async () => {
    const { body } = await shop.ask<{ at: string }[]>('GET', '/logs?from=2026-03-02&limit=100');
    expect([...new Set(body.data.map(({ at }) => at))]).toEqual([EARLY]);
  });

  it('/contact', async () => expect(await count('/contact?last_order_from=2026-03-02')).toBe(1));
});
