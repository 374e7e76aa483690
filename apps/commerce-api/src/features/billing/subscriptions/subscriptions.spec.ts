import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, until } from '@platform/testing';
import { auditedIn, invalid, notHere, refused, succeeded } from '../../../asked.fixture';
import { newMember, useCommerce } from '../../../commerce.fixture';
import { trial } from '../../../limits';
import { addonIdOf, billedStore, fund, passDays, planIdOf, renewNow, standAt } from '../billing.fixture';
import { payInvoiceFromWallet, type Invoice } from '../invoices/public';
import { upsertPlan } from '../plans/public';
import { LIVE, NEWEST } from './subscriptions.sql';

/** The last day of a month of 31, in a year with a leap day. */
const BEGIN = '2028-01-31T09:30:00.000Z';
const commerce = useCommerce(BEGIN);
beforeEach(() => standAt(commerce, BEGIN));

const TRIAL_PLAN = {
  ...{ id: '062807b5-cea6-5517-889a-d548507f89ad', code: 'trial', name: 'Trial', family: 'new', prices: null },
  ...{ limits: trial, features: ['To try everything with'] },
};
const STARTER = {
  ...{ id: '39dd15b3-e70a-5534-8053-7ce7b90daa98', code: 'starter', name: 'Starter', family: 'new' },
  prices: { monthly: 99_000, yearly: 990_000 },
  limits: {
    devices: 2,
    agents: 3,
    staff: 5,
    contacts: 25_000,
    stores: 1,
    storage: 10_485_760,
    files: 20_000,
    broadcasts: 20,
  },
  features: ['Chat, orders and checkout links'],
};
const NEW_BILL = {
  ...{ id: expect.any(String) as string, number: expect.stringMatching(/^BIL-280131-[0-9A-Z]{6}$/) as string },
  ...{ kind: 'subscription', currency: 'IDR', status: 'open', paid_at: null, url: null, created_at: BEGIN },
};
const NOTHING_OWED = refused(409, 'insufficient_balance', 'There is not enough money in the wallet');

describe('a store without a plan', () => {
  it('is on the trial, which has no end', async () => {
    const { ask, allowed } = await billedStore(commerce);
    expect(await ask('GET', '/subscription')).toEqual(
      succeeded(200, 'OK', {
        ...{ id: null, plan: TRIAL_PLAN, status: 'trialing', period: null, period_start: null, period_end: null },
        ...{ cancel_at_period_end: false, next_plan: null, next_period: null, addons: [], auto_renew: false },
      }),
    );
    expect(await allowed()).toEqual(trial);
  });

  it.each([
    ['POST', '/subscription/cancel', {}],
    ['POST', '/subscription/resume', undefined],
    ['POST', '/subscription/change', { plan_id: STARTER.id }],
    ['POST', '/subscription/preview-change', { plan_id: STARTER.id }],
    ['POST', `/addon/afdfb195-5d56-5909-89c4-bcb43b8659e0/buy`, {}],
    ['POST', `/addon/active/${uuidv7()}/cancel`, undefined],
  ])('is told so: %s %s', async (method, path, body) => {
    const { ask } = await billedStore(commerce);
    const told = refused(409, 'not_subscribed', 'The store has no plan: choose one first');
    expect(await ask(method, path, body)).toEqual(told);
  });
});

