// From an empty shop to a parcel that has arrived: what a merchant and a buyer do by turns, in a browser with script and in one without.
import { environment, uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import type { Browser, BrowserContext } from 'playwright-core';
import { startFakeHandled } from '../clients/chat.handled.fake';
import { NOW, startCommerce } from '../commerce.fixture';
import { photo } from '../features/media/renditions/photos.fixture';
import { feedbackToken } from '../features/tickets/feedback.token';
import { newPerson } from './browser.fixture';
import { complaintsOf, launch, signInBy } from './chromium.fixture';
import { form, PHONE, Visitor } from './visitor.fixture';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath) process.stderr.write('CHROMIUM_PATH is not set: nothing was sold in a browser.\n');

const chat = useRunning(() => startFakeHandled());
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url, TRUST_PROXY: '127.0.0.1' }));

const bytes = photo({ width: 800, height: 600 });
const file = async () => ({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer: await bytes });

/** What is sold, how it is sent, and where the money goes. */
const opensShop = async (merchant: Visitor): Promise<void> => {
  await merchant.go('/products/create');
  await merchant.fill({ name: 'Kaos polos', price: '85.000', weight_g: '200' });
  await merchant.press('Simpan dan tayangkan');
  await merchant.says('Kaos polos ditambahkan.');
  await merchant.page.locator(`${form('image_add')} input[type=file]`).setInputFiles(await file());
  // With script the page is not left: its file is sent with progress
  await merchant.page.getByRole('button', { name: 'Tambah gambar' }).click();
  await merchant.says('Gambar ditambahkan.');
  await merchant.fill({ 'stock-on_hand': '5' });
  await merchant.press('Simpan', form('stock'));
  await merchant.says('Stok dikoreksi.');

  await merchant.go('/shipping');
  await merchant.opens('Cara kirim baru');
  await merchant.fill({ 'create-name': 'Kurir toko', 'create-cost': '15.000' });
  await merchant.press('Simpan', form('create'));

  await merchant.go('/settings/payments');
  await merchant.opens('Rekening baru');
  await merchant.fill({ 'add-number': '5210001234', 'add-holder': 'Sari Dewi' });
  await merchant.press('Simpan', form('add'));
};

/** What the browser has chosen to load of the first picture, once it is there. */
const pictureOf = async ({ page }: Visitor): Promise<string> => {
  const first = page.locator('.shop-card img').first();
  await page.waitForLoadState('load');
  const [source, width] = await first.evaluate((image) => {
    const { currentSrc, naturalWidth } = image as unknown as { currentSrc: string; naturalWidth: number };
    return [currentSrc, naturalWidth] as const;
  });
  return width === 0 ? 'nothing' : source.slice(commerce.url.length);
};

/** From the shop's own address to an order that waits for its money. */
const buys = async (buyer: Visitor, slug: string): Promise<void> => {
  await buyer.go(`/s/${slug}`);
  expect(await pictureOf(buyer)).toMatch(/^\/blob\/.*\?as=w\d+$/);
  await buyer.page.getByRole('link', { name: /Kaos polos/ }).click();
  await buyer.fill({ qty: '2' });
  await buyer.press('Beli');
  await buyer.says('Checkout');
  await buyer.fill({ 'buyer-buyer-name': 'Budi', 'buyer-buyer-phone': '0812-3456-7890' });
  await buyer.fill({ 'buyer-address-line': 'Jl. Braga 1', 'buyer-place': 'Coblong, Bandung' });
  await buyer.press('Simpan dan lanjut');
  await buyer.press('Pakai pengiriman ini', '#shipping');
  await buyer.press(/Transfer bank/, '#payment');
  await buyer.says('5210001234');
};

const pays = async (buyer: Visitor): Promise<void> => {
  await buyer.opens('Kirim bukti transfer');
  await buyer.page.locator(`${form('proof')} input[type=file]`).setInputFiles(await file());
  await buyer.press('Kirim', form('proof'));
  await buyer.says('Bukti sedang diperiksa');
};

/** The merchant looks into the proof, packs and sends. */
const sends = async (merchant: Visitor, paid: () => Promise<void>): Promise<void> => {
  await merchant.go('/orders');
  await merchant.page.locator('td.cell-main a').first().click();
  await merchant.press('Terima, uang sudah masuk');
  await paid();
  await merchant.press('Kemas pesanan');
  await merchant.fill({ 'ship-courier': 'jne', 'ship-waybill': 'JNE0012345' });
  await merchant.press('Isi resi');
  await merchant.says('Resi disimpan, pembeli dikabari.');
};

const follows = async (buyer: Visitor, token: string): Promise<void> => {
  await buyer.go(`/track/${token}`);
  await buyer.says('JNE0012345');
};

/** By the link that a customer is sent. */
const rates = async (buyer: Visitor, storeId: string): Promise<void> => {
  const ticket = `${storeId}.${uuidv7()}`;
  await buyer.go(`/feedback/${feedbackToken(commerce.config.PAY_LINK_SECRET, ticket, new Date(NOW))}`);
  await buyer.page.getByLabel('Sangat baik').check();
  await buyer.press('Kirim penilaian');
  await buyer.says('Terima kasih!');
};

const inBrowser = (path: string): void => {
  const browser: Browser = useRunning(() => launch(path));

  it.each([
    ['with script', true],
    ['without script', false],
  ])('%s a shop is opened, sells, is paid, sends, and is rated', async (_, javaScriptEnabled) => {
    const options = { ...PHONE, javaScriptEnabled };
    const contexts: BrowserContext[] = [await browser.newContext(options), await browser.newContext(options)];
    const [merchants, buyers] = contexts as [BrowserContext, BrowserContext];
    const { email, storeId } = await newPerson(commerce);
    const merchant = new Visitor(await signInBy(merchants, commerce.url, email), commerce.url);
    const buyer = new Visitor(await buyers.newPage(), commerce.url);
    const complaints = [merchant, buyer].map(({ page }) => complaintsOf(page));

    await opensShop(merchant);
    await buys(buyer, storeId);
    await pays(buyer);
    const token = new URL(buyer.page.url()).pathname.split('/').at(-1) ?? '';
    await sends(merchant, async () => {
      // With script the page of the buyer changes by itself
      if (!javaScriptEnabled) await buyer.page.reload();
      await buyer.says('Lunas');
    });
    await follows(buyer, token);
    await rates(buyer, storeId);

    const held = `SELECT on_hand || '/' || reserved AS level FROM stock_level WHERE store_id = $1`;
    const orders = 'SELECT payment_status, fulfillment_status, total FROM sales_order WHERE store_id = $1';
    expect([
      await commerce.database.query(held, [storeId]),
      await commerce.database.query(orders, [storeId]),
      complaints.flat(),
    ]).toEqual([
      ...[[{ level: '3/0' }], [{ payment_status: 'paid', fulfillment_status: 'shipped', total: '185000' }], []],
    ]);
    await Promise.all(contexts.map((context) => context.close()));
  });
};
if (executablePath) inBrowser(executablePath);

it('a new shop has sold nothing yet', async () => {
  const { storeId } = await newPerson(commerce);
  expect(await commerce.database.query('SELECT 1 FROM sales_order WHERE store_id = $1', [storeId])).toEqual([]);
});
