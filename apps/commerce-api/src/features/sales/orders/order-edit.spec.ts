import { uuidv7 } from '@platform/runtime';
import { random, untilWaiting } from '@platform/testing';
import { auditedIn, notHere, refused, succeeded } from '../../../asked.fixture';
import { deadlocksOf, NOW, useCommerce } from '../../../commerce.fixture';
import type { Shipment } from '../../shipping/parcels/public';
import { belowNothing, unexplained } from '../../stock/levels/shelf.fixture';
import type { Coupon } from '../coupons/coupons.dto';
import type { Order, OrderEvent } from './orders.dto';
import { orderShop, type OrderShop } from './orders.fixture';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const edit = (shop: OrderShop, { id, version }: Order, body: object) =>
  shop.ask<Order>('PUT', `/order/${id}`, { version, ...body });
const movesOf = async ({ storeId }: OrderShop): Promise<string[]> => {
  const rows = await commerce.database.query<{ told: string }>(
    `SELECT reason || ' ' || delta_reserved AS told FROM stock_movement WHERE store_id = $1 AND reason IN ('reserve', 'release') ORDER BY id`,
    [storeId],
  );
  return rows.map(({ told }) => told);
};

describe('editing an order', () => {
  it('writes it anew as a whole, its lines keep their ids, and its stock changes by the difference alone', async () => {
    const shop = await orderShop(commerce, 9, 9, 9);
    const order = await shop.place(shop.cart(3, 2, 0));
    const contact = { name: 'Siti', phone: '6281111111111' };
    const [kept] = order.items;
    const edited = await edit(shop, order, {
      ...shop.cart(1, 0, 5),
      contact,
      note: 'Siang',
      payment_method: 'transfer',
    });
    const line = { ...kept, qty: 1, total: 10_000 };
    const text = expect.any(String) as string;
    const fresh = {
      ...line,
      id: text,
      variant_id: shop.variants[2],
      name: 'Hat 2',
      sku: 'HAT-2',
      qty: 5,
      total: 50_000,
    };
    expect(edited).toEqual(
      succeeded(200, 'Order updated', {
        ...{ ...order, buyer: contact, contact_id: text, note: 'Siang', payment_method: 'transfer', version: 2 },
        ...{ subtotal: 60_000, total: 60_000, items: [line, fresh] },
      }),
    );
    expect(await shop.levels()).toEqual(['9/1', '9/0', '9/5']);
    expect((await movesOf(shop)).sort()).toEqual(['release -2', 'release -2', 'reserve 2', 'reserve 3', 'reserve 5']);
    expect((await shop.ask('GET', '/order?q=siti')).body.data).toEqual([expect.objectContaining({ id: order.id })]);
    expect((await shop.ask<OrderEvent[]>('GET', `/order/${order.id}/history`)).body.data.at(-1)).toEqual({
      ...{ at: NOW, type: 'edited', text: 'Order edited', actor: text },
    });
    expect((await auditedIn(commerce, shop.storeId)).at(-1)).toBe(
      'order.write order: buyer, items, note, payment_method, total',
    );
  });

  it('to a way that takes longer gives its buyer the time of that, and never less than they had', async () => {
    const shop = await orderShop(commerce, 9);
    const order = await shop.place({ ...shop.cart(1), payment_method: 'transfer' });
    const minutes = async (before: string, ends: number | null, payment_method: string) => {
      const until = ends === null ? null : new Date(Date.parse(NOW) + ends * 60_000);
      const written =
        'UPDATE sales_order SET payment_method = $2, pay_expires_at = $3 WHERE store_id = $1 RETURNING version';
      const [row] = await commerce.database.query<{ version: number }>(written, [shop.storeId, before, until]);
      const { body } = await edit(shop, { ...order, version: row?.version ?? 0 }, { ...shop.cart(1), payment_method });
      const { pay_expires_at: at } = body.data;
      return at === null ? null : (Date.parse(at) - Date.parse(NOW)) / 60_000;
    };
    const day = 24 * 60;
    expect([await minutes('a', 70, 'transfer'), await minutes('transfer', 2 * day, 'cash')]).toEqual([day, 2 * day]);
    expect([await minutes('cod', null, 'transfer'), await minutes('transfer', 30, 'transfer')]).toEqual([day, 30]);
  });

  it('with the same lines moves no stock', async () => {
    const shop = await orderShop(commerce, 9);
    const order = await shop.place(shop.cart(3));
    await edit(shop, order, { ...shop.cart(3), note: 'Siang' });
    expect([await movesOf(shop), await shop.levels()]).toEqual([['reserve 3'], ['9/3']]);
  });

  it('from an old version is refused, and so is one that somebody else was faster with', async () => {
    const shop = await orderShop(commerce, 9);
    const order = await shop.place(shop.cart(1));
    const answers = await Promise.all([1, 2, 3, 4].map((qty) => edit(shop, order, shop.cart(qty))));
    const stale = refused(409, 'version_conflict', 'Somebody else has changed it since: read it again');
    expect(answers.filter(({ status }) => status !== 200)).toEqual([stale, stale, stale]);
    const [won] = answers.filter(({ status }) => status === 200);
    expect(await shop.levels()).toEqual([`9/${won?.body.data.items[0]?.qty}`]);
  });

  it('is refused when it is paid, in part, or cancelled, and when another store asks', async () => {
    const [shop, theirs] = [await orderShop(commerce, 9), await orderShop(commerce, 9)];
    const [paid, begun, gone] = [
      await shop.place(shop.cart(1)),
      await shop.place(shop.cart(1)),
      await shop.place(shop.cart(1)),
    ];
    await shop.pay(paid.id);
    await shop.pay(begun.id, { amount: 1 });
    await shop.ask('POST', `/order/${gone.id}/cancel`, { reason: 'Batal' });
    const isPaid = refused(409, 'paid', 'The order is paid');
    expect([await edit(shop, paid, shop.cart(2)), await edit(shop, begun, shop.cart(2))]).toEqual([isPaid, isPaid]);
    expect(await edit(shop, gone, shop.cart(2))).toEqual(
      refused(409, 'invalid_transition', 'It is cancelled: that cannot be done with it now'),
    );
    expect(await edit(theirs, begun, theirs.cart(1))).toEqual(refused(404, 'not_found', 'Order not found'));
    expect(await edit(shop, await shop.place(shop.cart(1)), theirs.cart(1))).toEqual(
      notHere('items[0].variant_id', 'is not on sale in this store'),
    );
  });

  it('for which there is not enough, or that costs something else than was told, leaves everything as it was', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    const lines = [{ variant_id: shop.variants[0], warehouse_id: order.warehouse_id, available: 3 }];
    expect(await edit(shop, order, shop.cart(6))).toEqual(
      refused(409, 'out_of_stock', 'There is not enough stock', { lines }),
    );
    expect((await edit(shop, order, { ...shop.cart(3), expected_total: 1 })).body).toMatchObject({
      ...{ code: 'total_changed', total: 30_000 },
    });
    expect((await shop.ask('GET', `/order/${order.id}`)).body.data).toEqual(order);
    expect((await edit(shop, order, { ...shop.cart(5), expected_total: 50_000 })).status).toBe(200);
    expect(await shop.levels()).toEqual(['5/5']);
  });

  it('takes the goods from another warehouse when it is asked for', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    const warehouse = {
      name: 'Gudang 2',
      phone: '6281234567890',
      address: { name: 'x', phone: '6281234567890', line: 'x' },
    };
    const other = (await shop.ask<{ id: string }>('POST', '/warehouse', warehouse)).body.data.id;
    await shop.ask('PUT', `/warehouse/${other}/stock`, { lines: [{ variant_id: shop.variants[0], counted: 3 }] });
    const moved = await edit(shop, order, { ...shop.cart(3), warehouse_id: other });
    expect(moved.body.data.warehouse_id).toBe(other);
    expect((await shop.levels()).sort()).toEqual(['3/3', '5/0']);
    expect(await edit(shop, moved.body.data, { ...shop.cart(3), warehouse_id: uuidv7() })).toEqual(
      notHere('warehouse_id', 'is not an open warehouse of this store'),
    );
  });

  it('to nothing that costs anything pays it', async () => {
    const shop = await orderShop(commerce, 5);
    await shop.ask('POST', '/coupon', { code: 'FREE', kind: 'percent', value: 100 });
    const order = await shop.place(shop.cart(2));
    expect((await edit(shop, order, { ...shop.cart(1), coupon: 'FREE' })).body.data).toMatchObject({
      ...{ total: 0, payment_status: 'paid', receipt_no: 'RCP-2026-000001' },
    });
    expect(await shop.levels()).toEqual(['4/0']);
  });

  it('to nothing that costs anything waits for its goods before it takes its coupon, as whoever places an order', async () => {
    const shop = await orderShop(commerce, 5);
    await shop.ask('POST', '/coupon', { code: 'FREE', kind: 'percent', value: 100 });
    const order = await shop.place(shop.cart(2));
    const { edited } = await commerce.database.tx(async (tx) => {
      await tx.query('SELECT FROM stock_level WHERE store_id = $1 FOR UPDATE', [shop.storeId]);
      const editing = edit(shop, order, { ...shop.cart(2), coupon: 'FREE' });
      await untilWaiting(tx, editing);
      await tx.query('SELECT FROM coupon WHERE store_id = $1 FOR UPDATE NOWAIT', [shop.storeId]);
      return { edited: editing };
    });
    expect((await edited).body.data).toMatchObject({ total: 0, payment_status: 'paid' });
  });

  it('to cash at the door lets it wait without an end, and back gives it a time again', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(1));
    const door = (await edit(shop, order, { ...shop.cart(1), payment_method: 'cod' })).body.data;
    const back = (await edit(shop, door, shop.cart(1))).body.data;
    expect([door.pay_expires_at, back.pay_expires_at]).toEqual([null, '2026-03-02T08:00:00.000Z']);
  });
});

