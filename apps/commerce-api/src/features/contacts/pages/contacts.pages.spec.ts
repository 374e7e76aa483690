// Customers as a browser without script meets them.
import { useCommerce } from '../../../commerce.fixture';
import { signedIn, type Browser } from '../../../web/browser.fixture';
import { orderShop } from '../../sales/orders/orders.fixture';

const commerce = useCommerce();
const ANI = { name: 'Ani Wijaya', phone: '0812-3456-7890' };

const contactsOf = (storeId: string) =>
  commerce.database.query<{ name: string; phone: string; blocked: boolean; opted_out: boolean }>(
    `SELECT c.name, p.phone, c.blocked, c.opted_out_at IS NOT NULL AS opted_out FROM contact c
     JOIN contact_phone p ON p.store_id = c.store_id AND p.contact_id = c.id AND p.is_main WHERE c.store_id = $1 ORDER BY c.created_at, c.id`,
    [storeId],
  );
const made = async (browser: Browser, fields: Readonly<Record<string, string>> = ANI): Promise<string> => {
  await browser.get('/contacts');
  return String((await browser.post('/contacts', fields)).location);
};
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];
const listed = (html: string): string[] =>
  [...html.matchAll(/<td [^>]*class="cell-main"[^>]*><a[^>]*>([^<]*)</g)].map(([, name = '']) => name);

it('a new customer is known by their number, however it is written, and shown', async () => {
  const { browser, storeId } = await signedIn(commerce);
  const { text } = await browser.get(await made(browser));
  expect([toast(text), await contactsOf(storeId)]).toEqual([
    'Ani Wijaya ditambahkan.',
    [{ name: 'Ani Wijaya', phone: '6281234567890', blocked: false, opted_out: false }],
  ]);
  expect(text).toContain('Belum pernah memesan.');
});

it('a number that is no number, or of somebody else, is told at its input, and what was typed stays', async () => {
  const { browser, storeId } = await signedIn(commerce);
  await made(browser);
  await browser.get('/contacts');
  const wrong = await browser.post('/contacts', { name: 'Budi', phone: 'abc' });
  await browser.get('/contacts');
  const taken = await browser.post('/contacts', { name: 'Budi', phone: '+62 812 3456 7890' });
  expect([wrong.status, taken.status, (await contactsOf(storeId)).length]).toEqual([422, 409, 1]);
  expect(wrong.text).toContain('<a href="#phone">Nomor HP bukan nomor telepon.</a>');
  expect(taken.text).toContain('<a href="#phone">Nomor ini milik pelanggan lain.</a>');
  expect(taken.text).toContain('value="+62 812 3456 7890"');
});

it('a customer is changed, and a second tab is told what the first has saved', async () => {
  const { browser, storeId } = await signedIn(commerce);
  const path = await made(browser);
  await browser.get(path);
  const { seen = '', _csrf = '' } = browser.hidden(path);
  const change = (name: string) => ({
    ...{ seen, _csrf, _idem: `key-${name}`, action: 'save', name },
    ...{ phone: '+6281234567890', opted_out: 'true' },
  });
  const first = await browser.send(path, change('Ani'));
  const second = await browser.send(path, change('Anita'));
  expect([first.status, second.status, await contactsOf(storeId)]).toEqual([
    303,
    409,
    [{ name: 'Ani', phone: '6281234567890', blocked: false, opted_out: true }],
  ]);
  expect(second.text).toContain('value="Anita"');
  expect(second.text).toContain('Sekarang: Ani');
});

it('a note is kept under the name of who wrote it, and a customer is blocked and unblocked', async () => {
  const { browser, storeId } = await signedIn(commerce);
  const path = await made(browser);
  await browser.get(path);
  await browser.post(path, { action: 'note', text: 'Suka warna biru' });
  const noted = await browser.get(path);
  expect(noted.text).toMatch(/Suka warna biru<small>.+ · <time/);
  await browser.post(path, { action: 'block', reason: 'Menipu' });
  expect((await contactsOf(storeId))[0]?.blocked).toBe(true);
  const { text } = await browser.get(path);
  expect([toast(text), text.includes('Blokir pelanggan')]).toEqual(['Ani Wijaya diblokir.', false]);
  await browser.post(path, { action: 'unblock' });
  expect((await contactsOf(storeId))[0]?.blocked).toBe(false);
});

it('the list finds, filters and sorts, and a customer leads to their orders', async () => {
  const shop = await orderShop(commerce, 50);
  for (const [name, orders] of [
    ['Ani', 3],
    ['Budi', 1],
  ] as const)
    for (let n = 0; n < orders; n++)
      await shop.place({ ...shop.cart(1), contact: { name, phone: name === 'Ani' ? '628111111111' : '628222222222' } });
  const { browser } = await signedIn(commerce, 'admin', shop.storeId);
  const names = async (query: string) => listed((await browser.get(`/contacts${query}`)).text);
  expect(await names('?sort=name')).toEqual(['Ani', 'Budi']);
  expect(await names('?q=budi')).toEqual(['Budi']);
  expect(await names('?blocked=true')).toEqual([]);
  const { text } = await browser.get('/contacts?q=ani');
  const [, path = ''] = /href="(\/contacts\/[0-9a-f-]{36})"/.exec(text) ?? [];
  expect((await browser.get(path)).text.match(/href="\/orders\/[0-9a-f-]{36}"/g)).toHaveLength(3);
});

it('who sees the customers of their own chats alone is refused, with the right that is missing, and has no way there', async () => {
  const { browser, storeId } = await signedIn(commerce);
  const path = await made(browser);
  const agent = (await signedIn(commerce, 'cs', storeId)).browser;
  for (const address of ['/contacts', path]) {
    const { status, text } = await agent.get(address);
    expect([status, text.includes('&quot;chat.all&quot;'), text.includes('Ani')]).toEqual([403, true, false]);
  }
  expect((await agent.get('/products')).text).not.toContain('href="/contacts"');
});
