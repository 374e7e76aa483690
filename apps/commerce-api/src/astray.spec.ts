import { isAstray } from '@platform/data';
import { createLogger, uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { ownStore } from './asked.fixture';
import { startCommerce, type Commerce } from './commerce.fixture';
import { billedStore } from './features/billing/billing.fixture';
import { openInvoice } from './features/billing/invoices/public';
import { basketOf } from './features/checkout/checkout.fixture';
import type { Order } from './features/sales/orders/orders.dto';
import { orderShop, type OrderShop } from './features/sales/orders/orders.fixture';
import { shippingShop } from './features/shipping/shipments/shipments.fixture';
import { walletShop } from './features/wallet/wallet.fixture';
import { jobQueue } from './jobs';

const DAY_MS = 86_400_000;
const commerce = useRunning(() => startCommerce({}, new Date().toISOString()));

it.each([
  [59, false],
  [-59, false],
  [62, true],
  [-62, true],
  [86_400, true],
])('a clock that is %i seconds off is astray: %s', async (seconds, expected) => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'x', level: 'info', write: (line) => lines.push(line) });
  const clock = { now: () => new Date(Date.now() + seconds * 1000) };
  expect(await isAstray(commerce.database, { clock, logger })).toBe(expected);
  expect(lines.filter((line) => line.includes('astray'))).toHaveLength(expected ? 1 : 0);
});

const stateOf = async ({ ask }: OrderShop, { id }: Order) => (await ask<Order>('GET', `/order/${id}`)).body.data.status;
type Task = 'order.cancel-unpaid' | 'settlement.release' | 'subscription.renew' | 'checkout.abandoned' | 'shipment.due';
const doNow = async ({ database }: Commerce, task: Task): Promise<void> => {
  await jobQueue().enqueue(database, task, {}, { key: 'now' });
  await done(database);
};
const done = async (database: Commerce['database']): Promise<void> => {
  const left = `SELECT count(*)::int AS jobs FROM commerce_api_jobs._private_jobs WHERE key = 'now'`;
  await until(async () => (await database.query<{ jobs: number }>(left))[0]?.jobs === 0);
};

it('a process that is days ahead cancels the unpaid orders that are due, and no others', async () => {
  const shop = await orderShop(commerce, 9);
  const [waiting, due] = [await shop.place(shop.cart(1)), await shop.place(shop.cart(1))];
  const over = `UPDATE sales_order SET pay_expires_at = now() - interval '1 hour' WHERE id = $1`;
  await commerce.database.query(over, [due.id]);
  commerce.clock.advance(2 * DAY_MS);
  await doNow(commerce, 'order.cancel-unpaid');
  commerce.clock.advance(-2 * DAY_MS);
  expect([await stateOf(shop, waiting), await stateOf(shop, due)]).toEqual(['open', 'cancelled']);
});

it('a process that is two months ahead moves no subscription on', async () => {
  const store = await billedStore(commerce);
  await store.subscribed('starter');
  const before = await store.subscription();
  commerce.clock.advance(60 * DAY_MS);
  await doNow(commerce, 'subscription.renew');
  commerce.clock.advance(-60 * DAY_MS);
  expect(await store.subscription()).toEqual(before);
});

it('a process that is two months ahead releases no money that is held, and one that is minutes off what is due', async () => {
  const [{ storeId }, id, at] = [await ownStore(commerce), uuidv7(), commerce.clock.now()];
  const by = { storeId, actor: 'test', at };
  const lines = [{ text: 'x', qty: 1, amount: 1 }];
  await commerce.database.tx(async (tx) => {
    const invoice = await openInvoice(tx, by, { kind: 'topup', ref: id, lines, currency: 'IDR', dueAt: null });
    const paid = `INSERT INTO payment (store_id, id, invoice_id, attempt, request_id, provider, amount, currency, status, created_at, updated_at)
      VALUES ($1, $2, $3, 1, $2, 'a', 1, 'IDR', 'paid', $4, $4)`;
    await tx.query(paid, [storeId, id, invoice.id, at]);
    const held = `INSERT INTO wallet_settlement (store_id, payment_id, amount, currency, due_at) VALUES ($1, $2, 0, 'IDR', $3)`;
    await tx.query(held, [storeId, id, new Date(at.getTime() + DAY_MS)]);
  });
  commerce.clock.advance(60 * DAY_MS);
  await doNow(commerce, 'settlement.release');
  commerce.clock.advance(-60 * DAY_MS);
  const released = 'SELECT released_at < now() AS released FROM wallet_settlement WHERE store_id = $1';
  expect(await commerce.database.query(released, [storeId])).toEqual([{ released: null }]);
  // Where it is the only one nobody else would
  await commerce.database.query(`UPDATE wallet_settlement SET due_at = now() - interval '1 hour' WHERE store_id = $1`, [
    storeId,
  ]);
  for (const minutes of [2, -2]) {
    commerce.clock.advance(minutes * 60_000);
    await doNow(commerce, 'settlement.release');
    commerce.clock.advance(-minutes * 60_000);
    expect(await commerce.database.query(released, [storeId])).toEqual([{ released: true }]);
    await commerce.database.query('UPDATE wallet_settlement SET released_at = NULL WHERE store_id = $1', [storeId]);
  }
});

it('a process that is a month ahead gives up no cart of somebody who buys', async () => {
  const shop = await orderShop(commerce, 9);
  await basketOf(commerce, shop, [1]);
  commerce.clock.advance(30 * DAY_MS);
  await doNow(commerce, 'checkout.abandoned');
  commerce.clock.advance(-30 * DAY_MS);
  const carts = 'SELECT state FROM checkout_session WHERE store_id = $1';
  expect(await commerce.database.query(carts, [shop.storeId])).toEqual([{ state: 'open' }]);
});

it('a process that is a month ahead puts off no question about a parcel', async () => {
  const shop = await shippingShop(commerce, 9);
  await shop.ship(await shop.order([1]), [1], { courier: 'jne', waybill: 'JNE-1' });
  commerce.clock.advance(30 * DAY_MS);
  await doNow(commerce, 'shipment.due');
  commerce.clock.advance(-30 * DAY_MS);
  const asked = `SELECT status, coalesce(next_track_at > now() + interval '1 day', false) AS late FROM shipment WHERE store_id = $1`;
  expect(await commerce.database.query(asked, [shop.storeId])).toEqual([{ status: 'in_transit', late: false }]);
});

it('a process that is days ahead puts off no other try of a payout that nobody has heard of', async () => {
  const { storeId, withdraw } = await walletShop(commerce, 100_000);
  const { id } = (await withdraw()).body.data;
  commerce.clock.advance(3 * DAY_MS);
  await jobQueue().enqueue(commerce.database, 'withdrawal.payout', { storeId, id }, { key: 'now' });
  await done(commerce.database);
  commerce.clock.advance(-3 * DAY_MS);
  const tried = `SELECT status, tries > 0 AS tried, next_try_at < now() + interval '1 hour' AS soon FROM withdrawal WHERE id = $1`;
  expect(await commerce.database.query(tried, [id])).toEqual([{ status: 'processing', tried: true, soon: true }]);
});
