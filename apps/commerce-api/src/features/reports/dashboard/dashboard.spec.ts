import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectNoSeqScan, explain, until, useForEach, useRunning } from '@platform/testing';
import { askDocumented } from '../../../asked.fixture';
import { startFakeStats } from '../../../clients/chat.stats.fake';
import { startFakeGateway } from '../../../clients/wa.gateway.fake';
import { bearer, newMember, NOW, startCommerce, statementsOfRequests } from '../../../commerce.fixture';
import { orderShop } from '../../sales/orders/orders.fixture';
import { shippingShop } from '../../shipping/shipments/shipments.fixture';
import { PAGES } from './dashboard';
import type { Alert, ChartPoint, Summary, TopProduct } from './dashboard.dto';
import { ALERTS, SUMMARY } from './dashboard.sql';

const chat = useRunning(() => startFakeStats());
const gateway = useRunning(() => startFakeGateway());
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url, WA_GATEWAY_URL: gateway.url }));
useForEach(async () => ({ stop: async () => void (chat.state.mood = 'answer') }));

const [TODAY, YESTERDAY] = ['2026-03-01', '2026-02-28'];

/** Two orders of today, one of them paid, and one that was placed and paid a day ago. */
const traded = async () => {
  const shop = await orderShop(commerce, 50);
  const [paid, early] = [await shop.place(shop.cart(3)), await shop.place(shop.cart(5))];
  await shop.place(shop.cart(1));
  for (const { id } of [paid, early]) await shop.pay(id);
  await commerce.database.query(
    `UPDATE sales_order SET placed_at = placed_at - interval '1 day', paid_at = paid_at - interval '1 day' WHERE store_id = $1 AND id = $2`,
    [shop.storeId, early.id],
  );
  chat.stats.set(`${shop.storeId} ${TODAY} ${TODAY}`, { chats_opened: 12, agents: [] });
  chat.stats.set(`${shop.storeId} ${YESTERDAY} ${YESTERDAY}`, { chats_opened: 7, agents: [] });
  return { ...shop, paid, early };
};

