import { until } from '@platform/testing';
import type { Commerce } from '../commerce.fixture';
import { DownloadLinks } from '../features/digital/deliveries/download.links';
import { BUYER, LONG, type Maker } from './pages.shop.fixture';

/** Calls the API as the owner of the shop. */
const asOwner = ({ storeId, userId }: Parameters<Maker>[0], commerce: Commerce) => {
  const token = commerce.storeAuth.userToken({ sub: userId, store_id: storeId });
  return async <T = { id: string }>(method: string, path: string, body?: object): Promise<T> =>
    ((await commerce.call(method, `/api${path}`, token, body)).body as { readonly data: T }).data;
};

/** A digital product with a file and a key. */
const downloadable: Maker = async ({ browser }) => {
  await browser.get('/digital-products');
  const fields = { name: `E-book ${LONG}`.slice(0, 150), price: '999999999999', status: 'active' };
  const path = String((await browser.post('/digital-products', fields)).location);
  await browser.get(path);
  await browser.attach(path, { action: 'file' }, '%PDF-1.7 buku', `${LONG}.pdf`);
  await browser.get(path);
  await browser.attach(
    `${path}/keys`,
    { action: 'keys' },
    `${LONG.slice(0, 90).replaceAll('\u202e', '')}\n`,
    'keys.txt',
  );
  return path;
};

const DELIVERY = `SELECT d.id, d.issue FROM digital_delivery d WHERE d.store_id = $1 AND d.asset_id IS NOT NULL`;

/** What the buyer of a digital product was sent. */
const delivered: Maker = async (shop, commerce) => {
  const { database, config } = commerce;
  const ask = asOwner(shop, commerce);
  const find = `SELECT v.id FROM variant v JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id
    WHERE v.store_id = $1 AND p.kind = 'digital'`;
  const [{ id: variant_id } = {}] = await database.query<{ id: string }>(find, [shop.storeId]);
  const contact = { name: LONG, phone: BUYER, email: 'buyer@toko-nusa.example' };
  const order = { contact, payment_method: 'cash', items: [{ variant_id, qty: 1 }] };
  const { id: order_id } = await ask('POST', '/order', order);
  await ask('POST', '/order/change_payment_status', { order_id, status: 'paid', method: 'cash' });
  const [issued] = await until(
    () => database.query<{ id: string; issue: string }>(DELIVERY, [shop.storeId]),
    (rows) => rows.length > 0,
  );
  const links = new DownloadLinks({ secret: `downloads of ${config.PAY_LINK_SECRET}`, publicUrl: '' });
  return `/download/${links.tokenOf({ storeId: shop.storeId, id: '', issue: '', ...issued })}`;
};

/** One block of each kind. */
const blocksWith = (goods: { readonly product_id: string; readonly checkout_link_id: string }) => {
  const [title, url] = [LONG.slice(0, 80), `https://toko-nusa.example/${'katalog-'.repeat(12)}`];
  const links = (['instagram', 'tiktok'] as const).map((network) => ({ network, url }));
  return Object.entries({
    ...{ heading: { title }, link: { title, url }, product: { product_id: goods.product_id }, video: { url } },
    ...{ checkout: { checkout_link_id: goods.checkout_link_id }, qr: { url }, social: { links } },
    whatsapp: { title: 'Chat', phone: BUYER, text: LONG },
  });
};

/** A page of links that everybody sees. */
const linked: Maker = async (shop, commerce) => {
  const ask = asOwner(shop, commerce);
  const theme = { background: '#ffffff', accent: '#0b6b45', shape: 'pill' };
  const own = { slug: `b-${shop.storeId}`, title: LONG.slice(0, 80), bio: LONG, theme };
  const { id } = await ask('POST', '/biolink', own);
  const find = `SELECT id FROM product WHERE store_id = $1 AND status = 'active'`;
  const [{ id: product_id } = { id: '' }] = await commerce.database.query<{ id: string }>(find, [shop.storeId]);
  const [{ id: checkout_link_id } = { id: '' }] = await ask<{ id: string }[]>('GET', '/checkout/links');
  for (const [kind, data] of blocksWith({ product_id, checkout_link_id }))
    await ask('POST', `/biolink/${id}/links`, { kind, data });
  await ask('PUT', `/biolink/${id}/publish`, { published: true });
  return `/biolinks/${id}`;
};

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** A short link, a pixel, a domain and a file, each as long as it may be. */
const ofEach: Maker = async (shop, commerce) => {
  const ask = asOwner(shop, commerce);
  const target = `https://toko-nusa.example/${'katalog-'.repeat(12)}`;
  await ask('POST', '/tracker', { target, utm: { source: LONG, campaign: LONG } });
  const events = ['page_view', 'view_content', 'add_to_cart', 'checkout', 'purchase'];
  await ask('POST', '/pixel', { kind: 'meta', pixel_ref: '12345678901234567890', events });
  await ask('POST', '/custom_domain', { host: `${'toko-nusa-'.repeat(5)}x.${shop.storeId.slice(-12)}.example.com` });
  await shop.browser.get('/media');
  await shop.browser.attach('/media', { action: 'upload', purpose: 'logo' }, PNG, `${LONG}.png`);
  return '/media';
};

/** Rows of the pages by which a shop is found, and of what it sells without a parcel. */
export const MARKET: readonly (readonly [path: string, make: Maker])[] = [
  ['/media', ofEach],
  ['/digital-products/{id}', downloadable],
  ['/download/{token}', delivered],
  ['/biolinks/{id}', linked],
  [
    '/s/{slug}/pages/{page}',
    async ({ storeId }, { database }) => {
      await database.query('UPDATE store SET description = $2 WHERE store_id = $1', [storeId, `${LONG} `.repeat(9)]);
      return `/s/${storeId}/pages/about`;
    },
  ],
  ['/b/{slug}', ({ storeId }) => Promise.resolve(`/b/b-${storeId}`)],
];
