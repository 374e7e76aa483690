import { registrationsOf, type Registration } from '@platform/http';
import { loadConfig, silentLogger, uuidv7 } from '@platform/runtime';
import { createApp } from '../app';
import { NOW, type Commerce } from '../commerce.fixture';
import { settings } from '../config';
import { FAKE_CHAT } from '../clients/chat.inbox.fake';
import { FAKE_TICKET } from '../clients/chat.tickets.fake';
import { abandonIdle } from '../features/checkout/abandoned/abandoned.sql';
import { fund } from '../features/billing/billing.fixture';
import { conversationIdOf } from '../features/inbox/conversations/public';
import { insertWithdrawal } from '../features/wallet/withdrawals/withdrawals.sql';
import { feedbackToken } from '../features/tickets/feedback.token';
import { accountRows } from './account.rows.fixture';
import { openBrowser, signedIn } from './browser.fixture';
import { MARKET } from './pages.market.fixture';
import { BUYER, LONG, type Maker } from './pages.shop.fixture';

/** The routes of pages as they are composed, connected to nothing. */
export const pageRoutes: readonly Registration[] = registrationsOf(
  createApp(
    loadConfig(settings, {
      DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
      STORE_AUTH_URL: 'http://127.0.0.1:1',
      SERVICE_CLIENT_SECRET: 's',
    }),
    { logger: silentLogger },
  ),
).filter(({ endpoint }) => endpoint.isPage);

/** Links of pages lead to files, too, and to other places. */
export const isFile = ({ path }: Pick<Registration, 'path'>): boolean =>
  /\/(export|statement)$|\.(js|xml)$/.test(path) || path.startsWith('/t/') || path.includes('/go/');

const PARAMETER = /\{\w+\}/g;

/** The route of an address; the one without parameters first, as it is mounted. */
export const routeOf = (path: string, method: string): Registration | undefined => {
  const fits = (pattern: string) => new RegExp(`^${pattern.replace(PARAMETER, '[^/]+')}$`).test(path);
  const all = pageRoutes.filter(({ endpoint, path: pattern }) => endpoint.method === method && fits(pattern));
  return all.find((route) => !PARAMETER.test(route.path)) ?? all[0];
};

export { BUYER, LONG };

/** What the shop of the pages holds: a row for each route that shows one, by the route's path. */
export type Rows = Readonly<Record<string, string>>;

/** The address under `prefix` that the buyer of the shop's order was sent. */
const linkOf =
  (prefix: string): Maker =>
  async ({ storeId, userId }, commerce) => {
    const token = commerce.storeAuth.userToken({ sub: userId, store_id: storeId });
    const ask = async (path: string) => (await commerce.call('GET', path, token)).body as { readonly data: never };
    const [{ id }] = (await ask('/api/order')).data as [{ readonly id: string }];
    const { pay_url } = (await ask(`/api/order/${id}`)).data as { readonly pay_url: string };
    return `${prefix}/${pay_url.split('/pay/')[1]}`;
  };

