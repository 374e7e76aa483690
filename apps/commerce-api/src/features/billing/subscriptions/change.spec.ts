import { random } from '@platform/testing';
import { auditedIn, notHere, refused, succeeded } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { addonIdOf, billedStore, passDays, planIdOf, renewNow, standAt, type BilledStore } from '../billing.fixture';
import type { ActiveAddon } from '../addons/public';
import type { Invoice } from '../invoices/public';
import { endOf, findPlan, type Period, type StoredPlan } from '../plans/public';
import { countChange } from './change';
import { liveOf } from './subscriptions.sql';
import type { ChangePreview, PlanChange } from './subscriptions.dto';

const BEGIN = '2028-01-31T09:30:00.000Z';
const commerce = useCommerce(BEGIN);
beforeEach(() => standAt(commerce, BEGIN));

const begunAt = async (at: string, code: string, period?: string, more?: object): Promise<BilledStore> => {
  standAt(commerce, at);
  const store = await billedStore(commerce);
  await store.subscribed(code, period, more);
  return store;
};
const preview = async ({ ask }: BilledStore, code: string, period?: string) =>
  ask<ChangePreview>('POST', '/subscription/preview-change', { plan_id: await planIdOf(commerce, code), period });
/** Changes, and pays what is to be paid for it. */
const changed = async (store: BilledStore, code: string, period?: string): Promise<PlanChange> => {
  const { data } = (await store.change(code, period)).body;
  if (data.invoice) {
    await store.fund(data.invoice.amount);
    await store.pay(data.invoice);
  }
  return data;
};
const floorOf = (price: number, left: number, whole: number): number =>
  Number((BigInt(price) * BigInt(left)) / BigInt(whole));
const DAY = 86_400;

