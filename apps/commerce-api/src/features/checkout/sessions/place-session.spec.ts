import type { Sql } from '@platform/data';
import { fixedClock } from '@platform/runtime';
import { type RunningProgram, untilWaiting } from '@platform/testing';
import { createHmac } from 'node:crypto';
import { invalid, refused, succeeded } from '../../../asked.fixture';
import { NOW } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { linkHash } from '../../../secret-link';
import { withoutTills } from '../../sales/orders/orders.fixture';
import { withoutContacts } from '../../sales/buyers/public';
import type { Order } from '../../sales/orders/orders.dto';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { basketOf, buyerOf, CONTACT, orderShop, readyBasket, useCheckout, type Basket } from '../checkout.fixture';
import { placeSession } from './place-session';
import type { CartView, PlacedSession } from './sessions.dto';
import { Sessions } from './sessions.service';

const commerce = useCheckout();
const ask = buyerOf(commerce);
let other: RunningProgram | undefined;
afterEach(async () => {
  await other?.stop('SIGKILL');
  other = undefined;
  expect(await unexplained(commerce.database)).toEqual([]);
});

const text = expect.any(String) as string;
/** The whole answer to a buyer who placed an order of the demo's day. */
const placed = (order: { readonly id: string; readonly number: string; readonly total: number }) => {
  const claim = `${order.id}.${Date.parse(NOW) / 1000 + 7 * 86_400}`;
  const pay_token = `${claim}.${createHmac('sha256', 'a secret of links').update(claim).digest('hex')}`;
  const pay_url = `https://shop.example/pay/${pay_token}`;
  const data = {
    order_number: order.number,
    total: order.total,
    pay_token,
    pay_url,
    expires_at: '2026-03-02T08:00:00.000Z',
  };
  return succeeded(201, 'Order created', data);
};
const ordersOf = async ({ shop }: Basket): Promise<Order[]> => (await shop.ask<Order[]>('GET', '/order')).body.data;
const count = async (storeId: string): Promise<number> =>
  (await commerce.database.query('SELECT 1 FROM sales_order WHERE store_id = $1', [storeId])).length;

