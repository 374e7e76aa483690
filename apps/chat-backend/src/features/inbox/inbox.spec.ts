import { startChat, type Chat } from '../../chat.fixture';

let chat: Chat;
const PHONE = '628100000001';
const REF = { nohp: PHONE, instance: 'dev1', team: '3' };

beforeAll(async () => {
  chat = await startChat();
  for (let index = 1; index <= 120; index++)
    await chat.inbound({
      number: `${PHONE}@s.whatsapp.net`,
      id: `M${index}`,
      text: `pesan ${index}`,
      timestamp: String(1763620860 + index * 60),
    });
  await chat.inbound({ number: '628100000002@s.whatsapp.net', id: 'VIP1', instanceID: 'vip' });
  await chat.inbound({
    number: '628100000003@s.whatsapp.net',
    id: 'S2-1',
    instanceID: 'dev2',
    text: 'rahasia toko dua',
  });
  await chat.inbound({ number: '120363000000000001@g.us', id: 'G1', participantname: 'Ani' });
});
afterAll(() => chat.stop());

interface Inbox {
  data: { seq: number; pesan_id: string; pesan: string; is_read: boolean; chatInboxId: string }[];
  chat_list: { chatId: string; unread: number; team: string };
}
const inbox = async (more: object = {}, path = '/v1/chat_inbox') =>
  (await chat.post(path, { ...REF, ...more })).body as Inbox;
const texts = ({ data }: Inbox) => data.map(({ pesan_id: id }) => id);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `M${from + index}`);
const NOT_FOUND = { result: false, message: 'chat tidak ditemukan', code: 'chat_not_found' };

describe('chat_inbox', () => {
  it('answers the newest fifty messages, oldest first, with the eight documented keys', async () => {
    const body = await inbox();
    expect(Object.keys(body)).toEqual([
      'result',
      'data',
      'chat_list',
      'chat_order',
      'customer',
      'chat_device',
      'handle_gudang',
      'history',
    ]);
    expect(texts(body)).toEqual(range(71, 120));
    expect(body).toMatchObject({
      result: true,
      chat_order: null,
      handle_gudang: null,
      chat_device: { instance: 'dev1', nama: 'Satu', team: '3' },
      customer: { nohp: PHONE, nama: 'Budi' },
      history: [{ event: 'created' }],
    });
  });

  it.each([
    [{ limit: '10' }, range(111, 120)],
    [{ limit: '10', offset: '20' }, range(91, 100)],
    [{ limit: '0', offset: '' }, range(71, 120)],
    [{ limit: 500 }, range(1, 120)],
    [{ offset: '1000' }, []],
  ])('limit and offset %j', async (query, expected) => expect(texts(await inbox(query))).toEqual(expected));

  it('422 for a limit that is no number', async () =>
    expect(await chat.post('/v1/chat_inbox', { ...REF, limit: 'abc' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'limit', tag: 'numeric', message: 'limit must be a valid numeric value' }] },
    }));

  it('reads the number in every form a client may hold', async () => {
    for (const nohp of [`+62 8100000001`.replace(' ', ''), `0${PHONE.slice(2)}`, `${PHONE}@s.whatsapp.net`])
      expect(texts(await inbox({ nohp, limit: '1' }))).toEqual(['M120']);
  });

  it('marks nothing as read', async () => expect((await inbox()).chat_list.unread).toBe(120));

  it.each([
    ['no such chat', { nohp: '628999' }, NOT_FOUND],
    ['no such team', { team: '99' }, { result: false, message: 'team tidak ditemukan', code: 'team_not_found' }],
    [
      "another's team",
      { team: '4' },
      { result: false, message: 'tidak punya akses ke team ini', code: 'forbidden_team' },
    ],
    [
      'no such device',
      { instance: 'dev9' },
      { result: false, message: 'device tidak ditemukan', code: 'device_not_found' },
    ],
    [
      "another store's device",
      { instance: 'dev2' },
      { result: false, message: 'device tidak ditemukan', code: 'device_not_found' },
    ],
    ["a chat in another's team", { nohp: '628100000002', instance: 'vip' }, NOT_FOUND],
    ['a chatId of another chat', { chatId: 'S1.00000000-0000-7000-8000-000000000000' }, NOT_FOUND],
    ['a chatId of another store', { chatId: 'S2.00000000-0000-7000-8000-000000000000' }, NOT_FOUND],
    ['a chatId that is none', { chatId: 'nonsense' }, NOT_FOUND],
  ])('%s', async (_, more, body) =>
    expect((await chat.post('/v1/chat_inbox', { ...REF, ...more })).body).toEqual(body),
  );

  it('lists every missing field once, in order', async () =>
    expect(await chat.post('/v1/chat_inbox', { nohp: ' ' })).toMatchObject({
      status: 422,
      body: {
        errors: ['nohp', 'instance', 'team'].map((field) => ({
          field,
          tag: 'required',
          message: `${field} is a required field`,
        })),
      },
    }));
});

