import { until } from '@platform/testing';
import { form, message, SERVICE } from './chat.fixture';
import { CONTENT, dataOf, startCampaigns, type CampaignTest } from './features/broadcasts/broadcasts.fixture';

/** Cut by JavaScript's units at 200, this text ends in half an emoji. */
const EMOJI_AT_200 = `${'a'.repeat(199)}😀 dan seterusnya`;
const SHOWN = `${'a'.repeat(199)}😀`;
const REF = { nohp: '628122000001', instance: 'dev1', team: '3' };
const NUMBER = '628122000001@s.whatsapp.net';

let chat: CampaignTest;
beforeAll(async () => {
  chat = await startCampaigns();
  await chat.inbound({ number: NUMBER });
});
afterAll(() => chat.stop());

const texts = (nohp: string) =>
  chat.database.query<{ pesan: string; type: string }>(
    `SELECT m.pesan, m.type FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.nohp = $1 ORDER BY m.seq`,
    [nohp],
  );

describe('an emoji at the place of a cut', () => {
  it('of the preview: a message of a customer is stored whole and shown with the emoji', async () => {
    const { status, body } = await chat.inbound({ number: NUMBER, text: EMOJI_AT_200 });
    expect([status, body]).toMatchObject([
      200,
      { result: true, data: { newChatInbox: { pesan: EMOJI_AT_200 }, chat_list: { last_pesan: SHOWN } } },
    ]);
  });

  it.each(['caption', 'rawMessage', 'name', 'locationName'])('of %s: the message is stored', async (field) => {
    const long = `${'a'.repeat(65_535)}😀 dan seterusnya`;
    const { body } = await chat.inbound({ number: NUMBER, [field]: long });
    expect(body).toMatchObject({ result: true });
  });

  it.each([
    ['send_message', { pesan: EMOJI_AT_200 }],
    ['send_location', { latitude: '1', longitude: '2', locationName: EMOJI_AT_200 }],
    ['send_link', { url: 'https://toko.example', pesan: EMOJI_AT_200 }],
  ])('of the preview: %s is sent and shown with the emoji', async (route, fields) => {
    const { status, body } = await chat.post(`/v1/${route}`, { ...REF, ...fields });
    expect([status, body]).toMatchObject([200, { result: true, chat_list: { last_pesan: SHOWN } }]);
  });

  it('of the name of a file: the file is sent', async () => {
    const filename = `${'a'.repeat(253)}😀`;
    const file = `data:text/plain;base64,${Buffer.from('harga').toString('base64')}`;
    expect((await chat.post('/v1/send_document', { ...REF, file, filename })).body).toMatchObject({
      ...{ result: true, data: { filename } },
    });
  });

  it('of the question after a finished chat: the chat is finished and the customer asked', async () => {
    await chat.database.query(
      `UPDATE stores SET settings = jsonb_build_object('csat_text', $1::text) WHERE store_id = 'S1'`,
      [EMOJI_AT_200],
    );
    expect((await chat.post('/v1/chat_finish', { ...REF, kirim_csat: true })).body).toMatchObject({ result: true });
    expect((await texts(REF.nohp)).at(-1)).toEqual({ pesan: EMOJI_AT_200, type: 'chat' });
  });

  it('of an automatic answer: the customer gets it', async () => {
    const row = { store_id: 'S1', updated_at: 1 };
    const rule = { ...row, id: 'R', position: 1, match: 'exact', keywords: ['panjang'], reply: { text: EMOJI_AT_200 } };
    await chat.post('/internal/sync', { rules: [rule] }, { token: chat.tokens.tokenFor(SERVICE) });
    await chat.inbound({ number: '628122000002@s.whatsapp.net', text: 'panjang' });
    const [, answer] = await until(
      () => texts('628122000002'),
      (rows) => rows.length === 2,
    );
    expect(answer).toEqual({ pesan: EMOJI_AT_200, type: 'chat' });
  });

  it('of the preview for one recipient: every recipient of the campaign gets its message', async () => {
    const penerima = ['Ana', 'Bagus Dwi', 'Citra'].map((nama, n) => ({ nohp: `62812300000${n}`, nama }));
    const pesan = `${'a'.repeat(190)}{{nama}}😀 sampai besok`;
    const id = dataOf(await chat.send('/v1/send_broadcast', { ...CONTENT, pesan, penerima })).broadcastId;
    expect(await chat.reaches(id, 'done')).toMatchObject({ total: 3, terkirim: 3, gagal: 0 });
  });
});

