import { caller, lockWaiters, until, useOpened } from '@platform/testing';
import { openBrowser, signedIn } from './web/browser.fixture';
import { bearer, newApiToken, newMember, newStore, startCommerce, useCommerce } from './commerce.fixture';

const commerce = useCommerce();
const opened = useOpened();

it('a user and an API token may ask so often a minute, and other users, stores and the services are not counted with them', async () => {
  const shop = opened(await startCommerce({ RATE_PER_MINUTE: '3' }));
  const storeId = await newStore(shop);
  const [member, other] = [await newMember(shop, storeId, 'admin'), await newMember(shop, storeId, 'admin')];
  const { token: apiToken } = await newApiToken(shop, storeId);
  const service = shop.storeAuth.serviceToken('bot-engine', storeId);
  const ask = async (token: string, path = '/api/products') => (await shop.call('GET', path, token)).status;
  for (const token of [member.token, apiToken])
    expect([await ask(token), await ask(token), await ask(token), await ask(token)]).toEqual([200, 200, 200, 429]);
  expect(await ask(member.token, '/api/warehouse')).toBe(429);
  expect(await ask(other.token)).toBe(200);
  for (let times = 0; times < 5; times++) expect(await ask(service)).toBe(200);
  const me = [0, 1, 2, 3].map(() => ask(other.token, '/api/test'));
  expect((await Promise.all(me)).sort()).toEqual([200, 200, 200, 429]);
});

it('who asks by pages is counted with what they ask by the API, and nobody else of their store', async () => {
  const shop = opened(await startCommerce({ RATE_PER_MINUTE: '4' }));
  const { browser, storeId } = await signedIn(shop);
  const other = await signedIn(shop, 'admin', storeId);
  const ask = async (path: string) => (await browser.get(path)).status;
  expect([await ask('/coupons'), await ask('/tags'), await ask('/contacts'), await ask('/orders')]).toEqual([
    ...[200, 200, 200, 200],
  ]);
  expect([await ask('/dashboard'), (await other.browser.get('/coupons')).status]).toEqual([429, 200]);
});

it('an address may ask so often a minute for another token', async () => {
  const { url } = opened(await startCommerce());
  const refresh = async () => (await caller(url)('/api/refresh', { method: 'POST', token: 'nobody' })).status;
  const asked = await Promise.all(Array.from({ length: 61 }, refresh));
  expect(asked.filter((status) => status === 429)).toHaveLength(1);
});

it('buyers whom a mobile network gives one address look at a shop, begin carts and wait for payments, and no address begins carts without end', async () => {
  const storeId = await newStore(commerce, [{ sku: 'N' }]);
  const [{ id: variant_id = '' } = {}] = await variantsOf(storeId);
  const payPath = await orderedIn(storeId, variant_id);
  const all = async (times: number, ask: () => Promise<{ readonly status: number }>) => {
    const answers = await Promise.all(Array.from({ length: times }, ask));
    return Object.fromEntries(
      [...new Set(answers.map(({ status }) => status))].map((status) => [
        ...[status, answers.filter((answer) => answer.status === status).length],
      ]),
    );
  };
  const get = (path: string) => () => openBrowser(commerce).get(path);
  expect(await all(200, get(`/s/${storeId}`))).toEqual({ 200: 200 });
  expect(await all(200, get(payPath))).toEqual({ 200: 200 });
  expect(await all(200, get(`${payPath}/status`))).toEqual({ 303: 200 });
  const begin = () => openBrowser(commerce).send(`/s/${storeId}/cart`, { variant_id, qty: '1' });
  expect(await all(125, begin)).toEqual({ 303: 120, 429: 5 });
});

/** Requests that all wait for what a statement locks, more than there are connections, and meanwhile one of another store. */
const whileWaiting = async (lock: string, ask: (at: number) => Promise<{ readonly status: number }>) => {
  const quiet = await newStore(commerce, [{ sku: 'Q' }]);
  const { pool } = commerce.app.database;
  const { status, waiting } = await commerce.database.tx(async (tx) => {
    await tx.query(lock);
    const asked = Array.from({ length: 2 * pool.options.max }, (_, at) => ask(at));
    await until(
      () => lockWaiters(tx),
      (waiters) => waiters >= pool.options.max / 2,
    );
    const answer = await commerce.get('/api/warehouse', bearer(commerce.storeAuth.userToken({ store_id: quiet })));
    return { status: answer.status, waiting: asked };
  });
  return { status, answers: new Set((await Promise.all(waiting)).map((answer) => answer.status)) };
};

const variantsOf = (storeId: string) =>
  commerce.database.query<{ id: string }>('SELECT id FROM variant WHERE store_id = $1', [storeId]);
