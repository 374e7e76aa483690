// The wallet as a browser without script meets it: nothing is paid in or out twice.
import { useRunning } from '@platform/testing';
import { startXenditSandbox } from '@platform/testing/gateways';
import { startCommerce } from '../../../commerce.fixture';
import { PASSWORD as OWN_PASSWORD, signedIn } from '../../../web/browser.fixture';
import { heldBy, PIN, walletShop, type WalletShop } from '../wallet.fixture';
import type { Withdrawal } from '../withdrawals/withdrawals.dto';

const ACCOUNT = { key: 'xnd_development_k', callback_token: 'token-of-callbacks' };
const sandbox = useRunning(async () => {
  const running = await startXenditSandbox({ port: 0, accounts: [ACCOUNT] });
  return { ...running, stop: () => running.close() };
});
const commerce = useRunning(() =>
  startCommerce({ PAY_B_BASE_URL: sandbox.url, PAY_B_KEY: ACCOUNT.key, PAY_B_CALLBACK_TOKEN: ACCOUNT.callback_token }),
);

const openShop = async (money = 500_000) => {
  const shop = await walletShop(commerce, money);
  return { shop, ...(await signedIn(commerce, 'finance', shop.storeId)) };
};
const withdrawals = async (shop: WalletShop) => (await shop.ask<Withdrawal[]>('GET', '/wallet/withdraw')).body.data;
const toast = (html: string): string | undefined => /<p class="toast">(.*?)<\/p>/.exec(html)?.[1];

describe('a withdrawal', () => {
  it('shows what it costs before the PIN is asked for, and leaves once, however often somebody clicks', async () => {
    const { shop, browser } = await openShop();
    await browser.get('/wallet/withdraw');
    const wish = { action: 'check', amount: '100.000', bank_account_id: shop.account };
    const { location = '' } = await browser.post('/wallet/withdraw', wish);
    const { text } = await browser.get(location);
    expect([text.includes('Tarik Rp\u00a0100.000 ke BCA •9876'), text.includes('type="password"')]).toEqual([
      true,
      true,
    ]);
    const fields = { ...browser.hidden('/wallet/withdraw'), action: 'withdraw', pin: PIN };
    const answers = await Promise.all([1, 2, 3, 4].map(() => browser.send('/wallet/withdraw', fields)));
    expect(answers.some((answer) => answer.location === '/wallet/withdraw')).toBe(true);
    const again = await browser.send('/wallet/withdraw', fields);
    expect([again.location, (await withdrawals(shop)).length]).toEqual(['/wallet/withdraw', 1]);
    expect((await withdrawals(shop))[0]?.amount).toBe(100_000);
  });

  it('with a wrong PIN says so, shows the PIN to nobody, and counts the try', async () => {
    const { shop, browser } = await openShop();
    await browser.get(`/wallet/withdraw?amount=50000&bank_account_id=${shop.account}`);
    const { status, text } = await browser.post('/wallet/withdraw', { action: 'withdraw', pin: '918273' });
    expect([status, text.includes('918273'), text.includes('<a href="#withdraw-pin">')]).toEqual([422, false, true]);
    expect(await withdrawals(shop)).toEqual([]);
    const tries = 'SELECT pin_attempts FROM wallet WHERE store_id = $1';
    const made = () => commerce.database.query(tries, [shop.storeId]);
    expect(await made()).toEqual([{ pin_attempts: 1 }]);
    // A double click is one try, another PIN in the same form another
    const fields = { ...browser.hidden('/wallet/withdraw'), action: 'withdraw', pin: '918274' };
    const sent = await Promise.all([1, 2, 3].map(() => browser.send('/wallet/withdraw', fields)));
    expect([sent.map((answer) => answer.status), await made()]).toEqual([[422, 422, 422], [{ pin_attempts: 2 }]]);
    expect((await browser.send('/wallet/withdraw', { ...fields, pin: '918275' })).status).toBe(422);
    expect(await made()).toEqual([{ pin_attempts: 3 }]);
  });

  it('of more than there is, or too little, is told before any PIN', async () => {
    const { shop, browser } = await openShop(20_000);
    const { text } = await browser.get(`/wallet/withdraw?amount=50000&bank_account_id=${shop.account}`);
    expect([text.includes('Saldo tidak cukup'), text.includes('type="password"')]).toEqual([true, false]);
    await browser.get('/wallet/withdraw');
    const little = { action: 'check', amount: '5', bank_account_id: shop.account };
    const refused = await browser.post('/wallet/withdraw', little);
    expect([refused.status, refused.text.includes('<a href="#check-amount">')]).toEqual([422, true]);
  });

  it('that nobody has approved is cancelled, with all its money, once', async () => {
    const { shop, browser } = await openShop(200_000_000);
    await shop.withdraw({ amount: 150_000_000 });
    const [{ id, status } = { id: '', status: '' }] = await withdrawals(shop);
    expect(status).toBe('requested');
    // It asks for itself until nothing is on its way, without what is being typed beside it
    const asked = `?amount=50000&bank_account_id=${shop.account}&status=requested`;
    const asks = 'hx-get="/wallet/withdraw?status=requested" hx-target="#list"';
    expect((await browser.get(`/wallet/withdraw${asked}`)).text).toContain(asks);
    const part = () => browser.get('/wallet/withdraw', { 'hx-request': 'true', 'hx-target': 'div#list' });
    expect((await part()).text).toMatch(/^<!doctype html><div id="list" hx-get/);
    const path = `/wallet/withdraw/${id}/cancel`;
    const hidden = browser.hidden(path);
    await Promise.all([1, 2].map(() => browser.send(path, hidden)));
    expect((await part()).text).toMatch(/^<!doctype html><div id="list"><table/);
    expect([(await withdrawals(shop))[0]?.status, (await heldBy(commerce, shop.storeId)).wallet_available]).toEqual([
      ...['cancelled', 200_000_000],
    ]);
  });
});

