import { until } from '@platform/testing';
import { form, message } from '../../chat.fixture';
import { WAKTU } from '../../walk.records.fixture';
import { campaignRecord, CONTENT, dataOf, newId, people, useCampaigns } from './broadcasts.fixture';

const chat = useCampaigns();

const customer = (nohp: string, columns: Record<string, unknown> = {}) =>
  chat.database.query(
    `INSERT INTO customers (store_id, id, nohp, nama, opt_out, blokir, tags, kota, total_order, last_order_at)
     VALUES ('S1', uuidv7(), $1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      nohp,
      columns.nama ?? null,
      columns.opt_out ?? false,
      columns.blokir ?? false,
      columns.tags ?? [],
      columns.kota ?? null,
      columns.total_order ?? 0,
      columns.last_order_at ?? null,
    ],
  );

/** Whether the counters are what the rows say; they are never counted from them. */
const expectTrueCounters = async (id: string) => {
  const [row] = await chat.database.query(
    `SELECT (b.valid, b.terkirim, b.delivered, b.viewed, b.gagal)::text AS counted,
      (SELECT (count(*) FILTER (WHERE r.status < 5), count(*) FILTER (WHERE r.status BETWEEN 1 AND 3), count(*) FILTER (WHERE r.status BETWEEN 2 AND 3),
        count(*) FILTER (WHERE r.status = 3), count(*) FILTER (WHERE r.status = 4))::text
       FROM broadcast_recipients r WHERE r.store_id = b.store_id AND r.broadcast_id = b.id) AS rows
     FROM broadcasts b WHERE b.store_id || '.' || b.id = $1`,
    [id],
  );
  expect(row?.counted).toEqual(row?.rows);
};

const ack = (pesanId: string, status: string, more: object = {}) =>
  chat.call('/v1/callback_message', {
    body: form({
      ...{ instanceID: 'dev1', result: 'true', report: 'true', number: '628110000000@s.whatsapp.net' },
      ...{ id: `WA-${pesanId}`, status, rawMessage: JSON.stringify({ pesan_id: pesanId, ...more }) },
    }),
  });

describe('send_broadcast', () => {
  it('sends to every number once; duplicate, invalid, opted-out and blocked ones are counted and get nothing', async () => {
    await customer('628110000001', { nama: 'Budi' });
    await customer('628110000002', { opt_out: true });
    await customer('628110000003', { blokir: true });
    const penerima = [
      { nohp: '08110000001', params: { kode: 'A1' } },
      { nohp: '+62 811-0000-001' },
      { nohp: '628110000002' },
      { nohp: '628110000003@s.whatsapp.net' },
      { nohp: 'bukan nomor' },
      { nohp: '120363000000000001@g.us' },
      { nohp: '628110000004', nama: 'Ani', params: { kode: 7 } },
    ];
    const answer = await chat.send('/v1/send_broadcast', { ...CONTENT, penerima });
    const counts = { total: 7, valid: 2, duplikat: 1, tidak_valid: 2, opt_out: 2 };
    expect([answer.status, answer.body]).toEqual([
      200,
      { result: true, message: 'success send broadcast', data: campaignRecord(counts) },
    ]);
    const id = dataOf(answer).broadcastId;
    expect(await chat.reaches(id, 'done')).toEqual(campaignRecord({ ...counts, status: 'done', terkirim: 2 }));
    const bulk = { delay_min: 3, delay_max: 5 };
    const base = { pesanId: expect.any(String), role: 'system', instance: 'dev1', quotedId: null, bulk };
    expect(chat.gateway.calls).toEqual([
      { ...base, number: '628110000001', text: 'Halo Budi, kode A1' },
      { ...base, number: '628110000004', text: 'Halo Ani, kode 7' },
    ]);
    await expectTrueCounters(id);
    const { body } = await chat.internal('GET', `/${id}/recipients?store_id=S1`);
    const recipient = { nama: null, status: 'skipped', error: null, chatInboxId: null, waktu: WAKTU };
    const sent = { status: 'sent', chatInboxId: expect.stringMatching(/^S1\.[0-9a-f-]{36}\.1$/) };
    expect(body).toEqual({
      result: true,
      message: 'success',
      data: [
        { ...recipient, ...sent, nohp: '628110000001', nama: 'Budi' },
        { ...recipient, nohp: '628110000002', error: 'berhenti berlangganan' },
        { ...recipient, nohp: '628110000003', error: 'diblokir' },
        { ...recipient, nohp: 'bukan nomor', error: 'nomor tidak valid' },
        { ...recipient, nohp: '120363000000000001@g.us', error: 'nomor tidak valid' },
        { ...recipient, ...sent, nohp: '628110000004', nama: 'Ani' },
      ],
      next_cursor: null,
    });
  });

  it('shows in the chats, which wait for nobody, and tells its maker when it is done', async () => {
    const answer = await chat.send('/v1/send_broadcast', { ...CONTENT, nama: 'Kabar', penerima: people(1, '6282') });
    const id = dataOf(answer).broadcastId;
    await chat.reaches(id, 'done');
    const ref = { nohp: '628200000000', instance: 'dev1', team: '3' };
    const { body } = await chat.post('/v1/chat_inbox', ref);
    expect(body).toMatchObject({
      data: [{ broadcastId: id, role: 'system', user_id: null, pesan: 'Halo , kode ', status_ack: 'pending' }],
      chat_list: { status: 'finish', unread: 0, user_id: null, waiting_since: null },
      history: [
        { event: 'created', actor_type: 'system' },
        { event: 'broadcast', actor_type: 'user', user_id: 'u-siti', user_nama: 'Siti', catatan: 'Kabar' },
      ],
    });
    await chat.call('/v1/callback_message', {
      body: form(message({ number: '628200000000@s.whatsapp.net', text: 'mau' })),
    });
    const after = await chat.post('/v1/chat_inbox', ref);
    expect(after.body).toMatchObject({ chat_list: { status: 'open', unread: 1, episode: 2 } });
    const notes = await chat.send('/v1/get_notif', { type: 'broadcast_done' });
    expect(notes.body).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({
          type: 'broadcast_done',
          judul: 'Broadcast selesai',
          isi: 'Kabar: 1 terkirim, 0 gagal',
          chatId: null,
          count: 1,
        }),
      ]),
    });
  });

  it('is one campaign however often the same id is sent, also twice at once', async () => {
    const broadcastId = newId();
    const body = { ...CONTENT, broadcastId, penerima: people(3, '6283') };
    const answers = await Promise.all([body, body, body].map((one) => chat.send('/v1/send_broadcast', one)));
    expect(answers.map((one) => dataOf(one).broadcastId)).toEqual(Array(3).fill(`S1.${broadcastId}`));
    const done = await chat.reaches(`S1.${broadcastId}`, 'done');
    const again = await chat.send('/v1/send_broadcast', { ...body, nama: 'Lain', penerima: people(9, '6299') });
    expect(again.body).toEqual({ result: true, message: 'success send broadcast', data: done });
    expect(chat.numbers().sort()).toEqual(people(3, '6283').map(({ nohp }) => nohp));
  });

  it('follows acknowledgements forward only, and records later failures', async () => {
    const answer = await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(3, '6284') });
    const id = dataOf(answer).broadcastId;
    await chat.reaches(id, 'done');
    const [first, second, third] = chat.gateway.calls.map(({ pesanId }) => pesanId) as [string, string, string];
    for (const status of ['sent', 'viewed', 'delivered', 'viewed']) await ack(first, status);
    await ack(second, 'delivered');
    const failed = await ack(third, 'pending', { failed: { code: 'number_unknown', retryable: false } });
    expect(failed.body).toEqual({ result: false, message: 'message update not valid' });
    const counts = { total: 3, valid: 3, terkirim: 2, delivered: 2, viewed: 1, gagal: 1 };
    expect(await chat.campaign(id)).toEqual(campaignRecord({ ...counts, status: 'done' }));
    await expectTrueCounters(id);
    await ack(third, 'sent');
    expect(await chat.campaign(id)).toMatchObject({ terkirim: 3, gagal: 0 });
    await expectTrueCounters(id);
    const { body } = await chat.internal('GET', `/${id}/recipients?store_id=S1&status=viewed`);
    expect(body).toMatchObject({ data: [{ nohp: '628400000000', status: 'viewed', error: null }] });
  });

  it('spends nothing on a full campaign lane, goes on after a refusal, and tells nobody of single failures', async () => {
    const full = { status: 429, message: 'broadcast queue is full', retryAfterSeconds: 0.05 };
    chat.gateway.next.push(full, full);
    chat.gateway.next.push({ status: 422, message: 'number opted out' });
    const answer = await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(2, '6285') });
    const id = dataOf(answer).broadcastId;
    expect(await chat.reaches(id, 'done')).toMatchObject({ valid: 2, terkirim: 1, gagal: 1 });
    const { body } = await chat.internal('GET', `/${id}/recipients?store_id=S1&status=failed`);
    expect(body).toMatchObject({ data: [{ nohp: '628500000000', status: 'failed', error: 'number opted out' }] });
    expect(chat.numbers()).toEqual([...Array(3).fill('628500000000'), '628500000001']);
    const rows = await chat.database.query(
      `SELECT attempts, lane FROM outbox_row WHERE payload->>'nohp' = '628500000000'`,
    );
    expect(rows).toEqual([{ attempts: 1, lane: 'dev1|bulk' }]);
    const failures = await chat.send('/v1/get_notif', { type: 'send_failed' });
    expect(failures.body).toMatchObject({ data: [] });
  });

  it('leaves out who opts out after the start', async () => {
    chat.gateway.next.push(...Array(10_000).fill({ status: 429, message: 'full', retryAfterSeconds: 0.01 }));
    const answer = await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(3, '6286') });
    await chat.call('/v1/callback_message', {
      body: form(message({ number: '628600000001@s.whatsapp.net', text: 'berhenti' })),
    });
    chat.gateway.next.length = 0;
    const done = await chat.reaches(dataOf(answer).broadcastId, 'done');
    expect(done).toMatchObject({ total: 3, valid: 2, opt_out: 1, terkirim: 2 });
    expect(new Set(chat.numbers())).toEqual(new Set(['628600000000', '628600000002']));
  });

  it('takes its text and file from a template, and holds up no reply to its recipients', async () => {
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await chat.database.query(
      `INSERT INTO templates (store_id, id, nama, type, isi) VALUES ('S1', 'T1', 'Promo', 'image', 'Diskon untuk {{nama}}')`,
    );
    const file = `data:image/png;base64,${picture.toString('base64')}`;
    const body = {
      ...CONTENT,
      pesan: undefined,
      template_id: 'T1',
      file,
      penerima: [{ nohp: '628700000000', nama: 'Eka' }],
    };
    const missing = await chat.send('/v1/send_broadcast', { ...body, template_id: 'T9' });
    expect(missing.body).toEqual({ result: false, message: 'template tidak ditemukan', code: 'template_not_found' });
    chat.gateway.next.push({ status: 429, message: 'full', retryAfterSeconds: 3 });
    const id = dataOf(await chat.send('/v1/send_broadcast', body)).broadcastId;
    const ref = { nohp: '628700000000', instance: 'dev1', team: '3' };
    await until(() => chat.gateway.calls.length > 0);
    await chat.post('/v1/send_message', { ...ref, pesan: 'balasan' });
    await chat.reaches(id, 'done');
    const [first, reply, again] = chat.gateway.calls;
    expect(reply).toMatchObject({ text: 'balasan' });
    expect(again).toEqual({ ...first, url: expect.any(String) });
    expect(first).toMatchObject({ type: 'image', caption: 'Diskon untuk Eka', bulk: { delay_min: 3, delay_max: 5 } });
  });
});

describe('the audience of a campaign', () => {
  it('is every customer who matches the whole filter when the campaign starts', async () => {
    const fits = { tags: ['vip'], kota: 'Bandung', total_order: 3, last_order_at: '2026-11-10T12:00:00+07:00' };
    await customer('628910000001', fits);
    await customer('628910000002', { ...fits, opt_out: true });
    await customer('628910000003', { ...fits, tags: ['baru'] });
    await customer('628910000004', { ...fits, kota: 'Medan' });
    await customer('628910000005', { ...fits, total_order: 2 });
    await customer('628910000006', { ...fits, last_order_at: '2026-11-11T00:00:00+07:00' });
    await customer('120363000000000009@g.us', fits);
    const filter = {
      ...{ tag: ['vip', 'lama'], kota: ['bandung'], total_order_min: 3 },
      ...{ last_order_from: '2026-11-10', last_order_to: '2026-11-10' },
    };
    const { pesan, instance, team } = CONTENT;
    const answer = await chat.send('/v1/send_broadcast', { nama: 'VIP', pesan, instance, team, filter });
    const done = await chat.reaches(dataOf(answer).broadcastId, 'done');
    expect(done).toMatchObject({ total: 2, valid: 1, opt_out: 1, terkirim: 1 });
    expect(chat.numbers()).toEqual(['628910000001']);
    const chatted = { ...filter, last_chat_from: '2026-11-01' };
    const active = await chat.send('/v1/send_broadcast', { nama: 'Aktif', pesan, instance, team, filter: chatted });
    expect(await chat.reaches(dataOf(active).broadcastId, 'done')).toMatchObject({ total: 1, valid: 1 });
    const nobody = await chat.send('/v1/send_broadcast', {
      ...{ nama: 'Kosong', pesan, instance, team },
      filter: { ...filter, last_chat_from: '2099-01-01' },
    });
    expect(await chat.reaches(dataOf(nobody).broadcastId, 'done')).toMatchObject({ total: 0, valid: 0, terkirim: 0 });
  });
});