describe('the coupon of an edited order', () => {
  const withCoupons = async () => {
    const shop = await orderShop(commerce, 90);
    const made = async (code: string, more: object = {}) =>
      (await shop.ask<Coupon>('POST', '/coupon', { code, kind: 'fixed', value: 100, usage_limit: 1, ...more })).body
        .data.id;
    const ids = [await made('ONE', { min_subtotal: 20_000 }), await made('TWO')];
    const uses = async () =>
      Promise.all(ids.map(async (id) => (await shop.ask<Coupon>('GET', `/coupon/${id}`)).body.data.used_count));
    return { ...shop, uses };
  };

  it('keeps its use, also the last one; another code takes its place, and without a code the use is free', async () => {
    const shop = await withCoupons();
    const order = await shop.place({ ...shop.cart(2), coupon: 'ONE' });
    const kept = (await edit(shop, order, { ...shop.cart(3), coupon: 'ONE' })).body.data;
    const seen = [[kept.coupon?.code, await shop.uses()]];
    const other = (await edit(shop, kept, { ...shop.cart(3), coupon: 'TWO' })).body.data;
    seen.push([other.coupon?.code, await shop.uses()]);
    const none = (await edit(shop, other, shop.cart(3))).body.data;
    seen.push([none.coupon?.code, await shop.uses()]);
    expect(seen).toEqual([
      ['ONE', [1, 0]],
      ['TWO', [0, 1]],
      [undefined, [0, 0]],
    ]);
    expect((await shop.ask('POST', '/order', { ...shop.cart(2), coupon: 'ONE' })).status).toBe(201);
  });

  it('that no longer applies is refused with its reason', async () => {
    const shop = await withCoupons();
    const order = await shop.place({ ...shop.cart(2), coupon: 'ONE' });
    expect(await edit(shop, order, { ...shop.cart(1), coupon: 'ONE' })).toEqual(
      refused(409, 'coupon_unavailable', 'The coupon cannot be used', { reason: 'min_subtotal' }),
    );
    expect(await shop.uses()).toEqual([1, 0]);
  });

  it('is counted once when two orders change places at once', async () => {
    const shop = await withCoupons();
    const [one, two] = [
      await shop.place({ ...shop.cart(2), coupon: 'ONE' }),
      await shop.place({ ...shop.cart(2), coupon: 'TWO' }),
    ];
    const answers = await Promise.all([
      edit(shop, one, { ...shop.cart(2), coupon: 'TWO' }),
      edit(shop, two, { ...shop.cart(2), coupon: 'ONE' }),
    ]);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const held = await commerce.database.query<{ code: string }>(
      `SELECT c.code FROM coupon_redemption r JOIN coupon c ON c.store_id = r.store_id AND c.id = r.coupon_id
       WHERE r.store_id = $1 AND r.state = 'held' ORDER BY 1`,
      [shop.storeId],
    );
    const uses = await shop.uses();
    expect(uses.map((count, at) => (count === 1 ? ['ONE', 'TWO'][at] : [])).flat()).toEqual(
      held.map(({ code }) => code),
    );
  });
});