/** How the row of each route is made; resolves to its address. */
const MADE: Readonly<Record<string, Maker>> = {
  '/chats/{id}': ({ storeId }) =>
    Promise.resolve(
      `/chats/${conversationIdOf({ ...FAKE_CHAT, nohp: BUYER, chatId: `${storeId}.${FAKE_CHAT.chatId}` })}`,
    ),
  '/coupons/{id}': async ({ browser }) => {
    await browser.get('/coupons');
    const fields = { code: 'PELANGGAN-SETIA_PALING-LAMA-2026', kind: 'fixed', value: '999999999999' };
    return String((await browser.post('/coupons', { ...fields, min_subtotal: '999999999999' })).location);
  },
  '/products/{id}': async ({ browser }) => {
    await browser.get('/products/create');
    const fields = { name: LONG, price: '999999999999', weight_g: '350', description: `${LONG} `.repeat(4) };
    const { location = '' } = await browser.post('/products', { ...fields, kind: 'physical', status: 'active' });
    const { text } = await browser.get(location);
    const chosen = (name: string) => new RegExp(`name="${name}"[^>]*><option value="([^"]+)"`).exec(text)?.[1] ?? '';
    const [variant_id, warehouse_id] = [chosen('variant_id'), chosen('warehouse_id')];
    const counted = { action: 'stock', variant_id, warehouse_id, on_hand: '9999999', reason: 'found', note: LONG };
    await browser.post(`${location}/stock`, counted);
    return location;
  },
  '/contacts/{id}': async ({ browser }) => {
    await browser.get('/contacts');
    const { location = '' } = await browser.post('/contacts', { name: LONG, phone: '0812-3456-7891', email: '' });
    await browser.get(location);
    await browser.post(location, { action: 'note', text: `${LONG} `.repeat(4) });
    return location;
  },
  '/orders/{id}': async ({ storeId, userId }, commerce) => {
    const token = commerce.storeAuth.userToken({ sub: userId, store_id: storeId });
    const [{ id: variant_id } = {}] = await commerce.database.query<{ id: string }>(
      'SELECT id FROM variant WHERE store_id = $1',
      [storeId],
    );
    const address = { line: LONG, district: 'Coblong', city: 'Bandung', province: 'Jawa Barat', postcode: '40135' };
    const { body } = await commerce.call('POST', '/api/order', token, {
      ...{ contact: { name: LONG, phone: BUYER }, address, payment_method: 'transfer', note: LONG },
      items: [{ variant_id, qty: 1 }],
    });
    const { id } = (body as { readonly data: { readonly id: string } }).data;
    await commerce.call('POST', `/api/order/${id}/notes`, token, { text: `${LONG} `.repeat(4) });
    return `/orders/${id}`;
  },
  '/s/{slug}/products/{productSlug}': async ({ storeId }, commerce) => {
    const [{ slug } = {}] = await commerce.database.query<{ slug: string }>(
      'SELECT slug FROM product WHERE store_id = $1',
      [storeId],
    );
    return `/s/${storeId}/products/${slug}`;
  },
  '/s/{slug}': ({ storeId }) => Promise.resolve(`/s/${storeId}`),
  '/l/{code}': async ({ storeId, userId }, commerce) => {
    const token = commerce.storeAuth.userToken({ sub: userId, store_id: storeId });
    const [{ id: variant_id } = {}] = await commerce.database.query<{ id: string }>(
      'SELECT id FROM variant WHERE store_id = $1',
      [storeId],
    );
    const link = { name: LONG.slice(0, 80), lines: [{ variant_id, qty: 1, editable: true }] };
    const { body } = await commerce.call('POST', '/api/checkout/links', token, link);
    return `/l/${(body as { readonly data: { readonly code: string } }).data.code}`;
  },
  '/checkout/{token}': async ({ storeId }, commerce) => {
    const [{ code } = {}] = await commerce.database.query<{ code: string }>(
      'SELECT code FROM checkout_link WHERE store_id = $1',
      [storeId],
    );
    return String((await openBrowser(commerce).get(`/l/${code}`)).location);
  },
  '/feedback/{token}': ({ storeId }, { config }) => {
    const token = feedbackToken(config.PAY_LINK_SECRET, `${storeId}.${uuidv7()}`, new Date(NOW));
    return Promise.resolve(`/feedback/${token}`);
  },
  '/pay/{token}': linkOf('/pay'),
  '/invoice/{token}': linkOf('/invoice'),
  '/track/{token}': linkOf('/track'),
};