describe('an upgrade', () => {
  it.each<[string, string, string, number, number]>([
    ['a month of 31 days', '2028-03-01T09:30:00Z', '2028-03-11T09:30:00Z', 21 * DAY, 31 * DAY],
    ['February of a leap year', '2028-02-01T09:30:00Z', '2028-02-29T09:30:00Z', DAY, 29 * DAY],
    ['February of another year', '2027-02-01T09:30:00Z', '2027-02-28T09:30:00Z', DAY, 28 * DAY],
    ['31 January until the leap day', '2028-01-31T09:30:00Z', '2028-02-10T09:29:59.700Z', 19 * DAY + 1, 29 * DAY],
    ['a month, at its last second', '2028-04-01T09:30:00Z', '2028-05-01T09:29:59Z', 1, 30 * DAY],
    ['a month, at its first second', '2028-04-01T09:30:00Z', '2028-04-01T09:30:00.900Z', 30 * DAY, 30 * DAY],
  ])(
    'in %s credits the floor of what remains, happens when its bill is paid, and begins a whole period',
    async (...row) => {
      const [, begin, at, left, whole] = row;
      const store = await begunAt(begin, 'starter');
      const before = await store.subscription();
      standAt(commerce, at);
      const credit = floorOf(99_000, left, whole);
      const counted = { credit, charge: 249_000, due_now: 249_000 - credit };
      const from = new Date(Math.floor(Date.parse(at) / 1000) * 1000);
      const told = { ...counted, effective_at: from.toISOString() };
      expect(await preview(store, 'growth')).toEqual(succeeded(200, 'OK', told));
      const { status, body } = await store.change('growth');
      const lines = [
        { text: 'Growth, 1 month', qty: 1, amount: 249_000 },
        ...(credit > 0 ? [{ text: 'Credit for what was paid and not used', qty: 1, amount: -credit }] : []),
      ];
      const bill = { amount: counted.due_now, lines, status: 'open', kind: 'subscription' };
      expect([status, body.data]).toEqual([200, { ...told, invoice: expect.objectContaining(bill) as Invoice }]);
      expect(await store.subscription()).toEqual(before);
      await store.fund(counted.due_now);
      await store.pay(body.data.invoice as Invoice);
      const until = endOf(from, 'monthly', from.getUTCDate());
      expect(await store.subscription()).toMatchObject({
        ...{ id: before.id, plan: { code: 'growth' }, status: 'active' },
        ...{ period_start: from.toISOString(), period_end: until.toISOString() },
      });
      expect([await store.wallet(), (await store.allowed()).devices]).toEqual([0, 5]);
    },
  );

  it('of a year that began on a leap day counts all of its seconds, and from a month to a year too', async () => {
    const store = await begunAt('2028-02-29T09:30:00Z', 'starter', 'yearly');
    expect((await store.subscription()).period_end).toBe('2029-02-28T09:30:00.000Z');
    standAt(commerce, '2028-03-31T09:30:00Z');
    const credit = floorOf(990_000, 334 * DAY, 365 * DAY);
    await changed(store, 'business', 'yearly');
    expect(await store.subscription()).toMatchObject({ period_end: '2029-03-31T09:30:00.000Z' });
    const [bill] = (await store.ask<Invoice[]>('GET', '/subscription/invoices?per_page=1')).body.data;
    expect(bill?.amount).toBe(5_990_000 - credit);
    const monthly = await begunAt('2028-01-31T09:30:00Z', 'starter');
    await changed(monthly, 'starter', 'yearly');
    expect(await monthly.subscription()).toMatchObject({ period: 'yearly', period_end: '2029-01-31T09:30:00.000Z' });
  });

  it('credits what was paid for add-ons and ahead, and bills the add-ons anew', async () => {
    const device = await addonIdOf(commerce, 'device');
    const store = await begunAt('2028-04-01T09:30:00Z', 'starter', 'monthly', { addon_ids: [device] });
    standAt(commerce, '2028-04-26T09:30:00Z');
    await store.fund(148_000);
    await renewNow(commerce);
    expect(await store.wallet()).toBe(0);
    const credit = floorOf(99_000, 5 * DAY, 30 * DAY) + floorOf(49_000, 5 * DAY, 30 * DAY) + 148_000;
    expect((await preview(store, 'growth')).body.data).toMatchObject({ credit, charge: 298_000 });
    await changed(store, 'growth');
    expect(await store.subscription()).toMatchObject({
      plan: { code: 'growth' },
      period_end: '2028-05-26T09:30:00.000Z',
    });
    standAt(commerce, '2028-05-01T09:30:00Z');
    await renewNow(commerce);
    expect(await store.subscription()).toMatchObject({
      plan: { code: 'growth' },
      period_end: '2028-05-26T09:30:00.000Z',
    });
    expect((await store.allowed()).devices).toBe(6);
  });

  it('at ten thousand random moments credits from 0 to what was paid, and its bill is what the preview told', async () => {
    const store = await begunAt(BEGIN, 'starter', 'yearly');
    const { below, chance } = random(20_261_125);
    const begin = Date.parse(BEGIN);
    const ids = await Promise.all(['starter', 'growth', 'business'].map((code) => planIdOf(commerce, code)));
    const plans = (await Promise.all(ids.map((id) => findPlan(commerce.database, id)))) as StoredPlan[];
    const live = await liveOf(commerce.database, store.storeId);
    for (let round = 0; round < 10_000; round++) {
      const period: Period = chance(0.5) ? 'monthly' : 'yearly';
      const from = new Date(begin + below(400) * DAY * 1000 + below(DAY) * 1000);
      const until = endOf(from, period, from.getUTCDate());
      const price = 1 + below(2_000_000);
      const given = { ...live, period, price, period_start: from, period_end: until };
      const at = new Date(from.getTime() + below((until.getTime() - from.getTime()) / 1000) * 1000);
      const wanted = {
        plan: plans[below(3)] ?? live.plan,
        period: chance(0.5) ? ('monthly' as const) : ('yearly' as const),
      };
      const counted = countChange(given, wanted, undefined, at);
      const { credit, charge, due_now, bill } = counted;
      const isSound = credit >= 0 && credit <= price && due_now >= 0 && due_now === (bill?.amount ?? 0);
      if (!isSound || (bill && (due_now !== charge - credit || due_now === 0)))
        throw new Error(JSON.stringify({ given, at, counted }));
    }
  });
});

