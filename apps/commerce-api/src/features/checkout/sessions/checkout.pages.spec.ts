// How a buyer orders on the pages: from a link that sells to an order, without script and without account.
import { openBrowser, type Browser } from '../../../web/browser.fixture';
import { orderShop, somebody, useCheckout } from '../checkout.fixture';
import type { CheckoutLink } from '../links/links.dto';

const commerce = useCheckout();

const BUYER = { 'buyer[name]': 'Budi <b>', 'buyer[phone]': '0812-3456-7890' };
const HOME = { 'address[line]': 'Jl. Braga 1', place: 'Coblong, Bandung' };
const SAME = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };

const chosenIn = (text: string): string[] =>
  [...text.matchAll(/name="choice" value="([^"]+)"/g)].map(([, value = '']) => value);

/** A buyer who has opened the link of a shop that sells hats for 10,000 each, sends them by its own courier and is paid by transfer. */
const atCheckout = async (line: object = { editable: true }, pieces = 5) => {
  const shop = await orderShop(commerce, pieces);
  await shop.ask('POST', '/shipping/methods', { kind: 'flat', name: 'Kurir toko', cost: 15_000, areas: ['Bandung'] });
  await shop.ask('POST', '/payment/bank-transfer', { bank_code: 'BCA', number: '5210001234', holder: 'Sari' });
  const lines = [{ variant_id: shop.variants[0], qty: 2, ...line }];
  const link = (await shop.ask<CheckoutLink>('POST', '/checkout/links', { name: 'Topi', lines })).body.data;
  const browser = openBrowser(commerce);
  const from = somebody();
  const { status, location = '' } = await browser.get(`/l/${link.code}`, from);
  expect(status).toBe(303);
  await browser.get(location);
  const orders = async () =>
    (await commerce.database.query('SELECT 1 FROM sales_order WHERE store_id = $1', [shop.storeId])).length;
  return { shop, link, browser, path: location, orders };
};

/** The same with buyer, address and shipping. */
const readyToPay = async (line?: object, pieces?: number) => {
  const checkout = await atCheckout(line, pieces);
  const { browser, path } = checkout;
  const saved = await browser.post(path, { action: 'buyer', ...BUYER, ...HOME });
  expect([saved.status, saved.location]).toEqual([303, `${path}?ship=1#shipping`]);
  const [choice = ''] = chosenIn((await browser.get(`${path}?ship=1`)).text);
  expect((await browser.post(path, { action: 'shipping', choice })).location).toBe(`${path}#payment`);
  const { text } = await browser.get(path);
  return { ...checkout, text, ways: chosenIn(text) };
};

const alertIn = (text: string): string | undefined => /role="alert"[^>]*>.*?<p>([^<]+)/s.exec(text)?.[1];