describe('a plan', () => {
  it('is billed as it was quoted, begins when the bill is paid, and then allows what it promises', async () => {
    const { storeId, ask, fund: put, wallet, allowed } = await billedStore(commerce);
    const device = await addonIdOf(commerce, 'device');
    const choice = { plan_id: STARTER.id, period: 'monthly', addon_ids: [device] };
    const lines = [
      { text: 'Starter, 1 month', qty: 1, amount: 99_000 },
      { text: 'One more device, 1 month', qty: 1, amount: 49_000 },
    ];
    const quote = { lines, amount: 148_000, currency: 'IDR' };
    expect(await ask('POST', '/new-package/quote', choice)).toEqual(succeeded(200, 'OK', quote));
    const created = await ask<Invoice>('POST', '/subscription', choice);
    const due = { due_at: '2028-02-07T09:30:00.000Z' };
    expect(created).toEqual(succeeded(201, 'Invoice created', { ...NEW_BILL, lines, amount: 148_000, ...due }));
    const { id } = created.body.data;
    expect(await ask('POST', `/subscription/invoices/${id}/pay`, { method: 'wallet' })).toEqual(NOTHING_OWED);
    expect([(await ask<{ status: string }>('GET', '/subscription')).body.data.status, await allowed()]).toEqual([
      'trialing',
      trial,
    ]);
    standAt(commerce, '2028-01-31T10:00:00.400Z');
    await put(150_000);
    const paid = { ...created.body.data, status: 'paid', paid_at: '2028-01-31T10:00:00.400Z' };
    expect(await ask('POST', `/subscription/invoices/${id}/pay`, { method: 'wallet' })).toEqual(
      succeeded(200, 'Invoice updated', paid),
    );
    expect(await wallet()).toBe(2_000);
    const [from, until] = ['2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'];
    const addon = {
      ...{ id: device, code: 'device', name: 'One more device', metric: 'devices', amount: 1 },
      prices: { monthly: 49_000, yearly: 490_000 },
    };
    const item = { id: expect.any(String) as string, addon, quantity: 1, price: 49_000, from, until };
    const addons = [{ ...item, cancel_at_period_end: false }];
    expect(await ask('GET', '/subscription')).toEqual(
      succeeded(200, 'OK', {
        ...{ id: expect.any(String) as string, plan: STARTER, status: 'active', period: 'monthly' },
        ...{ period_start: from, period_end: until, cancel_at_period_end: false },
        ...{ next_plan: null, next_period: null, addons, auto_renew: true },
      }),
    );
    expect(await ask('GET', '/addon/active')).toEqual(succeeded(200, 'OK', addons));
    expect(await allowed()).toEqual({ ...STARTER.limits, devices: 3 });
    expect(await auditedIn(commerce, storeId)).toEqual(['billing.write subscription: amount, period, plan_id']);
  });

  it('is paid once, however many pay its bill at once', async () => {
    const { bill, pay, fund: put, wallet, subscription } = await billedStore(commerce);
    const invoice = await bill('starter');
    await put(1_000_000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(invoice)));
    expect(answers.map(({ status, body }) => [status, body.data.status])).toEqual(Array(10).fill([200, 'paid']));
    expect([await wallet(), (await subscription()).status]).toEqual([901_000, 'active']);
  });

  it('begins with the job, too, where whoever took the money has not come to it', async () => {
    const { storeId, bill, fund: put, subscription } = await billedStore(commerce);
    const invoice = await bill('growth', 'yearly');
    await put(invoice.amount);
    const by = { storeId, actor: 'test', at: commerce.clock.now() };
    await commerce.database.tx((tx) => payInvoiceFromWallet(tx, by, invoice.id));
    await until(async () => (await subscription()).status === 'active');
    expect(await subscription()).toMatchObject({ plan: { code: 'growth' }, period_end: '2029-01-31T09:30:00.000Z' });
  });

  it('is one: another cannot be subscribed to, and of two bills that are unpaid the later one stands', async () => {
    const { ask, bill, pay, fund: put, subscription } = await billedStore(commerce);
    const [first, second] = [await bill('enterprise'), await bill('starter')];
    await put(2_000_000);
    expect(await pay(first)).toEqual(refused(409, 'invalid_transition', 'It is void: that cannot be done with it now'));
    await pay(second);
    expect((await subscription()).plan.code).toBe('starter');
    expect(await ask('POST', '/subscription', { plan_id: STARTER.id, period: 'yearly' })).toEqual(
      refused(409, 'already_subscribed', 'The store has a plan: change it instead'),
    );
    const rows = await ask<Invoice[]>('GET', '/subscription/invoices');
    expect(rows.body.data.map(({ status, amount }) => [status, amount]).sort()).toEqual([
      ['paid', 99_000],
      ['void', 1_499_000],
    ]);
    const open = await ask<Invoice[]>('GET', '/subscription/invoices?status=void');
    expect(open.body.data.map(({ id }) => id)).toEqual([first.id]);
    expect(await ask('GET', `/subscription/invoices/${first.id}`)).toEqual(
      succeeded(200, 'OK', { ...first, status: 'void' }),
    );
  });

  it('of many who subscribe at once has one bill that stands', async () => {
    const { ask } = await billedStore(commerce);
    const choice = { plan_id: STARTER.id, period: 'monthly' };
    await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/subscription', choice)));
    expect((await ask<Invoice[]>('GET', '/subscription/invoices?status=open')).body.data).toHaveLength(1);
  });

  it('is not to be had by a bill whose time is over', async () => {
    const { bill, pay, fund: put, ask } = await billedStore(commerce);
    const invoice = await bill('starter');
    await put(99_000);
    passDays(commerce, 7);
    expect(await pay(invoice)).toEqual(
      refused(409, 'invoice_expired', 'The time to pay this bill is over: ask for it anew'),
    );
    await renewNow(commerce);
    expect((await ask<Invoice>('GET', `/subscription/invoices/${invoice.id}`)).body.data.status).toBe('expired');
  });

  it.each([
    ['a plan that nobody has', { plan_id: uuidv7(), period: 'monthly' }, notHere('plan_id', 'is not a plan on sale')],
    [
      'a legacy plan',
      { plan_id: '7ce53c4b-55ef-5bad-890f-e7d087e9a89d', period: 'monthly' },
      notHere('plan_id', 'is not a plan on sale'),
    ],
    [
      'an add-on that nobody has',
      { plan_id: STARTER.id, period: 'monthly', addon_ids: [uuidv7()] },
      notHere('addon_ids[0]', 'is not an add-on for this plan'),
    ],
    [
      'another period',
      { plan_id: STARTER.id, period: 'daily' },
      invalid('period', 'period must be one of [monthly yearly]'),
    ],
    [
      'a voucher that nobody has',
      { plan_id: STARTER.id, period: 'monthly', voucher: 'GRATIS' },
      invalid('voucher', 'voucher is not one that counts for this plan now'),
    ],
  ])('is refused for %s, quoted or bought', async (_, choice, told) => {
    const { ask } = await billedStore(commerce);
    expect(await ask('POST', '/new-package/quote', choice)).toEqual(told);
    expect(await ask('POST', '/subscription', choice)).toEqual(told);
  });

  it("is not another store's: its bills are 404, to read and to pay", async () => {
    const [mine, theirs] = [await billedStore(commerce), await billedStore(commerce)];
    const bill = await theirs.bill('starter');
    await mine.fund(1_000_000);
    const missing = refused(404, 'not_found', 'Invoice not found');
    expect(await mine.ask('GET', `/subscription/invoices/${bill.id}`)).toEqual(missing);
    for (const method of ['wallet', 'b'])
      expect(await mine.ask('POST', `/subscription/invoices/${bill.id}/pay`, { method })).toEqual(missing);
    expect((await mine.ask<Invoice[]>('GET', '/subscription/invoices')).body.data).toEqual([]);
  });

  it('is chosen and paid by whoever may, and every member sees it', async () => {
    const { storeId } = await billedStore(commerce);
    const { token } = await newMember(commerce, storeId, 'cs');
    expect(await commerce.call('GET', '/api/subscription', token)).toMatchObject({ status: 200 });
    const choice = { plan_id: await planIdOf(commerce, 'starter'), period: 'monthly' };
    expect(await commerce.call('POST', '/api/subscription', token, choice)).toMatchObject({ status: 403 });
  });

  it('is found by index, however many stores there are', async () => {
    for (const text of [LIVE, NEWEST]) expectNoSeqScan(await explain(commerce.database, text, ['S1']));
  });
});

