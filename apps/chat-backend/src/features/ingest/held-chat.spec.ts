import { untilWaiting } from '@platform/testing';
import { startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const stored = (pesan_id: string, seq: number) => ({ result: true, data: { newChatInbox: { pesan_id, seq } } });

it('messages of a chat that somebody holds keep those of no other chat waiting, and are stored in their order after that', async () => {
  const say = async (id: string, nohp = '628111000071') =>
    (await chat.inbound({ number: `${nohp}@s.whatsapp.net`, id })).body;
  await say('HELD1');
  const waiting: Promise<unknown>[] = [];
  await chat.database.tx(async (tx) => {
    await tx.query(`SELECT 1 FROM conversations WHERE nohp = '628111000071' FOR UPDATE`);
    waiting.push(say('HELD2'));
    await untilWaiting(tx, ...waiting);
    // The gateway delivers again what had no answer in time
    waiting.push(say('HELD2'), say('HELD3'));
    for (const seq of [1, 2, 3])
      expect(await say(`FREE${seq}`, '628111000072')).toMatchObject(stored(`FREE${seq}`, seq));
  });
  expect(await Promise.all(waiting)).toMatchObject([stored('HELD2', 2), stored('HELD2', 2), stored('HELD3', 3)]);
});
