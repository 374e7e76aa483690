import { until } from '@platform/testing';
import { form, RINA, startChat, type Chat } from '../../chat.fixture';
import { closeClients, openClient } from './sockets.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(async () => {
  closeClients();
  await chat.stop();
});

interface Event {
  name: string;
  payload: {
    chatId?: string;
    chat_list?: { chatId: string; nohp: string; unread: number; version: number };
    status_ack?: string;
    inbox?: { pesan: string };
  };
}

const client = (token: string) => openClient<Event['payload']>(chat.url, token);

describe('sockets', () => {
  it.each([
    ['none', ''],
    ['a bad one', 'abc'],
  ])('refuse a client with %s token', async (_, token) => expect(client(token)).rejects.toThrow());

  it("tell an agent of the team's chats after the commit, and nobody else", async () => {
    const rina = await client(chat.tokens.tokenFor(RINA));
    const vip = await client(chat.tokens.tokenFor({ teams: ['4'] }));
    const stranger = await client(chat.tokens.tokenFor({ store_id: 'S2', role: 'owner', teams: [] }));
    const owner = await client(chat.tokens.tokenFor({ role: 'owner', teams: [] }));
    await chat.inbound({ number: '628100000001@s.whatsapp.net', text: 'ada stok?' });
    const [event] = await until(
      () => rina.named('updateChatlist'),
      (events) => events.length > 0,
    );
    expect(event?.payload).toMatchObject({ op: 'upsert', version: 1, chat_list: { nohp: '628100000001', unread: 1 } });
    await until(() => owner.named('updateChatlist').length > 0);
    expect([vip.events, stranger.events]).toEqual([[], []]);
  });

  it('tell who joined a chat of messages and statuses; foreign chats cannot be joined', async () => {
    const rina = await client(chat.tokens.tokenFor(RINA));
    const stranger = await client(chat.tokens.tokenFor({ store_id: 'S2', role: 'owner', teams: [] }));
    const [row] = await chat.database.query<{ id: string }>(
      `SELECT store_id || '.' || id AS id FROM conversations WHERE nohp = '628100000001'`,
    );
    const chatId = row?.id;
    expect(await rina.socket.emitWithAck('chatJoin', { chatId })).toEqual({ result: true });
    for (const wrong of [{ chatId }, {}, null])
      expect(await stranger.socket.emitWithAck('chatJoin', wrong)).toEqual({
        result: false,
        message: 'chat tidak ditemukan',
        code: 'chat_not_found',
      });
    await chat.inbound({ number: '628100000001@s.whatsapp.net', id: 'JOINED', text: 'halo lagi' });
    const [message] = await until(
      () => rina.named('newMessage'),
      (events) => events.length > 0,
    );
    expect(message?.payload).toMatchObject({ chatId, inbox: { pesan: 'halo lagi' }, chat_list: { unread: 2 } });
    await chat.inbound({ number: '628100000001@s.whatsapp.net', id: 'OURS', text: 'dari toko', fromMe: 'true' });
    const status = {
      instanceID: 'dev1',
      result: 'true',
      report: 'true',
      number: '628100000001@s.whatsapp.net',
      id: 'OURS',
      status: 'viewed',
      timestamp: '5',
    };
    for (let times = 0; times < 2; times++) await chat.call('/v1/callback_message', { body: form(status) });
    const [seen] = await until(
      () => rina.named('statusMessage'),
      (events) => events.length > 0,
    );
    expect(seen?.payload).toEqual({ chatId, pesan_id: 'OURS', seq: 3, status_ack: 'viewed', timestamp: 5 });
    expect(stranger.events).toEqual([]);
  });

  it('merge a burst of one chat into few list events, the last with the newest version', async () => {
    const rina = await client(chat.tokens.tokenFor(RINA));
    const begun = Date.now();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        chat.inbound({ number: '628100000002@s.whatsapp.net', id: `BURST${index}` }),
      ),
    );
    const newest = async () =>
      (
        await chat.database.query<{ version: number }>(`SELECT version FROM conversations WHERE nohp = '628100000002'`)
      )[0]?.version;
    const version = await newest();
    const shown = () =>
      rina.named('updateChatlist').filter(({ payload }) => payload.chat_list?.nohp === '628100000002');
    await until(() => shown().at(-1)?.payload.chat_list?.version === version);
    // Four a second, and a slow machine takes its time for the burst
    expect(shown().length).toBeLessThan(4 + (Date.now() - begun) / 250);
  });

  it('say nothing of a redelivery', async () => {
    await chat.inbound({ number: '628100000003@s.whatsapp.net', id: 'SAME' });
    const rina = await client(chat.tokens.tokenFor(RINA));
    await chat.inbound({ number: '628100000003@s.whatsapp.net', id: 'SAME' });
    await chat.inbound({ number: '628100000004@s.whatsapp.net', id: 'OTHER' });
    await until(() => rina.named('updateChatlist').length > 0);
    expect(rina.named('updateChatlist').map(({ payload }) => payload.chat_list?.nohp)).toEqual(['628100000004']);
  });

  it('do not keep the service from stopping', async () => {
    const other = await startChat();
    const { socket } = await openClient(other.url, other.tokens.tokenFor(RINA));
    const gone = new Promise((resolve) => socket.once('disconnect', resolve));
    await other.stop();
    expect(await gone).toBe('transport close');
  });
});
