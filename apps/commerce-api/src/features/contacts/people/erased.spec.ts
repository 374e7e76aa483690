// What is left of a customer who was erased, wherever they were written down.
import { until, useRunning } from '@platform/testing';
import { bearer } from '../../../commerce.fixture';
import { deliver, gatewayShop, OK, ROUTES, startDesks } from '../../gateways/gateways.fixture';
import type { OrderView } from '../../sales/orders/orders.dto';
import { failing, startReceiver, taking } from '../../outside/webhooks/receiver.fixture';
import { addHook, deliveriesOf, lookForDue } from '../../outside/webhooks/webhooks.fixture';
import { shippingShop, type ShippingShop } from '../../shipping/shipments/shipments.fixture';

const receiver = useRunning(startReceiver);
const commerce = useRunning(() => startDesks({ WEBHOOK_ALLOW_HOSTS: '127.0.0.1' }));

const BUDI = { name: 'Budi', phone: '6281298765432', email: 'budi.rahasia@example.com' };
const TABLES = `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
  WHERE table_type = 'BASE TABLE' AND table_schema LIKE 'commerce_api%' ORDER BY 1`;
/** That a number leads to nobody any more is known for a day, so that chat-backend hears of it. */
const REMEMBERED = 'commerce_api.sync_pending';

/** Where the number or the address stands, in bytes too. */
const placesOf = async ({ phone, email }: typeof BUDI): Promise<string[]> => {
  const found: string[] = [];
  const forms = [phone, email].flatMap((text) => [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`]);
  for (const { name } of await commerce.database.query<{ name: string }>(TABLES)) {
    const named = `SELECT 1 FROM ${name} r WHERE r::text LIKE ANY ($1) LIMIT 1`;
    if ((await commerce.database.query(named, [forms])).length > 0) found.push(name);
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

it('whoever is erased is in no notice of a provider any more, but for one that is not processed yet', async () => {
  const shop = await gatewayShop(commerce);
  const budi = { ...BUDI, phone: '6281298760000' };
  const sell = async (payment_method: string) =>
    (await shop.ask<OrderView>('POST', '/order', { ...shop.cart(2), contact: budi, payment_method })).body.data;
  const told = async (code: 'a' | 'b', { number }: OrderView, status: string) => {
    const body = { number: `${number}-1`, status, amount: 20_000, id: `${number}-x`, payer_email: budi.email };
    expect(await deliver(commerce.url, ROUTES[code], commerce.desks[code].notice(ROUTES[code], body))).toEqual(OK);
  };
  const [paid, other, failed] = [await sell('a'), await shop.sell('a'), await sell('b')];
  await told('a', paid, 'SUCCESS');
  await told('a', other, 'SUCCESS');
  await told('b', failed, 'FAILED');
  const events = `UPDATE webhook_event SET processed_at = NULL WHERE store_id = $1 AND provider = 'b'`;
  await commerce.database.query(events, [shop.storeId]);
  const owner = 'SELECT contact_id AS id FROM contact_phone WHERE store_id = $1 AND phone = $2';
  const [contact] = await commerce.database.query<{ id: string }>(owner, [shop.storeId, budi.phone]);
  expect((await shop.ask('DELETE', `/contact/${contact?.id}`)).status).toBe(200);
  const kept = `SELECT provider, convert_from(raw, 'UTF8') AS raw FROM webhook_event WHERE store_id = $1 ORDER BY id`;
  const raw = await commerce.database.query<{ provider: string; raw: string }>(kept, [shop.storeId]);
  expect(raw.map((row) => [row.provider, row.raw.includes(budi.email)])).toEqual([
    ['a', false],
    ['a', true],
    ['b', true],
  ]);
  const event = (await shop.events()).at(-1);
  expect(await shop.ask('POST', `/logs/webhook/${String(event?.id)}/replay`)).toMatchObject({
    ...{ status: 400, body: { code: 'malformed' } },
  });
});

it('whoever is erased is in no news that waits for a receiver any more', async () => {
  const shop = await shippingShop(commerce, 9);
  receiver.at('/away', failing);
  const hook = await addHook(shop.ask, `${receiver.url}/away`, ['order.created']);
  const budi = { ...BUDI, phone: '6281298761111', email: 'budi.lain@example.com' };
  await shop.place({ ...shop.cart(2), contact: budi });
  await until(async () => (await deliveriesOf(commerce, hook.id)).some(({ attempts }) => attempts > 0));
  const owner = 'SELECT contact_id AS id FROM contact_phone WHERE store_id = $1 AND phone = $2';
  const [contact] = await commerce.database.query<{ id: string }>(owner, [shop.storeId, budi.phone]);
  expect((await shop.ask('DELETE', `/contact/${contact?.id}`)).status).toBe(200);
  expect((await placesOf(budi)).filter((name) => name !== REMEMBERED)).toEqual([]);
  receiver.at('/away', taking);
  commerce.clock.advance(120_000);
  await lookForDue(commerce);
  await until(async () => (await deliveriesOf(commerce, hook.id)).every(({ state }) => state === 'delivered'));
  const last = JSON.parse(receiver.news.filter(({ path }) => path === '/away').at(-1)?.body ?? '') as {
    data: { buyer: object };
  };
  expect(last.data.buyer).toEqual({ name: 'Budi', phone: '***', email: '***' });
});

it('whoever is erased is not in the log of what was done, also where an order was given their name first', async () => {
  const shop = await shippingShop(commerce, 9);
  const budi = { ...BUDI, phone: '6281298762222', email: 'budi.diedit@example.com' };
  const { id, version } = await shop.place({ ...shop.cart(2), payment_method: 'transfer' });
  const address = { line: 'Jl. Dago 1', city: 'Bandung', phone: budi.phone };
  const edited = { ...shop.cart(2), version, payment_method: 'transfer', contact: budi, address };
  expect((await shop.ask('PUT', `/order/${id}`, edited)).status).toBe(200);
  const owner = 'SELECT contact_id AS id FROM contact_phone WHERE store_id = $1 AND phone = $2';
  const [contact] = await commerce.database.query<{ id: string }>(owner, [shop.storeId, budi.phone]);
  expect((await shop.ask('DELETE', `/contact/${contact?.id}`)).status).toBe(200);
  expect((await placesOf(budi)).filter((name) => name !== REMEMBERED)).toEqual([]);
});