describe('placing a cart', () => {
  it('makes the order that it showed, with its stock, which the merchant sees and whose payment can be asked for', async () => {
    const shop = await orderShop(commerce, 5, 5);
    await shop.ask('PUT', '/settings/invoice', { version: 0, tax: { mode: 'added' } });
    await shop.ask('POST', '/coupon', { code: 'SALE', kind: 'percent', value: 15 });
    const basket = await readyBasket(commerce, shop, [2, 1]);
    const address = { line: 'Jl. Braga 1', city: 'Bandung' };
    await ask('PUT', `${basket.path}/address`, { buyer: CONTACT, address });
    const cart = (await ask<CartView>('POST', `${basket.path}/coupon`, { code: 'SALE' })).body.data;
    const answer = await basket.place(cart.total, { note: 'Cepat ya' });
    const [row] = await ordersOf(basket);
    const order = (await shop.ask<Order>('GET', `/order/${row?.id}`)).body.data;
    expect(answer).toEqual(placed(order));
    expect(order).toMatchObject({
      ...{ channel: 'storefront', status: 'open', payment_status: 'unpaid', buyer: CONTACT, address, note: 'Cepat ya' },
      ...{ payment_method: 'cash', subtotal: cart.subtotal, discount: cart.discount, tax_total: cart.tax_total },
      ...{ total: cart.total, coupon: { code: 'SALE', amount: cart.discount } },
      items: cart.lines.map(({ variant_id, price, qty, total }) => ({ variant_id, price, qty, total })),
    });
    expect([cart.total, await shop.levels()]).toEqual([28_305, ['5/2', '5/1']]);
    expect(await ask('GET', `${basket.path}/status`)).toEqual(
      succeeded(200, 'OK', { order_number: order.number, payment_status: 'unpaid', paid_at: null }),
    );
    const history = (await shop.ask<object[]>('GET', `/order/${order.id}/history`)).body.data;
    expect(history).toEqual([{ at: NOW, type: 'placed', text: 'Order placed', actor: 'checkout' }]);
  });

  it('a second time, also with another key and other words, answers the same order and makes no other', async () => {
    const basket = await readyBasket(commerce, await orderShop(commerce, 5), [2]);
    const first = await basket.place(20_000, {}, { 'idempotency-key': 'k1' });
    const [order] = await ordersOf(basket);
    expect(first).toEqual(placed(order as Order));
    expect(await basket.place(20_000, {}, { 'idempotency-key': 'k2' })).toEqual(first);
    expect(await basket.place(1, { payment_method: 'cod', note: 'Lagi' })).toEqual(first);
    expect([await count(basket.shop.storeId), await basket.shop.levels()]).toEqual([1, ['5/2']]);
  });

  it('ends the cart: it shows its order from then on, whatever the catalogue says, and cannot be changed', async () => {
    const shop = await orderShop(commerce, 5);
    const basket = await readyBasket(commerce, shop, [2]);
    await basket.place(20_000);
    await commerce.database.query('UPDATE variant SET price = 99 WHERE store_id = $1', [shop.storeId]);
    const cart = (await ask<CartView>('GET', basket.path)).body.data;
    expect(cart).toMatchObject({ state: 'placed', buyer: CONTACT, total: 20_000, expires_at: null });
    expect(cart.lines).toEqual([
      {
        ...{ variant_id: shop.variants[0], name: 'Hat 0', options: {}, price: 10_000, qty: 2, total: 20_000 },
        ...{ available: true, editable: false, image_url: null },
      },
    ]);
    for (const [method, below, body] of [
      ['PUT', '/items', { items: [] }],
      ['PUT', '/address', { buyer: CONTACT }],
      ['DELETE', '/coupon'],
    ] as const)
      expect(await ask(method, basket.path + below, body)).toEqual(
        refused(409, 'placed', 'The order is placed already'),
      );
    const [kept] = await commerce.database.query(
      'SELECT buyer, address, state FROM checkout_session WHERE store_id = $1',
      [shop.storeId],
    );
    expect(kept).toEqual({ buyer: null, address: null, state: 'placed' });
  });

  it('needs lines, a buyer, and an address where its link wants one', async () => {
    const shop = await orderShop(commerce, 5);
    const empty = await basketOf(commerce, shop, []);
    expect(await empty.place(0)).toEqual(invalid('items', 'items is a required field'));
    const nameless = await basketOf(commerce, shop, [1]);
    expect(await nameless.place(10_000)).toEqual(invalid('buyer', 'buyer is a required field'));
    const body = {
      name: 'Promo',
      lines: [{ variant_id: shop.variants[0], qty: 1 }],
      settings: { require_address: true },
    };
    const { code } = (await shop.ask<{ code: string }>('POST', '/checkout/links', body)).body.data;
    const homeless = await readyBasket(commerce, shop, [], { link_code: code });
    expect(await homeless.place(10_000)).toEqual(invalid('address', 'address is a required field'));
    expect(await count(shop.storeId)).toBe(0);
  });

  it('is refused for another total, without stock, for what is gone, and while the store is closed', async () => {
    const shop = await orderShop(commerce, 1, 5);
    const basket = await readyBasket(commerce, shop, [2]);
    const amounts = { subtotal: 20_000, discount: 0, shipping_total: 0, fee: 0, tax_total: 0, total: 20_000 };
    expect(await basket.place(19_999)).toEqual(refused(409, 'total_changed', 'The total has changed', amounts));
    const short = [{ variant_id: shop.variants[0], warehouse_id: text, available: 1 }];
    const none = 'There is not enough stock';
    expect(await basket.place(20_000)).toEqual(refused(409, 'out_of_stock', none, { lines: short }));
    await shop.ask('PUT', '/store/status', { status: 'closed' });
    expect(await basket.place(20_000)).toEqual(refused(409, 'store_closed', 'The store is closed at the moment'));
    await shop.ask('PUT', '/store/status', { status: 'open' });
    await commerce.database.query(`UPDATE product SET status = 'archived' WHERE store_id = $1`, [shop.storeId]);
    const gone = [{ variant_id: shop.variants[0], available: 0 }];
    expect(await basket.place(20_000)).toEqual(refused(409, 'out_of_stock', none, { lines: gone }));
    expect([await count(shop.storeId), await shop.levels()]).toEqual([0, ['1/0', '5/0']]);
  });

  it('takes the methods that its cart offers, also where their fee goes beyond their limit', async () => {
    const shop = await orderShop(commerce, 5);
    const terms = { fee_bearer: 'buyer', fee: { percent_bp: 0, fixed: 500 }, min: 10_000, max: 10_000 };
    await shop.ask('PUT', '/payment/methods/cash', terms);
    const basket = await readyBasket(commerce, shop, [1]);
    const { payment_methods } = (await ask<CartView>('GET', basket.path)).body.data;
    expect(payment_methods).toEqual([{ code: 'cash', fee: 500, total: 10_500 }]);
    expect((await basket.place(10_500)).status).toBe(201);
  });

  it('teaches the shop nothing of a contact whose number was typed, as anybody could: the order alone keeps it', async () => {
    const shop = await orderShop(commerce, 5);
    const [phone, other] = [CONTACT.phone, '6281234567899'];
    const token = commerce.storeAuth.serviceToken('chat-backend', shop.storeId);
    await commerce.call('POST', '/api/contact', token, { phone });
    const email = 'stranger@shop.example';
    for (const typed of [phone, other]) {
      const basket = await readyBasket(commerce, shop, [1]);
      await ask('PUT', `${basket.path}/address`, { buyer: { name: 'Stranger', phone: typed, email } });
      expect((await basket.place(10_000)).status).toBe(201);
    }
    const people = (await shop.ask<{ id: string; phone: string }[]>('GET', '/contact?sort=created_at')).body.data;
    expect(people).toMatchObject([
      { phone, name: null, email: null },
      { phone: other, name: 'Stranger', email },
    ]);
    const orders = (await shop.ask<{ contact_id: string; buyer: object }[]>('GET', '/order')).body.data;
    expect(new Set(orders.map(({ contact_id }) => contact_id))).toEqual(new Set(people.map(({ id }) => id)));
    expect(orders.map(({ buyer }) => buyer)).toMatchObject([{ email }, { email }]);
  });

  it('takes no price, channel or warehouse from the buyer', async () => {
    const basket = await readyBasket(commerce, await orderShop(commerce, 5), [1]);
    for (const [field, value] of [
      ['price', 1],
      ['channel', 'manual'],
      ['warehouse_id', 'x'],
      ['coupon', 'SALE'],
    ] as const)
      expect(await basket.place(10_000, { [field]: value })).toEqual(invalid(field, `${field} is not a known field`));
  });
});