describe('a voucher', () => {
  const choice = (plan_id: string, voucher: string) => ({ plan_id, period: 'yearly', voucher });

  it('takes its percents off the first bill of a store, once, and until its end', async () => {
    const plan = await upsertPlan(commerce.database, {
      ...{ code: 'promo', name: 'Promo', family: 'new', rank: 150, prices: { monthly: 50_001, yearly: 500_001 } },
      ...{ limits: trial, features: [] },
      vouchers: [{ code: 'BARU-20', percent: 20, until: '2028-02-01T00:00:00+07:00' }],
    });
    const store = await billedStore(commerce);
    const quoted = await store.ask<Invoice>('POST', '/new-package/quote', choice(plan.id, 'baru-20'));
    expect(quoted.body.data).toEqual({
      lines: [
        { text: 'Promo, 1 year', qty: 1, amount: 500_001 },
        { text: 'Voucher BARU-20 (20 %)', qty: 1, amount: -100_000 },
      ],
      ...{ amount: 400_001, currency: 'IDR' },
    });
    await store.subscribed('promo', 'yearly', { voucher: 'BARU-20' });
    const used = invalid('voucher', 'voucher was used by this store already');
    expect(await store.ask('POST', '/new-package/quote', choice(plan.id, 'BARU-20'))).toEqual(used);
    const other = await billedStore(commerce);
    standAt(commerce, '2028-01-31T17:00:00Z');
    expect(await other.ask('POST', '/subscription', choice(plan.id, 'BARU-20'))).toEqual(
      invalid('voucher', 'voucher is not one that counts for this plan now'),
    );
  });
});

