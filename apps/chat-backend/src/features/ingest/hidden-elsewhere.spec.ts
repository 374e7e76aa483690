import { startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

it.each([
  ['another store, which had the device before', 'S2', 'dev1'],
  ['another device of the store alone', 'S1', 'vip'],
])('whose a hidden id is by %s, is not known here', async (_, store, instance) => {
  const hidden = `7000000${store.at(-1)}@lid`;
  const known = 'INSERT INTO conversation_aliases (store_id, instance, alias, nohp) VALUES ($1, $2, $3, $4)';
  await chat.database.query(known, [store, instance, hidden, '628790000001']);
  const { body } = await chat.inbound({ number: hidden, id: `HIDDEN ${store}` });
  expect(body).toMatchObject({ data: { chat_list: { nohp: hidden } } });
});