it('a top-up is one bill for a click, and is paid where its provider says', async () => {
  const { shop, browser } = await openShop(0);
  await browser.get('/wallet');
  const fields = { ...browser.hidden('/wallet/topup'), amount: '50.000' };
  const answers = await Promise.all([1, 2, 3].map(() => browser.send('/wallet/topup', fields)));
  const [location = ''] = answers.flatMap((answer) => answer.location ?? []);
  const { text } = await browser.get(location);
  expect([text.includes('Bayar Rp\u00a050.000'), toast(text)]).toEqual([
    true,
    'Pembayaran disiapkan. Belum ada yang dibayar.',
  ]);
  const bills = `SELECT 1 FROM invoice WHERE store_id = $1 AND kind = 'topup'`;
  expect(await commerce.database.query(bills, [shop.storeId])).toHaveLength(1);
});

it('the page of the wallet is kept by nobody, and tells what there is', async () => {
  const { browser } = await openShop(123_456);
  const { text, headers } = await browser.get('/wallet');
  expect([headers['cache-control'], text.includes('123.456'), text.includes('Isi saldo')]).toEqual([
    ...['no-store', true, true],
  ]);
  const month = text.match(/name="month"[^>]*value="([^"]*)"/)?.[1] ?? '';
  const statement = await browser.get(`/wallet/statement?month=${month}`);
  expect([statement.headers['content-type'], statement.text.includes('closing_balance')]).toEqual([
    ...['text/csv; charset=utf-8; header=present', true],
  ]);
});

it('accounts are added, made the main one and removed, and shown by four digits', async () => {
  const { shop, browser } = await openShop();
  const post = async (fields: Readonly<Record<string, string>>) => {
    await browser.get('/wallet/bank-accounts');
    return browser.post('/wallet/bank-accounts', fields);
  };
  await post({ action: 'add', bank_code: 'BRI', number: '1234567890', holder: 'Sari Nusa' });
  const { text } = await browser.get('/wallet/bank-accounts');
  expect([text.includes('BRI •7890'), text.includes('1234567890')]).toEqual([true, false]);
  const list = async () =>
    (await shop.ask<{ id: string; is_primary: boolean }[]>('GET', '/wallet/bank-account')).body.data;
  const id = (await list()).find((account) => account.id !== shop.account)?.id ?? '';
  await post({ action: `primary.${id}`, id });
  expect((await list()).find((account) => account.is_primary)?.id).toBe(id);
  await post({ action: `remove.${id}`, id });
  expect((await list()).map((account) => account.id)).toEqual([shop.account]);
  const [other] = [await openShop()];
  const stolen = await other.browser.get('/wallet/bank-accounts');
  expect(stolen.text).not.toContain(shop.account);
  expect((await other.browser.post('/wallet/bank-accounts', { action: 'remove', id: shop.account })).status).toBe(404);
});

it('a PIN is set with the password of the login, changed with the PIN, and never shown', async () => {
  const { browser } = await signedIn(commerce);
  const post = async (fields: Readonly<Record<string, string>>) => {
    await browser.get('/wallet/pin');
    return browser.post('/wallet/pin', fields);
  };
  const simple = await post({ action: 'set', pin: '123456', password: OWN_PASSWORD });
  const foreign = await post({ action: 'set', pin: PIN, password: 'salah' });
  expect([simple.status, foreign.status, foreign.text.includes(PIN), foreign.text.includes('salah"')]).toEqual([
    ...[422, 422, false, false],
  ]);
  expect((await post({ action: 'set', pin: PIN, password: OWN_PASSWORD })).status).toBe(303);
  const wrong = await post({ action: 'change', current_pin: '918273', pin: '604812' });
  expect([wrong.status, wrong.text.includes('604812')]).toEqual([422, false]);
  expect((await post({ action: 'change', current_pin: PIN, pin: '604812' })).status).toBe(303);
});
