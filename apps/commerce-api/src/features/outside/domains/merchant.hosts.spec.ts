import { request } from 'node:http';
import { useRunning } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { newStore, startCommerce } from '../../../commerce.fixture';

const commerce = useRunning(() =>
  startCommerce({ SHOP_DOMAIN: 'shops.id', INGRESS_SECRET: 'a secret of the ingress' }),
);

/** `fetch` sends the Host of its address whatever one gives it. */
const answerAt = (host: string, path: string, { method = 'GET', token = '', more = {} } = {}) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = { host, ...more, ...(token && { authorization: `Bearer ${token}` }) };
    request(commerce.url + path, { method, headers }, (answer) => {
      void answer.toArray().then((chunks) => {
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks as Buffer[]).toString('utf8') });
      }, reject);
    })
      .on('error', reject)
      .end();
  });
const statusAt = async (...asked: Parameters<typeof answerAt>): Promise<number> => (await answerAt(...asked)).status;

const BIND = `
  INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('host', $1, $2, $3)
  ON CONFLICT (kind, value) DO UPDATE SET store_id = EXCLUDED.store_id`;
const merchant = async (host: string) => {
  const storeId = await newStore(commerce, [{ sku: 'A' }]);
  await commerce.database.query(BIND, [host, storeId, uuidv7()]);
  return { storeId, token: commerce.storeAuth.userToken({ store_id: storeId }) };
};

