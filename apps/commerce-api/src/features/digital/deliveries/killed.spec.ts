import { until, useRunning } from '@platform/testing';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { startCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { digitalShop } from '../digital.fixture';

const SECRET = { PAY_LINK_SECRET: 'a secret of links' };
const ORDERS = 30;
const chat = useRunning(startFakeMessages);
const commerce = useRunning(() => startCommerce({ ...SECRET, CHAT_URL: chat.url }));

/** The jobs of this process end: from here on only processes that can be killed do any. */
const leaveJobsToOthers = async (): Promise<void> => {
  const components = [commerce.app.components].flat(2) as readonly { name: string; stop?(): Promise<void> }[];
  await components.find(({ name }) => name.startsWith('jobs'))?.stop?.();
};

it('what is paid is delivered once, in one message, though the process that is at it is killed again and again', async () => {
  const keys = Array.from({ length: ORDERS }, (_, at) => `KEY-${String(at).padStart(8, '0')}`);
  const shop = await digitalShop(commerce, { keys, files: 1, buyer: { name: 'Wati', phone: '6281299999999' } });
  await leaveJobsToOthers();
  const orders: Order[] = [];
  for (let at = 0; at < ORDERS; at += 1) orders.push((await shop.order()).body.data);
  for (const order of orders) await shop.pay(order);
  expect(await shop.deliveries()).toEqual([]);
  const env = { ...SECRET, CHAT_URL: chat.url, MEDIA_DIR: commerce.mediaDir, PUBLIC_URL: 'https://shop.example' };
  const sent = async () => (await shop.deliveries()).filter(({ sent_at }) => sent_at !== null).length;
  for (const part of [1, ORDERS]) {
    const victim = await startSecondProcess(commerce, env);
    await until(async () => (await shop.deliveries()).length >= part);
    await victim.stop('SIGKILL');
  }
  const last = await startSecondProcess(commerce, env);
  try {
    await until(async () => (await sent()) === 2 * ORDERS);
  } finally {
    await last.stop();
  }
  const rows = await shop.deliveries();
  expect(rows.map(({ order_id }) => order_id).toSorted()).toEqual(orders.flatMap(({ id }) => [id, id]).toSorted());
  const told = chat.messages().filter(({ pesan_id }) => pesan_id.startsWith('download:'));
  expect(told).toHaveLength(ORDERS);
  expect(orders.map(({ number }) => told.filter(({ pesan }) => pesan?.includes(number)).length)).toEqual(
    Array(ORDERS).fill(1),
  );
  // Each key is in one message alone
  expect(keys.map((key) => told.filter(({ pesan }) => pesan?.includes(key)).length)).toEqual(Array(ORDERS).fill(1));
});
