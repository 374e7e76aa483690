import { until } from '@platform/testing';
import { startChat, type Chat } from '../../chat.fixture';
import { verdictOf } from './delivery';

let chat: Chat;
const PHONE = '628100000001';
const REF = { nohp: PHONE, instance: 'dev1', team: '3' };

beforeAll(async () => {
  chat = await startChat();
  await chat.inbound({ number: `${PHONE}@s.whatsapp.net`, id: 'ASK', text: 'ada stok?' });
  await chat.inbound({ number: '628100000002@s.whatsapp.net', id: 'ASK2' });
  await chat.inbound({ number: '628300000001@s.whatsapp.net', id: 'S2-1', instanceID: 'dev2' });
});
afterAll(() => chat.stop());

const send = (more: object = {}, path = '/v1/send_message', request = {}) =>
  chat.post(path, { ...REF, pesan: 'Ada kak', ...more }, request);
const stored = async (pesanId: string) =>
  (await chat.database.query(`SELECT wa_id, status_ack, error, seq FROM messages WHERE pesan_id = $1`, [pesanId]))[0];
const callsFor = (pesanId: string) => chat.gateway.calls.filter((call) => call.pesanId === pesanId);

describe('send_message', () => {
  it('stores it pending, answers the records, reaches the gateway once and keeps its id', async () => {
    const { status, body } = await send({ pesan_id: 'A1', quoteMsg: 'ASK' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        result: true,
        message: 'success send message',
        data: expect.objectContaining({
          pesan_id: 'A1',
          seq: 2,
          fromMe: true,
          role: 'agent',
          user_id: 'u-rina',
          type: 'chat',
          pesan: 'Ada kak',
          status_ack: 'pending',
          quoteMsg: 'ASK',
          is_read: false,
        }),
        chat_list: expect.objectContaining({
          status: 'handle',
          user_id: 'u-rina',
          user_nama: 'Rina',
          last_pesan: 'Ada kak',
          last_fromMe: true,
          status_ack: 'pending',
          waiting_since: null,
          last_seq: 2,
        }),
      },
    });
    await until(async () => (await stored('A1'))?.wa_id);
    expect(callsFor('A1')).toEqual([
      { pesanId: 'A1', role: 'agent', instance: 'dev1', number: PHONE, text: 'Ada kak', quotedId: 'ASK' },
    ]);
  });

  it('writes the takeover into the history once', async () => {
    await send({ pesan_id: 'A2' });
    const events = await chat.database.query(
      `SELECT h.event, h.from_status, h.to_status, h.actor_id FROM chat_histories h JOIN conversations c ON c.id = h.conversation_id WHERE c.nohp = $1 ORDER BY h.id`,
      [PHONE],
    );
    expect(events).toEqual([
      { event: 'created', from_status: null, to_status: 0, actor_id: null },
      { event: 'handle', from_status: 0, to_status: 1, actor_id: 'u-rina' },
    ]);
  });

  it('twenty at once with one pesan_id are one message, answered alike', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send({ pesan_id: 'TWENTY', nohp: '628100000002' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    expect(new Set(answers.map(({ body }) => (body as { data: { chatInboxId: string } }).data.chatInboxId)).size).toBe(
      1,
    );
    await until(async () => (await stored('TWENTY'))?.wa_id);
    expect(callsFor('TWENTY')).toHaveLength(1);
  });

  it('refuses a pesan_id that another chat has', async () =>
    expect((await send({ pesan_id: 'TWENTY' })).body).toEqual({
      result: false,
      message: 'pesan sudah diproses',
      code: 'duplicate',
    }));

  it('sends nothing when the chat is not in the wanted state', async () => {
    expect((await send({ pesan_id: 'IF1', if_status: 'open' })).body).toEqual({
      result: false,
      message: 'status chat sudah berubah',
      code: 'status_changed',
    });
    expect(await stored('IF1')).toBeUndefined();
    expect((await send({ pesan_id: 'IF2', if_status: 'handle' })).body).toMatchObject({ result: true });
  });

  it("does not take over a colleague's chat", async () => {
    const siti = chat.tokens.tokenFor({ sub: 'u-siti' });
    expect((await send({ pesan_id: 'S1' }, '/v1/send_message', { token: siti })).body).toMatchObject({
      data: { user_id: 'u-siti' },
      chat_list: { user_id: 'u-rina' },
    });
  });

  it('reopens a finished chat for the sender', async () => {
    await chat.database.query(`UPDATE conversations SET status = 3 WHERE nohp = '628100000002'`);
    expect((await send({ nohp: '628100000002' })).body).toMatchObject({
      chat_list: { status: 'handle', user_id: 'u-rina', episode: 2 },
    });
  });

  it('by the bot, crm, or admin without a user does not take the chat over', async () => {
    for (const [path, token, role] of [
      ['/v1/send_message', chat.tokens.tokenFor({ role: 'bot', typ: 'service+jwt', sub: 'svc:bot-engine' }), 'bot'],
      ['/v1/send_message_crm', '', 'agent'],
      ['/v1/send_message_admin', '', 'agent'],
    ] as const) {
      await chat.inbound({ number: '628100000003@s.whatsapp.net' });
      await chat.database.query(`UPDATE conversations SET status = 0, assignee_id = NULL WHERE nohp = '628100000003'`);
      expect((await send({ nohp: '628100000003' }, path, { token })).body).toMatchObject({
        data: { role },
        chat_list: { status: 'open', user_id: null },
      });
    }
  });

  it.each([
    ['no such chat', { nohp: '628999' }, 'chat tidak ditemukan', 'chat_not_found'],
    [
      "another store's device",
      { nohp: '628300000001', instance: 'dev2' },
      'device tidak ditemukan',
      'device_not_found',
    ],
    ["another's team", { team: '4' }, 'tidak punya akses ke team ini', 'forbidden_team'],
  ])('%s', async (_, more, text, code) =>
    expect((await send(more)).body).toEqual({ result: false, message: text, code }),
  );

  it('422 for a text that is empty or too long', async () => {
    expect(await send({ pesan: '  ' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'pesan', tag: 'required', message: 'pesan is a required field' }] },
    });
    expect(await send({ pesan: 'x'.repeat(4097) })).toMatchObject({
      status: 422,
      body: {
        errors: [{ field: 'pesan', tag: 'max', message: 'pesan must be a maximum of 4096 characters in length' }],
      },
    });
  });

  it('keeps the order of a chat while the gateway is away, and sends each once', async () => {
    await chat.inbound({ number: '628100000004@s.whatsapp.net' });
    chat.gateway.next.push(
      { status: 503, message: 'draining', retryAfterSeconds: 0.05 },
      { status: 503, message: 'draining', retryAfterSeconds: 0.05 },
    );
    const ids = Array.from({ length: 10 }, (_, index) => `ORDER${index}`);
    for (const pesan_id of ids) await send({ pesan_id, nohp: '628100000004' });
    await until(async () => (await stored('ORDER9'))?.wa_id);
    const accepted = chat.gateway.calls
      .filter(({ pesanId }) => pesanId.startsWith('ORDER'))
      .map(({ pesanId }) => pesanId);
    expect(accepted.filter((id, index) => id !== accepted[index - 1])).toEqual(ids);
  });

  it('marks a message that the gateway will never send, and goes on with the next', async () => {
    await chat.inbound({ number: '628100000005@s.whatsapp.net' });
    chat.gateway.next.push({ status: 422, message: 'number not registered' });
    await send({ pesan_id: 'DEAD', nohp: '628100000005' });
    await until(async () => (await stored('DEAD'))?.error);
    await send({ pesan_id: 'ALIVE', nohp: '628100000005' });
    await until(async () => (await stored('ALIVE'))?.wa_id);
    expect(await stored('DEAD')).toEqual({ wa_id: null, status_ack: 0, error: 'number not registered', seq: 2 });
  });

  it('waits for a device that is not connected, and for none that was removed: its sender is told at once', async () => {
    const refused = { status: 409, message: 'device not connected' };
    await chat.inbound({ number: '628100000006@s.whatsapp.net', instanceID: 'vip' });
    chat.gateway.next.push(refused);
    await send({ pesan_id: 'OFFLINE', nohp: PHONE });
    await until(async () => callsFor('OFFLINE').length > 0);
    expect(await stored('OFFLINE')).toMatchObject({ error: null });
    await chat.database.query(`DELETE FROM devices WHERE instance = 'vip'`);
    chat.gateway.next.push(refused);
    await send({ pesan_id: 'REMOVED', nohp: '628100000006', instance: 'vip', team: '4' }, '/v1/send_message', {
      token: chat.tokens.tokenFor({ sub: 'u-boss', role: 'owner' }),
    });
    await until(async () => (await stored('REMOVED'))?.error);
    expect(await stored('REMOVED')).toMatchObject({ error: 'the device was removed' });
  });
});

describe('the verdict on an answer of the gateway', () => {
  const verdict = (status: number | undefined, attempt = 1) => verdictOf({ status, message: 'm' }, attempt, 0, 3600);
  it.each([
    [200, { verdict: 'dead' }],
    [404, { verdict: 'dead' }],
    [422, { verdict: 'dead' }],
    [501, { verdict: 'dead' }],
    [401, { verdict: 'hold', seconds: 30, maxAgeSeconds: 3600 }],
    [409, { verdict: 'hold', seconds: 30 }],
    [408, { verdict: 'retry', spend: false }],
    [425, { verdict: 'retry', spend: false }],
    [429, { verdict: 'retry', spend: false }],
    [503, { verdict: 'retry', spend: false }],
    [504, { verdict: 'retry', spend: false }],
    [undefined, { verdict: 'retry', spend: false, transport: true }],
    [500, { verdict: 'retry', spend: true }],
    [502, { verdict: 'retry', spend: true }],
  ])('%s', (status, expected) => expect(verdict(status)).toMatchObject(expected));
  it('is final after the fifth 500', () =>
    expect([verdict(500, 4).verdict, verdict(500, 5).verdict]).toEqual(['retry', 'dead']));
});