describe('chat_inbox_position', () => {
  const position = async (more: object) =>
    (await chat.post('/v1/chat_inbox_position', { pesan_id: 'M100', nohp: PHONE, instance: 'dev1', ...more })).body;

  it('counts the newer messages and tells the time', async () =>
    expect(await position({})).toEqual({ result: true, offset: 20, waktu: '2025-11-20 15:21' }));
  it('fed back as offset shows that message last', async () => {
    const { offset } = (await position({ pesan_id: 'M37' })) as { offset: number };
    expect(texts(await inbox({ offset: String(offset), limit: '5' }))).toEqual(range(33, 37));
  });
  it('knows the first and the newest', async () => {
    expect(await position({ pesan_id: 'M1' })).toMatchObject({ offset: 119 });
    expect(await position({ pesan_id: 'M120' })).toMatchObject({ offset: 0 });
  });
  it.each([
    ['no such message', { pesan_id: 'none' }],
    ['a message of another chat', { pesan_id: 'VIP1' }],
    ["a message of another's team", { pesan_id: 'VIP1', nohp: '628100000002', instance: 'vip' }],
    ["another store's message", { pesan_id: 'S2-1', nohp: '628100000003', instance: 'dev2' }],
    ['no such device', { instance: 'dev9' }],
    ['a number that is none', { nohp: 'abc' }],
  ])('%s: pesan tidak ditemukan', async (_, more) =>
    expect(await position(more)).toEqual({
      result: false,
      message: 'pesan tidak ditemukan',
      code: 'message_not_found',
    }),
  );

  it('200 for a body that cannot be parsed', async () => {
    const answer = await chat.post('/v1/chat_inbox_position', '{"pesan_id":');
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { result: false, message: expect.stringContaining('JSON') },
    });
  });
});

describe('chat_inboxdetail', () => {
  it('answers one message', async () => {
    const id = (await inbox({ limit: '1' })).data[0]?.chatInboxId;
    expect((await chat.post('/v1/chat_inboxdetail', { chatInboxId: id })).body).toEqual({
      result: true,
      data: (await inbox({ limit: '1' })).data[0],
    });
  });

  it('finds no message of another store or team, and none by a malformed id', async () => {
    const rows = await chat.database.query<{ id: string }>(
      `SELECT store_id || '.' || conversation_id || '.' || seq AS id FROM messages WHERE pesan_id IN ('S2-1', 'VIP1')`,
    );
    for (const id of [...rows.map((row) => row.id), 'S1.x.1', 'S1.00000000-0000-7000-8000-000000000000.1'])
      expect((await chat.post('/v1/chat_inboxdetail', { chatInboxId: id })).body).toEqual({
        result: false,
        message: 'pesan tidak ditemukan',
        code: 'message_not_found',
      });
  });
});

describe('variants', () => {
  it.each(['_admin', '_crm'])('%s reads any team of any store without a token', async (suffix) => {
    const open = { token: '' };
    expect(
      (await chat.post(`/v1/chat_inbox${suffix}`, { nohp: '628100000003', instance: 'dev2', team: '3' }, open)).body,
    ).toMatchObject({ result: true, data: [{ pesan: 'rahasia toko dua' }] });
    expect(
      (await chat.post(`/v1/chat_inbox${suffix}`, { nohp: '628100000002', instance: 'vip', team: '4' }, open)).body,
    ).toMatchObject({ result: true });
    expect(
      (await chat.post(`/v1/chat_newinbox${suffix}`, { nohp: '628100000002', instance: 'vip', team: '4' }, open)).body,
    ).toMatchObject({ result: true, data: [{ pesan_id: 'VIP1' }] });
    expect(
      (await chat.post(`/v1/chat_inbox_position${suffix}`, { pesan_id: 'M100', nohp: PHONE, instance: 'dev1' }, open))
        .body,
    ).toMatchObject({ result: true, offset: 20 });
    const detail = await chat.database.query<{ id: string }>(
      `SELECT store_id || '.' || conversation_id || '.' || seq AS id FROM messages WHERE pesan_id = 'S2-1'`,
    );
    expect((await chat.post(`/v1/chat_inboxdetail${suffix}`, { chatInboxId: detail[0]?.id }, open)).body).toMatchObject(
      { result: true, data: { pesan_id: 'S2-1' } },
    );
  });

  it('groups are for everybody but crm', async () => {
    const group = { nohp: '120363000000000001@g.us', instance: 'dev1', team: '3' };
    expect((await chat.post('/v1/chat_inbox', group)).body).toMatchObject({
      result: true,
      data: [{ pesan_id: 'G1', participantname: 'Ani' }],
    });
    expect((await chat.post('/v1/chat_inbox_admin', group, { token: '' })).body).toMatchObject({ result: true });
    expect((await chat.post('/v1/chat_inbox_crm', group, { token: '' })).body).toEqual(NOT_FOUND);
  });
});

describe('reading a chat', () => {
  it('chat_newinbox shows what is unseen; chat_markread reads it, twice', async () => {
    await chat.inbound({ number: '628100000009@s.whatsapp.net', id: 'U1' });
    const ref = { nohp: '628100000009', instance: 'dev1', team: '3' };
    expect(texts((await chat.post('/v1/chat_newinbox', ref)).body as Inbox)).toEqual(['U1']);
    for (let times = 0; times < 2; times++)
      expect((await chat.post('/v1/chat_markread', ref)).body).toEqual({
        result: true,
        message: 'success mark as read',
      });
    expect(texts((await chat.post('/v1/chat_newinbox', ref)).body as Inbox)).toEqual([]);
    expect((await chat.post('/v1/chat_inbox', ref)).body).toMatchObject({
      chat_list: { unread: 0, read_seq: 1 },
      data: [{ is_read: true }],
    });
    await chat.inbound({ number: '628100000009@s.whatsapp.net', id: 'U2' });
    const unseen = (await chat.post('/v1/chat_newinbox', ref)).body as Inbox;
    expect([texts(unseen), unseen.chat_list.unread]).toEqual([['U2'], 1]);
    expect((await chat.post('/v1/chat_markread_crm', ref, { token: '' })).body).toEqual({
      result: true,
      message: 'success mark as read',
    });
    expect((await chat.post('/v1/chat_markread_admin', { ...ref, nohp: '628999' }, { token: '' })).body).toEqual(
      NOT_FOUND,
    );
  });
});
