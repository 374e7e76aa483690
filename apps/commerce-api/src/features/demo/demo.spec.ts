import { demoShop, NOW, useCommerce } from '../../commerce.fixture';
import { OWNER_ID } from '../../clients/store-auth.fake';
import { productsTouched } from '../catalogue/search/public';
import { BOUGHT } from '../sales/buyers/public';
import { progressOf, fulfillmentOf } from '../shipping/parcels/public';
import { MediaDisk } from '../media/storage/public';
import { approvedNameOf } from '../verification/kyc/public';

const commerce = useCommerce();
const shopOf = (storeId: string) => ({
  ...demoShop,
  store: { ...demoShop.store, store_id: storeId, slug: storeId.toLowerCase() },
  products: [...demoShop.products, { ...demoShop.products[0], sku: 'HABIS', name: 'Sepatu Habis', stock: 0 }],
  days: 90,
});
const SHOP = shopOf('S1');
const query = <Row extends object>(text: string, ...more: unknown[]) =>
  commerce.database.query<Row>(text, ['S1', ...more]);
/** What breaks a rule: nothing. */
const nothing = async (text: string) => expect(await query(text)).toEqual([]);

beforeAll(async () => {
  commerce.storeAuth.users.set('owner@toko-nusa.example', { id: OWNER_ID, password: 'a good passphrase' });
  commerce.storeAuth.history.push({
    at: NOW,
    type: 'login',
    ip: '203.0.113.7',
    user_agent: 'a browser',
    sid_hash: null,
  });
  await commerce.seed(SHOP);
});

it('the demo shop is who its owner is: its identity check was approved', async () => {
  const token = commerce.storeAuth.userToken({});
  const { body } = await commerce.call('GET', '/api/verification', token);
  expect(body).toMatchObject({ data: [{ kind: 'person', status: 'approved', data: { full_name: 'Sari' } }] });
  expect(await approvedNameOf(commerce.database, 'S1')).toBe('Sari');
  await nothing(`SELECT * FROM store WHERE store_id = $1 AND kyc_status <> 'approved'`);
});

it('the demo shop has the largest plan, which allows what it promises', async () => {
  const plan = `SELECT p.code, s.status, p.limits FROM subscription s JOIN plan p ON p.id = s.plan_id WHERE s.store_id = $1`;
  const [has] = await query<{ code: string; status: string; limits: object }>(plan);
  expect(has).toMatchObject({ code: 'enterprise', status: 'active' });
  const [{ allowed } = { allowed: {} }] = await query<{ allowed: object }>(
    'SELECT jsonb_object_agg(metric, allowed) AS allowed FROM plan_use WHERE store_id = $1',
  );
  expect(allowed).toEqual({ ...has?.limits, devices: 52 });
});

it('the demo shop has an approved identity check, one payout account that can be used at once, and no PIN', async () => {
  const token = commerce.storeAuth.userToken({});
  const body = async (path: string) =>
    (await commerce.call('GET', `/api/wallet${path}`, token)).body as { data: object };
  expect((await body('')).data).toMatchObject({ kyc_status: 'approved', pin_set: false, available: 547_500 });
  const account = { bank_code: 'BCA', bank: 'BCA', last4: '1234', holder: 'Sari Nusa', is_primary: true };
  const id = expect.any(String) as string;
  expect((await body('/bank-account')).data).toEqual([{ id, ...account, verified_at: NOW, usable_from: NOW }]);
});

