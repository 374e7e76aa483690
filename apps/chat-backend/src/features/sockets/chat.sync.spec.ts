import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { RINA, startChat, type Chat } from '../../chat.fixture';
import { closeClients, openClient, type SocketClient } from './sockets.fixture';

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
  await chat.database.query(`INSERT INTO team_members (store_id, team_id, user_id) VALUES ('S1', '3', 'u-rina')`);
});
afterAll(async () => {
  closeClients();
  await chat.stop();
});

const client = (claims: object = RINA) => openClient<object>(chat.url, chat.tokens.tokenFor(claims));
const say = (nohp: string, more: Record<string, string> = {}) =>
  chat.inbound({ number: `${nohp}@s.whatsapp.net`, ...more });
const chatOf = async (nohp: string) => {
  const [row] = await chat.database.query<{ id: string; version: number; seq: number }>(
    `SELECT store_id || '.' || id AS id, version, last_seq AS seq FROM conversations WHERE nohp = $1`,
    [nohp],
  );
  if (!row) throw new Error(`no chat of ${nohp}`);
  return row;
};
const sync = ({ socket }: SocketClient<object>, payload: unknown): Promise<unknown> =>
  socket.emitWithAck('sync', payload);

describe('a client that was away', () => {
  it('gets exactly the messages, list rows and counters it missed', async () => {
    for (const id of ['A1', 'A2', 'A3']) await say('628100000001', { id, text: id });
    await say('628100000002', { id: 'B1' });
    const [one, two] = [await chatOf('628100000001'), await chatOf('628100000002')];
    const answer = await sync(await client(), {
      chats: { [one.id]: 1, [two.id]: 1 },
      versions: { [one.id]: one.version - 2, [two.id]: two.version },
    });
    expect(answer).toEqual({
      chats: {
        [one.id]: {
          inbox: [
            expect.objectContaining({ chatId: one.id, seq: 2, pesan: 'A2' }),
            expect.objectContaining({ chatId: one.id, seq: 3, pesan: 'A3' }),
          ],
          last_seq: 3,
        },
        [two.id]: { inbox: [], last_seq: 1 },
      },
      changed: [expect.objectContaining({ chatId: one.id, version: one.version, unread: 3 })],
      gone: [],
      totalNotif: { total: 2, unread: 2 },
    });
  });

  it('starts a chat anew when the gap is too long or its seq is from another time', async () => {
    await say('628100000003', { id: 'C1' });
    const { id } = await chatOf('628100000003');
    const rina = await client();
    expect(await sync(rina, { chats: { [id]: 5 } })).toMatchObject({ chats: { [id]: { reset: true } } });
    await chat.database.query(`UPDATE conversations SET last_seq = 500 WHERE nohp = '628100000003'`);
    expect(await sync(rina, { chats: { [id]: 1 } })).toMatchObject({ chats: { [id]: { reset: true } } });
  });

  it('starts those anew that it names beyond two hundred: none of them is passed over without a word', async () => {
    await say('628100000005', { id: 'E1' });
    const { id, version } = await chatOf('628100000005');
    const others = Array.from({ length: 200 }, (_, nth) => [`S1.${uuidv7()}`, nth] as const);
    const chats = Object.fromEntries([...others, [id, 0], ['S2.elsewhere', 0]]);
    const versions = Object.fromEntries([...others, [id, version - 1]]);
    expect(await sync(await client(), { chats, versions })).toMatchObject({ chats: { [id]: { reset: true } } });
  });

  it('learns which chats it may not see any more, and nothing of them', async () => {
    await say('628100000004', { id: 'D1' });
    const { id } = await chatOf('628100000004');
    await chat.database.query(`UPDATE conversations SET team_id = '4' WHERE nohp = '628100000004'`);
    expect(await sync(await client(), { chats: { [id]: 0 }, versions: { [id]: 0 } })).toEqual({
      chats: {},
      changed: [],
      gone: [id],
      totalNotif: expect.any(Object),
    });
    const stranger = await client({ store_id: 'S2', role: 'owner', teams: [] });
    const nothing = { chats: {}, changed: [], gone: [], totalNotif: { total: 0, unread: 0 } };
    expect(await sync(stranger, { chats: { [id]: 0 }, versions: { [id]: 0 } })).toEqual(nothing);
    for (const odd of [undefined, null, 'x', { chats: 'x', versions: [1] }, { chats: { x: 1, [id]: 'y' } }])
      expect(await sync(stranger, odd)).toEqual(nothing);
  });
});

describe('counters over the sockets', () => {
  it('of a team are told at most once a second, the last one right', async () => {
    const rina = await client();
    const begun = Date.now();
    await Promise.all(Array.from({ length: 30 }, (_, index) => say(`6282000000${10 + index}`)));
    const [unread] = await chat.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM conversations WHERE team_id = '3' AND unread_count > 0 AND store_id = 'S1'`,
    );
    await until(
      () => rina.named('updateTeamchat').at(-1)?.payload,
      (payload) => (payload as { unread_chat?: number } | undefined)?.unread_chat === unread?.n,
    );
    const seconds = (Date.now() - begun) / 1000;
    expect(rina.named('updateTeamchat').length).toBeLessThanOrEqual(2 + seconds);
    expect(rina.named('updateTeamchat').at(-1)?.payload).toEqual({ team: '3', unread_chat: unread?.n });
  });

  it('and notifications of a user reach that user only', async () => {
    const rina = await client();
    const owner = await client({ sub: 'u-owner', role: 'owner', teams: [] });
    await say('628300000001', { id: 'NOTIF', text: 'halo' });
    await until(() => rina.named('totalNotif').length > 0);
    const [notif] = rina.named('notif');
    expect(notif?.payload).toMatchObject({ type: 'new_chat', nohp: '628300000001', isi: 'Budi: halo', is_read: false });
    const { body } = await chat.post('/v1/get_totalnotif', {});
    const told = (body as { data: object }).data;
    await until(
      () => rina.named('totalNotif').at(-1)?.payload,
      (payload) => JSON.stringify(payload) === JSON.stringify(told),
    );
    await chat.post('/v1/chat_markread', { nohp: '628300000001', instance: 'dev1', team: '3' });
    await until(
      () => rina.named('totalNotif').at(-1)?.payload as { unread: number } | undefined,
      (payload) => payload?.unread === (told as { unread: number }).unread - 1,
    );
    expect([owner.named('notif'), owner.named('totalNotif')]).toEqual([[], []]);
  });
});
