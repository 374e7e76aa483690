import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { refused } from '../../../asked.fixture';
import { opsData, ranOps } from '../../operator/ops/ops.fixture';
import { deliver, gatewayShop, OK, ROUTES, useDesks, type GatewayShop } from '../../gateways/gateways.fixture';
import type { PayoutState } from '../../gateways/port';
import { balancesOf } from '../../ledger/postings/public';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { OrderView } from '../orders/orders.dto';

const commerce = useDesks();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const BANK = { bank_code: 'BCA', number: '1234567890', holder: 'Budi Santoso' };

const told = (referenceId: string, state: PayoutState['state'], credentials?: Record<string, string>) => {
  const body = {
    payout: { referenceId, state, ref: `po-${referenceId}`, ...(state === 'succeeded' ? {} : { failure: 'X' }) },
  };
  return deliver(commerce.url, ROUTES.b, commerce.desks.b.notice(ROUTES.b, body, credentials));
};
const held = async ({ storeId }: GatewayShop) => {
  const all = await balancesOf(commerce.database, storeId, 'IDR');
  return Object.fromEntries(Object.entries(all).filter(([, balance]) => balance !== 0));
};

/** An order of 20,000 paid to the platform, of which so much is to go back to a bank account. */
const giving = async (amount: number) => {
  const shop = await gatewayShop(commerce);
  const order = await shop.sell('b');
  const paid = { number: `${order.number}-1`, status: 'SUCCESS', amount: 20_000, id: 'x' };
  await deliver(commerce.url, ROUTES.b, commerce.desks.b.notice(ROUTES.b, paid));
  const before = await held(shop);
  const body = { method: 'payout', bank: BANK, amount, reason: 'Rusak' };
  const { body: answer } = await shop.ask<{ id: string }>('POST', `/order/${order.id}/refund`, body, uuidv7());
  const now = (): Promise<OrderView> => shop.now(order);
  return { shop, order, before, id: answer.data.id, now };
};

it('a notice that it has gone ends it, once however often it comes', async () => {
  const { shop, id, now } = await giving(20_000);
  for (let time = 0; time < 3; time += 1) expect(await told(id, 'succeeded')).toEqual(OK);
  expect(await now()).toMatchObject({
    ...{ payment_status: 'refunded', refunded_total: 20_000 },
    refunds: [{ status: 'succeeded', credit_no: 'CRN-2026-000001' }],
  });
  expect(await held(shop)).toEqual({});
});

it('a notice that it has failed brings the money back to the wallet', async () => {
  const { shop, id, before, now } = await giving(8_000);
  expect(await told(id, 'failed')).toEqual(OK);
  expect(await now()).toMatchObject({
    ...{ payment_status: 'paid', refunded_total: 0 },
    refunds: [{ status: 'failed', failure: 'X' }],
  });
  expect(await held(shop)).toEqual(before);
});

it('what the bank sends back after it had gone is the wallet’s again, exactly and once, and can be given anew', async () => {
  const { shop, id, before, now, order } = await giving(8_000);
  await told(id, 'succeeded');
  for (let time = 0; time < 2; time += 1) expect(await told(id, 'reversed')).toEqual(OK);
  expect(await now()).toMatchObject({
    ...{ payment_status: 'paid', refunded_total: 0 },
    refunds: [{ status: 'failed', failure: 'X', credit_no: 'CRN-2026-000001' }],
  });
  expect(await held(shop)).toEqual(before);
  const again = await shop.ask('POST', `/order/${order.id}/refund`, { method: 'manual', reason: 'x' }, uuidv7());
  expect(again).toMatchObject({ status: 201, body: { data: { amount: 20_000, credit_no: 'CRN-2026-000002' } } });
});

