import { until, useRunning, type RunningProgram } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { orderShop } from '../../sales/orders/orders.fixture';
import { hanging, startReceiver, taking } from './receiver.fixture';
import { addHook, deliveriesOf, lookForDue } from './webhooks.fixture';

const SETTINGS = { WEBHOOK_ALLOW_HOSTS: '127.0.0.1' };

const receiver = useRunning(startReceiver);
/** In the same clock as processes of its own; it sends nothing itself. */
const commerce = useRunning(() => startCommerce({ ...SETTINGS, SENDS: 'held' }, new Date().toISOString()));

const heardAt = (path: string) => receiver.news.filter((news) => news.path === path);
const stopAll = (processes: readonly RunningProgram[]) => Promise.all(processes.map((each) => each.stop()));

const shopWithHook = async (path: string) => {
  const shop = await orderShop(commerce, 100);
  return { shop, hook: await addHook(shop.ask, receiver.url + path, ['order.created']) };
};

it('what a killed process has sent and not noted is sent again by the next one under the same id', async () => {
  const { shop, hook } = await shopWithHook('/killed');
  receiver.at('/killed', hanging);
  const first = await startSecondProcess(commerce, SETTINGS);
  await shop.place(shop.cart(1));
  await until(() => heardAt('/killed').length === 1);
  await first.stop('SIGKILL');
  expect(await deliveriesOf(commerce, hook.id)).toEqual([{ kind: 'order.created', state: 'waiting', attempts: 0 }]);
  receiver.at('/killed', taking);
  // Its time is over at once
  await commerce.database.query('UPDATE webhook_endpoint SET leased_until = created_at WHERE id = $1', [hook.id]);
  const second = await startSecondProcess(commerce, SETTINGS);
  try {
    await lookForDue(commerce);
    const rows = await until(
      () => deliveriesOf(commerce, hook.id),
      ([only]) => only?.state !== 'waiting',
    );
    expect(rows).toEqual([{ kind: 'order.created', state: 'delivered', attempts: 1 }]);
    const [sent, again, ...more] = heardAt('/killed');
    expect([again?.eventId, again?.body, more]).toEqual([sent?.eventId, sent?.body, []]);
  } finally {
    await second.stop();
  }
});

it('two processes send what waits in order, and nothing twice that was taken', async () => {
  const { shop, hook } = await shopWithHook('/ordered');
  const numbers: string[] = [];
  for (let orders = 0; orders < 20; orders += 1) {
    numbers.push((await shop.place(shop.cart(1))).number);
    commerce.clock.advance(1);
  }
  await until(async () => (await deliveriesOf(commerce, hook.id)).length === numbers.length);
  const processes = await Promise.all([startSecondProcess(commerce, SETTINGS), startSecondProcess(commerce, SETTINGS)]);
  try {
    for (let asked = 0; asked < 10; asked += 1) await lookForDue(commerce);
    await until(async () => (await deliveriesOf(commerce, hook.id)).every(({ state }) => state === 'delivered'));
    const heard = heardAt('/ordered').map(({ body }) => (JSON.parse(body) as { data: { number: string } }).data.number);
    expect(heard).toEqual(numbers);
  } finally {
    await stopAll(processes);
  }
});