describe('a link that sells', () => {
  it('leads through buyer, address and shipping to an order that is to be paid, by forms alone', async () => {
    const { browser, path, ways, text, shop, orders } = await readyToPay();
    expect(ways).toEqual(['cash 35000', 'transfer 35000'].filter((way) => ways.includes(way)));
    expect(ways).toContain('transfer 35000');
    expect([text.includes('Budi &lt;b>'), text.includes('Coblong, Bandung')]).toEqual([true, true]);
    const { status, location = '' } = await browser.post(`${path}/place`, { choice: 'transfer 35000', note: 'Cepat' });
    expect([status, location.startsWith('/pay/')]).toEqual([303, true]);
    expect((await browser.get(location)).text).toContain('35.000');
    expect([await orders(), await shop.levels()]).toEqual([1, ['5/2']]);
  });

  it.each([
    // What stands above the total adds up to it
    ['added', ['Subtotal 20.000', 'Pajak 2.200', 'Total 22.200']],
    ['included', ['Subtotal 20.000', 'Total 20.000', 'Termasuk pajak 1.982']],
  ])('counts tax as a sum of its own where it is one: %s', async (mode, sums) => {
    const { shop, browser, path } = await atCheckout();
    await shop.ask('PUT', '/settings/invoice', { version: 0, tax: { mode } });
    const { text } = await browser.get(path);
    const facts = [...text.matchAll(/<dt>([^<]*)<\/dt><dd><span class="money"><small>Rp<\/small>\s([\d.]+)</g)];
    expect(facts.map(([, name, amount]) => `${name} ${amount}`)).toEqual(sums);
  });

  it('makes one order of a double click, a reload, a step back and a second tab', async () => {
    const { browser, path, orders } = await readyToPay();
    const choice = 'transfer 35000';
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(`${path}/place`, { choice })));
    const later = await browser.send(`${path}/place`, { choice });
    const pages = [...answers, later].map(({ status, location }) => `${status} ${location}`);
    expect(new Set(pages).size).toBe(1);
    expect(await browser.get(path)).toMatchObject({ status: 303, location: later.location });
    const changed = await browser.send(path, { action: 'items', 'items[0][qty]': '1' });
    expect([changed.status, await orders()]).toEqual([303, 1]);
  });

  it('begins no cart for a program that looks at links: it is shown what is sold, for its preview', async () => {
    const { shop, link } = await atCheckout();
    const carts = () =>
      commerce.database.query('SELECT c.id, l.views FROM checkout_session c, checkout_link l WHERE c.store_id = $1', [
        shop.storeId,
      ]);
    const before = await carts();
    const programs = ['WhatsApp/2.23.20.0', 'facebookexternalhit/1.1', 'TelegramBot (like TwitterBot)', ''];
    for (const userAgent of programs)
      expect(
        await openBrowser(commerce).get(`/l/${link.code}`, { ...somebody(), 'user-agent': userAgent }),
      ).toMatchObject({ status: 303, location: expect.stringMatching(`^/s/${shop.storeId}/products/`) as string });
    expect(await carts()).toEqual(before);
    await commerce.database.query("UPDATE product SET status = 'draft' WHERE store_id = $1", [shop.storeId]);
    expect((await openBrowser(commerce).get(`/l/${link.code}`, { ...somebody(), 'user-agent': '' })).location).toBe(
      `/s/${shop.storeId}`,
    );
  });

  it('that is none, or is switched off, opens nothing and says so', async () => {
    const { shop, link } = await atCheckout();
    await shop.ask('DELETE', `/checkout/links/${link.id}`);
    for (const code of [link.code, 'x'.repeat(33), 'nothere1', '%00']) {
      const { status, text } = await openBrowser(commerce).get(`/l/${code}`, somebody());
      expect([status, text.includes('Link ini tidak membuka apa pun')]).toEqual([404, true]);
      const asked = { ...somebody(), 'user-agent': 'WhatsApp/2' };
      expect((await openBrowser(commerce).get(`/l/${code}`, asked)).status).toBe(404);
    }
  });
});

