import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
  await chat.database.query(
    `INSERT INTO users (store_id, user_id, nama, aktif) VALUES ('S1', 'u-mati', 'Mati', false);
     UPDATE teams SET private = false WHERE store_id = 'S1' AND id = '3'`,
  );
});
afterAll(() => chat.stop());

const UNKNOWN = { result: false, message: 'user tidak ditemukan', code: 'user_not_found' };
const FORBIDDEN = { result: false, message: 'tidak punya akses', code: 'forbidden' };

describe.each(['u-tidak-ada', 'u-mati', 'u-lain'])('a user that is not at work in this store (%s)', (user_id) => {
  it.each([
    ['send_message_admin', { pesan: 'halo' }],
    ['send_message_crm', { pesan: 'halo' }],
    ['send_express_admin', { pesan: 'halo' }],
    ['handle_chat_admin', {}],
    ['handle_chat_crm', {}],
    ['chat_open_admin', {}],
    ['chat_pending_crm', {}],
    ['chat_finish_admin', {}],
    ['chat_move_admin', { to_team: '4' }],
    ['chats/request-escalate_admin', { alasan: 'bantu' }],
    ['chats/finish-escalate_admin', {}],
  ])('is refused by %s, and nothing changes', async (path, fields) => {
    const ref = await chat.newChat();
    const before = await chat.row(ref);
    expect((await chat.post(`/v1/${path}`, { ...ref, ...fields, user_id })).body).toEqual(UNKNOWN);
    expect(await chat.row(ref)).toEqual(before);
  });

  it('gets no chat from a supervisor', async () => {
    const ref = await chat.newChat();
    expect((await chat.as(chat.people.boss, 'handle_chat', { ...ref, user_id })).body).toEqual(UNKNOWN);
    expect((await chat.as(chat.people.boss, 'chat_move', { ...ref, to_team: '3', user_id })).body).toEqual(UNKNOWN);
  });

  it('begins no chat', async () => {
    const ref = { nohp: '628144000001', instance: 'dev1', team: '3' };
    expect((await chat.post('/v1/send_express_admin', { ...ref, pesan: 'halo', user_id })).body).toEqual(UNKNOWN);
    expect(await chat.row({ ...ref, chatId: '' })).toEqual({});
  });
});

describe('who may only read a chat, because its team is open,', () => {
  it('does not mark it as read', async () => {
    const ref = await chat.newChat();
    expect((await chat.as(chat.people.tono, 'chat_inbox', ref)).body).toMatchObject({ result: true });
    expect((await chat.as(chat.people.tono, 'chat_markread', ref)).body).toEqual(FORBIDDEN);
    expect(await chat.row(ref)).toMatchObject({ unread_count: 1, read_seq: 0 });
    expect((await chat.post('/v1/chat_markread', ref)).body).toEqual({ result: true, message: 'success mark as read' });
  });

  it('does not change the status of its ticket', async () => {
    const ref = await chat.newChat();
    await chat.post('/v1/chats/request-escalate', { ...ref, alasan: 'bantu' });
    const [ticket] = await chat.database.query<{ id: string }>(
      `SELECT store_id || '.' || id AS id FROM tickets WHERE nohp = $1`,
      [ref.nohp],
    );
    const request = { ticketId: ticket?.id, status: 'closed' };
    expect((await chat.as(chat.people.tono, 'change_ticket_status', request)).body).toEqual(FORBIDDEN);
    expect((await chat.post('/v1/change_ticket_status', request)).body).toMatchObject({ result: true });
  });
});

describe('the chat of a colleague', () => {
  it.each([
    ['to oneself', { to_team: '3', user_id: 'u-siti' }],
    ['to nobody in the same team', { to_team: '3' }],
    ['to another team', { to_team: '4' }],
  ])('is not moved by an agent %s', async (_, fields) => {
    const ref = await chat.newChat({ status: 'handle', assignee_id: 'u-rina' });
    expect((await chat.as(chat.people.siti, 'chat_move', { ...ref, ...fields })).body).toEqual(FORBIDDEN);
    expect(await chat.row(ref)).toMatchObject({ team_id: '3', assignee_id: 'u-rina', status: 1 });
    expect(await chat.events(ref)).toEqual([]);
  });

  it.each(['rina', 'boss'] as const)('is moved by %s, its agent or a supervisor', async (who) => {
    const ref = await chat.newChat({ status: 'handle', assignee_id: 'u-rina' });
    expect((await chat.as(chat.people[who], 'chat_move', { ...ref, to_team: '4' })).body).toMatchObject({
      result: true,
    });
    expect(await chat.row(ref)).toMatchObject({ team_id: '4', assignee_id: null, status: 0 });
  });
});

describe('a send of a CRM that names its user', () => {
  it('keeps the author, who hears of its failure, and leaves the chat where it is', async () => {
    const ref = await chat.newChat();
    const { body } = await chat.post('/v1/send_message_crm', { ...ref, pesan: 'halo', user_id: 'u-siti' });
    expect(body).toMatchObject({
      data: { role: 'agent', user_id: 'u-siti' },
      chat_list: { status: 'open', user_id: null },
    });
  });
});

describe('a quoted message', () => {
  it.each([
    ['that does not exist', 'TIDAK-ADA'],
    ['that belongs to another chat', 'OTHER-CHAT'],
  ])('%s is refused, and nothing is sent', async (_, quoteMsg) => {
    await chat.inbound({ number: '628155000001@s.whatsapp.net', id: 'OTHER-CHAT' }).catch(() => undefined);
    const ref = await chat.newChat();
    expect((await chat.post('/v1/send_message', { ...ref, pesan: 'halo', quoteMsg })).body).toEqual({
      ...{ result: false, message: 'pesan tidak ditemukan', code: 'message_not_found' },
    });
    expect(await chat.row(ref)).toMatchObject({ last_seq: 1 });
  });
});