it('a limit of a contact shows nobody by its number who has used a coupon', async () => {
  const shop = await orderShop(commerce, 50);
  await shop.ask('POST', '/coupon', { code: 'ONCE', kind: 'fixed', value: 1_000, per_contact_limit: 1 });
  await shop.ask('POST', '/coupon', { code: 'GONE', kind: 'fixed', value: 1_000, usage_limit: 1 });
  const withCode = async (code: string, phone: string) => {
    const basket = await readyBasket(commerce, shop, [1]);
    await ask('PUT', `${basket.path}/address`, { buyer: { ...CONTACT, phone } });
    const { status, body } = await ask<CartView>('POST', `${basket.path}/coupon`, { code });
    return { basket, cart: { status, coupon: status === 200 ? body.data.coupon : undefined } };
  };
  const [known, unknown] = ['6281234567890', '6281234567891'];
  const late = await withCode('GONE', unknown);
  for (const code of ['ONCE', 'GONE']) await (await withCode(code, known)).basket.place(9_000);
  const again = await withCode('ONCE', known);
  expect(again.cart).toEqual((await withCode('ONCE', unknown)).cart);
  const told = refused(409, 'coupon_unavailable', 'The coupon cannot be used', { reason: 'usage_limit' });
  expect([await again.basket.place(9_000), await late.basket.place(9_000)]).toEqual([told, told]);
});

it('a coupon that counts by itself with one use left is of one of three carts placed at once; the others are told the new total, and placed with it', async () => {
  const shop = await orderShop(commerce, 50);
  const coupon = { code: 'AUTO', auto: true, kind: 'fixed', value: 1_000, usage_limit: 1 };
  await shop.ask('POST', '/coupon', coupon);
  const baskets: Basket[] = [];
  while (baskets.length < 3) baskets.push(await readyBasket(commerce, shop, [1]));
  const asked = await commerce.database.tx(async (tx) => {
    await tx.query('SELECT 1 FROM coupon WHERE store_id = $1 FOR UPDATE', [shop.storeId]);
    const answers = baskets.map((basket) => basket.place(9_000));
    await untilWaiting(tx, ...answers);
    return { answers };
  });
  const answers = await Promise.all(asked.answers);
  const amounts = { subtotal: 10_000, discount: 0, shipping_total: 0, fee: 0, tax_total: 0, total: 10_000 };
  const told = refused(409, 'total_changed', 'The total has changed', amounts);
  const others = baskets.filter((_, at) => answers[at]?.status !== 201);
  expect(answers.filter(({ status }) => status !== 201)).toEqual([told, told]);
  expect((await Promise.all(others.map((basket) => basket.place(10_000)))).map(({ status }) => status)).toEqual([
    201, 201,
  ]);
  const orders = (await shop.ask<Order[]>('GET', '/order')).body.data;
  expect(orders.map(({ total }) => total).sort()).toEqual([10_000, 10_000, 9_000]);
});