/** A cart that somebody has left, by its id. */
const leftCart: Maker = async ({ storeId }, commerce) => {
  const [{ slug: store_slug } = {}] = await commerce.database.query<{ slug: string }>(
    'SELECT slug FROM store WHERE store_id = $1',
    [storeId],
  );
  const [{ id: variant_id } = {}] = await commerce.database.query<{ id: string }>(
    'SELECT id FROM variant WHERE store_id = $1',
    [storeId],
  );
  const begun = await commerce.call('POST', '/api/checkout/session', '', {
    store_slug,
    items: [{ variant_id, qty: 1 }],
  });
  const { token } = (begun.body as { readonly data: { readonly token: string } }).data;
  const buyer = { name: LONG, phone: BUYER };
  await commerce.call('PUT', `/api/checkout/session/${token}/address`, '', { buyer });
  await abandonIdle(commerce.database, new Date(commerce.clock.now().getTime() + 3_600_000));
  return `/abandoned-carts/${token.split('.')[1]}`;
};

/** A parcel of the order of the shop, by its id. */
const parcelled: Maker = async ({ storeId, userId }, commerce) => {
  const token = commerce.storeAuth.userToken({ sub: userId, store_id: storeId });
  const [{ id } = { id: '' }] = await commerce.database.query<{ id: string }>(
    'SELECT id FROM sales_order WHERE store_id = $1',
    [storeId],
  );
  await commerce.call('POST', '/api/order/change_payment_status', token, {
    order_id: id,
    status: 'paid',
    method: 'cash',
  });
  const { body } = await commerce.call('POST', `/api/order/${id}/waybill`, token, {
    courier: 'jne',
    waybill: 'JNE0001234567',
  });
  return `/shipments/${(body as { readonly data: { readonly id: string } }).data.id}`;
};
const stocked: Maker = async ({ storeId }, commerce) => {
  const find = 'SELECT id FROM warehouse WHERE store_id = $1';
  const [{ id } = {}] = await commerce.database.query<{ id: string }>(find, [storeId]);
  return `/warehouses/${id}`;
};

/** Money on its way to an account, by its id. */
const withdrawn: Maker = async ({ browser, storeId, userId }, commerce) => {
  await browser.get('/wallet/bank-accounts');
  const account = { action: 'add', bank_code: 'BCA', number: '5210009876', holder: LONG.slice(0, 90) };
  await browser.post('/wallet/bank-accounts', account);
  const find = 'SELECT id FROM bank_account WHERE store_id = $1';
  const [{ id: accountId } = {}] = await commerce.database.query<{ id: string }>(find, [storeId]);
  const id = uuidv7();
  const target = [accountId, 999_999_999, 2_500, 'IDR', 'BCA', 'sealed', '9876', LONG.slice(0, 90)];
  const values = [storeId, id, ...target, 'requested', `page ${id}`, userId, commerce.clock.now()];
  await insertWithdrawal(commerce.database, values);
  return `/wallet/withdraw/${id}`;
};

/** A plan with an add-on that is paid; resolves to the paths of both. */
const planned = async ({ storeId, userId }: Parameters<Maker>[0], commerce: Commerce) => {
  const token = commerce.storeAuth.userToken({ sub: userId, store_id: storeId });
  const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
    ((await commerce.call(method, `/api${path}`, token, body)).body as { readonly data: T }).data;
  const [plan] = await call<{ id: string }[]>('GET', '/new-package');
  const [addon] = await call<{ id: string }[]>('GET', '/addon');
  const choice = { plan_id: plan?.id, period: 'monthly', addon_ids: [addon?.id] };
  const bill = await call<{ id: string; amount: number }>('POST', '/subscription', choice);
  await fund(commerce, storeId, bill.amount);
  await call('POST', `/subscription/invoices/${bill.id}/pay`, { method: 'wallet' });
  const [item] = await call<{ id: string }[]>('GET', '/addon/active');
  return {
    '/billing/invoices/{id}': `/billing/invoices/${bill.id}`,
    '/billing/addons/{id}': `/billing/addons/${item?.id}`,
  };
};