describe('the dashboard', () => {
  it('tells today and yesterday on the clock of the store in at most four statements', async () => {
    const { ask } = await traded();
    let answer: Summary | undefined;
    const statements = await statementsOfRequests(commerce, async () => {
      answer = (await ask<Summary>('GET', '/dashboard/summary')).body.data;
    });
    expect(answer).toEqual({
      today: { sales: 30_000, orders: 2, paid: 1, chats: 12 },
      yesterday: { sales: 50_000, orders: 1, paid: 1, chats: 7 },
      pending: { unpaid: 1, to_ship: 2 },
    });
    expect(statements).toBeLessThanOrEqual(4);
    expect(statements).toBeGreaterThan(0);
  });

  it.each(['down', 'hang'] as const)(
    'answers while chat-backend is %s, and does not say that there were no chats',
    async (mood) => {
      const { ask } = await traded();
      chat.state.mood = mood;
      const { today, yesterday } = (await ask<Summary>('GET', '/dashboard/summary')).body.data;
      expect([today, yesterday]).toEqual([
        { sales: 30_000, orders: 2, paid: 1, chats: null },
        { sales: 50_000, orders: 1, paid: 1, chats: null },
      ]);
    },
  );

  it('charts every one of the last days, and names what sold best in them', async () => {
    const { ask } = await traded();
    const chart = (await ask<ChartPoint[]>('GET', '/dashboard/sales-chart?days=7')).body.data;
    expect(chart.map(({ date }) => date)).toEqual([
      ...['2026-02-23', '2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', YESTERDAY, TODAY],
    ]);
    expect(chart.slice(-2)).toEqual([
      { date: YESTERDAY, orders: 1, sales: 50_000 },
      { date: TODAY, orders: 1, sales: 30_000 },
    ]);
    expect((await ask<TopProduct[]>('GET', '/dashboard/top-products?days=7&limit=5')).body.data).toEqual([
      { product_id: expect.any(String), name: 'Hat 0', units: 8, revenue: 80_000 },
    ]);
  });

  it('tells what somebody should look at, and nothing of what is in order', async () => {
    const { ask, storeId } = await traded();
    const kinds = async (): Promise<string[]> =>
      (await ask<Alert[]>('GET', '/dashboard/alerts')).body.data.map(({ kind, count }) => `${kind} ${count}`);
    expect(await kinds()).toEqual(['unpaid 1']);
    await commerce.database.query('UPDATE stock_level SET on_hand = reserved WHERE store_id = $1', [storeId]);
    expect(await kinds()).toEqual(['low_stock 1', 'unpaid 1']);
  });

  it('alerts to what runs low in all warehouses together, as the list of products counts it', async () => {
    const shop = await shippingShop(commerce, 6, 5, 3, 0, 0, 2);
    const low = async () => {
      const alerts = (await shop.ask<Alert[]>('GET', '/dashboard/alerts')).body.data;
      const listed = (await shop.ask('GET', '/products?low_stock=true')).body.meta as { readonly total: number };
      return [alerts.find(({ kind }) => kind === 'low_stock')?.count ?? 0, listed.total];
    };
    expect(await low()).toEqual([5, 5]);
    await shop.fill(0, 1, 2, 6, 5, 9);
    expect(await low()).toEqual([2, 2]);
    // One that never was on a shelf
    await commerce.database.query(
      `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, created_at, updated_at)
       SELECT store_id, gen_random_uuid(), product_id, 'BARE', '{"ukuran":"L"}', price, created_at, updated_at FROM variant WHERE store_id = $1 AND id = $2`,
      [shop.storeId, shop.variants[0]],
    );
    expect(await low()).toEqual([3, 3]);
    await commerce.database.query(`UPDATE variant SET status = 'archived' WHERE store_id = $1 AND id = $2`, [
      shop.storeId,
      shop.variants[2],
    ]);
    expect(await low()).toEqual([2, 2]);
    await commerce.database.query('UPDATE variant SET track_stock = false WHERE store_id = $1', [shop.storeId]);
    expect(await low()).toEqual([0, 0]);
  });

  it('counts what runs low as adding up all shelves of every variant does, also where more is promised than there is', async () => {
    const { storeId } = await orderShop(commerce, 9);
    const { database } = commerce;
    // A second and a third warehouse, and of 400 variants anything from two pieces too few to five in each, or no shelf at all
    const shop = [
      `SELECT setseed(0.26)`,
      `INSERT INTO warehouse (store_id, id, name, created_at, updated_at)
        SELECT '${storeId}', gen_random_uuid(), 'Gudang ' || n, now(), now() FROM generate_series(2, 3) n`,
      `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, track_stock, allow_backorder, status, created_at, updated_at)
        SELECT '${storeId}', gen_random_uuid(), p.id, 'N-' || n, jsonb_build_object('n', n::text), 1, random() < 0.9, true,
          CASE WHEN random() < 0.9 THEN 'active' ELSE 'archived' END, now(), now() FROM product p, generate_series(1, 400) n WHERE p.store_id = '${storeId}'`,
      `INSERT INTO stock_level (store_id, variant_id, warehouse_id, on_hand, reserved, allow_backorder, updated_at)
        SELECT '${storeId}', v.id, w.id, floor(random() * 6), floor(random() * 3), true, now()
        FROM variant v, warehouse w WHERE v.store_id = '${storeId}' AND w.store_id = '${storeId}' AND v.sku LIKE 'N-%' AND random() < 0.7`,
    ];
    await database.tx(async (tx) => {
      for (const sql of shop) await tx.query(sql);
    });
    const all = await database.query<{ low: number }>(
      `SELECT count(*)::int AS low FROM variant v JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id AND p.status = 'active',
          LATERAL (SELECT sum(s.on_hand - s.reserved) AS free FROM stock_level s WHERE s.store_id = $1 AND s.variant_id = v.id) shelves
        WHERE v.store_id = $1 AND v.track_stock AND v.status = 'active' AND shelves.free <= 5`,
      [storeId],
    );
    const told = await database.query<{ low_stock: number }>(ALERTS, [storeId, NOW, null, 0]);
    expect(told[0]?.low_stock).toBe(all[0]?.low);
    expect(all[0]?.low).toBeGreaterThan(100);
  });

  it('alerts to nothing that is not in the shop, such as a product that was archived', async () => {
    const { ask, storeId } = await orderShop(commerce, 0, 0, 0);
    const low = async () =>
      (await ask<Alert[]>('GET', '/dashboard/alerts')).body.data.find(({ kind }) => kind === 'low_stock')?.count ?? 0;
    const turn = (status: string, at: number) =>
      commerce.database.query('UPDATE product SET status = $2 WHERE store_id = $1 AND name = $3', [
        ...[storeId, status, `Hat ${at}`],
      ]);
    expect(await low()).toBe(3);
    await turn('archived', 0);
    await turn('draft', 1);
    expect(await low()).toBe(1);
  });

  it('counts as to be sent what has goods in it, in a store that sells other things too', async () => {
    const { ask, storeId, variants, place, cart, pay } = await orderShop(commerce, 9, 9);
    const toShip = async () => (await ask<Summary>('GET', '/dashboard/summary')).body.data.pending.to_ship;
    const orders = [await place(cart(1, 0)), await place(cart(0, 1)), await place(cart(1, 1))];
    for (const { id } of orders) await pay(id);
    await place({ ...cart(1, 0), payment_method: 'cod' });
    expect(await toShip()).toBe(4);
    await commerce.database.query(
      `UPDATE product SET kind = 'service' WHERE store_id = $1 AND id = (SELECT product_id FROM variant WHERE store_id = $1 AND id = $2)`,
      [storeId, variants[1]],
    );
    expect(await toShip()).toBe(3);
  });

  it('names pages that the shop has', async () => {
    const pages = new Set(
      readFileSync(join(__dirname, '../../../../../../docs/contract/commerce-web.routes.csv'), 'utf8')
        .split('\n')
        .filter((line) => line.split(',')[1] === 'GET')
        .map((line) => line.split(',')[2]),
    );
    expect(Object.values(PAGES).filter((url) => !pages.has(url.split('?')[0]))).toEqual([]);
  });

  it('looks at all goods of a large shop once in ten seconds, for the next time, and first of all where the last look is long ago', async () => {
    const shop = await shippingShop(commerce, 6);
    const never = async () => (await shop.ask<Alert[]>('GET', '/dashboard/alerts')).body.data[0]?.count;
    const more = (count: number, from: number) =>
      commerce.database.query(
        `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, created_at, updated_at)
         SELECT store_id, gen_random_uuid(), product_id, 'N' || n, jsonb_build_object('ukuran', n), price, created_at, updated_at
         FROM variant, generate_series($3::int, $3 + $2 - 1) n WHERE store_id = $1 AND id = $4`,
        [shop.storeId, count, from, shop.variants[0]],
      );
    await more(3, 0);
    expect(await never()).toBe(3);
    await more(9_997, 3);
    expect(await never()).toBe(10_000);
    await more(1, 10_000);
    expect(await never()).toBe(10_000);
    commerce.clock.advance(10_001);
    expect(await Promise.all([never(), never()])).toEqual([10_000, 10_000]);
    await until(async () => (await never()) === 10_001);
    await more(1, 10_001);
    commerce.clock.advance(600_001);
    expect(await never()).toBe(10_002);
  });

  it('alerts to devices that are not connected, as far as the gateway tells', async () => {
    const { ask } = await traded();
    const offline = async () =>
      (await ask<Alert[]>('GET', '/dashboard/alerts')).body.data.filter(({ kind }) => kind === 'device_offline');
    expect(await offline()).toEqual([]);
    const made = await ask<{ instance_id: string }>('POST', '/device', { name: 'Kasir' });
    expect(await offline()).toEqual([{ kind: 'device_offline', count: 1, url: '/devices' }]);
    await gateway.scan(made.body.data.instance_id, '628110000077');
    commerce.clock.advance(10_000);
    expect(await offline()).toEqual([]);
    gateway.state.mood = 'down';
    commerce.clock.advance(10_000);
    expect(await offline()).toEqual([]);
    gateway.state.mood = 'answer';
  });

  it('shows a member without chat.all the orders of their own chats alone', async () => {
    const { storeId, ask } = await traded();
    const { userId, token } = await newMember(commerce, storeId, 'cs');
    const summary = async () =>
      (
        await askDocumented<Summary>(commerce, commerce.url, '/dashboard/summary', {
          method: 'GET',
          headers: bearer(token),
        })
      ).body.data;
    expect((await summary()).today).toEqual({ sales: 0, orders: 0, paid: 0, chats: null });
    chat.handled.set(`${storeId} ${userId}`, ['6281234567890']);
    const { today, yesterday, pending } = (await ask<Summary>('GET', '/dashboard/summary')).body.data;
    const own = { today: { ...today, chats: null }, yesterday: { ...yesterday, chats: null }, pending };
    expect(await summary()).toEqual(own);
  });

  it('adds up the shelves of all that may run low at once, never variant by variant', async () => {
    const plan = JSON.stringify(await explain(commerce.database, ALERTS, ['S1', NOW, null, 0]));
    // What is run for each row is a subplan; what is read once before is none
    expect(plan).toContain('"stock_level"');
    expect(plan).not.toContain('"Parent Relationship":"SubPlan"');
  });

  it.each([
    ['summary', SUMMARY, [null], ['sales_order', 'order_item', 'variant']],
    ['alerts', ALERTS, [null, null], ['sales_order', 'withdrawal', 'stock_level', 'subscription', 'variant']],
  ])('reads its %s from indexes', async (_, statement, more, tables) =>
    expectNoSeqScan(await explain(commerce.database, statement, ['S1', NOW, ...more]), ...tables),
  );
});