it('an edit that tells something new of its contact, and a merge of who the order was of, do not wait in a circle', async () => {
  const shop = await orderShop(commerce, 9);
  const order = await shop.place(shop.cart(1));
  const [keep, other] = ['6281200000001', '6281200000002'].map((phone) => ({ name: 'Ani', phone }));
  const { id } = (await shop.ask<{ id: string }>('POST', '/contact', keep)).body.data;
  await shop.ask('POST', '/contact', other);
  const before = await deadlocksOf(commerce);
  const asked = await commerce.database.tx(async (tx) => {
    await tx.query('SELECT 1 FROM sales_order WHERE id = $1 FOR UPDATE', [order.id]);
    const merged = shop.ask('POST', '/contact/merge', { keep_id: id, merge_ids: [order.contact_id] });
    await untilWaiting(tx, merged);
    const edited = edit(shop, order, { ...shop.cart(2), contact: { ...other, email: 'ani@shop.example' } });
    await untilWaiting(tx, merged, edited);
    return { answers: [merged, edited] as const };
  });
  expect((await Promise.all(asked.answers)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await deadlocksOf(commerce)).toBe(before);
});

it('1,000 random steps of placing, editing, paying, taking back, cancelling, sending and returning leave levels that their movements explain, never below 0', async () => {
  const shop = await orderShop(commerce, 60, 60, 60);
  const { below, pick } = random(81);
  const orders: string[] = [];
  const sent: Shipment[] = [];
  let returned = 0;
  const some = () => shop.cart(1 + below(4), below(4), below(4));
  const orderOf = (id: string) => shop.ask<Order>('GET', `/order/${id}`);
  const steps = {
    place: async () => {
      const placed = await shop.ask<Order>('POST', '/order', some());
      if (placed.status === 201) orders.push(placed.body.data.id);
    },
    edit: async () => {
      const { data } = (await orderOf(pick(orders))).body;
      await edit(shop, data, some());
    },
    pay: async () => void (await shop.pay(pick(orders), below(3) === 0 ? { amount: 1 + below(9_999) } : {})),
    back: async () =>
      void (await shop.ask('POST', '/order/change_payment_status', { order_id: pick(orders), status: 'unpaid' })),
    cancel: async () => void (await shop.ask('POST', `/order/${pick(orders)}/cancel`, { reason: 'Batal' })),
    move: async () =>
      void (await shop.ask('POST', '/order/change_status', { order_id: pick(orders), status: 'processing' })),
    send: async () => {
      const id = pick(orders);
      const { status, body } = await shop.ask<Shipment>('POST', `/order/${id}/waybill`, {
        courier: 'JNE',
        waybill: id,
      });
      if (status === 200) sent.push(body.data);
    },
    return: async () => {
      if (sent.length === 0) return;
      const { order_id, warehouse_id, lines: gone } = pick(sent);
      const lines = gone.map(({ order_item_id }) => ({ order_item_id, qty: 1, condition: pick(['good', 'damaged']) }));
      const back = { order_id, warehouse_id, direction: 'return', lines };
      returned += Number((await shop.ask('POST', '/shipping/shipments', back)).status === 201);
    },
    restock: async () =>
      void (await shop.ask('PUT', `/warehouse/${warehouse}/stock`, {
        lines: [{ variant_id: pick(shop.variants), counted: 60 }],
      })),
  };
  const warehouse = (await shop.place(shop.cart(1))).warehouse_id;
  await steps.place();
  const likely = [...Object.values(steps), steps.place, steps.edit, steps.edit, steps.pay];
  for (let at = 0; at < 250; at += 1) await Promise.all(Array.from({ length: 4 }, () => pick(likely)()));
  const [{ held } = { held: '' }] = await commerce.database.query<{ held: string }>(
    `SELECT coalesce(sum(i.qty), 0)::text AS held FROM order_item i
     JOIN sales_order o ON o.store_id = i.store_id AND o.id = i.order_id
     WHERE o.store_id = $1 AND o.status <> 'cancelled' AND o.payment_status IN ('unpaid', 'partially_paid')
       AND o.fulfillment_status = 'none'`,
    [shop.storeId],
  );
  const reserved = (await shop.levels()).reduce((sum, level) => sum + Number(level.split('/')[1]), 0);
  expect([orders.length > 50, returned > 5, String(reserved)]).toEqual([true, true, held]);
  expect(await belowNothing(commerce.database)).toEqual([]);
});
