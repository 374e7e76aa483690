// A sender that stands still for longer than its lease, and goes on as if nothing had been.
import { secretBox } from '@platform/auth';
import type { Database } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import { orderShop } from '../../sales/orders/orders.fixture';
import { HookDeliveries } from './hook.deliveries';
import { startReceiver } from './receiver.fixture';
import { addHook, deliveriesOf } from './webhooks.fixture';

const SETTINGS = { WEBHOOK_ALLOW_HOSTS: '127.0.0.1' };
const LEASE_MS = 30_000;

const receiver = useRunning(startReceiver);
/** It sends nothing itself. */
const commerce = useRunning(() => startCommerce({ ...SETTINGS, SENDS: 'held' }));

const sender = (database: Database) =>
  new HookDeliveries({
    ...{
      database,
      clock: commerce.clock,
      queue: jobQueue(),
      logger: silentLogger,
      addresses: { allow: ['127.0.0.1'] },
    },
    box: secretBox(commerce.config.SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' }),
  });
const job = { signal: new AbortController().signal };

it('sends no news again behind newer ones', async () => {
  const shop = await orderShop(commerce, 9);
  const { id } = await addHook(shop.ask, `${receiver.url}/hung`, ['order.created']);
  const numbers: string[] = [];
  for (let orders = 0; orders < 2; orders += 1) {
    numbers.push((await shop.place(shop.cart(1))).number);
    commerce.clock.advance(1);
  }
  await until(async () => (await deliveriesOf(commerce, id)).length === 2);
  const database = commerce.app.database as Database;
  const hook = { storeId: shop.storeId, id };
  let goOn: () => void = () => undefined;
  const woken = new Promise<void>((resolve) => (goOn = resolve));
  let reads = 0;
  const hung = Object.create(database, {
    query: {
      value: async (text: string, values: unknown[]) => {
        const rows = await database.query(text, values);
        if (text.includes('FROM webhook_delivery') && (reads += 1) === 1) await woken;
        return rows;
      },
    },
  }) as Database;
  const late = sender(hung).deliver(hook, job);
  await until(() => reads === 1);
  commerce.clock.advance(LEASE_MS);
  for (let sent = 0; sent < 2; sent += 1) await sender(database).deliver(hook, job);
  goOn();
  await late;
  const heard = receiver.news.map(({ body }) => (JSON.parse(body) as { data: { number: string } }).data.number);
  expect(heard).toEqual(numbers);
});