describe('a bill of an upgrade', () => {
  it('is void as soon as another is written, and is not to be paid after a day', async () => {
    const store = await begunAt(BEGIN, 'starter');
    const [first, second] = [await store.change('growth'), await store.change('business')];
    await store.fund(10_000_000);
    expect((await store.pay(first.body.data.invoice as Invoice)).body.code).toBe('invalid_transition');
    passDays(commerce, 1);
    expect((await store.pay(second.body.data.invoice as Invoice)).body.code).toBe('invoice_expired');
    expect((await store.subscription()).plan.code).toBe('starter');
  });

  it('that is paid while another is written has its effect once, and money that bought nothing is in the wallet', async () => {
    const store = await begunAt(BEGIN, 'starter');
    const { invoice } = (await store.change('growth')).body.data;
    await store.fund(invoice?.amount ?? 0);
    await Promise.all([store.pay(invoice as Invoice), store.change('business'), store.change('enterprise')]);
    const { plan } = await store.subscription();
    expect([plan.code, await store.wallet()]).toEqual(
      plan.code === 'growth' ? ['growth', 0] : ['starter', invoice?.amount],
    );
  });
});

describe('a downgrade', () => {
  it('begins when what is paid has ended, on the next bill, and costs nothing before', async () => {
    const store = await begunAt('2028-01-31T09:30:00Z', 'growth');
    const end = '2028-02-29T09:30:00.000Z';
    const told = { credit: 0, charge: 99_000, due_now: 0, effective_at: end };
    expect(await preview(store, 'starter')).toEqual(succeeded(200, 'OK', told));
    expect(await store.change('starter')).toEqual(succeeded(200, 'Subscription updated', { ...told, invoice: null }));
    expect(await store.subscription()).toMatchObject({
      ...{ plan: { code: 'growth' }, next_plan: { code: 'starter' }, next_period: 'monthly', period_end: end },
    });
    expect((await store.allowed()).devices).toBe(5);
    await store.fund(99_000);
    standAt(commerce, '2028-02-22T09:30:00Z');
    await renewNow(commerce);
    expect([await store.wallet(), (await store.allowed()).devices]).toEqual([0, 5]);
    standAt(commerce, end);
    await renewNow(commerce);
    expect(await store.subscription()).toMatchObject({
      ...{ plan: { code: 'starter' }, next_plan: null, next_period: null, period_end: '2028-03-31T09:30:00.000Z' },
    });
    expect((await store.allowed()).devices).toBe(2);
    expect(await auditedIn(commerce, store.storeId)).toEqual([
      'billing.write subscription: amount, period, plan_id',
      'billing.write subscription: plan',
    ]);
  });

  it('from a year to a month is one, too, also of a larger plan', async () => {
    const store = await begunAt(BEGIN, 'starter', 'yearly');
    const told = { credit: 0, charge: 249_000, due_now: 0, effective_at: '2029-01-31T09:30:00.000Z' };
    expect((await preview(store, 'growth', 'monthly')).body.data).toEqual(told);
  });

  it('can be taken back until then, and the bill that was written for it is void', async () => {
    const store = await begunAt(BEGIN, 'growth');
    standAt(commerce, '2028-02-25T09:30:00Z');
    await renewNow(commerce);
    await store.change('starter');
    await renewNow(commerce);
    const bills = async () =>
      (await store.ask<Invoice[]>('GET', '/subscription/invoices')).body.data
        .map(({ status, amount }) => `${status} ${amount}`)
        .sort();
    expect(await bills()).toEqual(['open 99000', 'paid 249000', 'void 249000']);
    await store.change('growth');
    await renewNow(commerce);
    expect(await bills()).toEqual(['open 249000', 'paid 249000', 'void 249000', 'void 99000']);
    expect(await store.subscription()).toMatchObject({ next_plan: null, plan: { code: 'growth' } });
  });
});

describe('a change', () => {
  it('to the same plan, of a plan that was cancelled, or to one that is not on sale is refused, previewed or made', async () => {
    const store = await begunAt(BEGIN, 'growth');
    const same = refused(409, 'same_plan', 'The store has this plan already');
    expect([await preview(store, 'growth'), await store.change('growth')]).toEqual([same, same]);
    const legacy = notHere('plan_id', 'is not a plan on sale');
    expect([await preview(store, 'legacy-pro'), await store.change('legacy-pro')]).toEqual([legacy, legacy]);
    await store.ask('POST', '/subscription/cancel', {});
    const ending = refused(409, 'subscription_ending', 'The plan was cancelled: resume it first');
    expect([await preview(store, 'business'), await store.change('business')]).toEqual([ending, ending]);
  });

  it('of an unpaid plan is that of the bill which is due', async () => {
    const store = await begunAt('2028-01-31T09:30:00Z', 'growth');
    standAt(commerce, '2028-03-01T09:30:00Z');
    await renewNow(commerce);
    const { data } = (await store.change('starter')).body;
    const end = '2028-02-29T09:30:00.000Z';
    expect(data).toMatchObject({ credit: 0, charge: 99_000, due_now: 99_000, effective_at: end });
    await store.fund(99_000);
    await store.pay(data.invoice as Invoice);
    expect(await store.subscription()).toMatchObject({
      ...{ status: 'active', plan: { code: 'starter' }, period_start: end, period_end: '2028-03-31T09:30:00.000Z' },
    });
  });
});