describe('with two processes', () => {
  // The other one has the real clock, and would cancel what was placed months before and never paid
  let ahead = 0;
  beforeAll(() => {
    ahead = Date.now() - commerce.clock.now().getTime();
    commerce.clock.advance(ahead);
  });
  afterAll(() => commerce.clock.advance(-ahead));
  const secondProcess = async (): Promise<() => string> => {
    const more = { TRUST_PROXY: '127.0.0.1', PAY_LINK_SECRET: 'a secret of links', PUBLIC_URL: 'https://shop.example' };
    const { url } = (other = await startSecondProcess(commerce, more));
    // Its clock is the real one
    await commerce.database.query(`UPDATE checkout_session SET expires_at = '2100-01-01' WHERE state = 'open'`);
    await commerce.database.query(`UPDATE rate_quote SET expires_at = '2100-01-01'`);
    return () => url;
  };
  const body = { payment_method: 'cash', expected_total: 10_000 };
  const placingAt = (url: () => string) => {
    const call = buyerOf(commerce, url);
    return ({ path }: Basket, headers?: Record<string, string>) =>
      call<PlacedSession>('POST', `${path}/place`, body, headers);
  };

  it('one cart that is placed from many tabs at once is one order, which everybody sees', async () => {
    const shop = await orderShop(commerce, 50);
    const basket = await readyBasket(commerce, shop, [1]);
    const places = [placingAt(() => commerce.url), placingAt(await secondProcess())];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        places[at % 2]?.(basket, at % 4 < 2 ? {} : { 'idempotency-key': `tab-${at}` }),
      ),
    );
    const [first] = answers;
    expect(first?.status).toBe(201);
    expect(answers).toEqual(Array(20).fill(first));
    expect([await count(shop.storeId), await shop.levels()]).toEqual([1, ['50/1']]);
  });

  it('carts whose process is killed while they are placed become one order each, which the next request finds', async () => {
    const shop = await orderShop(commerce, 100);
    const baskets: Basket[] = [];
    while (baskets.length < 20) baskets.push(await readyBasket(commerce, shop, [1]));
    const killed = placingAt(await secondProcess());
    const alive = placingAt(() => commerce.url);
    const asked = baskets.map((basket) => killed(basket).catch(() => undefined));
    await Promise.race(asked);
    await other?.stop('SIGKILL');
    const answered = await Promise.all(asked);
    const left = await count(shop.storeId);
    const again = await Promise.all(baskets.map((basket) => alive(basket)));
    expect([left > 0, await count(shop.storeId), await shop.levels()]).toEqual([true, 20, ['100/20']]);
    expect(new Set(again.map((answer) => answer.body.data.order_number)).size).toBe(20);
    const told = answered.flatMap((answer, at) => (answer ? [[answer, again[at]]] : []));
    expect(told.filter(([before, now]) => JSON.stringify(before) !== JSON.stringify(now))).toEqual([]);
  });
});

it('a cart is shown with seven statements and its order waits for twelve, however many lines it has', async () => {
  const counts: number[][] = [];
  for (const kinds of [1, 12]) {
    const shop = await orderShop(commerce, ...Array.from({ length: kinds }, () => 5));
    await shop.ask('POST', '/coupon', { code: 'SALE', kind: 'fixed', value: 100 });
    const basket = await readyBasket(
      commerce,
      shop,
      Array.from({ length: kinds }, () => 1),
    );
    await ask('POST', `${basket.path}/coupon`, { code: 'SALE' });
    let statements = 0;
    const counted = (sql: Sql): Sql => ({
      query: (statement, values) => ((statements += 1), sql.query(statement, values)),
      prepared: (name, statement, values) => ((statements += 1), sql.prepared(name, statement, values)),
      later: (name, statement, values) => sql.later(name, statement, values),
    });
    const [, id = ''] = basket.cart.token.split('.');
    const key = { storeId: shop.storeId, id, hash: linkHash(basket.cart.token) };
    const clock = fixedClock(NOW);
    const { database } = commerce;
    await new Sessions({
      database: { ...counted(database) } as never,
      clock,
      rates: { optionsFor: () => Promise.resolve([]) },
      gateways: withoutTills.gateways,
    }).show(key);
    const shown = statements;
    statements = 0;
    const wanted = { payment_method: 'cash' as const, expected_total: kinds * 10_000 - 100 };
    await database.tx((tx) =>
      placeSession(
        { ...tx, ...counted(tx) },
        { clock, buyers: withoutContacts, tills: withoutTills },
        { key, ip: '127.0.0.1', body: wanted },
      ),
    );
    counts.push([shown, statements]);
  }
  expect(counts).toEqual([
    [7, 12],
    [7, 12],
  ]);
});
