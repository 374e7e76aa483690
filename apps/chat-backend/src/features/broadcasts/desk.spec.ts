import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE } from '../../chat.fixture';
import { CONTENT, dataOf, newId, people, startCampaigns, wallClock, type CampaignTest } from './broadcasts.fixture';

const folder = mkdtempSync(join(tmpdir(), 'campaign-media-'));
let chat: CampaignTest;
beforeAll(async () => {
  chat = await startCampaigns({ environment: { MEDIA_DIR: folder } });
});
afterAll(async () => {
  await chat.stop();
  rmSync(folder, { recursive: true, force: true });
});

const DRAFT = { store_id: 'S1', ...CONTENT, meta: { audience: { tag_ids: ['1'] }, device_id: 7 } };
const MINUTE = expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
const record = (id: string, fields: object = {}) => ({
  ...{ broadcastId: `S1.${id}`, nama: 'Promo', instance: 'dev1', team: '3', status: 'draft' },
  ...{ total: 0, valid: 0, duplikat: 0, tidak_valid: 0, opt_out: 0, terkirim: 0, delivered: 0, viewed: 0, gagal: 0 },
  ...{ jadwal: null, meta: DRAFT.meta, waktu: MINUTE },
  ...fields,
});
const done = (message: string, data: object) => ({ result: true, message, data });
const started = (data: object) => ({
  result: false,
  message: 'broadcast sudah dimulai',
  code: 'broadcast_started',
  data,
});
const changed = (data: object) => ({
  result: false,
  message: 'status chat sudah berubah',
  code: 'status_changed',
  data,
});
const missing = { result: false, message: 'broadcast tidak ditemukan', code: 'broadcast_not_found' };

const draft = async (fields: object = {}): Promise<string> => {
  const id = newId();
  await chat.internal('PUT', `/${id}`, { ...DRAFT, ...fields });
  return id;
};
const act = async (id: string, aksi: string, fields: object = {}) =>
  (await chat.internal('POST', `/${id}/action`, { store_id: 'S1', aksi, ...fields })).body;
const add = async (id: string, penerima: object[]) =>
  (await chat.internal('POST', `/${id}/recipients`, { store_id: 'S1', penerima })).body;

