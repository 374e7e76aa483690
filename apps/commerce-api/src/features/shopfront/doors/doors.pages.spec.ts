// What of a shop stands on its own pages and on those of others: scripts, its policies, and its sitemap.
import { runInNewContext } from 'node:vm';
import { useRunning } from '@platform/testing';
import { ownStore } from '../../../asked.fixture';
import { startCommerce } from '../../../commerce.fixture';
import { openBrowser } from '../../../web/browser.fixture';
import { somebody } from '../../checkout/checkout.fixture';

const commerce = useRunning(() => startCommerce({ TRUST_PROXY: '127.0.0.1', SHOP_DOMAIN: 'toko.example' }));
const get = async (path: string, host?: string) => {
  const answer = await openBrowser(commerce).get(path, { ...somebody(), ...(host !== undefined && { host }) });
  const { status, headers } = answer;
  const body = answer as unknown as { readonly text?: string };
  return { status, headers, text: body.text ?? '' };
};

const shopOf = async () => {
  const shop = await ownStore(commerce, [{ name: 'Kaos & "Nusa"', price: 85_000 }]);
  const find = 'SELECT slug FROM store WHERE store_id = $1';
  const [{ slug } = { slug: '' }] = await commerce.database.query<{ slug: string }>(find, [shop.storeId]);
  const phone = `UPDATE store SET phone = '6281234567890', description = 'Toko baju' WHERE store_id = $1`;
  await commerce.database.query(phone, [shop.storeId]);
  return { ...shop, slug };
};

describe('the chat button of other websites', () => {
  it('is off until the shop switches it on, and then knows the look, the number and where it may stand', async () => {
    const { ask, slug } = await shopOf();
    const off = await get(`/widget.js?shop=${slug}`);
    expect([off.status, off.text]).toEqual([200, '/* off */']);
    const look = { title: '</script>"\u202eX', greeting: 'Halo', color: '#FFE000', position: 'left' };
    await ask('PUT', '/livechat/widget', { enabled: true, ...look, allowed_hosts: ['blog.example'] });
    const { text, headers } = await get(`/widget.js?shop=${slug}`);
    expect([headers['content-type'], headers['cache-control'], headers['cross-origin-resource-policy']]).toEqual([
      ...['text/javascript; charset=utf-8', 'public, max-age=300', 'cross-origin'],
    ]);
    const settings = JSON.parse(/\}\)\((\{.*\})\);$/s.exec(text)?.[1] ?? '{}') as object;
    expect(settings).toEqual({
      ...{ id: slug, href: 'https://wa.me/6281234567890', title: look.title, greeting: 'Halo', color: '#FFE000' },
      ...{ ink: '#14211b', position: 'left', hosts: ['blog.example'] },
    });
    expect(text.length).toBeLessThan(3_000);
  });

  it('of a shop that is not there is no script', async () =>
    expect((await get('/widget.js?shop=nobody-at-all')).status).toBe(404));
});

/** As much of a page as the script asks for; resolves to what it told, and to the names that it left behind. */
const played = async (script: string, page: { readonly href: string; readonly kept?: Record<string, string> }) => {
  const kept = new Map(Object.entries(page.kept ?? {}));
  const told: { readonly url: string; readonly body: Record<string, unknown> }[] = [];
  const world: Record<string, unknown> = {
    ...{ URL, URLSearchParams, crypto, navigator: {}, location: new URL(page.href) },
    document: {
      ...{ documentElement: { dataset: {} }, addEventListener: () => undefined, querySelectorAll: () => [] },
      currentScript: { src: 'https://shop.example/pixel.js?shop=x', dataset: { event: 'view_content' } },
    },
    localStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
    },
    fetch: (url: string, { body }: { readonly body: string }) => {
      told.push({ url, body: JSON.parse(body) as Record<string, unknown> });
      return Promise.resolve();
    },
  };
  const before = Object.keys(world);
  runInNewContext(script, world);
  runInNewContext(script, world);
  await Promise.resolve();
  return { told, kept, left: Object.keys(world).filter((name) => !before.includes(name)) };
};

