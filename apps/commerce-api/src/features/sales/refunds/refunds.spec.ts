import { UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { bearer, NOW, useCommerce } from '../../../commerce.fixture';
import { balancesOf } from '../../ledger/postings/public';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Order } from '../orders/orders.dto';
import { orderShop, type OrderShop } from '../orders/orders.fixture';
import { decideRefund } from './refund.decision';
import { BANK, leftAlone, never, paidToPlatform, providerB, refundsBy } from './refunds.fixture';
import type { Refund } from './refunds.dto';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const refundOf = async (
  shop: OrderShop,
  order: Order,
  body: object,
  key: string = uuidv7(),
): Promise<{ status: number; body: { data: Refund; code?: string; errors?: object } }> => {
  const headers = bearer(commerce.storeAuth.userToken({ store_id: shop.storeId }), { 'idempotency-key': key });
  const { status, body: answer } = await commerce.post(
    `/api/order/${order.id}/refund`,
    { reason: 'Rusak', ...body },
    headers,
  );
  return { status, body: answer as { data: Refund } };
};
const orderNow = async (shop: OrderShop, { id }: Order): Promise<Order> =>
  (await shop.ask<Order>('GET', `/order/${id}`)).body.data;
const balances = async ({ storeId }: OrderShop) => {
  const all = await balancesOf(commerce.database, storeId, 'IDR');
  return Object.fromEntries(Object.entries(all).filter(([, balance]) => balance !== 0));
};

/** An order of `pieces` hats, paid by hand. */
const paidByHand = async (pieces: number) => {
  const shop = await orderShop(commerce, 9);
  const order = await shop.place(shop.cart(pieces));
  await shop.pay(order.id);
  return { shop, order: await orderNow(shop, order) };
};

describe('money that the shop gives back itself', () => {
  it('counts at once, with a number of its own, and the wallet is not touched', async () => {
    const { shop, order } = await paidByHand(3);
    const { status, body } = await refundOf(shop, order, { method: 'manual' });
    expect([status, body]).toEqual([
      201,
      {
        ...{ status: 'success', message: 'Refund created' },
        data: {
          ...{ id: expect.any(String), order_id: order.id, payment_id: order.payments[0]?.id },
          ...{
            credit_no: 'CRN-2026-000001',
            amount: 30_000,
            tax: 0,
            method: 'manual',
            status: 'succeeded',
            reason: 'Rusak',
          },
          ...{ failure: null, created_at: NOW },
        },
      },
    ]);
    expect(await orderNow(shop, order)).toEqual({
      ...{ ...order, refunded_total: 30_000, payment_status: 'refunded', version: order.version + 1 },
      refunds: [body.data],
    });
    expect(await balances(shop)).toEqual({});
  });

  it('of a part leaves the rest to be given back, and not more', async () => {
    const { shop, order } = await paidByHand(3);
    expect((await refundOf(shop, order, { method: 'manual', amount: 12_000 })).body.data).toMatchObject({
      amount: 12_000,
    });
    expect(await orderNow(shop, order)).toMatchObject({ payment_status: 'partially_refunded', refunded_total: 12_000 });
    expect(await refundOf(shop, order, { method: 'manual', amount: 18_001 })).toMatchObject({
      status: 422,
      body: { errors: { amount: ['amount must be 18000 or less: that can be given back'] } },
    });
    expect((await refundOf(shop, order, { method: 'manual' })).body.data).toMatchObject({
      amount: 18_000,
      status: 'succeeded',
    });
    expect((await refundOf(shop, order, { method: 'manual' })).status).toBe(422);
    expect(await orderNow(shop, order)).toMatchObject({ payment_status: 'refunded', refunded_total: 30_000 });
  });

  it('twenty at once for all of it: one gets it', async () => {
    const { shop, order } = await paidByHand(3);
    const tries = await Promise.all(Array.from({ length: 20 }, () => refundOf(shop, order, { method: 'manual' })));
    expect(tries.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 422)]);
    expect(await orderNow(shop, order)).toMatchObject({ refunded_total: 30_000, payment_status: 'refunded' });
  });

  it('under one key is given back once, and another request under it is refused', async () => {
    const { shop, order } = await paidByHand(3);
    const first = await refundOf(shop, order, { method: 'manual', amount: 100 }, 'k1');
    expect(await refundOf(shop, order, { method: 'manual', amount: 100 }, 'k1')).toEqual(first);
    await commerce.database.query('DELETE FROM idempotency_keys WHERE true');
    expect((await refundOf(shop, order, { method: 'manual', amount: 100 }, 'k1')).body.data).toEqual(first.body.data);
    const other = await refundOf(shop, order, { method: 'manual', amount: 101 }, 'k1');
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch']);
    expect((await orderNow(shop, order)).refunded_total).toBe(100);
  });

  it('fifty refunds at once have fifty numbers without a gap', async () => {
    const { shop, order } = await paidByHand(5);
    await Promise.all(Array.from({ length: 50 }, () => refundOf(shop, order, { method: 'manual', amount: 1_000 })));
    const { refunds } = await orderNow(shop, order);
    const numbers = refunds.map(({ credit_no }) => credit_no).sort();
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => `CRN-2026-${String(n + 1).padStart(6, '0')}`));
  });
});