describe('what the gateway says in rawMessage', () => {
  it('with NUL and halves of characters is read without them', async () => {
    const { body } = await chat.post('/v1/send_message', { ...REF, pesan: 'halo', pesan_id: 'RAW-1' });
    expect(body).toMatchObject({ result: true });
    const status = {
      instanceID: 'dev1',
      result: 'true',
      report: 'true',
      number: NUMBER,
      id: 'WA-RAW-1',
      status: 'sent',
    };
    const rawMessage = JSON.stringify({ pesan_id: 'RAW-1\0' });
    expect((await chat.call('/v1/callback_message', { body: form({ ...status, rawMessage }) })).body).toEqual({
      ...{ result: true, message: 'updated status' },
    });
    const file = JSON.stringify({ fileUrl: '/files/\ud83d', fileName: '\ud83d\0.pdf' });
    expect((await chat.inbound({ number: NUMBER, rawMessage: file })).body).toMatchObject({ result: true });
  });
});

describe('a message that the database refuses for ever', () => {
  it('is kept as a stub, told to the agents and the log, and those behind it are stored', async () => {
    await chat.database.query(`ALTER TABLE messages ADD CONSTRAINT no_poison CHECK (pesan <> 'racun')`);
    const number = '628122000003@s.whatsapp.net';
    const fields = message({ number, id: 'POISON', text: 'racun' });
    const first = await chat.call('/v1/callback_message', { body: form(fields) });
    expect(first.body).toMatchObject({
      result: true,
      data: {
        newChatInbox: { pesan_id: 'POISON', type: 'unsupported', pesan: null, caption: null },
        chat_list: { last_pesan: '[pesan tidak dapat disimpan]', unread: 1 },
      },
    });
    expect((await chat.call('/v1/callback_message', { body: form(fields) })).body).toEqual(first.body);
    expect((await chat.inbound({ number, text: 'pesan kedua' })).body).toMatchObject({ result: true });
    expect(await texts('628122000003')).toEqual([
      { pesan: null, type: 'unsupported' },
      { pesan: 'pesan kedua', type: 'chat' },
    ]);
    expect(chat.log.filter((line) => line.includes('a message is kept without its content'))).toHaveLength(1);
    await chat.database.query('ALTER TABLE messages DROP CONSTRAINT no_poison');
  });

  it('with an impossible time is stored', async () => {
    const { body } = await chat.inbound({ number: NUMBER, timestamp: '-99999999999' });
    expect(body).toMatchObject({ result: true });
  });

  it('of a campaign: its recipient has failed, the others get theirs', async () => {
    await chat.database.query(`ALTER TABLE messages ADD CONSTRAINT no_poison CHECK (pesan NOT LIKE '%racun%')`);
    const penerima = ['Ana', 'racun', 'Citra'].map((nama, n) => ({ nohp: `62812400000${n}`, nama }));
    const id = dataOf(await chat.send('/v1/send_broadcast', { ...CONTENT, penerima })).broadcastId;
    expect(await chat.reaches(id, 'done')).toMatchObject({ total: 3, terkirim: 2, gagal: 1 });
    const { body } = await chat.internal('GET', `/${id}/recipients?store_id=S1&status=failed`);
    expect(body).toMatchObject({ data: [{ nohp: '628124000001', error: 'pesan tidak dapat dibuat' }] });
    await chat.database.query('ALTER TABLE messages DROP CONSTRAINT no_poison');
  });
});
