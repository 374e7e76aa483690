import { expectNoSeqScan, explain, until } from '@platform/testing';
import type { BotQuestion } from '../../clients/bot.client';
import { FakeBot } from '../../clients/bot.fake';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';
import { BOT_QUESTION } from './automation.repository';

const bot = new FakeBot();
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle({ bot });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'dev1';
    INSERT INTO rules (store_id, id, position, match, keywords, reply) VALUES ('S1', 'R', 1, 'exact', '{ongkir}', '{"text":"Ongkir 10rb"}')`);
});
afterAll(() => chat.stop());

let numbers = 0;
const newChat = () => {
  const nohp = `62880${String(++numbers).padStart(7, '0')}`;
  const ref = { nohp, instance: 'dev1', team: '3' };
  const count = async () =>
    (
      await chat.database.query(
        `SELECT 1 FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1`,
        [nohp],
      )
    ).length;
  const writes = (text: string, more: Record<string, string> = {}) =>
    chat.inbound({ number: `${nohp}@s.whatsapp.net`, text, ...more });
  return {
    ref,
    writes,
    /** The question that a text of the customer becomes, once the bot's answer stands in the chat. */
    asks: async (text: string): Promise<BotQuestion> => {
      const before = await count();
      await writes(text);
      await until(async () => (await count()) >= before + 2);
      const found = bot.questions.findLast(({ message, idUser }) => message === text && idUser === nohp);
      if (!found) throw new Error(`nobody asked ${text}`);
      return found;
    },
    arrived: (messages: number) => until(async () => (await count()) >= messages),
    rina: (path: string, more: object = {}) => chat.as(chat.people.rina, path, { ...ref, ...more }),
  };
};

it('the bot is told what the customer and a person said while a person had the chat, once', async () => {
  const { asks, writes, rina, ref } = newChat();
  expect((await asks('halo')).since).toBeUndefined();
  await rina('handle_chat');
  await writes('bisa cicil?');
  await rina('send_message', { pesan: 'Bisa kak, 3 kali' });
  await writes('', { type: 'location', latitude: '-6.2', longitude: '106.8' });
  await rina('chat_finish');
  const back = await asks('oke mau');
  expect(back.since).toEqual([
    { role: 'customer', content: 'bisa cicil?', seq: 3 },
    { role: 'team', content: 'Bisa kak, 3 kali', seq: 4 },
    { role: 'customer', content: '[lokasi: -6.2,106.8]', seq: 5 },
  ]);
  expect([back.episode, back.chatId]).toEqual([2, expect.stringMatching(/^S1\./)]);
  expect((await asks('lagi')).since).toBeUndefined();
  expect(ref.nohp).toBe(back.idUser);
});

it('a notice that the bot sends between the words of a person hides none of them', async () => {
  const { asks, rina, ref } = newChat();
  await asks('halo');
  await rina('handle_chat');
  await rina('send_message', { pesan: 'sebelum' });
  const notice = { ...ref, pesan_id: 'pay-INV-1-paid', pesan: 'Pembayaran sudah kami terima' };
  expect((await chat.as(chat.people.bot, 'send_message', notice)).body).toMatchObject({ result: true });
  await rina('send_message', { pesan: 'sesudah' });
  await rina('chat_finish');
  const { since } = await asks('terima kasih');
  expect(since?.map(({ content }) => content)).toEqual(['sebelum', 'sesudah']);
});

it('the bot is told what a rule answered, and that it did', async () => {
  const { asks, writes, arrived } = newChat();
  await asks('halo');
  await writes('ongkir');
  await arrived(4);
  expect((await asks('mahal ya')).since).toEqual([
    { role: 'customer', content: 'ongkir', seq: 3 },
    { role: 'auto', content: 'Ongkir 10rb', seq: 4 },
  ]);
});

it('the second message of a burst comes with the first, which the welcome text answered', async () => {
  await chat.database.query(
    `INSERT INTO welcomes (store_id, enabled, text, once_per_hours) VALUES ('S1', true, 'Selamat datang', 24)`,
  );
  const { writes, ref } = newChat();
  await Promise.all([writes('sepatu hitam 42'), writes('ada?')]);
  const asked = await until(() => bot.questions.find(({ idUser }) => idUser === ref.nohp));
  expect(asked?.since).toEqual([
    { role: 'customer', content: expect.stringMatching(/sepatu|ada/) as string, seq: 1 },
    { role: 'auto', content: 'Selamat datang', seq: expect.any(Number) as number },
  ]);
  await chat.database.query(`DELETE FROM welcomes`);
});

it('a message that the bot refused comes with the next one, and messages of a burst come with none', async () => {
  const { asks, writes, ref } = newChat();
  bot.next.push(() => ({ kind: 'refused', reason: 'agent not found' }));
  await writes('pertama');
  const kept = `SELECT 1 FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 AND m.to_bot = 2`;
  await until(async () => (await chat.database.query(kept, [ref.nohp])).length === 1);
  expect((await asks('kedua')).since).toEqual([{ role: 'customer', content: 'pertama', seq: 1 }]);
  await Promise.all(['a', 'b', 'c'].map((text) => writes(text)));
  const burst = () => bot.questions.filter(({ idUser, seq }) => idUser === ref.nohp && seq > 3);
  expect((await until(burst, ({ length }) => length === 3)).map(({ since }) => since)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('messages that the bot was silent to, because people had the chat, come with the next one that it may answer', async () => {
  const { asks, writes, ref } = newChat();
  await asks('halo');
  bot.next.push(() => ({ kind: 'left', bubbles: [] }));
  await writes('alamat saya Jalan Mawar 5');
  const kept = `SELECT m.seq FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 AND m.to_bot = 2`;
  const [row] = await until(
    () => chat.database.query<{ seq: number }>(kept, [ref.nohp]),
    ({ length }) => length === 1,
  );
  const { since } = await asks('sudah sampai mana?');
  expect(since).toEqual([{ role: 'customer', content: 'alamat saya Jalan Mawar 5', seq: row?.seq }]);
  expect((await asks('terima kasih')).since).toBeUndefined();
});

it('the newest 20 lines are told, each cut at 1,000 characters that are whole', async () => {
  const { asks, rina } = newChat();
  await asks('halo');
  for (let line = 1; line <= 21; line++) await rina('send_message', { pesan: `${line} ${'\u{1f600}'.repeat(1000)}` });
  await rina('chat_finish');
  const { since = [] } = await asks('siap');
  expect(since.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 4));
  expect(since.at(-1)?.content).toBe(`21 ${'\u{1f600}'.repeat(997)}`);
});

it('a question with what was said before is one statement over the indexes of the chat', async () => {
  const plan = await explain(chat.database, BOT_QUESTION, ['S1', '0199f7a0-0000-7000-8000-000000000001', 5]);
  expectNoSeqScan(plan, 'messages', 'conversations', 'customers', 'devices');
});