describe("on a merchant's host", () => {
  it.each([
    'toko.alpha.com',
    'TOKO.alpha.com.',
    'toko.alpha.com:8443',
    'Toko.Alpha.com.:8443',
    'toko.alpha.com:',
    'toko.alpha.com.:',
  ])('%s the back office is 404, also for its owner', async (host) => {
    const { token } = await merchant('toko.alpha.com');
    for (const path of [
      '/api/store',
      '/api/products',
      '/api/wallet',
      '/api/settings/webhooks',
      '/api/auth/me',
      '/api/profile',
    ])
      expect([path, await statusAt(host, path, { token })]).toEqual([path, 404]);
    for (const path of ['/api/auth/login', '/api/refresh', '/api/order'])
      expect([path, await statusAt(host, path, { method: 'POST', token })]).toEqual([path, 404]);
  });

  it('what buyers need is served', async () => {
    const { storeId } = await merchant('buyers.alpha.com');
    expect(await statusAt('buyers.alpha.com', `/api/store/public/${storeId}`)).toBe(200);
    expect(await statusAt('buyers.alpha.com', `/api/store/public/${storeId}/products`)).toBe(200);
  });

  it('its shop stands at the root, with what it sells and its cart, and follows its name', async () => {
    const { storeId } = await merchant('root.alpha.com');
    const slug = `root-${storeId.slice(-12).toLowerCase()}`;
    await commerce.database.query("UPDATE store SET name = 'Toko Akar', slug = $2 WHERE store_id = $1", [
      storeId,
      slug,
    ]);
    await commerce.database.query(
      "INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('slug', $2, $1::text, $1::text)",
      [storeId, slug],
    );
    const more = { accept: 'text/html' };
    for (const host of ['root.alpha.com', 'ROOT.alpha.com.:443', `${slug}.shops.id`])
      for (const path of ['/', '/?utm_source=ig', '/products', '/products?q=a', '/cart']) {
        const { status, text } = await answerAt(host, path, { more });
        expect([host, path, status, text.includes('Toko Akar')]).toEqual([host, path, 200, true]);
      }
    expect(await statusAt('root.alpha.com', '/products/none', { more })).toBe(404);
    expect(await statusAt('root.alpha.com', '/products', { more, method: 'POST' })).toBe(404);
    for (const path of ['/login', '/dashboard', '/orders', '/products/create/x', '/chats'])
      expect([path, await statusAt('root.alpha.com', path, { more })]).toEqual([path, 404]);
  });

  it('that leads to no shop any more there is a page that says so, not our own', async () => {
    const { storeId } = await merchant('gone.alpha.com');
    await commerce.database.query("UPDATE store SET status = 'suspended' WHERE store_id = $1", [storeId]);
    for (const host of ['gone.alpha.com', 'nobody-has-this.shops.id']) {
      const { status, text } = await answerAt(host, '/', { more: { accept: 'text/html', 'accept-language': 'id' } });
      expect([host, status, text.includes('Link ini tidak membuka apa pun')]).toEqual([host, 404, true]);
    }
  });

  it('no other shop is shown, nothing of it leads away, and nobody becomes staff', async () => {
    const { storeId } = await merchant('trusted.alpha.com');
    const other = await newStore(commerce, [{ sku: 'B' }]);
    const key = 'INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING';
    for (const store of [storeId, other])
      for (const kind of ['biolink', 'checkout_link', 'tracker'])
        await commerce.database.query(key, [kind, `${kind}-${store.slice(-8)}`.toLowerCase(), store, uuidv7()]);
    const more = { accept: 'text/html', 'user-agent': 'curl/8' };
    const foreign = [`/s/${other}`, `/s/${other}/products`, `/s/${other}/cart`, `/b/biolink-${other.slice(-8)}`];
    for (const path of [...foreign, `/l/checkout_link-${other.slice(-8)}`, `/t/tracker-${other.slice(-8)}`]) {
      const { status, text } = await answerAt('trusted.alpha.com', path, { more });
      expect([path, status, text.includes('Link ini tidak membuka apa pun')]).toEqual([path, 404, false]);
    }
    expect(await statusAt('trusted.alpha.com', `/s/${storeId}`, { more })).toBe(200);
    expect(await statusAt('shop.example', `/s/${other}`, { more })).toBe(200);
    expect(await statusAt('trusted.alpha.com', '/invitation/abc', { more })).toBe(404);
    expect(await statusAt('trusted.alpha.com', '/api/team/invitation/accept', { method: 'POST' })).toBe(404);
  });

  it('no link to something of another shop opens: its carts, orders, downloads and tickets', async () => {
    const { storeId } = await merchant('links.alpha.com');
    const other = await newStore(commerce, [{ sku: 'B' }]);
    const [mac, bits] = ['a'.repeat(64), 'b'.repeat(43)];
    const linksOf = async (store: string): Promise<string[]> => {
      const order = uuidv7();
      const key = `INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('order', $1, $2, $1)`;
      await commerce.database.query(key, [order, store]);
      const [link, pay] = [`${store}.${uuidv7()}.${bits}`, `${order}.1900000000.${mac}`];
      const ticket = `${Buffer.from(`${store}.${uuidv7()}`).toString('base64url')}.1900000000.${mac}`;
      const cart = ['', '/shipping'].map((more) => `/checkout/${link}${more}`);
      const paid = ['', '/status', '/finish'].map((more) => `/pay/${pay}${more}`);
      return [...cart, ...paid, `/track/${pay}`, `/invoice/${pay}`, `/download/${link}`, `/feedback/${ticket}`];
    };
    const more = { accept: 'text/html', 'accept-language': 'id' };
    const hidden = async (host: string, paths: readonly string[]) => {
      const answers = await Promise.all(paths.map((path) => answerAt(host, path, { more })));
      return answers.map(({ status, text }) => status === 404 && text.includes('Halaman tidak ditemukan'));
    };
    const [mine, foreign] = [await linksOf(storeId), await linksOf(other)];
    expect(await hidden('links.alpha.com', foreign)).toEqual(foreign.map(() => true));
    expect(await hidden('links.alpha.com', mine)).toEqual(mine.map(() => false));
    expect(await hidden('shop.example', foreign)).toEqual(foreign.map(() => false));
  });

  it('nothing that a client says of other hosts opens the back office, and on another host nothing closes it', async () => {
    const { token } = await merchant('said.alpha.com');
    const ways = ['x-forwarded-host', 'x-host', 'x-original-host', 'forwarded', 'x-http-host-override'];
    for (const way of ways)
      for (const [host, said, status] of [
        ['said.alpha.com', 'shop.example', 404],
        ['shop.example', 'said.alpha.com', 200],
      ] as const) {
        const more = { [way]: way === 'forwarded' ? `host=${said}` : said };
        expect([way, host, await statusAt(host, '/api/store', { token, more })]).toEqual([way, host, status]);
      }
  });

  it('a subdomain of the shops is one, but for the names of the platform', async () => {
    const { token } = await merchant('other.alpha.com');
    expect(await statusAt('toko-nusa.shops.id', '/api/store', { token })).toBe(404);
    expect(await statusAt('app.shops.id', '/api/store', { token })).toBe(200);
  });
});

it.each(['shop.example', '127.0.0.1', 'commerce-api', 'commerce-api.default.svc', 'nobody.example.com', '[::1]'])(
  'on %s, which is no merchant, the back office is served',
  async (host) => {
    const storeId = await newStore(commerce, [{ sku: 'A' }]);
    const token = commerce.storeAuth.userToken({ store_id: storeId });
    expect(await statusAt(host, '/api/store', { token })).toBe(200);
  },
);