describe('/internal/broadcasts', () => {
  it('makes a draft, takes recipients in pages that may be repeated, and starts it once', async () => {
    const id = newId();
    const put = await chat.internal('PUT', `/${id}`, DRAFT);
    expect([put.status, put.body]).toEqual([200, done('success save broadcast', record(id))]);
    const page = [...people(3, '6281'), { nohp: '628100000000' }, { nohp: 'x' }];
    const counts = { total: 5, valid: 3, duplikat: 1, tidak_valid: 1 };
    expect(await add(id, page)).toEqual(done('success add recipients', record(id, counts)));
    expect(await add(id, page)).toEqual(done('success add recipients', record(id, counts)));
    const more = { ...counts, total: 6, valid: 4 };
    expect(await add(id, people(4, '6281'))).toEqual(done('success add recipients', record(id, more)));
    const replaced = { ...DRAFT, nama: 'Promo dua', meta: undefined };
    const again = await chat.internal('PUT', `/${id}`, replaced);
    expect(again.body).toEqual(done('success save broadcast', record(id, { ...more, nama: 'Promo dua', meta: null })));
    const sending = record(id, { ...more, nama: 'Promo dua', meta: null, status: 'sending' });
    expect(await act(id, 'start')).toEqual(done('success start broadcast', sending));
    const end = await chat.reaches(`S1.${id}`, 'done');
    expect(end).toEqual({ ...sending, status: 'done', terkirim: 4 });
    expect(await act(id, 'start')).toEqual(started(end));
    expect(await act(id, 'schedule', { jadwal: wallClock(5) })).toEqual(started(end));
    expect(await add(id, people(1))).toEqual(started(end));
    expect((await chat.internal('PUT', `/${id}`, DRAFT)).body).toEqual(started(end));
    expect((await chat.internal('DELETE', `/${id}?store_id=S1`)).body).toEqual(started(end));
    expect(await act(id, 'pause')).toEqual(changed(end));
    expect(chat.numbers()).toEqual(people(4, '6281').map(({ nohp }) => nohp));
  });

  it('deletes a draft with its recipients, and nothing else', async () => {
    const id = await draft();
    await add(id, people(2));
    const gone = await chat.internal('DELETE', `/${id}?store_id=S1`);
    expect([gone.status, gone.body]).toEqual([200, { result: true, message: 'success delete broadcast' }]);
    expect((await chat.internal('DELETE', `/${id}?store_id=S1`)).body).toEqual(missing);
    expect(await chat.database.query('SELECT 1 FROM broadcast_recipients WHERE broadcast_id = $1', [id])).toEqual([]);
    const kept = await draft();
    await act(kept, 'schedule', { jadwal: wallClock(60) });
    const refused = await chat.internal('DELETE', `/${kept}?store_id=S1`);
    expect(refused.body).toEqual(changed(await chat.campaign(`S1.${kept}`)));
  });

  it('deletes a file that no campaign uses any more', async () => {
    const gif = Buffer.from('GIF89a' + '\0'.repeat(40)).toString('base64');
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const id = await draft({ type: 'image', file: `data:image/png;base64,${png}` });
    const files = async () =>
      (
        await chat.database.query<{ name: string }>(
          `SELECT body->'content'->'media'->>'name' AS name FROM broadcasts WHERE id = $1`,
          [id],
        )
      ).map(({ name }) => name);
    const [first = ''] = await files();
    const stored = (name: string) => existsSync(join(folder, name));
    expect(stored(first)).toBe(true);
    await chat.internal('PUT', `/${id}`, { ...DRAFT, type: 'image', file: `data:image/gif;base64,${gif}` });
    const [second = ''] = await files();
    expect([stored(first), stored(second)]).toEqual([false, true]);
    await chat.internal('DELETE', `/${id}?store_id=S1`);
    expect(stored(second)).toBe(false);
  });

  it('schedules, and changes what is scheduled until its time', async () => {
    const id = await draft();
    const jadwal = wallClock(60);
    const scheduled = record(id, { status: 'scheduled', jadwal });
    expect(await act(id, 'schedule', { jadwal })).toEqual(done('success schedule broadcast', scheduled));
    const put = await chat.internal('PUT', `/${id}`, { ...DRAFT, nama: 'Baru' });
    expect(put.body).toEqual(done('success save broadcast', { ...scheduled, nama: 'Baru' }));
    expect(await add(id, people(1, '6282'))).toMatchObject({ result: true, data: { status: 'scheduled', valid: 1 } });
    const errors = (tag: string, text: string) => ({ errors: [{ field: 'jadwal', tag, message: `jadwal ${text}` }] });
    expect(await act(id, 'schedule')).toEqual(errors('required', 'is a required field'));
    expect(await act(id, 'schedule', { jadwal: wallClock(0) })).toEqual(
      errors('gt', 'must be greater than the current Date & Time'),
    );
    const cancelled = { ...scheduled, nama: 'Baru', status: 'cancelled', total: 1, valid: 1 };
    expect(await act(id, 'cancel')).toEqual(done('success cancel broadcast', cancelled));
    expect(await act(id, 'start')).toEqual(changed(cancelled));
  });

  it('schedules for a moment too, whatever the clocks of the store', async () => {
    const [id, jadwal] = [await draft(), wallClock(60)];
    const at = `${jadwal.replace(' ', 'T')}:00+07:00`;
    // Who does not know of moments says a minute as well
    const moment = { jadwal: wallClock(90), at };
    expect(await act(id, 'schedule', moment)).toMatchObject({ data: { status: 'scheduled', jadwal } });
    const message = 'at must be greater than the current Date & Time';
    expect(await act(id, 'schedule', { at: new Date().toISOString() })).toEqual({
      errors: [{ field: 'at', tag: 'gt', message }],
    });
  });

  it('lists campaigns newest first and recipients in their order, by cursors of its own', async () => {
    const ids = [];
    for (const nama of ['a', 'b', 'c', 'd', 'e']) {
      const id = newId();
      await chat.internal('PUT', `/${id}`, { ...DRAFT, store_id: 'S2', instance: 'dev2', nama });
      ids.unshift(`S2.${id}`);
    }
    const read = async (path: string) =>
      (await chat.internal('GET', path)).body as { data: object[]; next_cursor: string | null };
    const walk = async (path: string): Promise<object[]> => {
      const { data, next_cursor: next } = await read(path);
      expect(data.length).toBeLessThanOrEqual(2);
      return next === null ? data : [...data, ...(await walk(path.replace(/&cursor=[^&]*|$/, `&cursor=${next}`)))];
    };
    const all = await walk('?store_id=S2&status=draft&limit=2');
    expect(all.map((one) => (one as { broadcastId: string }).broadcastId)).toEqual(ids);
    expect(await read('?store_id=S2&status=paused')).toEqual({
      result: true,
      message: 'success',
      data: [],
      next_cursor: null,
    });
    const { next_cursor: foreign } = await read('?store_id=S2&status=draft&limit=2');
    const forged = await chat.internal('GET', `?store_id=S1&status=draft&cursor=${foreign}`);
    expect([forged.status, forged.body]).toEqual([
      422,
      { errors: [{ field: 'cursor', tag: 'cursor', message: 'cursor must be one that this list returned' }] },
    ]);
    const id = await draft();
    await add(id, people(5, '6283'));
    const recipients = await walk(`/${id}/recipients?store_id=S1&status=pending&limit=2`);
    expect(recipients.map((one) => (one as { nohp: string }).nohp)).toEqual(people(5, '6283').map(({ nohp }) => nohp));
  });

  it('refuses campaigns of another store, users, and malformed ids', async () => {
    const id = await draft();
    const of = async (store: string, token = chat.tokens.tokenFor(SERVICE)) => [
      await chat.call(`/internal/broadcasts/${id}?store_id=${store}`, { token }),
      await chat.call(`/internal/broadcasts/${id}/recipients?store_id=${store}`, { token }),
      await chat.call(`/internal/broadcasts/${id}?store_id=${store}`, { method: 'DELETE', token }),
      await chat.post(`/internal/broadcasts/${id}/recipients`, { store_id: store, penerima: people(1) }, { token }),
      await chat.post(`/internal/broadcasts/${id}/action`, { store_id: store, aksi: 'cancel' }, { token }),
    ];
    for (const { body } of await of('S2')) expect(body).toEqual(missing);
    const forbidden = { result: false, message: 'tidak punya akses', code: 'forbidden' };
    const bound = chat.tokens.tokenFor({ ...SERVICE, store_id: 'S2' });
    for (const { body } of await of('S1', bound)) expect(body).toEqual(forbidden);
    expect((await chat.call('/internal/broadcasts?store_id=S1', { token: bound })).body).toEqual(forbidden);
    const put = { method: 'PUT', token: bound, body: DRAFT };
    expect((await chat.call(`/internal/broadcasts/${id}`, put)).body).toEqual(forbidden);
    for (const answer of await of('S1', chat.tokens.tokenFor({ role: 'owner', teams: [] })))
      expect(answer).toMatchObject({ status: 401, body: { status: 'error', message: 'Unauthenticated' } });
    expect(await chat.campaign(`S1.${id}`)).toEqual(record(id));
    expect((await chat.internal('PUT', `/${id}`, { ...DRAFT, instance: 'dev2' })).body).toMatchObject({
      code: 'device_not_found',
    });
    expect((await chat.internal('PUT', '/seven', DRAFT)).body).toEqual({
      errors: [{ field: 'id', tag: 'uuid', message: 'id must be a valid UUID' }],
    });
    const foreign = dataOf(await chat.internal('PUT', `/${id}`, { ...DRAFT, store_id: 'S2', instance: 'dev2' }));
    expect(foreign.broadcastId).toBe(`S2.${id}`);
  });
});
