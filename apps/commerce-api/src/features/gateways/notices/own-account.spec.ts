import { lockWaiters, until } from '@platform/testing';
import { refused } from '../../../asked.fixture';
import { signedIn } from '../../../web/browser.fixture';
import { openAttempt } from '../../sales/payments/public';
import { deliver, gatewayShop, OK, ROUTES, useDesks } from '../gateways.fixture';

const commerce = useDesks();
const unknown = refused(404, 'not_found', 'No such payment');

it('an account of a store speaks for no payment to the platform, also when what it said is processed again', async () => {
  const shop = await gatewayShop(commerce);
  const orders = { a: await shop.sell('a'), b: await shop.sell('b') };
  const own = {
    a: { client_id: `MCH-${shop.storeId}`, secret: 'their own' },
    b: { callback_token: `token of ${shop.storeId}`, key: 'k' },
  };
  for (const code of ['a', 'b'] as const) {
    await shop.ask('PUT', `/payment/methods/${code}`, { credentials: own[code] });
    const body = { number: `${orders[code].number}-1`, status: 'SUCCESS', amount: 20_000, id: 'x' };
    const forged = commerce.desks[code].notice(ROUTES[code], body, own[code]);
    expect(await deliver(commerce.url, ROUTES[code], forged)).toEqual(unknown);
    const [event] = await shop.events();
    expect(await shop.ask('POST', `/logs/webhook/${event?.id as string}/replay`)).toEqual(unknown);
    expect((await shop.payment(orders[code])).status).toBe('pending');
    // What the provider itself says of it counts, also under the same key
    expect(await deliver(commerce.url, ROUTES[code], commerce.desks[code].notice(ROUTES[code], body))).toEqual(OK);
    expect((await shop.payment(orders[code])).status).toBe('paid');
  }
});

it('an account of a store is neither replaced nor taken away while payments to it are waited for; a new secret of it may come', async () => {
  const shop = await gatewayShop(commerce);
  const put = (code: 'a' | 'b', credentials: object) => shop.ask('PUT', `/payment/methods/${code}`, { credentials });
  const [own, keys] = [
    { client_id: `MCH-${shop.storeId}`, secret: 'their own' },
    { callback_token: `token of ${shop.storeId}`, key: 'k' },
  ];
  // To the platform's account, which stays
  await shop.sell('a');
  expect([(await put('a', own)).status, (await put('b', keys)).status]).toEqual([200, 200]);
  const orders = [await shop.sell('a'), await shop.sell('b')];
  const inUse = { status: 409, body: { code: 'account_in_use' } };
  expect(await put('a', { ...own, client_id: 'MCH-OTHER' })).toMatchObject(inUse);
  expect(await put('a', {})).toMatchObject(inUse);
  expect(await put('b', { callback_token: 'another', key: 'another' })).toMatchObject(inUse);
  const { browser } = await signedIn(commerce, 'admin', shop.storeId);
  await browser.get('/settings/payments');
  const fields = { action: 'method.a', code: 'a', enabled: 'true', fee_bearer: 'merchant', forget: 'true' };
  const { status, text } = await browser.post('/settings/payments', fields);
  expect([status, text.includes('Masih ada pembayaran yang ditunggu di akun ini')]).toEqual([409, true]);
  const renewed = [await put('a', { ...own, secret: 'a new one' }), await put('b', { ...keys, key: 'a new one' })];
  expect(renewed.map((each) => each.status)).toEqual([200, 200]);
  for (const { id } of orders) await shop.ask('POST', `/order/${id}/cancel`, { reason: 'Batal' });
  // On the page of the provider they may be paid all the same, until that has said that they are not
  expect([await put('a', {}), await put('b', {})]).toMatchObject([inUse, inUse]);
  await commerce.database.query('UPDATE payment SET poll_at = NULL WHERE store_id = $1', [shop.storeId]);
  expect([(await put('a', {})).status, (await put('b', {})).status]).toEqual([200, 200]);
});

it('an account of a store stays while a buyer whose first try has failed may try again, whose money is then known', async () => {
  const shop = await gatewayShop(commerce);
  const own = { client_id: `MCH-${shop.storeId}`, secret: 'their own' };
  const put = (credentials: object) => shop.ask('PUT', '/payment/methods/a', { credentials });
  await put(own);
  const order = await shop.sell('a');
  const tell = (status: string) => {
    const body = { number: `${order.number}-1`, status, amount: 20_000, id: status };
    return deliver(commerce.url, ROUTES.a, commerce.desks.a.notice(ROUTES.a, body, own));
  };
  expect([await tell('FAILED'), (await shop.payment(order)).status]).toEqual([OK, 'failed']);
  expect((await put({ ...own, client_id: 'MCH-OTHER' })).body).toMatchObject({ code: 'account_in_use' });
  expect([await tell('SUCCESS'), (await shop.payment(order)).status]).toEqual([OK, 'paid']);
  expect((await put({ ...own, client_id: 'MCH-OTHER' })).status).toBe(200);
});

it('an account of a store that is taken away at the moment in which a payment to it begins, stays', async () => {
  const shop = await gatewayShop(commerce);
  await shop.ask('PUT', '/payment/methods/a', {
    credentials: { client_id: `MCH-${shop.storeId}`, secret: 'their own' },
  });
  const { id: orderId, number } = await shop.place(shop.cart(1));
  const { database, clock } = commerce;
  const gateways = { isThere: () => true, hasPlatform: () => true, feeOf: () => ({ percent_bp: 0, fixed: 0 }) };
  const by = { storeId: shop.storeId, actor: 'checkout', at: clock.now() };
  const given = { of: { orderId, number }, provider: 'a', amount: 10_000, currency: 'IDR', door: 'buyer' } as const;
  const taken = await database.tx(async (tx) => {
    await openAttempt(tx, by, gateways, { ...given, expiresAt: clock.now() });
    const taking = shop.ask('PUT', '/payment/methods/a', { credentials: {} });
    let isOver = false;
    void taking.finally(() => (isOver = true));
    await until(async () => isOver || (await lockWaiters(tx)) > 0 || undefined);
    return { taking };
  });
  expect(await taken.taking).toMatchObject({ status: 409, body: { code: 'account_in_use' } });
});