describe('the stock of the demo shop', () => {
  it('is what its movements add up to, on every level', async () => {
    await nothing(`SELECT s.* FROM stock_level s JOIN LATERAL (
      SELECT coalesce(sum(delta_on_hand), 0) AS on_hand, coalesce(sum(delta_reserved), 0) AS reserved FROM stock_movement m
      WHERE m.store_id = s.store_id AND m.variant_id = s.variant_id AND m.warehouse_id = s.warehouse_id) m ON true
      WHERE s.store_id = $1 AND (s.on_hand, s.reserved) IS DISTINCT FROM (m.on_hand, m.reserved)`);
  });

  it('was never short, not even for a moment', async () => {
    await nothing(`SELECT * FROM (SELECT sum(delta_on_hand - delta_reserved) OVER past AS free, sum(delta_reserved) OVER past AS held, m.*
      FROM stock_movement m WHERE store_id = $1 WINDOW past AS (PARTITION BY variant_id, warehouse_id ORDER BY created_at, id)) m
      WHERE free < 0 OR held < 0`);
  });

  it('is held for the orders and parcels that have not left the shelf', async () => {
    await nothing(`SELECT s.* FROM stock_level s WHERE s.store_id = $1 AND s.reserved <> coalesce((
      SELECT sum(r.qty) FROM stock_reservation r WHERE r.store_id = s.store_id AND r.variant_id = s.variant_id
        AND r.warehouse_id = s.warehouse_id AND r.state = 'held'), 0)`);
  });

  it('lies in two warehouses, of which the second awaits what is on its way', async () => {
    await nothing(`SELECT s.* FROM stock_level s WHERE s.store_id = $1 AND s.incoming <> coalesce((
      SELECT sum(l.qty) FROM stock_transfer t JOIN stock_transfer_line l ON l.store_id = t.store_id AND l.transfer_id = t.id
      WHERE t.store_id = s.store_id AND t.to_id = s.warehouse_id AND t.status = 'in_transit' AND l.variant_id = s.variant_id), 0)`);
    const there = await query<{ name: string; levels: boolean }>(
      `SELECT w.name, count(s.*) > 10 AS levels FROM warehouse w JOIN stock_level s USING (store_id)
       WHERE w.store_id = $1 AND s.warehouse_id = w.id GROUP BY w.name ORDER BY w.name`,
    );
    expect(there).toEqual([
      { name: 'Gudang Bandung', levels: true },
      { name: 'Gudang utama', levels: true },
    ]);
  });

  it('of the goods that it was given is what it was told', async () => {
    const free = await query(
      `SELECT v.sku, sum(s.on_hand - s.reserved)::int AS free FROM variant v JOIN stock_level s ON s.store_id = v.store_id AND s.variant_id = v.id
       WHERE v.store_id = $1 AND v.sku IN ('SEPATU-HITAM-42', 'HABIS') GROUP BY v.sku ORDER BY v.sku`,
    );
    expect(free).toEqual([
      { sku: 'HABIS', free: 0 },
      { sku: 'SEPATU-HITAM-42', free: 7 },
    ]);
  });
});

