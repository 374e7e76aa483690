// What is left of a customer who was erased, wherever they were written down.
import { until, useRunning } from '@platform/testing';
import { bearer, startCommerce } from '../../../commerce.fixture';
import { startReceiver } from '../../outside/webhooks/receiver.fixture';
import { addHook, deliveriesOf } from '../../outside/webhooks/webhooks.fixture';
import { shippingShop, type ShippingShop } from '../../shipping/shipments/shipments.fixture';

const receiver = useRunning(startReceiver);
const commerce = useRunning(() => startCommerce({ WEBHOOK_ALLOW_HOSTS: '127.0.0.1' }));

const BUDI = { name: 'Budi', phone: '6281298765432', email: 'budi.rahasia@example.com' };
const TABLES = `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
  WHERE table_type = 'BASE TABLE' AND table_schema LIKE 'commerce_api%' ORDER BY 1`;
/** That a number leads to nobody any more is known for a day, so that chat-backend hears of it. */
const REMEMBERED = 'commerce_api.sync_pending';

/** Where the number or the address stands. */
const placesOf = async ({ phone, email }: typeof BUDI): Promise<string[]> => {
  const found: string[] = [];
  for (const { name } of await commerce.database.query<{ name: string }>(TABLES)) {
    const named = `SELECT 1 FROM ${name} r WHERE r::text LIKE '%' || $1 || '%' OR r::text LIKE '%' || $2 || '%' LIMIT 1`;
    if ((await commerce.database.query(named, [phone, email])).length > 0) found.push(name);
  }
  return found;
};

/** A message that began with a short link of the shop. */
const cameBy = async ({ storeId, ask }: ShippingShop, nohp: string): Promise<void> => {
  const link = { target: 'https://wa.me/6281200000000' };
  const { code } = (await ask<{ code: string }>('POST', '/tracker', link)).body.data;
  const event = { id: `link:${storeId}`, kind: 'link_opened', code, nohp, chatId: `${storeId}.1` };
  const headers = bearer(commerce.storeAuth.serviceToken('chat-backend', storeId));
  await commerce.post('/internal/chat-events', { store_id: storeId, events: [event] }, headers);
};

it('whoever is erased is written down nowhere, also where they came from and where their orders were told', async () => {
  const shop = await shippingShop(commerce, 9);
  const hook = await addHook(shop.ask, `${receiver.url}/erased`, ['order.created', 'order.paid', 'order.shipped']);
  await cameBy(shop, BUDI.phone);
  const order = await shop.place({ ...shop.cart(2), contact: BUDI });
  await shop.pay(order.id);
  await shop.ship(order, [2], { courier: 'jne', waybill: 'JNE7654321' });
  const states = async () => (await deliveriesOf(commerce, hook.id)).map(({ state }) => state);
  await until(states, (all) => all.length === 3 && all.every((state) => state === 'delivered'));
  expect(await placesOf(BUDI)).toContain('commerce_api.contact');
  const [budi] = (await shop.ask<{ id: string }[]>('GET', '/contact')).body.data;
  expect((await shop.ask('DELETE', `/contact/${budi?.id}`)).status).toBe(200);
  expect((await placesOf(BUDI)).filter((name) => name !== REMEMBERED)).toEqual([]);
});
