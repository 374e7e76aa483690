import { fixedClock, silentLogger, uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { refused } from '../../../asked.fixture';
import { bearer, deadlocksOf, startCommerce } from '../../../commerce.fixture';
import { caller } from '@platform/testing';
import { startSecondProcess } from '../../../second-process.fixture';
import { UnpaidOrders } from '../../sales/orders/order-expiry';
import type { Order } from '../../sales/orders/orders.dto';
import { decideRefund, type Refund } from '../../sales/refunds/public';
import { BANK, comesToPlatform, leftAlone } from '../../sales/refunds/refunds.fixture';
import { digitalShop, type DigitalShop } from '../digital.fixture';
import { revokeDeliveries } from './public';

const commerce = useRunning(() => startCommerce({ PAY_LINK_SECRET: 'a secret of links' }));
const HOUR_MS = 3_600_000;
const keysOf = (n: number): string[] => Array.from({ length: n }, (_, at) => `KEY-${at}${at}${at}${at}`);
const short = ({ variantId }: DigitalShop, available: number) =>
  refused(409, 'out_of_stock', 'There is not enough stock', { lines: [{ variant_id: variantId, available }] });
const cancel = ({ ask }: DigitalShop, { id }: Order) => ask('POST', `/order/${id}/cancel`, { reason: 'Batal' });
const runAfter = (hours: number): Promise<number> => {
  const { database } = commerce.app;
  const clock = fixedClock(new Date(commerce.clock.now().getTime() + hours * HOUR_MS).toISOString());
  return new UnpaidOrders({ database, clock, logger: silentLogger }).cancel();
};
const change = ({ ask }: DigitalShop, { id }: Order, qty: number, more: object = {}) =>
  ask<Order>('GET', `/order/${id}`).then(({ body: { data } }) =>
    ask<Order>('PUT', `/order/${id}`, {
      contact: { name: 'Budi', phone: '6281234567890' },
      payment_method: 'cash',
      items: data.items.map(({ variant_id }) => ({ variant_id, qty })),
      version: data.version,
      ...more,
    }),
  );
const by = ({ storeId }: DigitalShop) => ({ storeId, actor: 'test', at: commerce.clock.now() });

describe('licence keys of an order', () => {
  it('are held when it is placed, and free again when it is cancelled', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(3) });
    const order = (await shop.order(2)).body.data;
    expect(await shop.keys()).toEqual(['0000 held', '1111 held', '2222 free']);
    expect(await shop.order(2)).toEqual(short(shop, 1));
    await cancel(shop, order);
    expect(await shop.keys()).toEqual(['0000 free', '1111 free', '2222 free']);
    expect((await shop.order(3)).status).toBe(201);
  });

  it('that nobody pays in time are free again, and are held again for money that comes late, if there are any', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(1) });
    const [first] = [(await shop.order()).body.data];
    await runAfter(24);
    expect(await shop.keys()).toEqual(['0000 free']);
    const other = (await shop.order()).body.data;
    expect(await shop.pay(first)).toMatchObject({ payment_status: 'review', review_reason: 'stock' });
    await cancel(shop, other);
    const process = { order_id: first.id, status: 'processing' };
    expect((await shop.ask<Order>('POST', '/order/change_status', process)).body.data).toMatchObject({
      ...{ status: 'processing', payment_status: 'paid', review_reason: null },
    });
    await shop.delivered(first);
    expect(await shop.keys()).toEqual(['0000 assigned']);
  });

  it('change by the difference when it is edited', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(3) });
    const order = (await shop.order(1)).body.data;
    expect((await change(shop, order, 3)).status).toBe(200);
    expect(await shop.keys('held')).toHaveLength(3);
    const more = await change(shop, order, 4);
    expect(more).toEqual(short(shop, 3));
    expect(await shop.keys('held')).toHaveLength(3);
    await change(shop, order, 1);
    expect([(await shop.keys('held')).length, (await shop.keys('free')).length]).toEqual([1, 2]);
  });

  it('of several lines and variants of one product are its keys together', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(3) });
    const variants = [
      { variant_id: shop.variantId, qty: 2 },
      { variant_id: shop.variantId, qty: 1 },
    ];
    expect((await shop.order(0, { items: variants })).status).toBe(201);
    const rows = await commerce.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM license_key WHERE store_id = $1 GROUP BY order_item_id ORDER BY n',
      [shop.storeId],
    );
    expect(rows.map(({ n }) => n)).toEqual([1, 2]);
  });

  it('stay its own when its payment is taken back, and are nobody else’s once they were sent', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(2) });
    const order = (await shop.order()).body.data;
    await shop.pay(order);
    await shop.delivered(order);
    await shop.reverse(order);
    expect(await shop.keys()).toEqual(['0000 assigned', '1111 free']);
    expect((await shop.deliveries(order)).map(({ revoked_for }) => revoked_for)).toEqual(['reversal']);
    await runAfter(24);
    expect(await shop.keys()).toEqual(['0000 revoked', '1111 free']);
  });

  it('of which some come back: the newest are lost, those that were sent for ever', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(3) });
    const order = (await shop.order(3)).body.data;
    const lines = (qty: number) => [{ order_item_id: order.items[0]?.id ?? '', qty }];
    const back = (qty?: number) =>
      commerce.app.database.tx((tx) =>
        revokeDeliveries(tx, by(shop), order.id, qty === undefined ? undefined : lines(qty)),
      );
    await back(1);
    expect(await shop.keys()).toEqual(['0000 held', '1111 held', '2222 free']);
    // Somebody else's from now on
    await shop.order();
    await shop.pay(order);
    await shop.delivered(order);
    await back(2);
    await back(2);
    expect(await shop.keys()).toEqual(['0000 assigned', '1111 revoked', '2222 held']);
    expect((await shop.deliveries(order)).map(({ revoked_for }) => revoked_for)).toEqual([null]);
    await back();
    expect(await shop.keys()).toEqual(['0000 revoked', '1111 revoked', '2222 held']);
    expect((await shop.deliveries(order)).map(({ revoked_for }) => revoked_for)).toEqual(['return']);
  });

  it('are handed over by an order that was placed before its product needed any', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(2) });
    const needs = (needs_key: boolean) =>
      shop.ask('PUT', `/digital-store/${shop.product.id}`, { delivery: { needs_key } });
    await needs(false);
    const [order, more] = [(await shop.order()).body.data, (await shop.order(3)).body.data];
    await needs(true);
    await shop.pay(order);
    expect(await shop.delivered(order)).toMatchObject([{ asset_id: null }]);
    expect(await shop.keys()).toEqual(['0000 assigned', '1111 free']);
    await shop.pay(more);
    await shop.delivered(more);
    expect(await shop.keys()).toEqual(['0000 assigned', '1111 assigned']);
    const told = `SELECT DISTINCT notice_id AS id FROM notification WHERE store_id = $1 AND event = 'keys.lacking'`;
    const notices = () => commerce.database.query<{ id: string }>(told, [shop.storeId]);
    expect(await until(notices, (rows) => rows.length > 0)).toEqual([{ id: `keys:${more.id}` }]);
    // One of the two that it lacked comes back, the other follows when there are some
    const [first] = await shop.deliveries(more);
    const line = { order_item_id: more.items[0]?.id ?? '', qty: 1 };
    const headers = bearer(commerce.storeAuth.userToken({ store_id: shop.storeId }), { 'idempotency-key': uuidv7() });
    const given = { method: 'manual', reason: 'Kurang satu', lines: [line] };
    expect((await commerce.post(`/api/order/${more.id}/refund`, given, headers)).status).toBe(201);
    await shop.ask('POST', `/digital-store/${shop.product.id}/license-keys`, { keys: ['KEY-2222', 'KEY-3333'] });
    const due = `UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE key = $1 AND locked_at IS NULL`;
    await until(
      async () => {
        await commerce.database.query(due, [`keys:${more.id}`]);
        return shop.keys('assigned');
      },
      (keys) => keys.length === 3,
    );
    expect(await shop.keys('free')).toHaveLength(1);
    const sent = await shop.delivered(more);
    expect([sent.length, sent[0]?.id, await notices()]).toEqual([1, first?.id, [{ id: `keys:${more.id}` }]]);
  });

  it.each([
    ['all of it', 1, ['0000 free'], ['0000 assigned']],
    ['that of one piece', 2, ['0000 assigned', '1111 held'], ['0000 assigned', '1111 assigned']],
  ])(
    'that are lacking are handed over only when money stays that was on its way back, %s',
    async (_, qty, before, after) => {
      const shop = await digitalShop(commerce, { keys: [] });
      const { id } = shop.product;
      const needs = (needs_key: boolean) => shop.ask('PUT', `/digital-store/${id}`, { delivery: { needs_key } });
      await needs(false);
      const order = (await shop.order(qty)).body.data;
      await needs(true);
      expect(await comesToPlatform(commerce, { shop, order, amount: order.total })).toBe('paid');
      const job = 'commerce_api_jobs._private_jobs WHERE key = $1 AND locked_at IS NULL';
      const waits = async () => (await commerce.database.query(`SELECT FROM ${job}`, [`keys:${order.id}`])).length > 0;
      await until(waits);
      const headers = bearer(commerce.storeAuth.userToken({ store_id: shop.storeId }), { 'idempotency-key': uuidv7() });
      const lines = qty > 1 && { lines: [{ order_item_id: order.items[0]?.id ?? '', qty: 1 }] };
      const payout = { method: 'payout', bank: BANK, reason: 'Batal', ...lines };
      const asked = await commerce.post(`/api/order/${order.id}/refund`, payout, headers);
      const refund = (asked.body as { data: Refund }).data;
      await leftAlone(commerce, refund.id);
      await shop.ask('POST', `/digital-store/${id}/license-keys`, { keys: keysOf(qty) });
      const again = async () => {
        const due = `UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE key = $1 RETURNING 1`;
        await commerce.database.query(due, [`keys:${order.id}`]);
        const past = `SELECT FROM commerce_api_jobs._private_jobs WHERE key = $1 AND run_at <= now()`;
        await until(async () => (await commerce.database.query(past, [`keys:${order.id}`])).length === 0 || undefined);
      };
      await again();
      expect(await shop.keys()).toEqual(before);
      const audit = {
        tenantId: shop.storeId,
        actor: { id: 'o', name: 'o', kind: 'operator' as const },
        at: by(shop).at,
      };
      await commerce.app.database.tx((tx) => decideRefund(tx, { ...by(shop), audit }, refund.id, 'rekening salah'));
      await again();
      expect(await shop.keys()).toEqual(after);
    },
  );

  it('are not needed by a product that needs none, and not by one that is not digital any more', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(1) });
    await shop.ask('PUT', `/digital-store/${shop.product.id}`, { delivery: { needs_key: false } });
    expect((await shop.order(9)).status).toBe(201);
    expect(await shop.keys()).toEqual(['0000 free']);
  });
});