describe('pieces that are given back', () => {
  it('go on the shelf again when they were not packed, and a cancelled order brings the rest', async () => {
    const { shop, order } = await paidByHand(3);
    expect(await shop.levels()).toEqual(['6/0']);
    const line = { order_item_id: order.items[0]?.id, qty: 1, restock_to: order.warehouse_id };
    const { body } = await refundOf(shop, order, { method: 'manual', lines: [line] });
    expect(body.data).toMatchObject({ amount: 10_000, status: 'succeeded' });
    expect(await shop.levels()).toEqual(['7/0']);
    await refundOf(shop, order, { method: 'manual' });
    const cancelled = await shop.ask<Order>('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    expect([cancelled.status, cancelled.body.data.status]).toEqual([200, 'cancelled']);
    expect(await shop.levels()).toEqual(['9/0']);
  });

  it('are not packed any more', async () => {
    const { shop, order } = await paidByHand(2);
    const order_item_id = order.items[0]?.id;
    const { warehouse_id } = order;
    await refundOf(shop, order, { method: 'manual', lines: [{ order_item_id, qty: 1, restock_to: warehouse_id }] });
    const pack = (qty: number) =>
      shop.ask('POST', '/shipping/shipments', { order_id: order.id, warehouse_id, lines: [{ order_item_id, qty }] });
    expect((await pack(2)).status).not.toBe(201);
    expect((await pack(1)).status).toBe(201);
    expect((await orderNow(shop, order)).fulfillment_status).toBe('packed');
  });

  it('that were packed come back by a return, not by a refund', async () => {
    const { shop, order } = await paidByHand(2);
    const [order_item_id, warehouse_id] = [order.items[0]?.id, order.warehouse_id];
    await shop.ask('POST', '/shipping/shipments', {
      order_id: order.id,
      warehouse_id,
      lines: [{ order_item_id, qty: 2 }],
    });
    const refused = await refundOf(shop, order, {
      method: 'manual',
      lines: [{ order_item_id, qty: 1, restock_to: warehouse_id }],
    });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['lines']]);
    expect((await refundOf(shop, order, { method: 'manual', lines: [{ order_item_id, qty: 1 }] })).status).toBe(201);
  });

  it('to a warehouse of another store: 404, and nothing is given back', async () => {
    const { shop, order } = await paidByHand(2);
    const other = await paidByHand(1);
    const line = { order_item_id: order.items[0]?.id, qty: 1, restock_to: other.order.warehouse_id };
    expect((await refundOf(shop, order, { method: 'manual', lines: [line] })).status).toBe(404);
    expect((await orderNow(shop, order)).refunded_total).toBe(0);
  });
});

