// commerce-api twice, chat-backend and wa-gateway as processes: from a click on a link of WhatsApp to an order.
import { until, useRunning } from '@platform/testing';
import { Tally } from '../marketing/counting/public';
import { ShortLinks } from '../marketing/trackers/public';
import { CLICKS } from '../marketing/trackers/short.links';
import type { Tracker } from '../marketing/trackers/trackers.dto';
import type { SourceRow } from '../marketing/visits/visits.dto';
import { newPhone, startAutomationWorld } from './automation.fixture';

const world = useRunning(startAutomationWorld);
const BROWSER =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36';

/** What a click on the link prepares for its customer to send. */
const clicked = async (code: string): Promise<string> => {
  const { database, clock } = world.commerce;
  const clicks = new Tally({ database, clock }, CLICKS);
  const target = await new ShortLinks(database, clicks).follow(code, BROWSER);
  await clicks.stop();
  return new URL(target).searchParams.get('text') ?? '';
};

it('a click becomes one chat and one order, also when the message is delivered again and its customer writes twice', async () => {
  const [shop, other] = [await world.store([{ sku: 'HAT', price: 10_000, stock: 9 }]), await world.store()];
  const { storeId, saved, elsewhere, ask } = shop;
  const { instance_id: to } = await shop.device();
  const target = 'https://wa.me/6281100000001?text=Halo';
  const link = await saved<Tracker>('POST', '/tracker', { target });
  const foreign = await other.saved<Tracker>('POST', '/tracker', { target });
  const counted = async (id: string, through = ask) => {
    const { clicks, chats, orders } = (await through<Tracker>('GET', `/tracker/${id}`)).body.data;
    return { clicks, chats, orders };
  };
  const phone = newPhone();
  const words = await clicked(link.code);
  expect(words).toBe(`Halo [#${link.code}]`);
  await world.says(phone, to, words);
  await until(
    () => counted(link.id),
    ({ chats }) => chats > 0,
  );
  const stored = 'SELECT pesan_id AS id FROM messages WHERE store_id = $1 AND NOT from_me';
  const [first] = await world.chat.database.query<{ id: string }>(stored, [storeId]);
  await Promise.all(Array.from({ length: 5 }, () => world.told(phone, to, words, first?.id)));
  await world.says(phone, to, words.toUpperCase());
  for (const forged of [`[#${foreign.code}]`, '[#nobody99]', `[#${'[#'.repeat(5_000)}`, `[#${link.code}`])
    await world.says(phone, to, forged);
  await world.decided(storeId, 6);
  await world.idle('commerce.event');
  const [variant] = await world.commerce.database.query<{ id: string }>('SELECT id FROM variant WHERE store_id = $1', [
    storeId,
  ]);
  const order = {
    contact: { name: 'Budi', phone },
    payment_method: 'cash',
    items: [{ variant_id: variant?.id, qty: 1 }],
  };
  await saved('POST', '/order', order, elsewhere);
  expect(await counted(link.id)).toEqual({ clicks: 1, chats: 1, orders: 1 });
  expect(await counted(foreign.id, other.ask)).toEqual({ clicks: 0, chats: 0, orders: 0 });
  const sources = (await ask<SourceRow[]>('GET', '/tracking/sources')).body.data;
  expect(sources).toMatchObject([{ source: link.code, chats: 1, orders: 1 }]);
  expect(JSON.stringify((await other.ask('GET', '/tracking/sources')).body.data)).toBe('[]');
});