describe('the script that counts visits', () => {
  it('tells each event once, although it stands there twice, and nothing of an address but its source', async () => {
    const { slug } = await shopOf();
    const { text, headers } = await get(`/pixel.js?shop=${slug}`);
    expect([headers['cache-control'], text.length < 3_000]).toEqual(['public, max-age=3600', true]);
    const href = `https://shop.example/s/${slug}?utm_source=ig&email=a@b.example#token`;
    const { told, kept, left } = await played(text, { href });
    expect(told.map(({ url, body }) => [url, body.event, body.consent, body.url])).toEqual(
      ['page_view', 'view_content'].map((event) => [
        ...['https://shop.example/api/tracking/event', event, false],
        `https://shop.example/s/${slug}?utm_source=ig`,
      ]),
    );
    expect([told[0]?.body.visitor_id === told[1]?.body.visitor_id, [...kept], left]).toEqual([false, [], []]);
    for (const { body } of told) {
      const answer = await commerce.call('POST', '/api/tracking/event', '', body);
      expect([answer.status, answer.body]).toEqual([202, expect.anything()]);
    }
  });

  it('knows a visitor again who has agreed, and nobody else', async () => {
    const { slug } = await shopOf();
    const { text } = await get(`/pixel.js?shop=${slug}`);
    const { told, kept } = await played(text, {
      href: 'https://shop.example/',
      kept: { [`shop_consent ${slug}`]: 'yes', 'shop_visitor other': 'of another shop' },
    });
    expect(told.map(({ body }) => [body.consent, body.visitor_id])).toEqual(
      Array(2).fill([true, kept.get(`shop_visitor ${slug}`)]),
    );
    const refused = await played(text, { href: 'https://shop.example/', kept: { [`shop_consent ${slug}`]: 'no' } });
    expect([refused.told.map(({ body }) => body.consent), [...refused.kept.keys()]]).toEqual([
      ...[[false, false], [`shop_consent ${slug}`]],
    ]);
  });

  it('stands on the pages of the shop', async () => {
    const { slug } = await shopOf();
    const { text } = await get(`/s/${slug}`);
    expect([text.includes(`src="/pixel.js?shop=${slug}"`), text.includes('data-pixel-ask')]).toEqual([true, true]);
  });
});

describe('what a shop says of itself', () => {
  it('has a page of its own, to which its first page leads; what it does not say has none', async () => {
    const { ask, slug } = await shopOf();
    const refund_policy = 'Kembali 7 hari.\n<b>Tanpa</b> syarat.';
    await ask('PUT', '/settings/storefront', { refund_policy, version: 0 });
    const { status, text, headers } = await get(`/s/${slug}/pages/refund`);
    expect([status, headers['cache-control'], text.includes('&lt;b>Tanpa&lt;/b>')]).toEqual([
      ...[200, 'public, max-age=30', true],
    ]);
    const home = (await get(`/s/${slug}`)).text;
    const ways = ['about', 'shipping', 'refund'].map((page) => home.includes(`/s/${slug}/pages/${page}`));
    expect(ways).toEqual([true, false, true]);
    for (const page of ['shipping', 'x', '__proto__', 'a'.repeat(5_000)])
      expect([page.slice(0, 20), (await get(`/s/${slug}/pages/${page}`)).status]).toEqual([page.slice(0, 20), 404]);
  });
});

describe('the sitemap', () => {
  it('names every page of a shop: of the one that is asked for, or of the host', async () => {
    const { slug } = await shopOf();
    const { status, headers, text } = await get(`/sitemap.xml?shop=${slug}`);
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    const places = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place]) => place);
    expect(places).toEqual([
      ...[`https://shop.example/s/${slug}`, `https://shop.example/s/${slug}/products`],
      ...[`https://shop.example/s/${slug}/pages/about`, `https://shop.example/s/${slug}/products/kaos-nusa`],
    ]);
    const own = await get('/sitemap.xml', `${slug}.toko.example`);
    expect(own.text).toContain(`<loc>https://${slug}.toko.example/s/${slug}</loc>`);
  });

  it('of no shop is not there', async () => {
    const answers = [await get('/sitemap.xml'), await get('/sitemap.xml?shop=nobody-at-all')];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});