describe('money that the platform gives back', () => {
  it('is put aside when it is asked for, and counts when the provider has done it, with its part of the fee', async () => {
    const { shop, order } = await paidToPlatform(commerce, 3);
    const paid = { gateway_clearing: 29_500, fee_expense: 500, wallet_pending: 29_000, fee_revenue: 1_000 };
    expect(await balances(shop)).toEqual(paid);
    const { body } = await refundOf(shop, order, { method: 'provider', amount: 15_000 });
    expect(body.data).toMatchObject({ status: 'requested', credit_no: null, amount: 15_000 });
    expect(await balances(shop)).toEqual({ ...paid, wallet_pending: 14_500, wallet_locked: 14_500 });
    expect((await orderNow(shop, order)).refunded_total).toBe(0);
    const asked: object[] = [];
    const refund = async (given: object) => {
      asked.push(given);
      return { ref: 'rfd-1', state: 'succeeded' as const };
    };
    const job = { storeId: shop.storeId, id: body.data.id };
    await refundsBy(commerce, providerB({ refund })).execute(job);
    await refundsBy(commerce, providerB({ refund })).execute(job);
    expect(asked).toEqual([{ id: body.data.id, ref: 'inv-1', amount: 15_000, currency: 'IDR', reason: 'Rusak' }]);
    expect(await balances(shop)).toEqual({
      ...{ gateway_clearing: 14_500, fee_expense: 500, wallet_pending: 14_500, fee_revenue: 500 },
    });
    expect(await orderNow(shop, order)).toMatchObject({
      ...{ refunded_total: 15_000, payment_status: 'partially_refunded' },
      refunds: [{ status: 'succeeded', credit_no: 'CRN-2026-000001' }],
    });
  });

  it('and was refused by the provider counts nothing, is in the wallet again, and can be asked for anew', async () => {
    const { shop, order } = await paidToPlatform(commerce, 3);
    const before = await balances(shop);
    const { body } = await refundOf(shop, order, { method: 'provider' });
    await leftAlone(commerce, body.data.id);
    const refund = () => Promise.reject(new UpstreamFailed('It says: too old', { outcome: 'refused' }));
    await refundsBy(commerce, providerB({ refund })).execute({ storeId: shop.storeId, id: body.data.id });
    expect(await balances(shop)).toEqual(before);
    const now = await orderNow(shop, order);
    expect(now).toMatchObject({
      ...{ refunded_total: 0, payment_status: 'paid' },
      refunds: [{ status: 'failed', failure: 'It says: too old', credit_no: null }],
    });
    expect((await refundOf(shop, order, { method: 'manual' })).body.data).toMatchObject({
      status: 'succeeded',
      amount: 30_000,
    });
  });

  it('of which nobody knows whether it went stays put aside, and is asked for again under the same key', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { body } = await refundOf(shop, order, { method: 'provider' });
    const job = { storeId: shop.storeId, id: body.data.id };
    const keys: string[] = [];
    const lost = async ({ id }: { readonly id: string }) => {
      keys.push(id);
      throw new UpstreamTimedOut('no answer');
    };
    await expect(refundsBy(commerce, providerB({ refund: lost })).execute(job)).rejects.toThrow('no answer');
    expect(await balances(shop)).toMatchObject({ wallet_locked: 9_000 });
    const done = async ({ id }: { readonly id: string }) => {
      keys.push(id);
      return { ref: 'r', state: 'succeeded' as const };
    };
    await refundsBy(commerce, providerB({ refund: done })).execute(job);
    expect(keys).toEqual([body.data.id, body.data.id]);
    expect(await orderNow(shop, order)).toMatchObject({ refunded_total: 10_000, payment_status: 'refunded' });
  });

  it('and is refused after it may have gone stays put aside: it may not be given twice', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { body } = await refundOf(shop, order, { method: 'payout', bank: BANK });
    const job = { storeId: shop.storeId, id: body.data.id };
    await leftAlone(commerce, job.id);
    const says = (outcome: 'undone' | 'unknown' | 'refused') =>
      refundsBy(
        commerce,
        providerB({ payout: () => Promise.reject(new UpstreamFailed(outcome, { outcome })), payoutStatus: never }),
      );
    await expect(says('unknown').execute(job)).rejects.toThrow('unknown');
    await expect(says('refused').execute(job)).rejects.toThrow('refused');
    await expect(says('undone').execute(job)).rejects.toThrow('undone');
    await expect(says('refused').execute(job)).rejects.toThrow('refused');
    expect(await balances(shop)).toMatchObject({ wallet_locked: 9_000 });
    expect((await orderNow(shop, order)).refunds).toMatchObject([{ status: 'processing' }]);
    expect((await refundOf(shop, order, { method: 'manual' })).status).toBe(422);
  });

  it('and never reached the provider is refused for good by its first word', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { body } = await refundOf(shop, order, { method: 'provider' });
    const job = { storeId: shop.storeId, id: body.data.id };
    await leftAlone(commerce, job.id);
    const says = (outcome: 'undone' | 'refused') =>
      refundsBy(commerce, providerB({ refund: () => Promise.reject(new UpstreamFailed(outcome, { outcome })) }));
    await expect(refundsBy(commerce, undefined).execute(job)).rejects.toThrow('no account');
    await expect(says('undone').execute(job)).rejects.toThrow('undone');
    await says('refused').execute(job);
    expect((await orderNow(shop, order)).refunds).toMatchObject([{ status: 'failed', failure: 'refused' }]);
  });

  it.each(['payout', 'provider'] as const)('by %s that the provider has taken is never sent again', async (method) => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { body } = await refundOf(shop, order, { method, ...(method === 'payout' ? { bank: BANK } : {}) });
    const job = { storeId: shop.storeId, id: body.data.id };
    const sent: string[] = [];
    const taken = {
      payout: async ({ id }: { readonly id: string }) => (sent.push(id), { ref: 'p-1', state: 'accepted' as const }),
      refund: async ({ id }: { readonly id: string }) => (sent.push(id), { ref: 'r-1', state: 'pending' as const }),
      // It has forgotten one, and says of the other what it said
      payoutStatus: async () => null,
      refundStatus: async (ref: string) => ({ ref, state: 'pending' as const }),
    };
    for (let step = 0; step < 3; step += 1) await refundsBy(commerce, providerB(taken)).execute(job);
    expect(sent).toEqual([body.data.id]);
    expect((await orderNow(shop, order)).refunds).toMatchObject([{ status: 'processing' }]);
  });

  it('twenty times at once by the job and the operator counts once', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { body } = await refundOf(shop, order, { method: 'provider' });
    const refund = async () => ({ ref: 'r', state: 'succeeded' as const });
    const job = { storeId: shop.storeId, id: body.data.id };
    await Promise.all(Array.from({ length: 20 }, () => refundsBy(commerce, providerB({ refund })).execute(job)));
    expect(await orderNow(shop, order)).toMatchObject({ refunded_total: 10_000 });
    expect(await balances(shop)).toEqual({ gateway_clearing: -500, fee_expense: 500 });
  });

  it.each(['succeeded', 'pending'] as const)(
    'and is %s at its provider although an operator has ended it meanwhile is for somebody to look at, and not asked again',
    async (state) => {
      const { shop, order } = await paidToPlatform(commerce, 1);
      const { body } = await refundOf(shop, order, { method: 'provider' });
      const { id } = body.data;
      await leftAlone(commerce, id);
      const by = { storeId: shop.storeId, actor: 'operator', at: new Date(NOW) };
      const audit = { tenantId: shop.storeId, actor: { id: 'o', name: 'o', kind: 'operator' as const }, at: by.at };
      const refund = async () => {
        await commerce.database.tx((tx) => decideRefund(tx, { ...by, audit }, id, 'Not in their books'));
        return { ref: 'r', state };
      };
      await refundsBy(commerce, providerB({ refund })).execute({ storeId: shop.storeId, id });
      const [row] = await commerce.database.query('SELECT status, alert FROM refund WHERE id = $1', [id]);
      expect(row).toEqual({ status: 'failed', alert: `The provider says ${state}, it is failed` });
    },
  );

  it('by payout goes to the account of the buyer, whose number is in no row, answer or log', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    const { body } = await refundOf(shop, order, { method: 'payout', bank: BANK });
    expect(body.data).toMatchObject({ method: 'payout', status: 'requested' });
    const asked: object[] = [];
    const payout = async (given: object) => {
      asked.push(given);
      return { ref: 'po-1', state: 'accepted' as const };
    };
    const job = { storeId: shop.storeId, id: body.data.id };
    await refundsBy(commerce, providerB({ payout })).execute(job);
    expect(asked).toEqual([
      {
        ...{ id: body.data.id, amount: 10_000, currency: 'IDR', description: 'Rusak' },
        ...{ bankCode: 'BCA', number: '1234567890', holder: 'Budi Santoso' },
      },
    ]);
    await refundsBy(
      commerce,
      providerB({ payout, payoutStatus: async (ref) => ({ ref, state: 'succeeded' }) }),
    ).execute(job);
    expect(await orderNow(shop, order)).toMatchObject({ refunded_total: 10_000, refunds: [{ status: 'succeeded' }] });
    const rows = JSON.stringify(
      await commerce.database.query('SELECT * FROM refund WHERE store_id = $1', [shop.storeId]),
    );
    const audit = JSON.stringify(await commerce.database.query('SELECT * FROM audit_log'));
    expect([rows, audit, commerce.lines.join('\n')].filter((each) => each.includes('1234567890'))).toEqual([]);
  });

  it('is not there when the shop has spent it', async () => {
    const { shop, order } = await paidToPlatform(commerce, 1);
    await commerce.database.query('UPDATE wallet_settlement SET amount = 0, released_at = $2 WHERE store_id = $1', [
      shop.storeId,
      NOW,
    ]);
    const refused = await refundOf(shop, order, { method: 'provider' });
    expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_balance']);
    expect((await orderNow(shop, order)).refunds).toEqual([]);
  });

  it('was paid by hand: a provider cannot give it back', async () => {
    const { shop, order } = await paidByHand(1);
    for (const body of [{ method: 'provider' }, { method: 'payout', bank: BANK }]) {
      const refused = await refundOf(shop, order, body);
      expect([refused.status, refused.body.code]).toEqual([409, 'not_supported']);
    }
  });
});

