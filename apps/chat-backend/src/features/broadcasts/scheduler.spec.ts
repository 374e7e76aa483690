import { until } from '@platform/testing';
import { CONTENT, dataOf, newId, people, useCampaigns, wallClock } from './broadcasts.fixture';

const chat = useCampaigns();

const PATH = '/v1/broadcast/scheduler';
const FULL = { status: 429, message: 'broadcast queue is full', retryAfterSeconds: 0.01 };
const pastDue = (id: string) =>
  chat.database.query(`UPDATE broadcasts SET jadwal = now() - interval '1 second' WHERE store_id || '.' || id = $1`, [
    id,
  ]);

/** A campaign whose first message the gateway has not taken yet. */
const waiting = async (range: string, fields: object = {}) => {
  chat.gateway.next.push(...Array(10_000).fill(FULL));
  const answer = await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(4, range), ...fields });
  await until(() => chat.gateway.calls.length > 0);
  return dataOf(answer).broadcastId;
};
const gatewayTakes = () => void (chat.gateway.next.length = 0);
const answersOf = (range: string) =>
  chat.database.query(`SELECT nohp FROM broadcast_recipients WHERE nohp LIKE $1 AND status = 1 ORDER BY nohp`, [
    `${range}%`,
  ]);

describe('broadcast/scheduler', () => {
  it('holds a campaign until its time and starts it once, whoever asks', async () => {
    const jadwal = wallClock(60);
    const answer = await chat.send(PATH, { ...CONTENT, penerima: people(2, '6281'), jadwal });
    const data = {
      ...{ broadcastId: expect.stringMatching(/^S1\./), nama: 'Promo', instance: 'dev1', team: '3' },
      ...{ status: 'scheduled', total: 2, valid: 2, duplikat: 0, tidak_valid: 0, opt_out: 0 },
      ...{ terkirim: 0, delivered: 0, viewed: 0, gagal: 0, jadwal, meta: null, waktu: expect.any(String) },
    };
    expect([answer.status, answer.body]).toEqual([200, { status: 'success', message: 'broadcast dijadwalkan', data }]);
    const early = await chat.send(PATH, {});
    expect(early.body).toEqual({ status: 'success', message: 'scheduler berjalan', data: { claimed: 0 } });
    const { broadcastId } = dataOf(answer);
    await pastDue(broadcastId);
    const ran = await Promise.all([1, 2, 3].map(() => chat.send(PATH, {})));
    const claimed = ran.map(({ body }) => (body as { data: { claimed: number } }).data.claimed);
    expect(claimed.sort()).toEqual([0, 0, 1]);
    await chat.reaches(broadcastId, 'done');
    expect(chat.numbers()).toEqual(['628100000000', '628100000001']);
  });

  it('starts what is due on an empty body or none, for every store when the caller has no store', async () => {
    const answer = await chat.send(PATH, { ...CONTENT, penerima: people(1, '6282'), jadwal: wallClock(60) });
    await pastDue(dataOf(answer).broadcastId);
    const stranger = chat.tokens.tokenFor({ store_id: 'S2', role: 'owner', teams: [] });
    const other = await chat.call(PATH, { method: 'POST', token: stranger });
    expect(other.body).toEqual({ status: 'success', message: 'scheduler berjalan', data: { claimed: 0 } });
    const ran = await chat.call(`${PATH}_crm`, { method: 'POST' });
    expect(ran.body).toEqual({ status: 'success', message: 'scheduler berjalan', data: { claimed: 1 } });
    await chat.reaches(dataOf(answer).broadcastId, 'done');
  });

  it('pauses, resumes and cancels idempotently, and answers a step that does not fit with the campaign', async () => {
    const broadcastId = await waiting('6283');
    const step = (aksi: string) => chat.send(PATH, { broadcastId, aksi });
    expect((await step('pause')).body).toEqual({
      ...{ status: 'success', message: 'broadcast diubah' },
      data: { ...(await chat.campaign(broadcastId)), status: 'paused' },
    });
    expect((await step('pause')).body).toMatchObject({ status: 'success', data: { status: 'paused' } });
    gatewayTakes();
    await until(
      () => answersOf('6283'),
      (rows) => rows.length === 1,
    );
    const restless = await chat.send(PATH, {});
    expect(restless.body).toMatchObject({ data: { claimed: 0 } });
    expect(await chat.campaign(broadcastId)).toMatchObject({ status: 'paused', terkirim: 1, valid: 4 });
    expect((await step('resume')).body).toMatchObject({ status: 'success', data: { status: 'sending' } });
    await chat.reaches(broadcastId, 'done');
    const refused = await step('cancel');
    expect(refused).toMatchObject({ status: 200 });
    expect(refused.body).toEqual({
      ...{ status: 'error', message: 'status chat sudah berubah', code: 'status_changed' },
      data: await chat.campaign(broadcastId),
    });
    expect(new Set(chat.numbers()).size).toBe(4);
  });

  it('sends at most the message under way after a cancel', async () => {
    const broadcastId = await waiting('6284');
    expect((await chat.send(PATH, { broadcastId, aksi: 'cancel' })).body).toMatchObject({
      data: { status: 'cancelled' },
    });
    gatewayTakes();
    await until(
      () => answersOf('6284'),
      (rows) => rows.length === 1,
    );
    await chat.send(PATH, {});
    expect((await chat.send(PATH, { broadcastId, aksi: 'resume' })).body).toMatchObject({ code: 'status_changed' });
    expect(await chat.campaign(broadcastId)).toMatchObject({ status: 'cancelled', terkirim: 1, valid: 4 });
    expect(new Set(chat.numbers()).size).toBe(1);
  });

  it('releases nothing in quiet hours and goes on after them', async () => {
    const jam_tenang = { from: wallClock(-60).slice(11), to: wallClock(60).slice(11) };
    const answer = await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(1, '6285'), jam_tenang });
    const { broadcastId } = dataOf(answer);
    const jobs = () => chat.database.query(`SELECT 1 FROM chat_backend_jobs._private_jobs WHERE key LIKE 'broadcast%'`);
    await until(jobs, (rows) => rows.length === 0);
    expect(await chat.campaign(broadcastId)).toMatchObject({ status: 'sending', terkirim: 0 });
    const over = { from: wallClock(60).slice(11), to: wallClock(120).slice(11) };
    await chat.database.query(
      `UPDATE broadcasts SET body = jsonb_set(body, '{jam_tenang}', $2) WHERE store_id || '.' || id = $1`,
      [broadcastId, JSON.stringify(over)],
    );
    await chat.send(PATH, {});
    await chat.reaches(broadcastId, 'done');
  });

  describe('of a store that may not send', () => {
    const mayNot = () =>
      chat.database.query(`UPDATE stores SET settings = settings || '{"sends": false}' WHERE store_id = 'S1'`);
    const mayAgain = () => chat.database.query(`UPDATE stores SET settings = settings - 'sends' WHERE store_id = 'S1'`);
    const toldMaker = () =>
      chat.database.query(
        `SELECT type, isi FROM notifications WHERE store_id = 'S1' AND user_id = 'u-siti' ORDER BY id DESC LIMIT 1`,
      );
    afterEach(mayAgain);

    it('takes nobody more, pauses, tells its maker, and goes on when somebody resumes it', async () => {
      const broadcastId = await waiting('6286');
      await mayNot();
      gatewayTakes();
      await until(
        () => answersOf('6286'),
        (rows) => rows.length === 1,
      );
      expect(await chat.campaign(broadcastId)).toMatchObject({ status: 'sending', terkirim: 1 });
      await chat.send(PATH, {});
      await chat.reaches(broadcastId, 'paused');
      const isi = 'Promo: toko tidak dapat mengirim pesan; lanjutkan setelah dapat mengirim lagi';
      expect(await toldMaker()).toEqual([{ type: 'broadcast_stopped', isi }]);
      expect(new Set(chat.numbers()).size).toBe(1);
      await mayAgain();
      await chat.send(PATH, { broadcastId, aksi: 'resume' });
      await chat.reaches(broadcastId, 'done');
      expect(new Set(chat.numbers()).size).toBe(4);
    });

    it('makes one whose time has come a draft again', async () => {
      const answer = await chat.send(PATH, { ...CONTENT, penerima: people(1, '6287'), jadwal: wallClock(60) });
      const { broadcastId } = dataOf(answer);
      await pastDue(broadcastId);
      await mayNot();
      expect((await chat.send(PATH, {})).body).toMatchObject({ data: { claimed: 0 } });
      expect(await chat.campaign(broadcastId)).toMatchObject({ status: 'draft', terkirim: 0 });
      const isi = 'Promo: toko tidak dapat mengirim pesan; kembali menjadi draft';
      expect(await toldMaker()).toEqual([{ type: 'broadcast_stopped', isi }]);
      await mayAgain();
      expect((await chat.send(PATH, {})).body).toMatchObject({ data: { claimed: 0 } });
      expect(chat.numbers()).toEqual([]);
    });
  });

  it('names the wrong field, and refuses whoever may not', async () => {
    const errors = async (body: object) => (await chat.send(PATH, body)).body;
    const error = (field: string, tag: string, text: string) => ({ field, tag, message: `${field} ${text}` });
    expect(await errors({ ...CONTENT, penerima: people(1), jadwal: wallClock(-1) })).toEqual({
      errors: [error('jadwal', 'gt', 'must be greater than the current Date & Time')],
    });
    expect(await errors({ ...CONTENT, penerima: people(1), jadwal: '2026-13-01 10:00' })).toEqual({
      errors: [error('jadwal', 'datetime', 'does not match the 2006-01-02 15:04 format')],
    });
    expect(
      await errors({ ...CONTENT, penerima: [{}, { nohp: ' ' }], limit_per_minute: 0, jam_tenang: { from: '7' } }),
    ).toEqual({
      errors: [
        error('limit_per_minute', 'min', 'must be 1 or greater'),
        error('jam_tenang.from', 'datetime', 'does not match the 15:04 format'),
        error('jam_tenang.to', 'required', 'is a required field'),
        error('penerima[0].nohp', 'required', 'is a required field'),
        error('penerima[1].nohp', 'required', 'is a required field'),
        error('jadwal', 'required', 'is a required field'),
      ],
    });
    const many = { ...CONTENT, penerima: people(10_001) };
    expect((await chat.send('/v1/send_broadcast', many)).body).toEqual({
      errors: [error('penerima', 'max', 'must contain at maximum 10000 items')],
    });
    expect(
      (await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(1), limit_per_minute: 61 })).body,
    ).toEqual({
      errors: [error('limit_per_minute', 'max', 'must be 60 or less')],
    });
    const { pesan: _, ...silent } = CONTENT;
    expect((await chat.send('/v1/send_broadcast', { ...silent, type: 'image', penerima: people(1) })).body).toEqual({
      errors: [
        error('url', 'required_without', 'is a required field'),
        error('file', 'required_without', 'is a required field'),
      ],
    });
    const strange = {
      ...silent,
      pesan: 'x',
      penerima: [{ nohp: '628', params: { a: ['\0'] } }],
      filter: { last_order_from: '0000-01-01' },
    };
    expect((await chat.send('/v1/send_broadcast', strange)).body).toEqual({
      errors: [
        error('penerima[0].params', 'excludesrune', "cannot contain the following 'U+0000'"),
        error('filter.last_order_from', 'datetime', 'does not match the 2006-01-02 format'),
      ],
    });
    const forbidden = { message: 'tidak punya akses', code: 'forbidden' };
    expect((await chat.post(PATH, {})).body).toEqual({ status: 'error', ...forbidden });
    expect((await chat.post('/v1/send_broadcast', { ...CONTENT, penerima: people(1) })).body).toEqual({
      result: false,
      ...forbidden,
    });
    expect((await chat.post(PATH, {}, { token: '' })).body).toEqual({ status: 'error', message: 'Unauthenticated' });
  });
});

