// From a customer it is one press to their chats.
import { useRunning } from '@platform/testing';
import { startInboxWorld } from '../inbox.fixture';
import { agentIn, at, begunIn, PHONE } from './desk.fixture';

const world = useRunning(startInboxWorld);

it('the page of a customer leads to their chats and tells what was said last, and stays while nobody knows of chats', async () => {
  const { shop, chat } = await begunIn(world, 'Ada <b>ukuran</b> 42?');
  await shop.written('6281234567899', `Nomor saya dulu ${PHONE}`);
  const { browser } = await agentIn(world, shop);
  await browser.get('/contacts');
  const made = async (name: string, phone: string) =>
    String((await browser.post('/contacts', { name, phone })).location ?? '');
  const known = await world.commerce.database.query<{ id: string }>(
    'SELECT contact_id AS id FROM contact_phone WHERE store_id = $1 AND phone = $2',
    [shop.storeId, PHONE],
  );
  const customer = known[0] ? `/contacts/${known[0].id}` : await made('Ani', PHONE);
  await browser.get('/contacts');
  const stranger = await made('Budi', '6281234567000');
  const chatsIn = (html: string) => [...html.matchAll(/href="(\/chats\/[^"]+)"/g)].map(([, path]) => path);
  const { text } = await browser.get(customer);
  expect([chatsIn(text), text.includes('Ada &lt;b>ukuran&lt;/b> 42?')]).toEqual([[at(chat)], true]);
  const none = await browser.get(stranger);
  expect([chatsIn(none.text), none.text.includes('Belum ada chat dengan nomor ini.')]).toEqual([[], true]);
  await world.chat.kill();
  const away = await browser.get(customer);
  expect([away.status, chatsIn(away.text), away.text.includes('Belum ada chat')]).toEqual([200, [], false]);
});
