import { UpstreamFailed } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { until, untilWaiting } from '@platform/testing';
import { bearer, newApiToken, newMember, NOW, useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';
import { balancesOf } from '../../ledger/postings/public';
import type { Order, OrderView } from '../orders/orders.dto';
import { orderShop, type OrderShop } from '../orders/orders.fixture';
import { comeBack, fail, succeed } from './refund.ends';
import { refundPayouts } from './refund.notices';
import type { Refund } from './refunds.dto';
import { BANK, comesToPlatform, leftAlone, paidToPlatform, providerB, refundsBy } from './refunds.fixture';

const commerce = useCommerce();

const PAYOUT = { method: 'payout', bank: BANK, reason: 'Rusak' };
const ask = async (token: string, { id }: Order, body: object = PAYOUT) => {
  const headers = bearer(token, { 'idempotency-key': uuidv7() });
  const answer = await commerce.post(`/api/order/${id}/refund`, body, headers);
  const { code, message, data } = answer.body as { code?: string; message: string; data: Refund };
  return { status: answer.status, code, message, data };
};
const refunds = async ({ ask: asked }: OrderShop, { id }: Order) =>
  (await asked<Order>('GET', `/order/${id}`)).body.data.refunds;
const bankFields = Object.fromEntries(Object.entries(BANK).map(([name, value]) => [`bank[${name}]`, value]));
const optionsOf = (text: string): string[] =>
  [...text.matchAll(/<option value="(manual|payout|provider)"/g)].map(([, value = '']) => value);

/** A refund that its provider may be told of now, and what the wallet had before it. */
const askedBack = async () => {
  const { shop, order } = await paidToPlatform(commerce, 1);
  const { storeId } = shop;
  const before = await balancesOf(commerce.database, storeId, 'IDR');
  const { data } = await ask(commerce.storeAuth.userToken({ store_id: storeId }), order);
  await leftAlone(commerce, data.id);
  return { storeId, order, data, before, by: { storeId, actor: 'provider:b', at: new Date(NOW) } };
};

describe('a refund by payout, which takes money out of the wallet to any account,', () => {
  it('is for who may withdraw: neither for an admin nor for an API token, who may give back otherwise', async () => {
    const { shop, order } = await paidToPlatform(commerce, 2);
    const admin = await newMember(commerce, shop.storeId, 'admin');
    const script = await newApiToken(commerce, shop.storeId, { abilities: ['order.refund', 'wallet.withdraw'] });
    expect([await ask(admin.token, order), await ask(script.token, order)]).toMatchObject([
      { status: 403, message: 'This needs the ability wallet.withdraw' },
      { status: 403, code: 'token_not_allowed' },
    ]);
    const manual = { method: 'manual', reason: 'Rusak', amount: 5_000 };
    expect([(await ask(admin.token, order, manual)).status, (await ask(script.token, order, manual)).status]).toEqual([
      ...[201, 201],
    ]);
    const finance = await newMember(commerce, shop.storeId, 'finance');
    const { status, data } = await ask(finance.token, order);
    expect([status, data.method, data.amount]).toEqual([201, 'payout', 10_000]);
  });

  it('is offered on the page to nobody else, and refused when it is sent all the same', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const path = `/orders/${order.id}`;
    const [admin, finance] = [
      await signedIn(commerce, 'admin', shop.storeId),
      await signedIn(commerce, 'finance', shop.storeId),
    ];
    const seen = (await admin.browser.get(path)).text;
    expect([optionsOf(seen), seen.includes('bank[number]')]).toEqual([['manual', 'provider'], false]);
    const fields = { action: 'refund', method: 'payout', reason: 'Rusak', ...bankFields };
    const sent = await admin.browser.post(`${path}/refund`, fields);
    expect([sent.status, await refunds(shop, order)]).toEqual([403, []]);
    expect(optionsOf((await finance.browser.get(path)).text)).toEqual(['manual', 'payout', 'provider']);
    await finance.browser.post(`${path}/refund`, fields);
    expect(await refunds(shop, order)).toMatchObject([{ method: 'payout', amount: 10_000 }]);
  });

  it('whose refusal is heard only after another process has asked and was taken is not in the wallet again', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { data } = await ask(commerce.storeAuth.userToken({ store_id: shop.storeId }), order);
    await leftAlone(commerce, data.id);
    const job = { storeId: shop.storeId, id: data.id };
    let hear: (() => void) | undefined;
    const refused = new UpstreamFailed('It says: no', { outcome: 'refused' });
    const payout = () => new Promise<never>((_, reject) => (hear = () => reject(refused)));
    const hung = refundsBy(commerce, providerB({ payout })).execute(job);
    await until(() => hear !== undefined);
    const taken = async () => ({ ref: 'p-1', state: 'accepted' as const });
    await refundsBy(commerce, providerB({ payout: taken })).execute(job);
    hear?.();
    await hung;
    expect(await balancesOf(commerce.database, shop.storeId, 'IDR')).toMatchObject({ wallet_locked: 9_000 });
    expect(await refunds(shop, order)).toMatchObject([{ status: 'processing' }]);
  });

  it('whose refusal is heard after the notice that it was taken is asked about again', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { storeId } = shop;
    const { database } = commerce;
    const { data } = await ask(commerce.storeAuth.userToken({ store_id: storeId }), order);
    await leftAlone(commerce, data.id);
    const jobs = 'commerce_api_jobs._private_jobs WHERE key = $1';
    await database.query(`DELETE FROM ${jobs}`, [`refund:${data.id}`]);
    const by = { storeId, actor: 'provider:b', at: new Date(NOW) };
    const payout = async () => {
      const notice = { referenceId: data.id, state: 'accepted', ref: 'po-1' } as const;
      await database.tx((tx) => refundPayouts(database).told(tx, by, notice));
      throw new UpstreamFailed('It says: no', { outcome: 'refused' });
    };
    await refundsBy(commerce, providerB({ payout })).execute({ storeId, id: data.id });
    expect(await refunds(shop, order)).toMatchObject([{ status: 'processing' }]);
    expect(await database.query(`SELECT 1 FROM ${jobs}`, [`refund:${data.id}`])).toHaveLength(1);
  });

  it('waits while its store is suspended, and goes when that is open again', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { database } = commerce;
    const stands = (status: string) =>
      database.query('UPDATE store SET status = $2 WHERE store_id = $1', [shop.storeId, status]);
    const owner = commerce.storeAuth.userToken({ store_id: shop.storeId });
    const { data } = await ask(owner, order);
    await leftAlone(commerce, data.id);
    await stands('suspended');
    const sent: string[] = [];
    const payout = async ({ id }: { readonly id: string }) => {
      sent.push(id);
      return { ref: 'po-1', state: 'accepted' as const };
    };
    const job = { storeId: shop.storeId, id: data.id };
    const by = refundsBy(commerce, providerB({ payout, payoutStatus: async (ref) => ({ ref, state: 'succeeded' }) }));
    await by.execute(job);
    // By the clock of the database: that of this process stands still
    const later = `SELECT run_at BETWEEN now() + interval '5 minutes' AND now() + interval '10 minutes' AS later
      FROM commerce_api_jobs._private_jobs WHERE key = $1`;
    expect([sent, await database.query(later, [`refund:${data.id}`])]).toEqual([[], [{ later: true }]]);
    await stands('open');
    await by.execute(job);
    // What the provider was told of goes on until it is known, whatever its store is
    await stands('suspended');
    await by.execute(job);
    await stands('open');
    expect([sent, await refunds(shop, order)]).toMatchObject([[data.id], [{ status: 'succeeded' }]]);
  });

  it('is not forgotten when its store is opened while it is found to wait', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { storeId } = shop;
    const { database } = commerce;
    const stands = (status: string) =>
      database.query('UPDATE store SET status = $2 WHERE store_id = $1', [storeId, status]);
    const { data } = await ask(commerce.storeAuth.userToken({ store_id: storeId }), order);
    await leftAlone(commerce, data.id);
    await stands('suspended');
    await database.query('DELETE FROM commerce_api_jobs._private_jobs WHERE key = $1', [`refund:${data.id}`]);
    const query: typeof database.query = async (text, values) => {
      const rows = await database.query(text, values);
      await stands('open');
      return rows as never;
    };
    const by = refundsBy({ ...commerce, database: Object.assign(Object.create(database), { query }) }, undefined);
    await by.execute({ storeId, id: data.id });
    expect(
      await database.query('SELECT 1 FROM commerce_api_jobs._private_jobs WHERE key = $1', [`refund:${data.id}`]),
    ).toHaveLength(1);
  });

  it('that the bank sends back while its payment settles keeps the books from nobody', async () => {
    const { storeId, order, data, before, by } = await askedBack();
    const { database } = commerce;
    await database.tx((tx) => succeed(tx, by, order.id, { id: data.id }));
    const why = { id: data.id, why: 'rekening ditutup' };
    const { coming } = await database.tx(async (tx) => {
      await tx.query('SELECT FROM wallet_settlement WHERE store_id = $1 FOR UPDATE', [storeId]);
      const back = database.tx((other) => comeBack(other, by, order.id, why));
      await untilWaiting(tx, back);
      const books = 'SELECT FROM ledger_account WHERE store_id = $1 FOR UPDATE NOWAIT';
      expect((await tx.query(books, [storeId])).length).toBeGreaterThan(0);
      return { coming: back };
    });
    await coming;
    expect(await balancesOf(database, storeId, 'IDR')).toEqual(before);
  });

  it('that the bank sends back while it is written that it has gone is the wallet’s again', async () => {
    const { storeId, order, data, before, by } = await askedBack();
    const { database } = commerce;
    const sentBack = { referenceId: data.id, state: 'reversed', ref: 'po-1' } as const;
    const { told } = await database.tx(async (tx) => {
      await succeed(tx, by, order.id, { id: data.id });
      const notice = database.tx((other) => refundPayouts(database).told(other, by, sentBack));
      await untilWaiting(tx, notice);
      return { told: notice };
    });
    expect(await told).toBe('payout');
    expect(await balancesOf(database, storeId, 'IDR')).toEqual(before);
  });
});