describe('the pace of a campaign', () => {
  it('widens the pause to what limit_per_minute demands', async () => {
    const paceOf = async (range: string, fields: object) => {
      const answer = await chat.send('/v1/send_broadcast', { ...CONTENT, penerima: people(1, range), ...fields });
      await chat.reaches(dataOf(answer).broadcastId, 'done');
      return chat.gateway.calls.at(-1)?.bulk;
    };
    expect(await paceOf('6286', { limit_per_minute: 7 })).toEqual({ delay_min: 8.58, delay_max: 8.58 });
    expect(await paceOf('6287', { limit_per_minute: 60, jeda_min: 4, jeda_max: 9 })).toEqual({
      delay_min: 4,
      delay_max: 9,
    });
  });
});

describe('campaigns of the CRM (_crm)', () => {
  it('belong to the store of the device, are steered by public id, and need a known device', async () => {
    const body = { ...CONTENT, instance: 'dev2', penerima: people(1, '6288') };
    const answer = await chat.post('/v1/send_broadcast_crm', body, { token: '' });
    expect(answer.body).toMatchObject({ result: true, data: { instance: 'dev2', status: 'sending', valid: 1 } });
    const { broadcastId } = dataOf(answer);
    expect(broadcastId).toMatch(/^S2\./);
    await until(
      () => chat.database.query<{ status: string }>(`SELECT status FROM broadcasts WHERE store_id = 'S2'`),
      ([row]) => row?.status === 'done',
    );
    const steered = await chat.post(`${PATH}_crm`, { broadcastId, aksi: 'cancel' }, { token: '' });
    expect(steered.body).toMatchObject({ status: 'error', code: 'status_changed', data: { broadcastId } });
    const unknown = await chat.post('/v1/send_broadcast_crm', { ...body, instance: 'nodev' }, { token: '' });
    expect(unknown.body).toEqual({ result: false, message: 'device tidak ditemukan', code: 'device_not_found' });
  });

  it('do not exist for another store, nor do its devices', async () => {
    const { broadcastId } = dataOf(
      await chat.send(PATH, { ...CONTENT, penerima: people(1, '6289'), jadwal: wallClock(9) }),
    );
    const stranger = chat.tokens.tokenFor({ store_id: 'S2', role: 'owner', teams: [] });
    const missing = { message: 'broadcast tidak ditemukan', code: 'broadcast_not_found' };
    for (const id of [broadcastId, broadcastId.slice(3), `S2.${broadcastId.slice(3)}`, newId(), 'x'])
      expect([id, (await chat.send(PATH, { broadcastId: id, aksi: 'cancel' }, { token: stranger })).body]).toEqual([
        id,
        { status: 'error', ...missing },
      ]);
    const send = { ...CONTENT, broadcastId: broadcastId.slice(3), penerima: people(1, '6290') };
    expect((await chat.send('/v1/send_broadcast', send, { token: stranger })).body).toEqual({
      result: false,
      message: 'device tidak ditemukan',
      code: 'device_not_found',
    });
    expect(await chat.campaign(broadcastId)).toMatchObject({ status: 'scheduled' });
  });
});
