import { startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const phone = (number: string) => `${number}@s.whatsapp.net`;
const data = async (number: string, id: string) => {
  const { body } = await chat.inbound({ number, id });
  const { newChatInbox, chat_list: list } = (
    body as { data: { newChatInbox: { seq: number; nohp: string }; chat_list: { chatId: string; nohp: string } } }
  ).data;
  return { seq: newChatInbox.seq, chatId: list.chatId, nohp: list.nohp };
};
const chats = (...numbers: string[]) =>
  chat.database.query(`SELECT nohp, last_seq FROM conversations WHERE nohp = ANY ($1) ORDER BY nohp`, [numbers]);

describe('one message under a number and under a hidden id', () => {
  it('is one row, and later messages of the hidden id join the chat of the number', async () => {
    const first = await data(phone('628700000001'), 'LID1');
    expect(await data('70000001@lid', 'LID1')).toEqual(first);
    expect(await data('70000001@lid', 'LID2')).toEqual({ ...first, seq: 2 });
    expect(await data(phone('628700000001'), 'LID3')).toEqual({ ...first, seq: 3 });
    expect(await chats('628700000001', '70000001@lid')).toEqual([{ nohp: '628700000001', last_seq: 3 }]);
  });

  it('gives a chat that began under the hidden id its number, with all that is in it', async () => {
    const first = await data('70000002@lid', 'LID4');
    expect(first.nohp).toBe('70000002@lid');
    expect(await data(phone('628700000002'), 'LID4')).toEqual({ ...first, nohp: '628700000002' });
    expect(await data(phone('628700000002'), 'LID5')).toEqual({ ...first, nohp: '628700000002', seq: 2 });
    expect(await data('70000002@lid', 'LID6')).toEqual({ ...first, nohp: '628700000002', seq: 3 });
    expect(
      await chat.database.query(`SELECT nohp FROM customers WHERE nohp IN ('628700000002', '70000002@lid')`),
    ).toEqual([{ nohp: '628700000002' }]);
  });

  it('a business-scoped id, which hides a number too, is linked the same way', async () => {
    const hidden = 'ID.13491208655302741918@bsuid';
    const first = await data(hidden, 'BS1');
    expect(first.nohp).toBe(hidden);
    expect(await data(phone('628700000009'), 'BS1')).toEqual({ ...first, nohp: '628700000009' });
    expect(await data(hidden, 'BS2')).toEqual({ ...first, nohp: '628700000009', seq: 2 });
  });

  it('leaves the chat of another device alone', async () => {
    await data(phone('628700000003'), 'LID7');
    await data('70000003@lid', 'LID7');
    const { body } = await chat.inbound({ number: '70000003@lid', id: 'LID8', instanceID: 'dev2' });
    expect(body).toMatchObject({ data: { chat_list: { nohp: '70000003@lid' } } });
  });

  it('links nothing when it is given two numbers', async () => {
    const first = await data(phone('628700000004'), 'LID9');
    expect(await data(phone('628700000005'), 'LID9')).toEqual(first);
    expect(await chat.database.query(`SELECT 1 FROM conversation_aliases WHERE alias LIKE '62%'`)).toEqual([]);
  });
});

describe('a hidden id that writes to several devices of a store', () => {
  it('is the same person on all of them', async () => {
    const vip = (number: string, id: string) => chat.inbound({ number, id, instanceID: 'vip' });
    await data('70000006@lid', 'LID10');
    await vip('70000006@lid', 'LID11');
    await data(phone('628700000006'), 'LID10');
    expect((await vip('70000006@lid', 'LID12')).body).toMatchObject({
      result: true,
      data: { newChatInbox: { seq: 2, instance: 'vip' }, chat_list: { nohp: '628700000006', unread: 2 } },
    });
    expect(
      await chat.database.query(
        `SELECT c.instance, c.nohp, k.nohp AS customer FROM conversations c JOIN customers k ON k.id = c.customer_id WHERE c.nohp LIKE '%7%06' ORDER BY 1`,
      ),
    ).toEqual([
      { instance: 'dev1', nohp: '628700000006', customer: '628700000006' },
      { instance: 'vip', nohp: '628700000006', customer: '628700000006' },
    ]);
  });
});
