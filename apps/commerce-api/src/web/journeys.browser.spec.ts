// What goes through others: money that providers take and pay out, files that are bought and read, as people see it in a browser.
import { readFile } from 'node:fs/promises';
import { environment } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import type { Browser, BrowserContext } from 'playwright-core';
import { OWNER_ID } from '../clients/store-auth.fake';
import { digitalShop, EMAIL, PDF } from '../features/digital/digital.fixture';
import { gatewayShop, type GatewayShop } from '../features/gateways/gateways.fixture';
import type { GatewayCode } from '../features/gateways/port';
import type { OrderView } from '../features/sales/orders/orders.dto';
import { heldBy, PASSWORD, PIN, withWallet } from '../features/wallet/wallet.fixture';
import { toldAll, usePaidAtSandboxes } from '../paid-at-sandboxes.fixture';
import { complaintsOf, launch, misfitsOf, signInBy } from './chromium.fixture';
import { form, PHONE, Visitor } from './visitor.fixture';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath) process.stderr.write('CHROMIUM_PATH is not set: nobody paid at a provider in a browser.\n');

const all = usePaidAtSandboxes({ PUBLIC_URL: 'http://shop.example' });
/** What links lead to is here. */
const hostRules = () => `--host-resolver-rules=MAP shop.example 127.0.0.1:${new URL(all.url).port}`;
const MONEY = 500_000;
const OWNER = 'owner@toko-nusa.example';

/** A shop of hats that are fetched, whose owner signs in. */
const openShop = async (): Promise<GatewayShop> => {
  const shop = await gatewayShop(all.commerce);
  await shop.ask('POST', '/shipping/methods', { kind: 'pickup', name: 'Ambil di toko', cost: 0 });
  await withWallet(all.commerce, shop, MONEY);
  const user = { id: OWNER_ID, password: PASSWORD, nama: 'Sari', stores: [shop.storeId] };
  all.storeAuth.users.set(OWNER, user);
  return shop;
};

/** From the shop to the page of an order that waits for its money. */
const buys = async (buyer: Visitor, slug: string, method: RegExp, isSent = true): Promise<string> => {
  await buyer.go(`/s/${slug}`);
  await buyer.page
    .getByRole('link', { name: /Hat 0|Buku Nusa/ })
    .first()
    .click();
  await buyer.press('Beli');
  await buyer.says('Checkout');
  await buyer.fill({ 'buyer-buyer-name': 'Budi', 'buyer-buyer-phone': '0812-3456-7890' });
  // What is downloaded has no address: its links come by e-mail
  if (!isSent) await buyer.fill({ 'buyer-buyer-email': EMAIL });
  else await buyer.fill({ 'buyer-address-line': 'Jl. Braga 1', 'buyer-place': 'Coblong, Bandung' });
  await buyer.press('Simpan dan lanjut');
  if (isSent) await buyer.press('Pakai pengiriman ini', '#shipping');
  await buyer.press(method, '#payment');
  return new URL(buyer.page.url()).pathname;
};

/** The page of the provider that the page of the order leads to. */
const atProvider = async (buyer: Visitor, context: BrowserContext): Promise<Visitor> => {
  const url = await buyer.page.getByRole('link', { name: 'Bayar sekarang' }).getAttribute('href');
  const page = await context.newPage();
  await page.goto(url ?? '');
  return new Visitor(page, all.url);
};

/** Its provider tells of a payment so often once more, and hears that it was taken. */
const toldAgain = async (code: GatewayCode, invoice: string): Promise<void> => {
  const { till } = all.tills[code];
  const payment = till.named({ invoice });
  till.tell(payment);
  till.tell(payment);
  await toldAll(all.tills[code]);
  const answers = till.sender.rows.filter(({ about }) => about === payment.id).map((row) => row.answers.at(-1));
  expect(answers).toEqual([200, 200, 200]);
};

const bookedOf = async (shop: GatewayShop): Promise<string[]> =>
  (await shop.postings()).filter((line) => line.startsWith('order_paid'));
const ordersOf = async (shop: GatewayShop): Promise<OrderView[]> =>
  (await shop.ask<OrderView[]>('GET', '/order')).body.data;