/** Where an order of one unit is paid. */
const orderedIn = async (storeId: string, variant_id: string | undefined): Promise<string> => {
  const placed = await commerce.call('POST', '/api/order', commerce.storeAuth.userToken({ store_id: storeId }), {
    ...{ contact: { name: 'Budi', phone: '6281234567890' }, address: { line: 'Jl. Dago 1', city: 'Bandung' } },
    ...{ items: [{ variant_id, qty: 1 }], payment_method: 'transfer' },
  });
  const { pay_url } = (placed.body as { readonly data: { readonly pay_url: string } }).data;
  return `/pay/${pay_url.split('/pay/')[1]}`;
};
const rowsOf = (table: string, storeId: string): string =>
  `SELECT 1 FROM ${table} WHERE store_id = '${storeId}' FOR UPDATE`;

it('a store whose requests all wait leaves connections to the others, and gets every answer in the end', async () => {
  const noisy = await newStore(commerce, [{ sku: 'N' }]);
  const token = commerce.storeAuth.userToken({ store_id: noisy });
  const [{ id } = { id: '' }] = await commerce.database.query<{ id: string }>(
    'SELECT id FROM product WHERE store_id = $1',
    [noisy],
  );
  const change = (at: number) => commerce.call('PUT', `/api/products/${id}`, token, { name: `Name ${at}` });
  expect(await whileWaiting(rowsOf('product', noisy), change)).toEqual({ status: 200, answers: new Set([200]) });
});

it('the pages of a store whose forms all wait leave connections to the others, and every form is answered in the end', async () => {
  const { browser, storeId } = await signedIn(commerce);
  await browser.get('/coupons');
  const { location = '' } = await browser.post('/coupons', { code: 'HEMAT10', kind: 'percent', value: '10' });
  await browser.get(location);
  const form = { ...browser.hidden(location), action: 'save', status: 'active' };
  const change = (at: number) => browser.send(location, { ...form, _idem: `form-${at}`, value: String(at + 1) });
  // All have seen the coupon as it was: the first changes it
  expect(await whileWaiting(rowsOf('coupon', storeId), change)).toEqual({ status: 200, answers: new Set([303, 409]) });
});

it('the buyers of a store whose carts all wait leave connections to the others, and get every answer in the end', async () => {
  const noisy = await newStore(commerce, [{ sku: 'N' }]);
  const begun = await commerce.post('/api/checkout/session', { store_slug: noisy });
  const { token } = (begun.body as { data: { token: string } }).data;
  const change = () => commerce.call('PUT', `/api/checkout/session/${token}/items`, undefined, { items: [] });
  expect(await whileWaiting(rowsOf('checkout_session', noisy), change)).toEqual({
    status: 200,
    answers: new Set([200]),
  });
});

it('the buyers of an order that all wait to pay it leave connections to the others, and every form is answered in the end', async () => {
  const storeId = await newStore(commerce, [{ sku: 'N' }]);
  const [{ id: variant_id } = {}] = await variantsOf(storeId);
  const path = `${await orderedIn(storeId, variant_id)}/proof`;
  const browser = openBrowser(commerce);
  const pay = () => browser.send(path, { action: 'pay', method: 'a' });
  expect(await whileWaiting(rowsOf('sales_order', storeId), pay)).toEqual({ status: 200, answers: new Set([409]) });
});

it('the visitors of a link that sells leave connections to the others, and each has a cart in the end', async () => {
  const storeId = await newStore(commerce, [{ sku: 'N' }]);
  const [{ id: variant_id } = {}] = await variantsOf(storeId);
  const token = commerce.storeAuth.userToken({ store_id: storeId });
  const link = { name: 'Promo', lines: [{ variant_id, qty: 1, editable: true }] };
  const { body } = await commerce.call('POST', '/api/checkout/links', token, link);
  const { code } = (body as { readonly data: { readonly code: string } }).data;
  const visit = () => openBrowser(commerce).get(`/l/${code}`);
  expect(await whileWaiting(rowsOf('checkout_link', storeId), visit)).toEqual({
    status: 200,
    answers: new Set([303]),
  });
});

it.each(['', '/products'])('the visitors of a public shop%s leave connections to the other stores', async (path) => {
  const noisy = await newStore(commerce, [{ sku: 'N' }]);
  const visit = () => commerce.get(`/api/store/public/${noisy}${path}`);
  const addresses = 'LOCK TABLE global_key IN ACCESS EXCLUSIVE MODE';
  expect(await whileWaiting(addresses, visit)).toEqual({ status: 200, answers: new Set([200]) });
});