it('what comes back of a cancelled order is to be looked at', async () => {
  const { shop, id, now, order } = await giving(20_000);
  await told(id, 'succeeded');
  expect((await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' })).status).toBe(200);
  await told(id, 'reversed');
  expect(await now()).toMatchObject({ status: 'cancelled', payment_status: 'review', review_reason: 'cancelled' });
});

it('that it has gone after it had failed is for an operator, and changes nothing', async () => {
  const { shop, id, before } = await giving(20_000);
  await told(id, 'failed');
  expect(await told(id, 'succeeded')).toEqual(OK);
  expect(await held(shop)).toEqual(before);
  const rows = await commerce.database.query('SELECT alert FROM refund WHERE id = $1', [id]);
  expect(rows).toEqual([{ alert: 'The provider says succeeded, it is failed' }]);
  expect((await ranOps(commerce, 'refund', 'failed', id, 'asked them')).code).toBe(0);
  expect((await ranOps(commerce, 'refund', 'failed', id, 'asked them')).code).toBe(1);
});

it('a store’s own account does not speak of it, replayed or not', async () => {
  const { shop, id, now } = await giving(20_000);
  const credentials = { callback_token: `token of ${shop.storeId}`, key: 'k' };
  await shop.ask('PUT', '/payment/methods/b', { credentials });
  const unknown = refused(404, 'not_found', 'No such payment');
  expect(await told(id, 'failed', credentials)).toEqual(unknown);
  const [event] = await shop.events('?outcome=unknown_order');
  expect(await shop.ask('POST', `/logs/webhook/${event?.id as string}/replay`)).toEqual(unknown);
  expect((await now()).refunds).toMatchObject([{ status: expect.stringMatching('requested|processing') }]);
});

it('whoever gives money back is told once that it has not gone, or came back from the bank', async () => {
  const gone = [await giving(8_000), await giving(8_000)] as const;
  for (const state of ['failed', 'failed'] as const) await told(gone[0].id, state);
  for (const state of ['succeeded', 'reversed', 'reversed'] as const) await told(gone[1].id, state);
  const sql = `SELECT body, url, title FROM notification WHERE store_id = $1 AND event = 'refund.failed'`;
  for (const { shop, order } of gone) {
    const news = () => commerce.database.query(sql, [shop.storeId]);
    await until(async () => (await news()).length > 0);
    expect(await news()).toEqual([
      {
        title: 'Pengembalian dana gagal',
        body: `Uang untuk pembeli pesanan ${order.number} tidak terkirim. Periksa, lalu kembalikan lagi`,
        url: `/orders/${order.id}`,
      },
    ]);
  }
});

describe('an operator', () => {
  const hours = 3 * 3_600_000;

  it('sees what is open for long, and ends it as the books of the provider say', async () => {
    const { shop, id, before, now } = await giving(8_000);
    type Listed = { readonly id: string; readonly alert: string | null };
    const listed = async () => (await opsData<{ refunds: Listed[] }>(commerce, 'refund', 'list')).refunds;
    expect((await listed()).filter((each) => each.id === id)).toEqual([]);
    await commerce.database.query('UPDATE refund SET created_at = $2 WHERE id = $1', [
      id,
      new Date(commerce.clock.now().getTime() - hours),
    ]);
    expect(await listed()).toContainEqual(expect.objectContaining({ id }));
    expect((await ranOps(commerce, 'refund', 'retry', id)).code).toBe(0);
    expect((await ranOps(commerce, 'refund', 'failed', id, 'never went')).out).toBe(
      `refund ${id} of ${shop.storeId} is failed\n`,
    );
    expect(await held(shop)).toEqual(before);
    expect((await now()).refunds).toMatchObject([{ status: 'failed', failure: 'never went' }]);
    expect((await ranOps(commerce, 'refund', 'gone', id)).code).toBe(1);
    // Who was asked once more may say later that it has it, which is told
    expect((await listed()).filter((each) => each.id === id && each.alert === null)).toEqual([]);
  });

  it('says that it has gone', async () => {
    const { id, now } = await giving(8_000);
    expect((await ranOps(commerce, 'refund', 'gone', id)).code).toBe(0);
    expect(await now()).toMatchObject({ payment_status: 'partially_refunded', refunded_total: 8_000 });
    expect((await ranOps(commerce, 'refund', 'gone', uuidv7())).error).toBe('Refund not found\n');
  });
});
