import { until } from '@platform/testing';
import { FakeBot } from '../../clients/bot.fake';
import { startChat, type Chat } from '../../chat.fixture';

const bot = new FakeBot();
let chat: Chat;
beforeAll(async () => {
  chat = await startChat({ bot });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'dev1'`);
});
afterAll(() => chat.stop());

const conversation = async (nohp: string) =>
  await chat.database.query<{ pesan: string; role: string; pesan_id: string }>(
    `SELECT m.pesan, m.role, m.pesan_id FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 ORDER BY m.seq`,
    [nohp],
  );
const arrived = (nohp: string, count: number) =>
  until(
    () => conversation(nohp),
    (rows) => rows.length >= count,
  );

describe('the bot', () => {
  it('answers an open chat, with its own message ids, and the chat stays open', async () => {
    await chat.inbound({ number: '628100000001@s.whatsapp.net', id: 'Q1', text: 'ada stok?', name: 'Ani' });
    expect(await arrived('628100000001', 2)).toEqual([
      { pesan: 'ada stok?', role: 'customer', pesan_id: 'Q1' },
      { pesan: 'jawab ada stok?', role: 'bot', pesan_id: 'bot-Q1-0' },
    ]);
    expect(bot.questions[0]).toEqual({
      idUser: '628100000001',
      idAgent: 'A1',
      idStore: 'S1',
      message: 'ada stok?',
      idMessage: 'Q1',
      instanceID: 'dev1',
      chatId: expect.stringMatching(/^S1\./),
      team: '3',
      episode: 1,
      escalate: '',
      name: 'Ani',
      timestamp: 1795157100 > Date.now() / 1000 ? expect.any(Number) : 1795157100,
      seq: 1,
    });
    await until(() => chat.gateway.calls.some(({ pesanId }) => pesanId === 'bot-Q1-0'));
    expect(
      await chat.database.query(
        `SELECT status, assignee_id, unread_count FROM conversations WHERE nohp = '628100000001'`,
      ),
    ).toEqual([{ status: 0, assignee_id: null, unread_count: 1 }]);
  });

  it('is not asked about groups, own messages, or chats that a person handles', async () => {
    const before = bot.questions.length;
    await chat.inbound({ number: '120363000000000001@g.us' });
    await chat.inbound({ number: '628100000002@s.whatsapp.net', fromMe: 'true' });
    await chat.inbound({ number: '628100000003@s.whatsapp.net', instanceID: 'vip' });
    await chat.inbound({ number: '628100000004@s.whatsapp.net', id: 'LAST' });
    await arrived('628100000004', 2);
    await chat.database.query(`UPDATE conversations SET status = 1 WHERE nohp = '628100000004'`);
    await chat.inbound({ number: '628100000004@s.whatsapp.net', id: 'HANDLED' });
    await chat.inbound({ number: '628100000005@s.whatsapp.net', id: 'AFTER' });
    await arrived('628100000005', 2);
    expect(bot.questions.slice(before).map(({ idMessage }) => idMessage)).toEqual(['LAST', 'AFTER']);
  });

  it('is silent when a person took the chat over while it was thinking', async () => {
    bot.next.push(async ({ idMessage }) => {
      await chat.database.query(`UPDATE conversations SET status = 1 WHERE nohp = '628100000006'`);
      return { kind: 'answered', bubbles: [{ id: `bot-${idMessage}-0`, text: 'too late' }] };
    });
    await chat.inbound({ number: '628100000006@s.whatsapp.net', id: 'TAKEN' });
    await until(() => bot.questions.some(({ idMessage }) => idMessage === 'TAKEN'));
    await chat.inbound({ number: '628100000007@s.whatsapp.net', id: 'NEXT' });
    await arrived('628100000007', 2);
    expect((await conversation('628100000006')).map(({ role }) => role)).toEqual(['customer']);
  });

  it('is asked again with the same id until it answers, and stored once', async () => {
    bot.next.push(
      () => ({ kind: 'later', afterSeconds: 0.05, reason: 'busy' }),
      () => ({ kind: 'later', afterSeconds: 0.05, reason: 'busy' }),
    );
    await chat.inbound({ number: '628100000008@s.whatsapp.net', id: 'AGAIN' });
    expect((await arrived('628100000008', 2)).map(({ pesan_id: id }) => id)).toEqual(['AGAIN', 'bot-AGAIN-0']);
    expect(bot.questions.filter(({ idMessage }) => idMessage === 'AGAIN')).toHaveLength(3);
  });

  it('is told of pictures and places in words', async () => {
    await chat.inbound({
      number: '628100000009@s.whatsapp.net',
      id: 'PIC',
      type: 'image',
      text: '',
      caption: 'ini ada?',
    });
    await arrived('628100000009', 2);
    await chat.inbound({
      number: '628100000010@s.whatsapp.net',
      id: 'LOC',
      text: '',
      latitude: '-6.2',
      longitude: '106.8',
    });
    await arrived('628100000010', 2);
    expect(bot.questions.slice(-2).map(({ message }) => message)).toEqual([
      '[gambar] ini ada?',
      '[lokasi: -6.2,106.8]',
    ]);
  });
});
