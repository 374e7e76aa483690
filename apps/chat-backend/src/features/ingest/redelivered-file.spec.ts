import { readdirSync } from 'node:fs';
import { form, message, startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

it.each<[string, Record<string, string>]>([
  ['a customer sent', {}],
  ['was sent on the phone itself', { fromMe: 'true' }],
])('of a message that %s and that comes again one file is kept', async (_, more) => {
  const before = readdirSync(chat.mediaDirectory).length;
  const fields = message({ type: 'document', ...more });
  const deliver = () =>
    chat.call('/v1/callback_message', {
      body: form({ ...fields, file: new Blob([Buffer.from('%PDF-1.7 a document')]) }),
    });
  expect([(await deliver()).status, (await deliver()).status]).toEqual([200, 200]);
  const rows = await chat.database.query<{ name: string }>(
    `SELECT media->>'name' AS name FROM messages WHERE media ? 'name'`,
  );
  const names = readdirSync(chat.mediaDirectory);
  expect([names.length - before, names.sort()]).toEqual([1, rows.map(({ name }) => name).sort()]);
});
