import { registrationsOf } from '@platform/http';
import { demoShop, NOW, useCommerce } from '../../commerce.fixture';
import { OWNER_ID } from '../../clients/store-auth.fake';

const commerce = useCommerce();
const query = <Row extends object>(text: string) => commerce.database.query<Row>(text, ['S1']);

beforeAll(async () => {
  commerce.storeAuth.users.set('owner@toko-nusa.example', { id: OWNER_ID, password: 'a good passphrase' });
  const login = { type: 'login', ip: '203.0.113.7', user_agent: 'a browser', sid_hash: null } as const;
  commerce.storeAuth.history.push({ at: NOW, ...login });
  const soldOut = { ...demoShop.products[0], sku: 'HABIS', name: 'Sepatu Habis', stock: 0 };
  const chat = {
    ...{ team: { id: '3', nama: 'Customer Service' }, instance: 'dev1' },
    device: { nama: 'Toko Nusa', nohp: '628110000001' },
  };
  await commerce.seed({ ...demoShop, ...chat, products: [...demoShop.products, soldOut], days: 90 });
});

describe('to its owner the demo shop shows', () => {
  const token = () => commerce.storeAuth.userToken({ sub: OWNER_ID });
  const get = async (path: string) => {
    const { status, body } = await commerce.call('GET', path, token());
    return { status, body: body as { data?: unknown } | string };
  };
  const SAMPLES: Readonly<Record<string, string>> = {
    '/api/products/{id}': 'SELECT product_id AS id FROM product_image',
    '/api/contact/{id}': 'SELECT contact_id AS id FROM sales_order',
    '/api/contact/phone/{phone}': 'SELECT phone AS id FROM contact_phone',
    '/api/coupon/{id}': 'SELECT coupon_id AS id FROM coupon_redemption',
    '/api/order/{id}': 'SELECT order_id AS id FROM payment',
    '/api/order/number/{orderNumber}': 'SELECT number AS id FROM sales_order',
    '/api/payment/{id}': 'SELECT id FROM payment',
    '/api/wallet/topup/{id}': `SELECT id FROM invoice WHERE kind = 'topup'`,
    '/api/wallet/withdraw/{id}': 'SELECT id FROM withdrawal',
    '/api/shipping/shipments/{id}': `SELECT id FROM shipment WHERE direction = 'out'`,
    '/api/digital-store/{id}': 'SELECT product_id AS id FROM license_key',
    '/api/warehouse/{id}': 'SELECT id FROM warehouse',
    '/api/variant_product/sku/{sku}': 'SELECT sku AS id FROM variant',
    '/api/settings/{group}': 'SELECT name AS id FROM setting',
    '/api/variant_product': 'SELECT product_id AS id FROM product_image',
    '/api/package/{id}': `SELECT p.id FROM plan p CROSS JOIN store WHERE p.family = 'legacy'`,
    '/api/new-package/{id}': `SELECT p.id FROM plan p CROSS JOIN store WHERE p.family = 'new'`,
    '/api/subscription/invoices/{id}': `SELECT id FROM invoice WHERE kind = 'subscription'`,
    '/api/store/public/{slug}': 'SELECT slug AS id FROM store',
    '/api/team_chat/{id}': 'SELECT id FROM chat_team',
    '/api/device/{id}': 'SELECT id FROM device',
    '/api/teamchat/rooms/{id}': 'SELECT id FROM staff_room',
    '/api/tracker/{id}': 'SELECT id FROM tracker_link',
    '/api/custom_domain/{id}': 'SELECT id FROM domain_binding',
    '/api/biolink/{id}': 'SELECT id FROM biolink',
    '/api/link/analytic': 'SELECT id FROM tracker_link',
  };
  const SPAN = `?from=${NOW.slice(0, 8)}01&to=${NOW.slice(0, 10)}`;
  /** What a page has to be asked for. */
  const QUERIES: Readonly<Record<string, string>> = {
    '/api/wallet/statement': `?month=${NOW.slice(0, 7)}`,
    '/api/domain/check': '?subdomain=toko-baru',
    '/api/report/sales': SPAN,
    '/api/report/products': SPAN,
    '/api/report/payments': SPAN,
  };
  const pathOf = async (path: string): Promise<string> => {
    if (path in QUERIES) return `${path}${QUERIES[path]}`;
    const sample = Object.keys(SAMPLES)
      .filter((known) => path.startsWith(known))
      .toSorted((one, other) => other.length - one.length)[0];
    if (!sample) return path;
    const [row] = await query<{ id: string }>(
      `SELECT * FROM (SELECT * FROM (${SAMPLES[sample]?.replace('SELECT ', 'SELECT store_id, ')}) s) s WHERE store_id = $1 LIMIT 1`,
    );
    return path === '/api/variant_product' ? `${path}?product_id=${row?.id}` : path.replace(/\{\w+\}/, row?.id ?? '');
  };
  /**
   * Nothing here belongs to the shop: a question without a shop, a cart and files that an import has, what the bot asks and providers told;
   * what chat-backend, bot-engine, the gateway and couriers have; what it would tell others, as it tells nobody anything.
   */
  const OTHERS = [
    '/api/test',
    '/api/crm',
    '/api/checkout/session',
    '/import/{jobId}',
    '/blob/',
    '/digital-store/download',
  ]
    .concat('/engine-bot/', '/api/pay_a/status', '/api/pay_c/status', '/api/logs/webhook', '/api/domain/resolve')
    .concat('/api/agent', '/api/report/agents', '/api/broadcast', '/api/ticketing-feedback', '/api/device/{id}/')
    .concat('/api/ship_a/', '/api/settings/webhooks', '/api/pixel/{id}/events', '/api/report/export')
    .concat('/api/livechat/conversations', '/api/wa/groups');
  const sizeOf = (data: unknown): number => {
    if (Array.isArray(data)) return data.length;
    return typeof data === 'object' && data !== null ? Object.keys(data).length : String(data ?? '').length;
  };

  it('something on every page that its service has', async () => {
    const routes = registrationsOf(commerce.app).filter(
      ({ endpoint, path }) =>
        endpoint.method === 'get' && path.startsWith('/api/') && !OTHERS.some((other) => path.includes(other)),
    );
    const empty: unknown[] = [];
    for (const { path } of routes) {
      const asked = await pathOf(path);
      const { status, body } = await get(asked);
      const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
      if (status !== 200 || sizeOf(data) === 0) empty.push({ asked, status, body });
    }
    expect(empty).toEqual([]);
    expect(routes.length).toBeGreaterThan(45);
  });

  it.each([
    ['/api/products?q=kaos', 3],
    ['/api/products?low_stock=true', 3],
    ['/api/products?q=spatu', 1],
    ['/api/contact?q=santoso', 1],
    ['/api/contact?min_orders=3', 20],
    ['/api/contact?city=Bandung', 5],
    ['/api/order?q=inv-26', 50],
    ['/api/order?status=processing', 3],
    ['/api/order?payment_status=expired', 5],
    ['/api/shipping/shipments?status=in_transit', 3],
    ['/api/shipping/shipments?direction=return', 1],
    ['/api/payment?provider=cod', 10],
  ])('enough when it is asked for %s', async (path, least) => {
    const { body } = await get(path);
    expect((body as unknown as { meta: { total: number } }).meta.total).toBeGreaterThanOrEqual(least);
  });

  it('pictures of its goods, which anybody can see', async () => {
    const [{ url } = { url: '' }] = await query<{ url: string }>(
      'SELECT url FROM product_image WHERE store_id = $1 ORDER BY url LIMIT 1',
    );
    const answer = await fetch(url.replace('https://shop.example', commerce.url));
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect([bytes.subarray(0, 8).toString('hex'), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
      '89504e470d0a1a0a',
      240,
      240,
    ]);
  });
});