describe('money of an order that is on its way back before all of it was there', () => {
  const leaving = async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    expect(await comesToPlatform(commerce, { shop, order, amount: 12_000 })).toBe('partially_paid');
    const { data } = await ask(commerce.storeAuth.userToken({ store_id: shop.storeId }), order);
    await leftAlone(commerce, data.id);
    const rest = await comesToPlatform(commerce, { shop, order, attempt: 2, amount: 8_000 });
    const by = { storeId: shop.storeId, actor: 'provider:b', at: new Date(NOW) };
    const now = async () => (await shop.ask<Order>('GET', `/order/${order.id}`)).body.data;
    return { shop, order, rest, by, now, id: data.id };
  };

  it('buys nothing with the rest: it is owed again once it has gone', async () => {
    const { shop, order, rest, by, now, id } = await leaving();
    expect([rest, await shop.levels()]).toEqual(['partially_paid', ['5/2']]);
    expect(await now()).toMatchObject({ payment_status: 'partially_paid', paid_at: null, receipt_no: null });
    await commerce.database.tx((tx) => succeed(tx, by, order.id, { id }));
    expect(await now()).toMatchObject({ payment_status: 'partially_paid', refunded_total: 12_000, paid_at: null });
    expect((await shop.pay(order.id)).status).toBe(200);
    expect(await now()).toMatchObject({ payment_status: 'paid', paid_total: 32_000, paid_at: NOW });
  });

  it('is owed again at once, at every door', async () => {
    const { shop, order, now } = await leaving();
    const byTransfer = `UPDATE sales_order SET payment_method = 'transfer' WHERE store_id = $1 AND id = $2`;
    await commerce.database.query(byTransfer, [shop.storeId, order.id]);
    const view = (await shop.ask<OrderView>('GET', `/order/${order.id}`)).body.data;
    const page = await (await fetch(commerce.url + new URL(view.pay_url ?? '').pathname)).text();
    expect(/class="amount">.*?<\/div>/.exec(page)?.[0].match(/\d+\.000/g)).toEqual(['12.000', '8.000', '12.000']);
    expect((await shop.pay(order.id)).status).toBe(200);
    expect(await now()).toMatchObject({ payment_status: 'paid', paid_total: 32_000, paid_at: NOW });
  });

  it('is too much when it stays after its order was paid again', async () => {
    const { shop, order, by, now, id } = await leaving();
    expect(await comesToPlatform(commerce, { shop, order, attempt: 3, amount: 12_000 })).toBe('paid');
    await commerce.database.tx((tx) => fail(tx, by, order.id, { id, why: 'rekening salah' }));
    const tooMuch = { payment_status: 'review', review_reason: 'overpaid', paid_total: 32_000, refunded_total: 0 };
    expect([await now(), await shop.levels()]).toMatchObject([tooMuch, ['3/0']]);
    const again = await ask(commerce.storeAuth.userToken({ store_id: shop.storeId }), order);
    expect(again).toMatchObject({ status: 201, data: { amount: 12_000 } });
    await leftAlone(commerce, again.data.id);
    await commerce.database.tx((tx) => succeed(tx, by, order.id, { id: again.data.id }));
    expect(await now()).toMatchObject({ payment_status: 'paid', review_reason: null, refunded_total: 12_000 });
  });

  it('buys the goods when it stays after all', async () => {
    const { shop, order, by, now, id } = await leaving();
    const before = await balancesOf(commerce.database, shop.storeId, 'IDR');
    await commerce.database.tx((tx) => fail(tx, by, order.id, { id, why: 'rekening salah' }));
    const sold = { payment_status: 'paid', paid_at: NOW, receipt_no: 'RCP-2026-000001', refunded_total: 0 };
    expect([await now(), await shop.levels()]).toMatchObject([sold, ['3/0']]);
    const { wallet_locked: locked, wallet_pending: pending } = before;
    const after = await balancesOf(commerce.database, shop.storeId, 'IDR');
    expect(after).toMatchObject({ wallet_locked: 0, wallet_pending: locked + pending });
    expect(await fail(commerce.database, by, order.id, { id, why: 'lagi' })).toBe(false);
  });
});
