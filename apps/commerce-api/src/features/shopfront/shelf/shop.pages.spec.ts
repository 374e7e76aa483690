// A shop as everybody sees it, and the cart that leads to its checkout.
import { openBrowser } from '../../../web/browser.fixture';
import { orderShop, somebody, useCheckout } from '../../checkout/checkout.fixture';

const commerce = useCheckout();

/** A shop of two hats: five of one are left, and none of the other. */
const openShop = async () => {
  const shop = await orderShop(commerce, 5, 0);
  const slugs = await commerce.database.query<{ slug: string }>(
    'SELECT slug FROM product WHERE store_id = $1 ORDER BY name',
    [shop.storeId],
  );
  const [hat = '', gone = ''] = slugs.map(({ slug }) => `/s/${shop.storeId}/products/${slug}`);
  return { shop, path: `/s/${shop.storeId}`, hat, gone, browser: openBrowser(commerce) };
};

describe('a shop', () => {
  it('is kept by caches for a moment, for it holds nothing of anybody', async () => {
    const { browser, path, hat } = await openShop();
    for (const page of [path, `${path}/products`, hat]) {
      const { status, headers, text } = await browser.get(page);
      expect([status, headers['cache-control'], headers['set-cookie'], headers.vary]).toEqual([
        ...[200, 'public, max-age=30', undefined, expect.stringContaining('Accept-Language')],
      ]);
      expect([text.includes('Hat 0'), text.match(/<h1\b/g)?.length]).toEqual([true, 1]);
      // Nothing on them asks for a part of a page
      expect(text).not.toContain('htmx');
    }
  });

  it('shows a preview where its address is sent: name, picture, what it costs and is', async () => {
    const { browser, shop, path, hat } = await openShop();
    await commerce.database.query('UPDATE store SET name = $2, description = \'Topi "asli"\' WHERE store_id = $1', [
      ...[shop.storeId, 'Toko <b>'],
    ]);
    await commerce.database.query("UPDATE product SET description = $2 WHERE store_id = $1 AND name = 'Hat 0'", [
      ...[shop.storeId, `**Hangat**\n${'👒'.repeat(300)}`],
    ]);
    const shown = async (page: string) =>
      Object.fromEntries(
        [...(await browser.get(page)).text.matchAll(/<meta property="og:([a-z_]+)" content="([^"]*)"/g)].map(
          ([, name = '', content = '']) => [name, content],
        ),
      );
    const face = { site_name: 'Toko &lt;b>', type: 'website' };
    expect(await shown(path)).toEqual({ ...face, title: 'Toko &lt;b>', description: 'Topi &quot;asli&quot;' });
    expect(await shown(hat)).toEqual({
      ...{
        ...face,
        title: 'Hat 0',
        description: expect.stringMatching(/^Rp\s?10\.000 · \*\*Hangat\*\* 👒+…$/u) as string,
      },
    });
    expect((await browser.get(`${path}/cart`)).text).not.toContain('og:');
  });

  it('leaves out of an address what no page knows, keeps the rest of it, and leads nowhere else', async () => {
    const { browser, path } = await openShop();
    const led = async (query: string): Promise<readonly unknown[]> => {
      const { status, location } = await browser.get(`${path}/products${query}`);
      return [status, location];
    };
    expect(await led('?page=0&q=Hat+0&sort=bad')).toEqual([303, '?q=Hat+0']);
    expect(await led(`?page=9x&utm_source=%2F%2Fevil.example`)).toEqual([303, '?utm_source=%2F%2Fevil.example']);
    expect(await led('?page=0')).toEqual([303, '?']);
    expect(await led('?')).toEqual([200, undefined]);
    // Whoever asks for a part stays where they are
    expect((await browser.send(`${path}/cart?page=0`, { qty: 'x' })).status).toBe(422);
  });

  it('shows a product without a picture by a sign that is there already, and asks for nothing more', async () => {
    const { browser, path } = await openShop();
    const { text } = await browser.get(`${path}/products`);
    expect(text).toMatch(/<span class="shop-picture"><svg class="icon" aria-hidden="true"><use href="[^"]*#photo"/);
    expect(new Set(text.match(/[^"]*icons\.[^"#]*/g)).size).toBe(1);
  });

  it('is looked through by its categories, of which none is empty, whatever they are called', async () => {
    const { browser, shop, path } = await openShop();
    const category = async (name: string, parent_id?: string) =>
      (await shop.ask<{ id: string; slug: string }>('POST', '/category_product', { name, parent_id })).body.data;
    const hats = await category('Topi <b>');
    const warm = await category('Hangat', hats.id);
    await category('Kosong');
    await commerce.database.query(
      `UPDATE product SET category_id = CASE WHEN name = 'Hat 0' THEN $2::uuid END WHERE store_id = $1`,
      [shop.storeId, warm.id],
    );
    const partsOf = (text: string) => /<nav class="shop-parts"[^>]*>(.*?)<\/nav>/.exec(text)?.[1];
    const link = `href="${path}/products?category=${hats.slug}"`;
    const name = '<bdi>Topi &lt;b></bdi></a>';
    for (const page of [path, `${path}/products`])
      expect(partsOf((await browser.get(page)).text)).toBe(`<a class="button" ${link}>${name}`);
    const { text } = await browser.get(`${path}/products?category=${hats.slug}`);
    const all = `<a class="button" href="${path}/products">Semua produk</a>`;
    const under = (current: string) =>
      `<a class="button" href="${path}/products?category=${warm.slug}"${current}><bdi>Hangat</bdi></a>`;
    expect(partsOf(text)).toBe(all + under(''));
    const below = (await browser.get(`${path}/products?category=${warm.slug}`)).text;
    expect(partsOf(below)).toBe(`${all}<a class="button" ${link}>${name}${under(' aria-current="true"')}`);
    expect(below).toContain('<h1 dir="auto">Hangat</h1>');
    expect((await browser.get(`${path}/products?category=nope`)).status).toBe(404);
    expect([/<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1], text.includes('Hat 0'), text.includes('Hat 1')]).toEqual([
      ...['Topi &lt;b>', true, false],
    ]);
  });

  it('shows its pictures in sizes of ours on shelf, product, cart and preview, and those of others as they are', async () => {
    const { browser, shop, path, hat } = await openShop();
    const ours = `/blob/${shop.storeId}/0198c5c2-0000-7000-8000-000000000001.jpg`;
    const show = (url: string) =>
      commerce.database.query(
        `INSERT INTO product_image (store_id, id, product_id, position, url)
         SELECT store_id, uuidv7(), id, 0, $2 FROM product WHERE store_id = $1 AND name = 'Hat 0'
         ON CONFLICT (store_id, product_id, position) DO UPDATE SET url = $2`,
        [shop.storeId, url],
      );
    await show(`https://shop.example${ours}`);
    await browser.get(hat);
    const { location = '' } = await browser.post(`${path}/cart`, { qty: '1' });
    for (const page of [path, hat, location]) {
      const { text, headers } = await browser.get(page);
      expect([text.includes(`srcset="${ours}?as=w160 160w, `), text.includes(`src="${ours}?as=j640"`)]).toEqual([
        true,
        true,
      ]);
      expect(headers['content-security-policy']).toContain("img-src 'self'");
    }
    expect((await browser.get(hat)).text).toContain(`"og:image" content="https://shop.example${ours}?as=j640"`);
    await show('https://elsewhere.example/hat.jpg');
    for (const page of [path, hat, location]) {
      const { text, headers } = await browser.get(page);
      expect([text.includes('src="https://elsewhere.example/hat.jpg"'), text.includes('<picture>')]).toEqual([
        true,
        false,
      ]);
      expect(headers['content-security-policy']).toContain("img-src 'self' https://elsewhere.example");
    }
  });

  it('finds and sorts what it sells, by links with whatever marks, and says when there is nothing', async () => {
    const { browser, path } = await openShop();
    const found = await browser.get(`${path}/products?q=hat+1&sort=price&utm_source=wa&fbclid=x`);
    expect([found.status, found.text.includes('Hat 1'), found.text.includes('Hat 0')]).toEqual([200, true, false]);
    const hostile = encodeURIComponent('"><script>alert(1)</script>');
    const nothing = await browser.get(`${path}/products?q=${hostile}`);
    expect([nothing.text.includes('Tidak ada produk yang cocok'), nothing.text.includes('<script>alert')]).toEqual([
      ...[true, false],
    ]);
  });

  it('that is not there, is suspended, or does not sell this, is said in words', async () => {
    const { browser, shop, path, hat } = await openShop();
    expect((await browser.get(`${path}/products/nothing`)).status).toBe(404);
    await commerce.database.query("UPDATE store SET status = 'suspended' WHERE store_id = $1", [shop.storeId]);
    for (const page of ['/s/nobody', path, `${path}/products`, hat, `${path}/cart`, `/s/${'x'.repeat(500)}`]) {
      const { status, text } = await browser.get(page);
      expect([status, text.includes('Link ini tidak membuka apa pun')]).toEqual([404, true]);
    }
  });
});

describe('a cart', () => {
  it('leads from a product to the checkout, and holds each variant once however often it is sent', async () => {
    const { browser, shop, path, hat } = await openShop();
    expect((await browser.get(`${path}/cart`)).text).toContain('Keranjang Anda kosong');
    await browser.get(hat);
    const fields = { variant_id: shop.variants[0] ?? '', qty: '2' };
    const first = await browser.post(`${path}/cart`, fields);
    expect([first.status, first.location?.startsWith('/checkout/')]).toEqual([303, true]);
    expect(String(first.headers['set-cookie'])).toMatch(/^cart_.*HttpOnly; SameSite=Lax/);
    const again = await browser.send(`${path}/cart`, { ...fields, qty: '3' });
    expect(again.location).toBe(first.location);
    expect(await browser.get(`${path}/cart`)).toMatchObject({ status: 303, location: first.location });
    const { text } = await browser.get(first.location ?? '');
    expect([text.match(/\[qty\]"/g)?.length, text.includes('value="3"'), text.includes('30.000')]).toEqual([
      ...[1, true, true],
    ]);
  });

  it('holds all that is put in at the same moment, and drops what is not on sale any more', async () => {
    const shop = await orderShop(commerce, 5, 5, 5, 5, 5);
    const [path, browser] = [`/s/${shop.storeId}/cart`, openBrowser(commerce)];
    const [first = '', ...others] = shop.variants;
    const { location = '' } = await browser.send(path, { variant_id: first, qty: '1' });
    const answers = await Promise.all(others.map((variant_id) => browser.send(path, { variant_id, qty: '2' })));
    expect(answers.map((answer) => [answer.status, answer.location])).toEqual(others.map(() => [303, location]));
    const held = async () => (await browser.get(location)).text.match(/\[qty\]"/g)?.length;
    expect(await held()).toBe(5);
    await commerce.database.query("UPDATE variant SET status = 'archived' WHERE store_id = $1 AND id = $2", [
      ...[shop.storeId, first],
    ]);
    await browser.send(path, { variant_id: others[0] ?? '', qty: '1' });
    expect(await held()).toBe(4);
  });

  it('is one, with all that is in it, after two tabs have begun one each', async () => {
    const shop = await orderShop(commerce, 5, 5);
    const [path, browser] = [`/s/${shop.storeId}/cart`, openBrowser(commerce)];
    const from = { ...somebody(), 'sec-fetch-site': 'same-origin', accept: 'text/html' };
    const begun = await Promise.all(
      shop.variants.map((variant_id) => browser.send(path, { variant_id, qty: '2' }, from)),
    );
    expect(new Set(begun.map(({ location }) => location)).size).toBe(2);
    const { location = '' } = await browser.get(path);
    const lines = async (of: string) => (await browser.get(of)).text.match(/\[qty\]"/g)?.length ?? 0;
    expect([await lines(location), (await browser.get(path)).location]).toEqual([2, location]);
    await browser.send(path, { variant_id: shop.variants[0] ?? '', qty: '1' }, from);
    const other = begun.find((each) => each.location !== location)?.location ?? '';
    expect([await lines(location), await lines(other)]).toEqual([2, 0]);
  });

  it('of an order that was placed is a new one', async () => {
    const { browser, shop, path } = await openShop();
    const fields = { variant_id: shop.variants[0] ?? '', qty: '1' };
    const first = await browser.send(`${path}/cart`, fields);
    await commerce.database.query("UPDATE checkout_session SET expires_at = '2026-01-01' WHERE store_id = $1", [
      shop.storeId,
    ]);
    const next = await browser.send(`${path}/cart`, fields);
    expect([next.status, next.location === first.location]).toEqual([303, false]);
  });

  it('says what could not be put into it', async () => {
    const { browser, shop, path, gone } = await openShop();
    expect((await browser.get(gone)).text).toContain('Habis');
    const wrong = await browser.send(`${path}/cart`, { variant_id: shop.variants[0] ?? '', qty: 'abc' });
    expect([wrong.status, wrong.text.includes('Jumlah harus')]).toEqual([422, true]);
    const other = (await openShop()).shop;
    const foreign = await browser.send(`${path}/cart`, { variant_id: other.variants[0] ?? '', qty: '1' });
    expect([foreign.status, foreign.text.includes('baru saja habis')]).toEqual([409, true]);
    const elsewhere = { 'sec-fetch-site': 'cross-site', accept: 'text/html' };
    expect((await browser.send(`${path}/cart`, { qty: '1' }, elsewhere)).status).toBe(403);
  });
});

describe('a short link', () => {
  it('leads where its store has said, with its marks, and one that is none says so', async () => {
    const { browser, shop } = await openShop();
    const given = { target: 'https://toko.example/promo', utm: { source: 'ig' } };
    const { code } = (await shop.ask<{ code: string }>('POST', '/tracker', given)).body.data;
    const { status, location } = await browser.get(`/t/${code}`);
    expect([status, location?.startsWith('https://toko.example/promo?'), location?.includes('utm_source=ig')]).toEqual([
      ...[302, true, true],
    ]);
    for (const wrong of ['nothing', 'x'.repeat(400)]) expect((await browser.get(`/t/${wrong}`)).status).toBe(404);
  });
});
