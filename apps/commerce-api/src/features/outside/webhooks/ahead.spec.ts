// A sender whose clock is days ahead beside one that is right.
import { secretBox } from '@platform/auth';
import { silentLogger, systemClock } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import { orderShop } from '../../sales/orders/orders.fixture';
import { HookDeliveries } from './hook.deliveries';
import { failing, startReceiver, taking } from './receiver.fixture';
import { addHook, deliveriesOf } from './webhooks.fixture';

const DAY_MS = 86_400_000;

const receiver = useRunning(startReceiver);
/** It sends nothing itself. */
const commerce = useRunning(() =>
  startCommerce({ WEBHOOK_ALLOW_HOSTS: '127.0.0.1', SENDS: 'held' }, new Date().toISOString()),
);

const sender = (aheadMs = 0): HookDeliveries =>
  new HookDeliveries({
    ...{ database: commerce.app.database, queue: jobQueue(), logger: silentLogger },
    clock: { now: () => new Date(systemClock.now().getTime() + aheadMs) },
    addresses: { allow: ['127.0.0.1'] },
    box: secretBox(commerce.config.SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' }),
  });
const job = { signal: new AbortController().signal };
/** A shop with a hook for which something waits. */
const waiting = async (path: string) => {
  const shop = await orderShop(commerce, 9);
  const { id } = await addHook(shop.ask, receiver.url + path, ['order.created']);
  await shop.place(shop.cart(1));
  await until(async () => (await deliveriesOf(commerce, id)).length === 1);
  return { storeId: shop.storeId, id };
};
const heard = (path: string): number => receiver.news.filter((news) => news.path === path).length;

it('that fails once puts no news off for longer than the pause of the database', async () => {
  const hook = await waiting('/failed');
  receiver.at('/failed', failing);
  await sender(3 * DAY_MS).deliver(hook, job);
  receiver.at('/failed', taking);
  const soon = `SELECT next_at < now() + interval '1 hour' AS soon FROM webhook_delivery WHERE hook_id = $1`;
  expect(await commerce.database.query(soon, [hook.id])).toEqual([{ soon: true }]);
  await commerce.database.query(
    `UPDATE webhook_delivery SET next_at = now() - interval '1 minute' WHERE hook_id = $1`,
    [hook.id],
  );
  await sender().deliver(hook, job);
  expect([heard('/failed'), (await deliveriesOf(commerce, hook.id)).map(({ state }) => state)]).toEqual([
    2,
    ['delivered'],
  ]);
});

it('that dies over a send keeps the hook from others for its lease alone, and takes it from nobody who sends', async () => {
  const hook = await waiting('/died');
  const answers: (() => void)[] = [];
  receiver.at('/died', (_, response) => void answers.push(() => void response.writeHead(204).end()));
  const right = sender().deliver(hook, job);
  await until(() => heard('/died') === 1);
  await sender(3 * DAY_MS).deliver(hook, job);
  expect(heard('/died')).toBe(1);
  answers[0]?.();
  await right;
  const dead = await waiting('/dead');
  receiver.at('/dead', () => undefined);
  const leaving = new AbortController();
  const died = sender(3 * DAY_MS).deliver(dead, { signal: leaving.signal });
  await until(() => heard('/dead') === 1);
  leaving.abort();
  await expect(died).rejects.toThrow();
  const soon = `SELECT leased_until < now() + interval '1 minute' AS soon FROM webhook_endpoint WHERE id = $1`;
  expect(await commerce.database.query(soon, [dead.id])).toEqual([{ soon: true }]);
});
