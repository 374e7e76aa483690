// The plan and its bills as a browser without script meets them: nothing is bought or paid twice.
import { startCommerce } from '../../../commerce.fixture';
import { useRunning } from '@platform/testing';
import { signedIn } from '../../../web/browser.fixture';
import { fund } from '../billing.fixture';
import type { Plan } from '../plans/public';

const commerce = useRunning(() => startCommerce());

const openShop = async () => {
  const { browser, storeId, userId } = await signedIn(commerce);
  const token = commerce.storeAuth.userToken({ sub: userId, store_id: storeId });
  const ask = async <T>(path: string): Promise<T> =>
    ((await commerce.call('GET', `/api${path}`, token)).body as { readonly data: T }).data;
  const bills = () => ask<{ id: string; status: string; amount: number }[]>('/subscription/invoices');
  const plan = async (at = 0) => (await ask<Plan[]>('/new-package'))[at] as Plan;
  return { browser, storeId, ask, bills, plan };
};
type Shop = Awaited<ReturnType<typeof openShop>>;

/** Takes the plan by its page, and resolves to the address of the bill. */
const take = async ({ browser }: Shop, { id }: Plan): Promise<string> => {
  await browser.get(`/billing/packages?plan_id=${id}&period=monthly`);
  return String((await browser.post('/billing/subscribe', { voucher: '' })).location);
};
const subscribed = async () => {
  const shop = await openShop();
  const plan = await shop.plan();
  const bill = await take(shop, plan);
  await fund(commerce, shop.storeId, (plan.prices?.monthly ?? 0) * 3);
  await shop.browser.get(bill);
  await shop.browser.post(`${bill}/pay`, { method: 'wallet' });
  return { ...shop, taken: plan, bill };
};

describe('a plan', () => {
  it('is paid by more forms at once than there are connections: none waits for another with one in its hand', async () => {
    const shop = await openShop();
    const plan = await shop.plan();
    const path = await take(shop, plan);
    await fund(commerce, shop.storeId, (plan.prices?.monthly ?? 0) * 2);
    await shop.browser.get(path);
    const pay = { ...shop.browser.hidden(`${path}/pay`), method: 'wallet' };
    const forms = Array.from({ length: 3 * commerce.app.database.pool.options.max }, (_, at) => ({
      ...{ ...pay, _idem: `form-${at}` },
    }));
    const answers = await Promise.all(forms.map((sent) => shop.browser.send(`${path}/pay`, sent)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect((await shop.bills()).map(({ status }) => status)).toEqual(['paid']);
  });

  it('is taken with its price on the button, billed once for a click, and paid once from the wallet', async () => {
    const shop = await openShop();
    const { browser, bills, ask, storeId } = shop;
    const plan = await shop.plan();
    const price = (plan.prices?.monthly ?? 0).toLocaleString('id-ID');
    const { text } = await browser.get(`/billing/packages?plan_id=${plan.id}&period=monthly`);
    expect(text).toContain(`Pilih ${plan.name}, bayar Rp\u00a0${price}`);
    const fields = browser.hidden('/billing/subscribe');
    const answers = await Promise.all([1, 2, 3].map(() => browser.send('/billing/subscribe', fields)));
    const [{ id = '', amount = 0 } = {}, ...others] = await bills();
    expect([answers.some(({ location }) => location === `/billing/invoices/${id}`), others]).toEqual([true, []]);
    const path = `/billing/invoices/${id}`;
    await browser.get(path);
    const broke = await browser.post(`${path}/pay`, { method: 'wallet' });
    expect([broke.status, broke.text.includes('Saldo tidak cukup.')]).toEqual([409, true]);
    await fund(commerce, storeId, amount * 2);
    await browser.get(path);
    const pay = { ...browser.hidden(`${path}/pay`), method: 'wallet' };
    await Promise.all([1, 2, 3].map(() => browser.send(`${path}/pay`, pay)));
    await browser.send(`${path}/pay`, { ...pay, _idem: 'another' });
    expect([(await bills())[0]?.status, (await ask<{ available: number }>('/wallet')).available]).toEqual([
      'paid',
      amount,
    ]);
    expect((await browser.get(path)).text).not.toContain(`action="${path}/pay"`);
    expect((await browser.get('/billing')).text).toContain(plan.name);
  });

  it('that the shop has already is not taken again, and says so in words', async () => {
    const { browser, taken } = await subscribed();
    const { text } = await browser.get(`/billing/packages?plan_id=${taken.id}&period=monthly`);
    expect([text.includes('Paket ini sudah Anda pakai.'), text.includes('action="/billing/subscribe"')]).toEqual([
      ...[true, false],
    ]);
  });

  it('is stopped at the end of what is paid, and goes on again', async () => {
    const { browser, ask } = await subscribed();
    const isEnding = async () => (await ask<{ cancel_at_period_end: boolean }>('/subscription')).cancel_at_period_end;
    await browser.get('/billing');
    await browser.post('/billing/cancel', { action: 'cancel', reason: 'Mahal' });
    expect(await isEnding()).toBe(true);
    await browser.get('/billing');
    await browser.post('/billing/cancel', { action: 'resume' });
    expect(await isEnding()).toBe(false);
  });

  it('has add-ons that are bought once for a click', async () => {
    const { browser, bills } = await subscribed();
    const { text } = await browser.get('/billing');
    const [, path = ''] = /action="(\/billing\/addons\/[^"]*)"/.exec(text) ?? [];
    const fields = { ...browser.hidden(path), quantity: '2' };
    await Promise.all([1, 2].map(() => browser.send(path, fields)));
    expect((await bills()).map(({ status }) => status)).toEqual(['open', 'paid']);
  });

  it('is shown to every member, and bought by who may', async () => {
    const { storeId } = await subscribed();
    const { browser } = await signedIn(commerce, 'cs', storeId);
    const pages = [await browser.get('/billing'), await browser.get('/billing/packages')];
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages.map(({ text }) => /action="\/billing/.test(text))).toEqual([false, false]);
  });
});

it('bills of others are not there', async () => {
  const [mine, theirs] = [await openShop(), await subscribed()];
  await mine.browser.get('/billing');
  const answers = [
    await mine.browser.get(theirs.bill),
    await mine.browser.post(`${theirs.bill}/pay`, { ...mine.browser.hidden('/logout'), method: 'wallet' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});