const inBrowser = (path: string): void => {
  const browser: Browser = useRunning(() => launch(path, hostRules()));
  let shop: GatewayShop;
  let owner: Visitor;
  beforeAll(async () => {
    shop = await openShop();
    const context = await browser.newContext({ ...PHONE, acceptDownloads: true });
    owner = new Visitor(await signInBy(context, all.url, OWNER), all.url);
  });
  const opened = async (more: object = {}): Promise<[Visitor, BrowserContext, string[]]> => {
    const context = await browser.newContext({ ...PHONE, ...more });
    const page = await context.newPage();
    return [new Visitor(page, all.url), context, complaintsOf(page)];
  };

  it('a buyer pays at a provider: the page that they left open says so by itself, and it is booked once', async () => {
    const [buyer, context, complaints] = await opened();
    const pay = await buys(buyer, shop.storeId, /DOKU/);
    expect(pay).toMatch(/^\/pay\//);
    await buyer.says('Menunggu pembayaran');
    const provider = await atProvider(buyer, context);
    await provider.press('Pay');
    await buyer.says('Lunas');
    await provider.page.getByRole('link', { name: 'Back to the shop' }).click();
    await provider.says('Lunas');
    expect(new URL(provider.page.url()).pathname).toBe(pay);

    const [order] = await ordersOf(shop);
    const before = [await bookedOf(shop), await shop.levels()];
    await toldAgain('a', `${order?.number}-1`);
    expect([await bookedOf(shop), await shop.levels()]).toEqual(before);
    expect([before[0]?.length, before[1]]).toEqual([1, ['9/0']]);
    await owner.go(`/orders/${order?.id}`);
    await owner.says('Lunas');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('without script, a provider that is down is said in words, the order stays, and is paid once it is back', async () => {
    const { faults } = all.tills.b;
    const before = (await bookedOf(shop)).length;
    const [buyer, context] = await opened({ javaScriptEnabled: false });
    faults.setDown({ mode: 'error' });
    const pay = await buys(buyer, shop.storeId, /Xendit/).finally(() => faults.setDown({ mode: 'up' }));
    await buyer.says('Penyedia pembayaran belum menjawab.');
    expect(await misfitsOf(buyer.page)).toEqual([]);
    const [order] = await ordersOf(shop);
    expect([order?.status, order?.payment_status]).toEqual(['open', 'unpaid']);
    await buyer.press(/Bayar lewat Xendit/);
    const provider = await atProvider(buyer, context);
    await provider.press('Pay');
    await until(async () => (await ordersOf(shop))[0]?.payment_status === 'paid');
    await buyer.go(pay);
    await buyer.says('Lunas');
    expect((await bookedOf(shop)).length).toBe(before + 1);
    await context.close();
  });

  /** The owner asks for a withdrawal, and sees it; resolves to its id. */
  const withdraws = async (amount: string): Promise<string> => {
    all.clock.advance(1_000);
    await owner.go('/wallet/withdraw');
    await owner.fill({ 'check-amount': amount });
    await owner.press('Lanjut', form('check'));
    await owner.says(`Rp ${amount}`);
    await owner.fill({ 'withdraw-pin': PIN });
    await owner.press(/^Tarik/, form('withdraw'));
    await owner.says('Penarikan diminta.');
    const sent =
      'SELECT id, provider_ref FROM withdrawal WHERE store_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1';
    const [row] = await until(
      () => all.database.query<{ id: string; provider_ref: string | null }>(sent, [shop.storeId]),
      ([last]) => last?.provider_ref !== null,
    );
    return row?.id ?? '';
  };
  /** The provider of payouts says what has become of it. */
  const settled = async (reference_id: string, to: string): Promise<void> => {
    const order = { method: 'POST', body: JSON.stringify({ reference_id, to }) };
    expect((await fetch(`${all.tills.b.url}/__sandbox/payout`, order)).status).toBe(200);
    await toldAll(all.tills.b);
  };
  const newest = () => owner.page.locator('tbody tr').first();

  it('an owner withdraws: what arrives is said, and what fails is back in the wallet, once', async () => {
    const available = async () => (await heldBy(all.commerce, shop.storeId)).wallet_available ?? 0;
    const before = await available();
    const first = await withdraws('100.000');
    await settled(first, 'succeed');
    // The page that they left open says so by itself
    await newest().getByText('Sampai').waitFor();
    const left = await available();
    expect(left).toBeLessThanOrEqual(before - 100_000);

    const second = await withdraws('50.000');
    await settled(second, 'fail');
    const { sender } = all.tills.b.till;
    const told = sender.rows.at(-1);
    if (told)
      sender.send({ type: told.type, body: told.body, about: told.about, account: told.account, url: told.url });
    await toldAll(all.tills.b);
    await owner.go('/wallet/withdraw');
    expect(await newest().innerText()).toMatch(/Gagal[^]*Nomor rekening tidak dikenal bank[^]*kembali ke saldo/);
    expect([await available(), await misfitsOf(owner.page)]).toEqual([left, []]);
    await owner.go('/wallet');
    // A file comes as often as somebody asks for it: its page stays
    for (const nth of [1, 2]) {
      const coming = owner.page.waitForEvent('download');
      await owner.page.locator('form[action="/wallet/statement"] button').click();
      expect([nth, (await coming).suggestedFilename()]).toEqual([nth, 'wallet.csv']);
    }
  });

  it('what is downloaded is bought, paid and fetched as often as it may be; then that is said, and so is a foreign link', async () => {
    const sold = await digitalShop(all.commerce, { delivery: { max_downloads: 2 } });
    await sold.ask('PUT', '/payment/methods/a', { enabled: true });
    const [buyer, context, complaints] = await opened({ acceptDownloads: true });
    await buys(buyer, sold.storeId, /DOKU/, false);
    await (await atProvider(buyer, context)).press('Pay');
    await buyer.says('Lunas');
    await until(async () => (await sold.deliveries()).some(({ sent_at }) => sent_at !== null));
    const letter = all.mails.findLast(({ to }) => to === EMAIL)?.text ?? '';
    const [link = ''] = /http:\/\/shop\.example\/download\/\S+/.exec(letter) ?? [];
    await buyer.page.reload();
    await buyer.says('Bisa diunduh 2 kali lagi, sampai');
    expect(await misfitsOf(buyer.page)).toEqual([]);
    await buyer.page.goto(link);
    const fetches = async () => {
      const coming = buyer.page.waitForEvent('download');
      await buyer.page.getByRole('link', { name: 'Unduh' }).click();
      const download = await coming;
      return [download.suggestedFilename(), await readFile(await download.path())];
    };
    expect([await fetches(), await fetches()]).toEqual(Array(2).fill(['buku 0.pdf', PDF]));
    // The page that is open still has its button
    await buyer.page.getByRole('link', { name: 'Unduh' }).click();
    await buyer.says('Sudah diunduh sebanyak yang dibolehkan.');
    expect(complaints).toEqual([]);
    const answer = await buyer.page.goto(link.replace(/\.[^.]+$/, `.${'A'.repeat(43)}`));
    expect([answer?.status(), await buyer.page.locator('h1').innerText()]).toEqual([
      404,
      'Link ini tidak membuka apa pun',
    ]);
    await context.close();
  });

  it('a file of products is looked at first, its faults row by row, then saved with its progress, and not twice', async () => {
    const rows = ['HAT-9,Topi baru,25000,100', 'HAT-8,Topi mahal,mahal,100', 'HAT-9,Topi kembar,1000,100', ',,5000,1'];
    const buffer = Buffer.from(['sku,name,price,weight_g', ...rows].join('\n'));
    const reads = async (): Promise<void> => {
      await owner.go('/products/import');
      await owner.page.locator('input[type=file]').setInputFiles({ name: 'produk.csv', mimeType: 'text/csv', buffer });
      await owner.page.getByRole('button', { name: 'Baca berkas' }).click();
    };
    const faults = async () =>
      (await owner.page.locator('tbody tr').allInnerTexts()).map((row) => row.split(/\s*\n\s*/));
    const count = async () => (await shop.ask<object[]>('GET', '/products')).body.data.length;
    await reads();
    await owner.says('1 baris siap disimpan.');
    expect(await faults()).toEqual([
      ['Baris 3', 'price', 'price harus berupa angka bulat.'],
      ['Baris 4', 'sku', 'sku sama dengan baris 2.'],
      ['Baris 5', 'name', 'name harus diisi.'],
    ]);
    expect(await count()).toBe(1);
    await owner.press('Simpan 1 baris');
    await owner.says('1 dari 1 baris disimpan.');
    await owner.says('Selesai');
    expect(await count()).toBe(2);

    await reads();
    await owner.says('Tidak ada baris yang bisa disimpan.');
    expect(await misfitsOf(owner.page)).toEqual([]);
    expect((await faults())[0]).toEqual(['Baris 2', 'sku', 'sku sudah ada di toko Anda.']);
    expect(await count()).toBe(2);
  });
};
if (executablePath) inBrowser(executablePath);

it('nobody has paid to begin with', async () => {
  expect(await bookedOf(await gatewayShop(all.commerce))).toEqual([]);
});