describe('an add-on', () => {
  it('costs the rest of the period, counts when it is paid, and is on the next bill until it is cancelled', async () => {
    const store = await begunAt('2028-04-01T09:30:00Z', 'starter');
    const staff = await addonIdOf(commerce, 'staff');
    standAt(commerce, '2028-04-11T09:30:00Z');
    const bought = await store.ask<Invoice>('POST', `/addon/${staff}/buy`, { quantity: 2 });
    const amount = Math.ceil((50_000 * 20) / 30);
    const lines = [{ text: 'One more member of staff, until the end of what is paid', qty: 2, amount }];
    expect([bought.status, bought.body]).toEqual([
      201,
      {
        ...{ status: 'success', message: 'Invoice created' },
        data: expect.objectContaining({ kind: 'addon', amount, lines, due_at: '2028-04-12T09:30:00.000Z' }) as Invoice,
      },
    ]);
    expect((await store.allowed()).staff).toBe(5);
    await store.fund(amount);
    await store.pay(bought.body.data);
    expect((await store.allowed()).staff).toBe(7);
    const [item] = (await store.ask<ActiveAddon[]>('GET', '/addon/active')).body.data;
    const [from, until] = ['2028-04-11T09:30:00.000Z', '2028-05-01T09:30:00.000Z'];
    expect(item).toMatchObject({ quantity: 2, price: amount, from, until, cancel_at_period_end: false });
    await store.fund(149_000);
    standAt(commerce, until);
    await renewNow(commerce);
    expect([await store.wallet(), (await store.allowed()).staff]).toEqual([0, 7]);
    const cancel = `/addon/active/${item?.id ?? ''}/cancel`;
    expect(await store.ask('POST', cancel)).toEqual(succeeded(200, 'Add-on cancelled', null));
    expect((await store.ask('POST', cancel)).body.code).toBe('invalid_transition');
    expect((await store.allowed()).staff).toBe(7);
    await store.fund(99_000);
    standAt(commerce, '2028-06-01T09:30:00Z');
    await renewNow(commerce);
    expect([await store.wallet(), (await store.allowed()).staff]).toEqual([0, 5]);
    expect(await store.ask('GET', '/addon/active')).toEqual(succeeded(200, 'OK', []));
  });

  it('that is bought after the next period was paid is paid until the end of that, and is in force in it', async () => {
    const store = await begunAt('2028-04-01T09:30:00Z', 'starter');
    const staff = await addonIdOf(commerce, 'staff');
    await store.fund(99_000);
    standAt(commerce, '2028-04-26T09:30:00Z');
    await renewNow(commerce);
    const { data } = (await store.ask<Invoice>('POST', `/addon/${staff}/buy`, {})).body;
    expect(data.amount).toBe(Math.ceil((25_000 * 5) / 30) + 25_000);
    await store.fund(data.amount);
    await store.pay(data);
    standAt(commerce, '2028-05-02T09:30:00Z');
    await renewNow(commerce);
    expect([(await store.subscription()).period_end, (await store.allowed()).staff]).toEqual([
      '2028-06-01T09:30:00.000Z',
      6,
    ]);
  });

  it('is listed, and another store cannot cancel it', async () => {
    const [mine, theirs] = [
      await begunAt(BEGIN, 'starter'),
      await begunAt(BEGIN, 'starter', 'monthly', { addon_ids: [await addonIdOf(commerce, 'device')] }),
    ];
    const listed = (await mine.ask<{ code: string }[]>('GET', '/addon')).body.data;
    expect(listed.map(({ code }) => code)).toEqual(['contacts', 'device', 'staff', 'storage']);
    const [item] = (await theirs.subscription()).addons;
    expect(await mine.ask('POST', `/addon/active/${item?.id ?? ''}/cancel`)).toEqual(
      refused(404, 'not_found', 'Add-on not found'),
    );
    expect((await theirs.subscription()).addons).toHaveLength(1);
  });
});