describe('the end of a plan', () => {
  it('can be wanted and unwanted until it comes; what was paid is had until then, and then the store is on the trial', async () => {
    const { ask, subscribed, allowed, subscription, bill, pay, fund: put } = await billedStore(commerce);
    const begun = await subscribed('growth');
    const cancelled = { ...begun, cancel_at_period_end: true };
    expect(await ask('POST', '/subscription/cancel', { reason: 'Tutup' })).toEqual(
      succeeded(200, 'Subscription cancelled', cancelled),
    );
    expect(await ask('POST', '/subscription/cancel', {})).toEqual(
      refused(409, 'invalid_transition', 'It is cancelled: that cannot be done with it now'),
    );
    expect(await ask('POST', '/subscription/resume')).toEqual(succeeded(200, 'Subscription resumed', begun));
    expect((await ask('POST', '/subscription/resume')).status).toBe(409);
    await ask('POST', '/subscription/cancel', {});
    await put(1_000_000);
    standAt(commerce, '2028-02-29T09:29:59Z');
    await renewNow(commerce);
    expect([(await subscription()).status, (await allowed()).devices]).toEqual(['active', 5]);
    standAt(commerce, '2028-02-29T09:30:00Z');
    await renewNow(commerce);
    expect(await subscription()).toEqual({ ...cancelled, status: 'cancelled' });
    expect(await allowed()).toEqual(trial);
    expect(await ask<Invoice[]>('GET', '/subscription/invoices')).toMatchObject({ body: { meta: { total: 1 } } });
    await pay(await bill('starter'));
    expect(await subscription()).toMatchObject({ status: 'active', plan: { code: 'starter' } });
  });
});

it('money of other stores pays nothing here', async () => {
  const [mine, theirs] = [await billedStore(commerce), await billedStore(commerce)];
  await fund(commerce, theirs.storeId, 1_000_000);
  expect(await mine.pay(await mine.bill('starter'))).toEqual(NOTHING_OWED);
  expect(await theirs.wallet()).toBe(1_000_000);
});
