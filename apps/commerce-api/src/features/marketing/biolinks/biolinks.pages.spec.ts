// Pages of links: how they are made, and what everybody sees of them and is led to.
import { uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { ownStore, type Ask } from '../../../asked.fixture';
import { startCommerce } from '../../../commerce.fixture';
import { openBrowser, signedIn, type Browser } from '../../../web/browser.fixture';
import { somebody } from '../../checkout/checkout.fixture';
import type { Biolink, BiolinkStatistics } from './biolinks.dto';
import { newSlug, PERSON } from './biolinks.fixture';

const commerce = useRunning(() => startCommerce({ TRUST_PROXY: '127.0.0.1' }));
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

interface Made {
  readonly browser: Browser;
  readonly storeId: string;
  readonly ask: Ask;
  readonly path: string;
  readonly slug: string;
  readonly page: () => Promise<Biolink>;
  readonly add: (kind: string, fields: Readonly<Record<string, string>>) => ReturnType<Browser['post']>;
}

/** A new page in a shop with one product on sale. */
const made = async (): Promise<Made> => {
  const { storeId, ask } = await ownStore(commerce, [{ name: 'Kaos Nusa', price: 85_000 }]);
  const { browser } = await signedIn(commerce, 'admin', storeId);
  const slug = newSlug();
  await browser.get('/biolinks');
  const { location: path = '' } = await browser.post('/biolinks', { title: 'Toko Nusa', slug, bio: '' });
  return {
    ...{ browser, storeId, ask, path, slug },
    page: async () => (await ask<Biolink>('GET', `/biolink/${path.split('/').at(-1)}`)).body.data,
    add: async (kind, fields) => {
      await browser.get(`${path}?add=${kind}`);
      return browser.post(path, { action: 'add', kind, ...fields });
    },
  };
};

/** What somebody sees who is new each time, as a person unless told otherwise. */
const visited = (path: string, agent = PERSON) =>
  openBrowser(commerce).get(path, { ...somebody(), 'user-agent': agent });
const LINK = { 'data[title]': 'Katalog', 'data[url]': 'https://toko.example/katalog' };

describe('a page of links', () => {
  it('draws five codes at most, and none that no camera reads: the others are buttons alone', async () => {
    const { browser, path, slug, add } = await made();
    await add('qr', { 'data[title]': 'Panjang', 'data[url]': `https://toko.example/${'x'.repeat(300)}` });
    for (let n = 1; n <= 6; n += 1)
      await add('qr', { 'data[title]': `Kode ${n}`, 'data[url]': `https://toko.example/${n}` });
    await browser.get(path);
    await browser.post(path, { action: 'publish', published: 'true' });
    const { text } = await visited(`/b/${slug}`);
    expect([text.match(/class="bio-code"/g)?.length, text.includes('Kode 6'), text.includes('Panjang')]).toEqual([
      ...[4, true, true],
    ]);
  });

  it('is made, filled, published and hidden again; nobody sees it before', async () => {
    const { browser, path, slug, page, add } = await made();
    expect((await browser.get(path)).text).toContain('Belum ada isi.');
    await add('link', LINK);
    await add('heading', { 'data[title]': 'Promo' });
    expect((await visited(`/b/${slug}`)).status).toBe(404);
    await browser.get(path);
    await browser.post(path, { action: 'publish', published: 'true' });
    expect(toast((await browser.get(path)).text)).toBe('Toko Nusa tayang.');
    const { status, text, headers } = await visited(`/b/${slug}`);
    const [link] = (await page()).blocks;
    expect([status, headers['cache-control'], text.includes(`href="/b/${slug}/go/${link?.id}"`)]).toEqual([
      ...[200, 'no-store', true],
    ]);
    expect(text).toMatch(/<h2 dir="auto">Promo<\/h2>/);
    await browser.post(path, { action: 'publish', published: 'false' });
    expect((await visited(`/b/${slug}`)).status).toBe(404);
  });

  it('with an address that is taken comes back with what was typed', async () => {
    const [{ browser }, other] = [await made(), await made()];
    await browser.get('/biolinks');
    const { status, text } = await browser.post('/biolinks', { title: 'Dua', slug: other.slug, bio: 'Halo' });
    expect([status, text.includes('value="Dua"'), text.includes('Alamat ini sudah dipakai.')]).toEqual([
      409,
      true,
      true,
    ]);
  });

  it('has colours of its own by a stylesheet, and none without the box', async () => {
    const { browser, path, slug, page } = await made();
    const look = { 'theme[background]': '#102030', 'theme[text]': '#ffffff', 'theme[accent]': '#ffe000' };
    const fields = { action: 'save', title: 'Toko Nusa', slug, bio: '', 'theme[shape]': 'pill', ...look };
    const { text: before } = await browser.get(path);
    expect(before).not.toContain('rel="stylesheet" href="/assets/look.');
    await browser.post(path, { ...fields, own_colours: 'true' });
    const { text } = await browser.get(path);
    const sheet = /href="(\/assets\/look\.[^"]+)"/.exec(text)?.[1] ?? '';
    expect([sheet, (await browser.get(sheet)).status]).toEqual(['/assets/look.102030-ffffff-ffe000-pill.css', 200]);
    await browser.get(path);
    await browser.post(path, fields);
    expect((await page()).theme).toEqual({ shape: 'pill' });
  });

  it('has a picture, of which its policy knows the place, until that is removed', async () => {
    const { browser, path, slug, page } = await made();
    await browser.get(path);
    await browser.attach(path, { action: 'picture' }, PNG, 'foto.png');
    expect((await page()).avatar_url).toMatch(/^https:\/\/shop\.example\/blob\//);
    await browser.get(path);
    await browser.post(path, { action: 'publish', published: 'true' });
    expect((await visited(`/b/${slug}`)).headers['content-security-policy']).toContain(
      "img-src 'self' https://shop.example",
    );
    await browser.get(path);
    await browser.post(path, { action: 'no_picture' });
    expect((await page()).avatar_url).toBeNull();
    await browser.get(path);
    const { status, text } = await browser.attach(path, { action: 'picture' }, '<svg onload="1">', 'x.svg');
    expect([status, text.includes('JPG, PNG, WebP')]).toEqual([415, true]);
  });

  it('keeps a picture once however often it is sent, and none for a page that is not there or by who may not upload', async () => {
    const { browser, storeId, path } = await made();
    await browser.get(path);
    const fields = { ...browser.hidden(path), action: 'picture' };
    const send = (to: string, more = {}) => browser.attach(to, { ...fields, ...more }, PNG, 'foto.png');
    const kept = () => commerce.database.query('SELECT 1 FROM media WHERE store_id = $1', [storeId]);
    expect([(await send(path)).location, (await send(path)).location, (await kept()).length]).toEqual([path, path, 1]);
    const wrong = await send(`/biolinks/${uuidv7()}`, { _idem: 'another' });
    expect([wrong.status, (await kept()).length]).toEqual([404, 1]);
    const role = `WITH made AS (INSERT INTO role (store_id, id, name, abilities, created_at, updated_at)
      VALUES ($1, gen_random_uuid(), 'Link', '{marketing.write}', now(), now()) RETURNING id)
      UPDATE membership SET system_role = NULL, role_id = made.id FROM made WHERE store_id = $1 AND user_id = $2`;
    const linker = await signedIn(commerce, 'cs', storeId);
    await commerce.database.query(role, [storeId, linker.userId]);
    await linker.browser.get(path);
    const refused = await linker.browser.attach(path, { action: 'picture' }, PNG, 'foto.png');
    expect([refused.status, refused.text.includes('upload.write'), (await kept()).length]).toEqual([403, true, 1]);
  });

  it('is deleted with what it shows', async () => {
    const { browser, path, slug } = await made();
    await browser.get(path);
    expect((await browser.post(path, { action: 'delete' })).location).toBe('/biolinks');
    expect([(await browser.get(path)).status, (await visited(`/b/${slug}`)).status]).toEqual([404, 404]);
  });
});

