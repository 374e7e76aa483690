import { untilWaiting } from '@platform/testing';
import { useCommerce, type Commerce } from '../../../commerce.fixture';
import { post } from '../../ledger/postings/public';
import { addonIdOf, billedStore, passDays, renewNow, standAt, type BilledStore } from '../billing.fixture';
import { payInvoice, type Invoice } from '../invoices/public';
import { lockBilling } from './effects';
import { EXPIRE } from './purchases.sql';

const BEGIN = '2028-04-01T09:30:00.000Z';
const commerce = useCommerce(BEGIN);
beforeEach(() => standAt(commerce, BEGIN));

/** As the provider tells it of several bills, one after the other, before anybody has looked at the first. */
const paidAtOnce = async ({ database, clock }: Commerce, { storeId }: BilledStore, bills: Invoice[]): Promise<void> => {
  const by = { storeId, actor: 'test', at: clock.now() };
  await database.tx(async (tx) => {
    for (const [nth, { id, amount }] of bills.entries()) {
      const sum = { amount };
      await post(tx, by, {
        ...{ key: `test_paid:${id}`, kind: 'subscription', ref: id, currency: 'IDR' },
        entries: [
          { account: 'gateway_clearing', side: 'D', ...sum },
          { account: 'subscription_revenue', side: 'C', ...sum },
        ],
      });
      await payInvoice(tx, { ...by, at: new Date(by.at.getTime() + nth) }, id);
    }
  });
  await database.tx((tx) => lockBilling(tx, by));
};

const addon = async ({ ask }: BilledStore, code: string, quantity: number): Promise<Invoice> =>
  (await ask<Invoice>('POST', `/addon/${await addonIdOf(commerce, code)}/buy`, { quantity })).body.data;

const shown = async (store: BilledStore) => {
  const { plan, addons, period_end } = await store.subscription();
  return { plan: plan.code, addons: addons.length, period_end, wallet: await store.wallet() };
};

describe('of bills that are paid at one moment', () => {
  it('an upgrade leaves nothing of an add-on that it does not count but its money', async () => {
    const store = await billedStore(commerce);
    await store.subscribed('starter');
    passDays(commerce, 29);
    const few = await addon(store, 'device', 10);
    const upgrade = (await store.change('starter', 'yearly')).body.data.invoice as Invoice;
    await paidAtOnce(commerce, store, [upgrade, few]);
    expect(await shown(store)).toEqual({
      ...{ plan: 'starter', addons: 0, wallet: few.amount },
      period_end: '2029-04-30T09:30:00.000Z',
    });
    expect((await store.allowed()).devices).toBe(2);
  });

  it('an add-on stays, and the upgrade that does not count it is money again', async () => {
    const store = await billedStore(commerce);
    await store.subscribed('starter');
    passDays(commerce, 10);
    const few = await addon(store, 'device', 10);
    const upgrade = (await store.change('growth')).body.data.invoice as Invoice;
    await paidAtOnce(commerce, store, [few, upgrade]);
    expect(await shown(store)).toMatchObject({ plan: 'starter', addons: 1, wallet: upgrade.amount });
  });

  it('the next period is paid, and the upgrade that does not credit it is money again', async () => {
    const store = await billedStore(commerce);
    await store.subscribed('starter');
    passDays(commerce, 25);
    await renewNow(commerce);
    const upgrade = (await store.change('growth')).body.data.invoice as Invoice;
    const open = (await store.ask<Invoice[]>('GET', '/subscription/invoices?status=open')).body.data;
    const renewal = open.find(({ id }) => id !== upgrade.id) as Invoice;
    await paidAtOnce(commerce, store, [renewal, upgrade]);
    expect(await shown(store)).toMatchObject({ plan: 'starter', wallet: upgrade.amount });
  });
});

it('a bill that was paid in time buys what it is for, however late somebody looks at it', async () => {
  const store = await billedStore(commerce);
  const bill = await store.bill('starter');
  const { database, clock } = commerce;
  const by = { storeId: store.storeId, actor: 'test', at: clock.now() };
  await database.tx(async (tx) => {
    await payInvoice(tx, by, bill.id);
    await tx.query(EXPIRE, ['2028-05-01T09:30:00Z']);
  });
  await database.tx((tx) => lockBilling(tx, by));
  expect(await store.subscription()).toMatchObject({ status: 'active', plan: { code: 'starter' } });
});

it('money of a bill that bought nothing is given back after the bills are locked, as whoever is told of their payments locks them', async () => {
  const store = await billedStore(commerce);
  await store.subscribed('starter');
  passDays(commerce, 25);
  await renewNow(commerce);
  const [renewal] = (await store.ask<Invoice[]>('GET', '/subscription/invoices?status=open')).body.data;
  const lost = (await store.change('growth')).body.data.invoice as Invoice;
  const { database, clock } = commerce;
  // Not by `payInvoice`: its job would see to it first
  await database.query(`UPDATE invoice SET status = 'paid', paid_at = $2 WHERE id = $1`, [lost.id, clock.now()]);
  await database.query(`UPDATE subscription_purchase SET state = 'void' WHERE invoice_id = $1`, [lost.id]);
  const { paid } = await database.tx(async (tx) => {
    await tx.query('SELECT FROM invoice WHERE id = $1 FOR UPDATE', [renewal?.id]);
    const paying = store.pay(renewal as Invoice);
    await untilWaiting(tx, paying);
    await tx.query('SELECT FROM ledger_account WHERE store_id = $1 FOR UPDATE NOWAIT', [store.storeId]);
    return { paid: paying };
  });
  expect([(await paid).status, await store.wallet()]).toEqual([200, lost.amount - (renewal?.amount ?? 0)]);
});