describe('what has changed meanwhile is said in words, and nothing is lost:', () => {
  const placed = (browser: Browser, path: string, note = 'Untuk kado "ibu"') =>
    browser.post(`${path}/place`, { choice: 'transfer 35000', note });

  it('a price', async () => {
    const { browser, path, shop, orders } = await readyToPay();
    await commerce.database.query('UPDATE variant SET price = 12000 WHERE store_id = $1', [shop.storeId]);
    const { status, text } = await placed(browser, path);
    expect([status, alertIn(text)]).toEqual([
      ...[409, 'Harga atau ongkir baru saja berubah. Periksa total yang baru, lalu bayar.'],
    ]);
    expect([chosenIn(text).includes('transfer 39000'), text.includes('Untuk kado')]).toEqual([true, true]);
    expect(await orders()).toBe(0);
    expect((await browser.post(`${path}/place`, { choice: 'transfer 39000' })).status).toBe(303);
  });

  it('stock, and what is sold out can be taken out or be fewer', async () => {
    const { browser, path, shop, orders } = await readyToPay();
    const sold = await shop.ask('POST', '/order', shop.cart(4));
    expect(sold.status).toBe(201);
    const { status, text } = await placed(browser, path);
    expect([status, alertIn(text), text.includes('Stok tidak cukup')]).toEqual([
      ...[409, 'Ada barang yang stoknya baru saja habis. Ubah belanjaan Anda, lalu bayar.', true],
    ]);
    const line = { 'items[0][variant_id]': shop.variants[0] ?? '', 'items[0][qty]': '1' };
    expect((await browser.post(path, { action: 'items', ...line })).status).toBe(303);
    expect((await browser.get(path)).text).not.toContain('Stok tidak cukup');
    await browser.post(path, { action: 'items', ...line, without: shop.variants[0] ?? '' });
    expect((await browser.get(path)).text).toContain('Keranjang ini kosong');
    expect(await orders()).toBe(1);
  });

  it('the price of the shipping', async () => {
    const { browser, path, shop } = await readyToPay();
    await commerce.database.query("UPDATE rate_quote SET expires_at = '2026-01-01' WHERE store_id = $1", [
      shop.storeId,
    ]);
    const { status, text } = await placed(browser, path);
    expect([status, text.includes('Ongkir yang dipilih sudah tidak berlaku')]).toEqual([409, true]);
    expect((await browser.get(`${path}?ship=1`)).text).toContain('Kurir toko');
  });

  it('a coupon, and the shop being closed', async () => {
    const { browser, path, shop } = await readyToPay();
    const coupon = (await shop.ask<{ id: string }>('POST', '/coupon', { code: 'SALE', kind: 'fixed', value: 5_000 }))
      .body.data;
    expect((await browser.post(`${path}/coupon`, { action: 'apply', code: 'none' })).status).toBe(409);
    await browser.get(path);
    expect((await browser.post(`${path}/coupon`, { action: 'apply', code: 'sale' })).status).toBe(303);
    expect(chosenIn((await browser.get(path)).text)).toContain('transfer 30000');
    await shop.ask('PUT', `/coupon/${coupon.id}`, { status: 'paused' });
    expect((await browser.get(path)).text).toContain('Kupon ini tidak bisa dipakai');
    await browser.post(`${path}/coupon`, { action: 'remove' });
    expect(chosenIn((await browser.get(path)).text)).toContain('transfer 35000');
    await shop.ask('PUT', '/store/status', { status: 'closed' });
    const { status, text } = await placed(browser, path);
    expect([status, alertIn(text)]).toEqual([...[409, 'Toko sedang tutup. Keranjang Anda disimpan; coba lagi nanti.']]);
  });
});

describe('the page of a cart', () => {
  it('keeps what was typed, and says what is wrong at each input', async () => {
    const { browser, path } = await atCheckout();
    const hostile = '"><script>alert(1)</script>\u202e'.repeat(20);
    const typed = { action: 'buyer', 'buyer[name]': hostile, 'buyer[phone]': 'abc', 'address[line]': '', place: 'x' };
    const { status, text } = await browser.post(path, typed);
    expect([status, text.includes('<script>alert'), text.includes('value="abc"')]).toEqual([422, false, true]);
    expect([...text.matchAll(/class="error" id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      ...['buyer-buyer-name-error', 'buyer-buyer-phone-error', 'buyer-address-line-error'],
    ]);
  });

  it('shows shipping to a page that is open, and leads elsewhere who opens that alone', async () => {
    const { browser, path } = await atCheckout();
    await browser.post(path, { action: 'buyer', ...BUYER, ...HOME });
    const part = await browser.get(`${path}/shipping`, { 'hx-request': 'true', 'hx-target': 'section#shipping' });
    expect([part.status, part.text.includes('<html'), part.text.includes('Kurir toko')]).toEqual([200, false, true]);
    expect(await browser.get(`${path}/shipping`)).toMatchObject({ status: 303, location: `${path}?ship=1#shipping` });
  });

  it('is kept by nobody, takes nothing from another site, and opens to nobody without its token', async () => {
    const { browser, path, orders } = await readyToPay();
    const { headers } = await browser.get(path);
    expect([headers['cache-control'], headers['referrer-policy'], headers['set-cookie']]).toEqual([
      ...['no-store', 'no-referrer', undefined],
    ]);
    const foreign = { ...SAME, 'sec-fetch-site': 'cross-site' };
    const refused = await browser.send(`${path}/place`, { choice: 'transfer 35000' }, foreign);
    expect([refused.status, await orders()]).toEqual([403, 0]);
    for (const token of ['abc', `${path.split('/')[2]?.slice(0, -1)}x`, 'a'.repeat(3000)])
      expect((await browser.get(`/checkout/${token}`)).status).toBe(404);
    expect((await browser.send(`${path}/place`, { choice: 'a' })).status).toBe(422);
  });
});