describe('a block', () => {
  it('moves up and down, is hidden and removed', async () => {
    const { browser, path, page, add } = await made();
    for (const title of ['Satu', 'Dua', 'Tiga']) await add('link', { ...LINK, 'data[title]': title });
    const titles = async () => (await page()).blocks.map(({ data, active }) => `${data.title} ${active}`);
    const of = async (at: number) => (await page()).blocks[at]?.id ?? '';
    const move = async (id: string, step: string) => {
      await browser.get(path);
      return browser.post(path, { action: `move.${id}`, block_id: id, step });
    };
    await move(await of(2), 'up');
    await move(await of(0), 'down');
    await move(await of(0), 'up');
    expect(await titles()).toEqual(['Tiga true', 'Satu true', 'Dua true']);
    const [first, second] = [await of(0), await of(1)];
    await browser.get(`${path}?edit=${second}`);
    const fields = { kind: 'link', block_id: second, ...LINK, 'data[title]': 'Satu lagi' };
    await browser.post(path, { action: `block.${second}`, ...fields });
    await browser.get(`${path}?edit=${first}`);
    await browser.post(path, { action: 'remove', block_id: first });
    expect(await titles()).toEqual(['Satu lagi false', 'Dua true']);
  });

  it('that somebody else has changed meanwhile stays as they left it, beside what was typed', async () => {
    const { browser, path, page, add } = await made();
    await add('link', LINK);
    const id = (await page()).blocks[0]?.id ?? '';
    const { text } = await browser.get(`${path}?edit=${id}`);
    const seen = new RegExp(`value="${id}"/><input type="hidden" name="seen" value="([^"]+)"`).exec(text)?.[1] ?? '';
    const save = (title: string) =>
      browser.send(path, {
        ...{ ...browser.hidden('/logout'), action: `block.${id}`, block_id: id, seen, kind: 'link', active: 'true' },
        ...{ ...LINK, 'data[title]': title },
      });
    expect((await save('Mereka')).location).toBe(path);
    await browser.get(path);
    const stale = await save('Saya');
    expect([stale.status, stale.text.includes('value="Saya"'), stale.text.includes('Sekarang: Mereka')]).toEqual([
      ...[409, true, true],
    ]);
    expect((await page()).blocks[0]?.data.title).toBe('Mereka');
  });

  it.each([
    ['link', { 'data[title]': 'x', 'data[url]': 'javascript:alert(1)' }, 'Link tidak benar.'],
    ['link', { 'data[title]': '', 'data[url]': '' }, 'Tulisan harus diisi.'],
    ['whatsapp', { 'data[title]': 'x', 'data[phone]': 'abc' }, 'Nomor WhatsApp'],
    ['heading', { 'data[title]': 'x'.repeat(5_000) }, 'Tulisan terlalu panjang'],
    ['product', { 'data[product_id]': '01890000-0000-7000-8000-000000000000' }, 'Produk tidak ada lagi.'],
  ])('%s that is wrong says what is: %j', async (kind, fields, said) => {
    const { page, add } = await made();
    const { status, text } = await add(kind, fields);
    expect([status, text.includes(said), (await page()).blocks]).toEqual([422, true, []]);
    expect(text).toContain('id="add-data-title"');
  });
});

