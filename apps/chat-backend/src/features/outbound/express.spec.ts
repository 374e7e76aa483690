import { until } from '@platform/testing';
import { SERVICE, startChat, type Chat } from '../../chat.fixture';
import { fillPlaceholders } from './templates';

let chat: Chat;
let offline: Chat;
beforeAll(async () => {
  [chat, offline] = await Promise.all([startChat(), startChat({ environment: { OUTBOX_OFFLINE: 'reject' } })]);
  await chat.database.query(`
    INSERT INTO templates (store_id, id, nama, type, isi, media, aktif) VALUES
      ('S1', 'halo', 'Halo', 'chat', 'Halo {{nama}}, pesanan {{ nomor }} siap{{tidak_ada}}', NULL, true),
      ('S1', 'mati', 'Mati', 'chat', 'x', NULL, false),
      ('S2', 'lain', 'Lain', 'chat', 'x', NULL, true);
    INSERT INTO customers (store_id, id, nohp, nama) VALUES ('S1', gen_random_uuid(), '628200000009', 'Budi')`);
});
afterAll(() => Promise.all([chat.stop(), offline.stop()]));

const express = (nohp: string, fields: object, path = '/v1/send_express', request = {}) =>
  chat.post(path, { nohp, instance: 'dev1', team: '3', ...fields }, request);
const textFor = async (pesanId: string) =>
  ((await until(async () => chat.gateway.calls.find((call) => call.pesanId === pesanId))) as { text: string }).text;
const events = async (nohp: string) =>
  (
    await chat.database.query<{ event: string }>(
      `SELECT h.event FROM chat_histories h JOIN conversations c ON c.id = h.conversation_id WHERE c.nohp = $1 ORDER BY h.id`,
      [nohp],
    )
  ).map(({ event }) => event);