describe('the orders of the demo shop', () => {
  it('cost what their lines do, less the discount, with the shipping', async () => {
    await nothing(`SELECT o.number FROM sales_order o JOIN LATERAL (
      SELECT sum(total) AS lines, sum(discount_share) AS discount, sum(tax) AS tax, bool_and(total = price * qty) AS counted
      FROM order_item i WHERE i.store_id = o.store_id AND i.order_id = o.id) i ON true
      WHERE o.store_id = $1 AND (NOT i.counted OR (o.subtotal, o.discount, o.tax_total) IS DISTINCT FROM (i.lines, i.discount, i.tax)
        OR o.total <> o.subtotal - o.discount + o.shipping_total + o.fee)`);
  });

  it('are paid and sent in ways that the shop offers for them', async () => {
    await nothing(`SELECT o.number FROM sales_order o JOIN payment_method m ON m.store_id = o.store_id AND m.code = o.payment_method
      WHERE o.store_id = $1 AND (NOT m.enabled OR o.total NOT BETWEEN coalesce(m.min_total, 0) AND coalesce(m.max_total, o.total))`);
    await nothing(`SELECT o.number FROM sales_order o LEFT JOIN shipping_method m ON m.store_id = o.store_id AND m.name = o.shipping ->> 'service'
      WHERE o.store_id = $1 AND o.shipping ->> 'kind' <> 'pickup' AND (m.id IS NULL
        OR NOT (m.areas = '{}' OR o.address ->> 'city' = ANY (m.areas)) OR (m.kind = 'cod') <> (o.payment_method = 'cod'))`);
  });

  it('are paid as far as their payments go', async () => {
    await nothing(`SELECT o.number FROM sales_order o LEFT JOIN LATERAL (
      SELECT coalesce(sum(amount), 0) AS paid, max(paid_at) AS at FROM payment p WHERE p.store_id = o.store_id AND p.order_id = o.id) p ON true
      WHERE o.store_id = $1 AND (o.paid_total <> p.paid OR (p.paid = o.total) <> (o.payment_status = 'paid')
        OR (p.paid = o.total) <> (o.receipt_no IS NOT NULL) OR (o.paid_at IS NOT NULL AND o.paid_at <> p.at)
        OR (p.paid BETWEEN 1 AND o.total - 1) <> (o.payment_status = 'partially_paid'))`);
  });

  it('have receipts without a gap, in the order in which they were paid, each year anew', async () => {
    const receipts = await query<{ receipt_no: string }>(
      'SELECT receipt_no FROM sales_order WHERE store_id = $1 AND receipt_no IS NOT NULL ORDER BY paid_at, receipt_no',
    );
    const counters = await query<{ year: number; last: number }>(
      'SELECT year, last FROM receipt_counter WHERE store_id = $1 ORDER BY year',
    );
    const expected = counters.flatMap(({ year, last }) =>
      Array.from({ length: last }, (_, at) => `RCP-${year}-${String(at + 1).padStart(6, '0')}`),
    );
    expect(receipts.map(({ receipt_no }) => receipt_no)).toEqual(expected);
    expect(counters.map(({ year }) => year)).toEqual([2025, 2026]);
  });

  it('have timelines that begin with placing, go forward, end as the order stands, and know nothing of what is to come', async () => {
    const stories = await query<{ types: string[]; times: string[]; status: string; fulfillment_status: string }>(
      `SELECT o.status, o.fulfillment_status, array_agg(e.type ORDER BY e.id) AS types, array_agg(e.at::text ORDER BY e.id) AS times
       FROM sales_order o JOIN order_event e ON e.store_id = o.store_id AND e.order_id = o.id WHERE o.store_id = $1 GROUP BY o.store_id, o.id`,
    );
    const wrong = stories.filter(({ types, times, status, fulfillment_status: goods }) => {
      const forward = times.every(
        (at, index) => new Date(at) >= new Date(times[index - 1] ?? at) && new Date(at) <= new Date(NOW),
      );
      const moved = types.findLast((type) => ['processing', 'completed', 'cancelled'].includes(type)) ?? 'open';
      const sent = types.findLast((type) => ['packed', 'shipped', 'delivered'].includes(type)) ?? 'none';
      const isBack = types.includes('returned') && goods.endsWith('returned');
      return !(types[0] === 'placed' && forward && moved === status && (isBack || sent === goods));
    });
    expect(wrong).toEqual([]);
    expect(stories.length).toBeGreaterThan(250);
  });

  it('are as far on their way as their parcels', async () => {
    const orders = await query<{ id: string; fulfillment_status: string }>(
      `SELECT id, fulfillment_status FROM sales_order WHERE store_id = $1 AND fulfillment_status <> 'none' ORDER BY placed_at DESC LIMIT 60`,
    );
    const counted = await Promise.all(
      orders.map(async ({ id }) => ({
        id,
        fulfillment_status: fulfillmentOf(await progressOf(commerce.database, 'S1', id)),
      })),
    );
    expect(counted).toEqual(orders);
    const states = await query<{ status: string }>(
      'SELECT DISTINCT fulfillment_status AS status FROM sales_order WHERE store_id = $1 ORDER BY 1',
    );
    expect(states.map(({ status }) => status)).toEqual(
      expect.arrayContaining(['delivered', 'none', 'packed', 'partially_returned', 'shipped']),
    );
  });

  it('grow from month to month, are more at weekends and in the evening, and come by every way with every outcome', async () => {
    const [shape] = await query<Record<string, boolean | string[]>>(
      `SELECT count(*) FILTER (WHERE age < 30) > 1.3 * count(*) FILTER (WHERE age >= 60) AS grows,
         count(*) FILTER (WHERE weekday IN (0, 6)) / 2.0 > count(*) FILTER (WHERE weekday IN (1, 2, 3)) / 3.0 AS weekends,
         count(*) FILTER (WHERE hour BETWEEN 18 AND 21) > 4 * count(*) FILTER (WHERE hour BETWEEN 1 AND 4) AS evenings,
         array_agg(DISTINCT channel) AS channels, array_agg(DISTINCT status) AS statuses, array_agg(DISTINCT payment_status) AS payments
       FROM (SELECT o.*, extract(day FROM $2::timestamptz - placed_at) AS age, extract(dow FROM placed_at AT TIME ZONE 'Asia/Jakarta') AS weekday,
         extract(hour FROM placed_at AT TIME ZONE 'Asia/Jakarta') AS hour FROM sales_order o WHERE store_id = $1) o`,
      NOW,
    );
    expect(shape).toEqual({
      ...{ grows: true, weekends: true, evenings: true },
      channels: ['chat', 'link', 'manual', 'storefront'],
      statuses: ['cancelled', 'completed', 'open', 'processing'],
      payments: ['expired', 'paid', 'partially_paid', 'unpaid'],
    });
  });
});