describe('many buyers at once', () => {
  it('40 of 10 keys: ten have one each, the others are told that there is none', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(10) });
    const deadlocks = await deadlocksOf(commerce);
    const answers = await Promise.all(Array.from({ length: 40 }, () => shop.order()));
    const placed = answers.filter(({ status }) => status === 201);
    expect(placed).toHaveLength(10);
    const refusals = answers.filter(({ status }) => status !== 201);
    expect(refusals.map(({ body }) => body.code)).toEqual(Array(30).fill('out_of_stock'));
    const held = await commerce.database.query<{ n: number }>(
      `SELECT count(DISTINCT order_id)::int AS n FROM license_key WHERE store_id = $1 AND state = 'held'`,
      [shop.storeId],
    );
    expect([held, await deadlocksOf(commerce)]).toEqual([[{ n: 10 }], deadlocks]);
  });

  it('who take and give back several keys of several products in any order never wait in a circle', async () => {
    const shop = await digitalShop(commerce, { keys: keysOf(12) });
    const two = { name: 'Dua', price: 1, status: 'active', delivery: { needs_key: true } };
    const other = (await shop.ask<{ id: string; variants: { id: string }[] }>('POST', '/digital-store', two)).body.data;
    await shop.ask('POST', `/digital-store/${other.id}/license-keys`, { keys: keysOf(12) });
    const ids = [shop.variantId, other.variants[0]?.id ?? ''];
    const deadlocks = await deadlocksOf(commerce);
    const walk = async (at: number): Promise<void> => {
      for (let step = 0; step < 4; step += 1) {
        const chosen = at % 2 === 0 ? ids : ids.toReversed();
        const items = chosen.map((variant_id) => ({ variant_id, qty: 1 + ((at + step) % 3) }));
        const { status, body } = await shop.order(0, { items });
        if (status === 201) await cancel(shop, body.data);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => walk(at)));
    expect([await shop.keys('held'), await deadlocksOf(commerce)]).toEqual([[], deadlocks]);
    expect(await shop.keys('free')).toHaveLength(12);
  });

  it('two of the last key, each at a process of its own: one has it', async () => {
    const second = await startSecondProcess(commerce, {
      PAY_LINK_SECRET: 'a secret of links',
      MEDIA_DIR: commerce.mediaDir,
      PUBLIC_URL: 'https://shop.example',
    });
    try {
      for (let round = 0; round < 5; round += 1) {
        const shop = await digitalShop(commerce, { keys: keysOf(1) });
        const token = commerce.storeAuth.userToken({ store_id: shop.storeId }, 86_400 * 3650);
        const body = {
          contact: { name: 'Budi', phone: '6281234567890' },
          payment_method: 'cash',
          items: [{ variant_id: shop.variantId, qty: 1 }],
        };
        const buy = (url: string) => caller(url)('/api/order', { method: 'POST', token, body });
        const answers = await Promise.all([commerce.url, second.url, commerce.url, second.url].map(buy));
        expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
        expect(await shop.keys()).toEqual(['0000 held']);
      }
    } finally {
      await second.stop();
    }
  });
});
