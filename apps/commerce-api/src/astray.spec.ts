import { createLogger } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { isAstray } from './astray';
import { startCommerce, type Commerce } from './commerce.fixture';
import type { Order } from './features/sales/orders/orders.dto';
import { orderShop, type OrderShop } from './features/sales/orders/orders.fixture';
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
const cancelUnpaid = async ({ database }: Commerce): Promise<void> => {
  await jobQueue().enqueue(database, 'order.cancel-unpaid', {}, { key: 'now' });
  const left = `SELECT count(*)::int AS jobs FROM commerce_api_jobs._private_jobs WHERE key = 'now'`;
  await until(async () => (await database.query<{ jobs: number }>(left))[0]?.jobs === 0);
};

it('a process that is a day ahead cancels no unpaid order; one that is right cancels what is due', async () => {
  const shop = await orderShop(commerce, 9);
  const [waiting, due] = [await shop.place(shop.cart(1)), await shop.place(shop.cart(1))];
  const over = `UPDATE sales_order SET pay_expires_at = now() - interval '1 hour' WHERE id = $1`;
  await commerce.database.query(over, [due.id]);
  commerce.clock.advance(2 * DAY_MS);
  await cancelUnpaid(commerce);
  commerce.clock.advance(-2 * DAY_MS);
  expect([await stateOf(shop, waiting), await stateOf(shop, due)]).toEqual(['open', 'open']);
  await cancelUnpaid(commerce);
  expect([await stateOf(shop, waiting), await stateOf(shop, due)]).toEqual(['open', 'cancelled']);
});