describe('what follows from the orders of the demo shop', () => {
  it('is counted with its contacts, of whom some come again', async () => {
    const contacts = await query<{ id: string; orders: number; spent: string; lastAt: Date | null }>(
      `SELECT id, orders_count AS orders, spent, last_order_at AS "lastAt" FROM contact WHERE store_id = $1 ORDER BY id`,
    );
    const counted = await Promise.all(
      contacts.map(async ({ id }) => ({ id, ...(await query<object>(BOUGHT, id))[0] })),
    );
    expect(contacts).toEqual(counted);
    expect(contacts.filter(({ orders }) => orders > 3).length).toBeGreaterThan(20);
  });

  it('is counted with its coupons, and no order has a use that its coupon does not know', async () => {
    await nothing(`SELECT c.code FROM coupon c WHERE c.store_id = $1 AND c.used_count <> (
      SELECT count(*) FROM coupon_redemption r WHERE r.store_id = c.store_id AND r.coupon_id = c.id AND r.state <> 'released')`);
    await nothing(`SELECT o.number FROM sales_order o LEFT JOIN coupon_redemption r ON r.store_id = o.store_id AND r.order_id = o.id
      WHERE o.store_id = $1 AND ((o.coupon IS NULL) <> (r.order_id IS NULL) OR r.amount <> (o.coupon ->> 'amount')::bigint)`);
  });

  it('is found by what the service itself would write to be found by', async () => {
    const found = () => query('SELECT id, search_text, price_min FROM product WHERE store_id = $1 ORDER BY id');
    const before = await found();
    const by = { storeId: 'S1', actor: 'test', at: new Date(NOW) };
    await commerce.database
      .tx(async (tx) => {
        await productsTouched(tx, by, 'p.store_id = $2', ['S1']);
        expect(
          await tx.query('SELECT id, search_text, price_min FROM product WHERE store_id = $1 ORDER BY id', ['S1']),
        ).toEqual(before);
        throw new Error('not to be kept');
      })
      .catch((error: Error) => expect(error.message).toBe('not to be kept'));
  });

  it('is on its way to chat-backend', async () => {
    const pending = await query(
      'SELECT kind, count(*)::int > 100 AS many FROM sync_pending WHERE store_id = $1 GROUP BY kind ORDER BY kind',
    );
    expect(pending).toEqual(
      expect.arrayContaining([
        { kind: 'customers', many: true },
        { kind: 'orders', many: true },
      ]),
    );
  });
});

describe('seeding the demo shop', () => {
  const TABLES = [
    'store',
    'product',
    'stock_level',
    'stock_movement',
    'sales_order',
    'contact',
    'media',
    'payment',
    'order_event',
    'warehouse',
  ];
  const standing = async (storeId: string) =>
    Promise.all(
      TABLES.map(async (table) => {
        const [row] = await commerce.database.query<{ rows: string }>(
          `SELECT md5(string_agg(to_jsonb(t)::text, '' ORDER BY to_jsonb(t)::text)) || count(*) AS rows FROM ${table} t WHERE store_id = $1`,
          [storeId],
        );
        return [table, row?.rows];
      }),
    );

  it('again, also later, changes nothing', async () => {
    const before = await standing('S1');
    await commerce.seed(SHOP);
    commerce.clock.advance(3 * 86_400_000);
    await commerce.seed(SHOP);
    commerce.clock.advance(-3 * 86_400_000);
    expect(await standing('S1')).toEqual(before);
  });

  it('twice at once makes one shop', async () => {
    await Promise.all([commerce.seed(shopOf('S-TWICE')), commerce.seed(shopOf('S-TWICE'))]);
    const [row] = await commerce.database.query<{ last: number; orders: number }>(
      `SELECT sum(last)::int AS last, (SELECT count(*)::int FROM sales_order WHERE store_id = $1 AND receipt_no IS NOT NULL) AS orders
       FROM receipt_counter WHERE store_id = $1`,
      ['S-TWICE'],
    );
    expect(row?.last).toBe(row?.orders);
  });

  it('that was cut off leaves nothing half done, and the next start does it all', async () => {
    let files = 0;
    const put = MediaDisk.prototype.put;
    const broken = jest.spyOn(MediaDisk.prototype, 'put').mockImplementation(async function (
      this: MediaDisk,
      ...given
    ) {
      if ((files += 1) > 5) throw new Error('the power is gone');
      return put.apply(this, given);
    });
    await expect(commerce.seed(shopOf('S-CUT'))).rejects.toThrow('the power is gone');
    broken.mockRestore();
    expect((await standing('S-CUT')).map(([, rows]) => rows)).toEqual(TABLES.map(() => null));
    await commerce.seed(shopOf('S-CUT'));
    expect((await standing('S-CUT')).filter(([, rows]) => rows === null)).toEqual([]);
  });
});
