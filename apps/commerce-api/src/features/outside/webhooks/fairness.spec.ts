import { until, useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { runners } from '../../../jobs';
import { orderShop } from '../../sales/orders/orders.fixture';
import { hanging, startReceiver, type Answer } from './receiver.fixture';
import { addHook, deliveriesOf, lookForDue } from './webhooks.fixture';

const receiver = useRunning(startReceiver);
const commerce = useRunning(() => startCommerce({ WEBHOOK_ALLOW_HOSTS: '127.0.0.1' }));

const PLACES = runners
  .filter(({ tasks }) => tasks.some((task) => task.startsWith('webhook.')))
  .reduce((sum, { concurrency }) => sum + concurrency, 0);

let shops = 0;
const shopWithHook = async () => {
  const shop = await orderShop(commerce, 20);
  const path = `/fair-${++shops}`;
  const hook = await addHook(shop.ask, receiver.url + path, ['order.created']);
  return { shop, hook, path, heard: () => receiver.news.filter((news) => news.path === path) };
};
const LEASE_MS = 60_000;
/** Somebody waits for such an answer. */
const SLOW_MS = 3000;

it('receivers that hang, of more stores than there are places, keep no other store and no other hook of theirs waiting', async () => {
  const hung: Awaited<ReturnType<typeof shopWithHook>>[] = [];
  while (hung.length < PLACES + 6) hung.push(await shopWithHook());
  const [busy, quiet] = [await shopWithHook(), await shopWithHook()];
  const all = [...hung, busy];
  for (const { path } of all) receiver.at(path, hanging);
  // They have failed before, and somebody sends for them until the clock goes on
  const leasedUntil = new Date(commerce.clock.now().getTime() + LEASE_MS);
  await commerce.database.query('UPDATE webhook_endpoint SET failures = 1, leased_until = $2 WHERE id = ANY ($1)', [
    all.map(({ hook }) => hook.id),
    leasedUntil,
  ]);
  for (const { shop } of all) await shop.place(shop.cart(1));
  await until(async () =>
    (await Promise.all(all.map(({ hook }) => deliveriesOf(commerce, hook.id)))).every(({ length }) => length === 1),
  );
  const beside = '/fair-beside';
  await addHook(busy.shop.ask, receiver.url + beside, ['order.created']);
  commerce.clock.advance(LEASE_MS);
  await lookForDue(commerce);
  await until(() => all.some(({ heard }) => heard().length > 0));
  await busy.shop.place(busy.shop.cart(1));
  await quiet.shop.place(quiet.shop.cart(1));
  await until(() => quiet.heard().length === 1 && receiver.news.some(({ path }) => path === beside));
  // Of those that came before them some still wait for a place
  expect(all.filter(({ heard }) => heard().length === 0)).not.toEqual([]);
});

it('receivers that answer slowly, of more stores than there are places, keep no other store waiting', async () => {
  const slow: Answer = (_, response) => {
    commerce.clock.advance(SLOW_MS);
    response.writeHead(204).end();
  };
  const late: Awaited<ReturnType<typeof shopWithHook>>[] = [];
  while (late.length < PLACES + 6) late.push(await shopWithHook());
  const quiet = await shopWithHook();
  for (const { shop, hook, path } of late) {
    receiver.at(path, slow);
    await shop.place(shop.cart(1));
    await until(async () => (await deliveriesOf(commerce, hook.id)).some(({ state }) => state === 'delivered'));
    receiver.at(path, hanging);
  }
  for (const { shop } of late) await shop.place(shop.cart(1));
  await until(() => late.some(({ heard }) => heard().length === 2));
  await quiet.shop.place(quiet.shop.cart(1));
  await until(() => quiet.heard().length === 1);
  expect(late.filter(({ heard }) => heard().length === 1)).not.toEqual([]);
});
