// Links that sell, and carts that were left, as a browser without script meets them.
import { useRunning } from '@platform/testing';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { startCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';
import { abandonIdle } from '../abandoned/abandoned.sql';
import { basketOf, buyerOf, CONTACT, orderShop } from '../checkout.fixture';
import type { CheckoutLink } from './links.dto';

const chat = useRunning(startFakeMessages);
const commerce = useRunning(() => startCommerce({ TRUST_PROXY: '127.0.0.1', CHAT_URL: chat.url }));
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];

const openShop = async () => {
  const shop = await orderShop(commerce, 9, 9);
  const { browser } = await signedIn(commerce, 'admin', shop.storeId);
  const links = async () => (await shop.ask<CheckoutLink[]>('GET', '/checkout/links')).body.data;
  return { shop, browser, links };
};

describe('a link', () => {
  it('is made of goods that are looked up, changed, switched off and on again', async () => {
    const { shop, browser, links } = await openShop();
    await browser.get('/checkout-links');
    const typed = { action: 'create', name: 'Promo' };
    const found = await browser.post('/checkout-links', { ...typed, q: 'Hat 0', find: '1' });
    expect([found.status, found.text.includes(`value="${shop.variants[0]}"`)]).toEqual([200, true]);
    expect(found.text).toMatch(/<input(?=[^>]*id="create-name")[^>]*value="Promo"/);
    const line = { 'lines[0][variant_id]': shop.variants[0] ?? '', 'lines[0][qty]': '2' };
    const made = await browser.post('/checkout-links', { ...typed, ...line, 'settings[show_coupon]': 'true' });
    const [link] = await links();
    expect([made.location, link?.lines[0]?.qty, link?.settings.show_coupon, link?.settings.require_address]).toEqual([
      ...[`/checkout-links?id=${link?.id}`, 2, true, false],
    ]);
    const path = `/checkout-links?id=${link?.id}`;
    expect((await browser.get(path)).text).toMatch(/name="lines\[0\]\[qty\]"[^>]*value="2"/);
    await browser.post('/checkout-links', { ...line, action: 'save', name: 'Promo baru', 'lines[0][qty]': '3' });
    const [changed] = await links();
    expect([changed?.name, changed?.lines[0]?.qty, changed?.settings.show_coupon]).toEqual(['Promo baru', 3, false]);
    for (const status of ['disabled', 'active'] as const) {
      await browser.get(path);
      await browser.post('/checkout-links', { action: 'switch', status });
      expect((await links())[0]?.status).toBe(status);
    }
  });

  it('without goods, or with an address that is none, says so and keeps its name', async () => {
    const { browser, links } = await openShop();
    await browser.get('/checkout-links');
    const fields = { action: 'create', name: 'Promo', 'settings[redirect_url]': 'javascript:alert(1)' };
    const { status, text } = await browser.post('/checkout-links', fields);
    expect([status, text.includes('Barang harus diisi.'), await links()]).toEqual([422, true, []]);
    expect(text).toMatch(/id="create-name"[^>]*value="Promo"/);
  });

  it('of another store is not there', async () => {
    const [{ browser }, other] = [await openShop(), await openShop()];
    const items = [{ variant_id: other.shop.variants[0], qty: 1 }];
    const { body } = await other.shop.ask<CheckoutLink>('POST', '/checkout/links', { name: 'x', lines: items });
    const { id } = body.data;
    await browser.get('/checkout-links');
    const answers = [
      await browser.get(`/checkout-links?id=${id}`),
      await browser.get('/checkout-links'),
      await browser.post('/checkout-links', { action: 'save', id, name: 'Dicuri' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 404]);
    expect((await other.links())[0]?.name).toBe('x');
  });
});

it('a cart that was left is reminded of once, by a button that says whom', async () => {
  const { shop, browser } = await openShop();
  const basket = await basketOf(commerce, shop, [2]);
  await buyerOf(commerce)('PUT', `${basket.path}/address`, { buyer: CONTACT });
  await abandonIdle(commerce.database, new Date(commerce.clock.now().getTime() + 3_600_000));
  const { text } = await browser.get('/abandoned-carts');
  expect([text.includes(`Ingatkan +${CONTACT.phone}`), text.includes('2 × Hat 0')]).toEqual([true, true]);
  const [, path = ''] = /action="(\/abandoned-carts\/[^"]*\/remind)"/.exec(text) ?? [];
  expect((await browser.post(path, {})).location).toBe('/abandoned-carts');
  expect(toast((await browser.get('/abandoned-carts')).text)).toBe('Pengingat akan segera dikirim lewat WhatsApp.');
  const again = await browser.post(path, {});
  expect([again.status, again.text.includes('sudah diingatkan dalam 24 jam')]).toEqual([409, true]);
});