describe('a click', () => {
  /** A published page with one block of each kind that leads somewhere. */
  const published = async () => {
    const shop = await made();
    const [product] = (await shop.ask<{ id: string; slug: string }[]>('GET', '/products')).body.data;
    await shop.add('link', LINK);
    await shop.add('whatsapp', { 'data[title]': 'Chat', 'data[phone]': '0812-3456-7890', 'data[text]': 'Halo & apa?' });
    await shop.add('product', { 'data[title]': '', 'data[product_id]': product?.id ?? '' });
    const socials = { 'data[links][0][network]': 'facebook', 'data[links][0][url]': '' };
    const used = { 'data[links][1][network]': 'instagram', 'data[links][1][url]': 'https://instagram.com/nusa' };
    await shop.add('social', { ...socials, ...used });
    await shop.browser.get(shop.path);
    await shop.browser.post(shop.path, { action: 'publish', published: 'true' });
    const ids = (await shop.page()).blocks.map(({ id }) => id);
    const counted = async () =>
      (await shop.ask<BiolinkStatistics>('GET', `/biolink/${shop.path.split('/').at(-1)}/statistics`)).body.data;
    return { ...shop, product, ids, counted };
  };

  it('leads to what its block names, and is counted once; a program is led there and not counted, nor a browser that only looks', async () => {
    const { slug, ids, product, counted } = await published();
    const targets = [];
    for (const id of ids) {
      const { status, location } = await visited(`/b/${slug}/go/${id}`);
      targets.push([status, location]);
    }
    const { headers } = await visited(`/b/${slug}/go/${ids[0]}`, 'Googlebot/2.1');
    expect(headers['cache-control']).toBe('no-store');
    expect(targets).toEqual([
      [302, 'https://toko.example/katalog'],
      [302, 'https://wa.me/6281234567890?text=Halo+%26+apa%3F'],
      [302, expect.stringMatching(new RegExp(`^/s/[^/]+/products/${product?.slug}$`))],
      [302, 'https://instagram.com/nusa'],
    ]);
    await visited(`/b/${slug}`);
    await visited(`/b/${slug}`, 'curl/8');
    for (const path of [`/b/${slug}`, `/b/${slug}/go/${ids[0]}`])
      await fetch(commerce.url + path, { method: 'HEAD', redirect: 'manual', headers: { 'user-agent': PERSON } });
    const { views, clicks, blocks } = await counted();
    expect([views, clicks, blocks.map((block) => block.clicks)]).toEqual([1, 4, [1, 1, 1, 1]]);
  });

  it('on what is not sold any more, is not shown, or is of no page, leads nowhere and counts for nothing', async () => {
    const { slug, ids, product, ask, counted } = await published();
    await ask('PUT', `/products/${product?.id}`, { status: 'archived' });
    expect((await visited(`/b/${slug}`)).text).not.toContain('Kaos Nusa');
    const wrong = [
      `/b/${slug}/go/${ids[2]}`,
      `/b/${slug}/go/${ids[3]}?to=5`,
      `/b/${slug}/go/abc`,
      `/b/nobody/go/${ids[0]}`,
    ];
    for (const path of [...wrong, '/b/%00', `/b/${'a'.repeat(5_000)}`])
      expect([path.slice(0, 80), (await visited(path)).status]).toEqual([path.slice(0, 80), 404]);
    expect((await counted()).clicks).toBe(0);
  });

  it('in the preview leads nowhere', async () => {
    const { browser, path, slug } = await published();
    const { text } = await browser.get(path);
    expect([text.includes(`/b/${slug}/go/`), text.includes('class="bio-frame" inert')]).toEqual([false, true]);
  });
});