describe('send_express', () => {
  it('creates the chat it needs, assigned to the sending agent, and reaches the gateway', async () => {
    const { status, body } = await express('628200000001', { pesan: 'Halo kak', pesan_id: 'E1' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        result: true,
        message: 'success send express',
        data: expect.objectContaining({ pesan_id: 'E1', seq: 1, pesan: 'Halo kak', role: 'agent', user_id: 'u-rina' }),
        chat_list: expect.objectContaining({
          nohp: '628200000001',
          team: '3',
          status: 'handle',
          user_id: 'u-rina',
          unread: 0,
          waiting_since: null,
          last_seq: 1,
          episode: 1,
        }),
      },
    });
    expect(await textFor('E1')).toBe('Halo kak');
    expect(await events('628200000001')).toEqual(['created', 'handle']);
  });

  it('by a service is one message by whichever device its tries go', async () => {
    const token = chat.tokens.tokenFor(SERVICE);
    const by = (instance: string, request = {}, pesan_id = 'E-once') =>
      express('628200000021', { instance, pesan: 'Pesanan dikirim', pesan_id }, '/v1/send_express', request);
    expect((await by('dev1', { token })).body).toMatchObject({ result: true, data: { seq: 1 } });
    expect((await by('vip', { token })).body).toEqual({
      result: false,
      message: 'pesan sudah diproses',
      code: 'duplicate',
    });
    expect((await by('dev1', { token })).body).toMatchObject({ result: true, data: { seq: 1 } });
    expect((await by('vip', { token }, 'E-other')).body).toMatchObject({ result: true, data: { pesan_id: 'E-other' } });
    for (const pesanId of ['E-once', 'E-other']) await textFor(pesanId);
    expect(chat.gateway.calls.filter(({ pesanId }) => pesanId === 'E-once').map(({ instance }) => instance)).toEqual([
      'dev1',
    ]);
  });

  it.each([
    ['_crm', ''],
    ['_admin', ''],
  ])('by a caller without a user (%s) leaves the new chat open', async (variant, token) => {
    const nohp = variant === '_crm' ? '628200000002' : '628200000003';
    const { body } = await express(nohp, { pesan: 'Halo' }, `/v1/send_express${variant}`, { token });
    expect(body).toMatchObject({ chat_list: { status: 'open', user_id: null, unread: 0, waiting_since: null } });
  });

  it('twenty at once to a new number make one chat with a gapless sequence', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => express('628200000004', { pesan: `m${n}`, pesan_id: `T${n}` })),
    );
    const seqs = answers.map(({ body }) => (body as { data: { seq: number } }).data.seq).sort((a, b) => a - b);
    expect(seqs).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  it('twenty at once with one pesan_id is one message', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => express('628200000005', { pesan: 'sekali', pesan_id: 'ONE' })),
    );
    expect(new Set(answers.map(({ body }) => (body as { data: { chatInboxId: string } }).data.chatInboxId)).size).toBe(
      1,
    );
  });

  it('that is refused leaves no chat behind', async () => {
    expect((await express('628200000006', { pesan: 'x', if_status: 'handle' })).body).toEqual({
      result: false,
      message: 'status chat sudah berubah',
      code: 'status_changed',
    });
    expect(await chat.database.query(`SELECT 1 FROM conversations WHERE nohp = '628200000006'`)).toEqual([]);
  });

  it('answers an inbound message in the chat it made as in any other', async () => {
    await express('628200000007', { pesan: 'Halo' });
    const { body } = await chat.inbound({ number: '628200000007@s.whatsapp.net', text: 'ya?' });
    expect(body).toMatchObject({ result: true, data: { chat_list: { status: 'handle', unread: 1, last_seq: 2 } } });
  });

  it('fills a template from params and the customer', async () => {
    await express('628200000009', { template_id: 'halo', params: { nomor: 42 }, pesan_id: 'TPL' });
    expect(await textFor('TPL')).toBe('Halo Budi, pesanan 42 siap');
  });

  it.each([['none'], ['mati'], ['lain']])('knows no template %s', async (template_id) =>
    expect((await express('628200000008', { template_id })).body).toEqual({
      result: false,
      message: 'template tidak ditemukan',
      code: 'template_not_found',
    }),
  );

  it.each([
    ['no content', {}, { field: 'pesan', tag: 'required_without', message: 'pesan is a required field' }],
    [
      'no text for the type chat',
      { type: 'chat' },
      { field: 'pesan', tag: 'required_without', message: 'pesan is a required field' },
    ],
    [
      'a place without longitude',
      { type: 'location', latitude: '1' },
      { field: 'longitude', tag: 'required', message: 'longitude is a required field' },
    ],
    [
      'an unknown type',
      { type: 'fax', pesan: 'x' },
      {
        field: 'type',
        tag: 'oneof',
        message: 'type must be one of [chat image video document audio link location]',
      },
    ],
  ])('422 for %s', async (_, fields, violation) =>
    expect(await express('628200000008', fields)).toMatchObject({ status: 422, body: { errors: [violation] } }),
  );

  it('sends every other type by its own rules', async () => {
    const { body } = await express('628200000010', { type: 'location', latitude: '-6.2', longitude: '106.8' });
    expect(body).toMatchObject({ data: { type: 'location', latitude: '-6.2' }, chat_list: { last_pesan: '[lokasi]' } });
  });

  it.each([
    ["another store's device", { instance: 'dev2', pesan: 'x' }, 'device tidak ditemukan', 'device_not_found'],
    ["another's team", { team: '4', pesan: 'x' }, 'tidak punya akses ke team ini', 'forbidden_team'],
    ['a chat id that is none', { chatId: 'S1.x', pesan: 'x' }, 'chat tidak ditemukan', 'chat_not_found'],
  ])('%s is out of reach', async (_, fields, message, code) =>
    expect((await express('628200000011', fields)).body).toEqual({ result: false, message, code }),
  );

  it('a chat of a team that is out of reach is not found, and gets nothing', async () => {
    await chat.inbound({ number: '628200000012@s.whatsapp.net', instanceID: 'vip' });
    const answer = await express('628200000012', { instance: 'vip', pesan: 'x' });
    expect(answer.body).toEqual({ result: false, message: 'chat tidak ditemukan', code: 'chat_not_found' });
  });
});

describe('OUTBOX_OFFLINE=reject', () => {
  it('refuses while the device is not connected, and sends when it is', async () => {
    const ask = () =>
      offline.post('/v1/send_express', {
        nohp: '628200000001',
        instance: 'dev1',
        team: '3',
        pesan: 'x',
        pesan_id: 'OFF',
      });
    expect((await ask()).body).toEqual({ result: false, message: 'device tidak terhubung', code: 'device_offline' });
    await offline.database.query(`UPDATE devices SET status = 'connected' WHERE instance = 'dev1'`);
    const { body } = await ask();
    expect(body).toMatchObject({ result: true });
    await offline.database.query(`UPDATE devices SET status = 'disconnected' WHERE instance = 'dev1'`);
    expect((await ask()).body).toMatchObject({ data: (body as { data: object }).data });
  });
});

it('placeholders of a template take what is given and nothing else', () =>
  expect(fillPlaceholders('{{a}} {{ b }} {{constructor}}{{c}}', { a: 1, b: 'dua', c: {} })).toBe('1 dua '));