/** A number of the shop, by its id. */
const linked: Maker = async ({ storeId }, commerce) => {
  const id = uuidv7();
  await commerce.database.query(
    `INSERT INTO device (store_id, id, instance_id, name, created_at, updated_at) VALUES ($1, $2, $3, $4, now(), now())`,
    [storeId, id, `dev-${id}`, LONG.slice(0, 60)],
  );
  return `/devices/${id}`;
};

/** A draft that is for everybody, of the number of the shop, by its id. */
const announced: Maker = async ({ browser, storeId }, commerce) => {
  const [{ id: device_id = '' } = {}] = await commerce.database.query<{ id: string }>(
    'SELECT id FROM device WHERE store_id = $1',
    [storeId],
  );
  await commerce.database.query(
    `INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
     VALUES ($1, '3', $2, 'cs', true, 'manual', now(), now())`,
    [storeId, LONG.slice(0, 60)],
  );
  await browser.get('/broadcasts/create');
  const fields = { name: LONG.slice(0, 80), device_id, 'audience[all]': 'true', 'message[text]': `${LONG} `.repeat(4) };
  return String((await browser.post('/broadcasts', fields)).location);
};

/** An AI agent, by its id. */
const taught: Maker = async ({ browser }) => {
  await browser.get('/agents');
  return String((await browser.post('/agents', { name: LONG.slice(0, 60), prompt: `${LONG} `.repeat(4) })).location);
};

const ALSO: readonly (readonly [path: string, make: Maker])[] = [
  ...accountRows,
  ['/abandoned-carts/{token}', leftCart],
  ['/wallet/withdraw/{id}', withdrawn],
  ['/shipments/{id}', parcelled],
  ['/warehouses/{id}', stocked],
  ['/devices/{id}', linked],
  ['/broadcasts/{id}', announced],
  ['/agents/{id}', taught],
  ['/tickets/{id}', ({ storeId }) => Promise.resolve(`/tickets/${storeId}.${FAKE_TICKET}`)],
  ...MARKET,
];

/** Words of the shop, as long as they may be: what it answers by itself, what is typed by a shortcut, what the staff say. */
const worded = async ({ browser, userId }: Parameters<Maker>[0]): Promise<void> => {
  const text = `${LONG} `.repeat(4);
  const sent: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
    [
      '/chatbot',
      { action: 'create', keywords: LONG.slice(0, 60), match: 'contains', 'reply[text]': text, active: 'true' },
    ],
    ['/templates', { action: 'add', shortcut: LONG.slice(0, 32), body: text }],
    ['/team-chat', { action: 'open', name: LONG.slice(0, 60), user_ids: userId }],
    ['/team-chat', { action: 'say', text }],
  ];
  for (const [path, fields] of sent) {
    await browser.get(path);
    await browser.post(path, fields);
  }
};

/** An owner who is signed in, and whose shop has something on every page. */
export const filledShop = async (commerce: Commerce) => {
  const shop = await signedIn(commerce);
  const rows: Record<string, string> = {};
  await shop.browser.get('/tags');
  await shop.browser.post('/tags', { action: 'create', name: LONG.slice(0, 40) });
  for (const [path, make] of [...Object.entries(MADE), ...ALSO]) rows[path] = await make(shop, commerce);
  await worded(shop);
  Object.assign(rows, await planned(shop, commerce));
  return { ...shop, rows };
};

/** The address of a route in this shop. Throws for a route that shows a row which nobody makes above. */
export const addressIn = (rows: Rows, path: string): string => {
  if (!path.includes('{')) return path;
  const known = Object.entries(rows);
  const shown = known.find(([row]) => path === row) ?? known.find(([row]) => path.startsWith(`${row}/`));
  if (!shown) throw new Error(`pages.fixture.ts makes no row for ${path}`);
  return path.replace(...shown);
};

/** The same address of a row that nobody has. */
export const addressOfNobody = (path: string): string => path.replace(PARAMETER, () => uuidv7());