it.each([
  [{ method: 'payout' }, 'bank'],
  [{ method: 'manual', bank: BANK }, 'bank'],
  [{ method: 'manual', amount: 1, lines: [{ order_item_id: uuidv7(), qty: 1 }] }, 'amount'],
  [{ method: 'manual', amount: 0 }, 'amount'],
  [{ method: 'manual', price: 1 }, 'price'],
  [{ method: 'manual', lines: [] }, 'lines'],
  [{ method: 'gift' }, 'method'],
])('%j is refused, and told where', async (body, field) => {
  const { shop, order } = await paidByHand(1);
  const refused = await refundOf(shop, order, body);
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [field]]);
});

it('without a key: 422, and nothing is given back', async () => {
  const { shop, order } = await paidByHand(1);
  const refused = await shop.ask('POST', `/order/${order.id}/refund`, { reason: 'x', method: 'manual' });
  expect(refused).toMatchObject({ status: 422, body: { code: 'idempotency_key_required' } });
  expect((await orderNow(shop, order)).refunds).toEqual([]);
});

it('an order that nobody has paid gives nothing back', async () => {
  const shop = await orderShop(commerce, 5);
  const order = await shop.place(shop.cart(1));
  expect((await refundOf(shop, order, { method: 'manual' })).status).toBe(422);
});
