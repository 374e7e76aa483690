import { untilWaiting } from '@platform/testing';
import { SERVICE } from '../../chat.fixture';
import { CONTENT, dataOf, people, useCampaigns, wallClock } from './broadcasts.fixture';

const chat = useCampaigns();
const PATH = '/v1/broadcast/scheduler';
const erase = (nohp: string, updated_at: number) =>
  chat.post(
    '/internal/sync',
    { customers: [{ store_id: 'S1', nohp, updated_at, deleted: true }] },
    { token: chat.tokens.tokenFor(SERVICE) },
  );
const recipients = (id: string) =>
  chat.database.query(
    `SELECT nohp, nama, params, status, error FROM broadcast_recipients WHERE store_id || '.' || broadcast_id = $1 ORDER BY ord`,
    [id],
  );

describe('a customer who is erased', () => {
  const [ana, budi] = people(2, '6293').map(({ nohp }, n) => ({
    nohp,
    nama: ['Ana', 'Budi'][n],
    params: { kode: `K${n}` },
  }));
  const penerima = [ana, budi];
  const skipped = { nohp: ana?.nohp, nama: null, params: {}, status: 5, error: 'kontak dihapus' };

  it('gets no broadcast that waits, whose report counts them as skipped and names them no more', async () => {
    const body = { ...CONTENT, nama: 'Besok', penerima, jadwal: wallClock(600) };
    const id = dataOf(await chat.send(PATH, body)).broadcastId;
    await erase(ana?.nohp ?? '', 1);
    expect(await recipients(id)).toEqual([skipped, { ...budi, status: 0, error: null }]);
    expect(await chat.campaign(id)).toMatchObject({ status: 'scheduled', total: 2, valid: 1, opt_out: 1 });
    await erase(ana?.nohp ?? '', 2);
    expect(await chat.campaign(id)).toMatchObject({ valid: 1, opt_out: 1 });
    await chat.internal('POST', `/${id}/action`, { store_id: 'S1', aksi: 'start' });
    expect(await chat.reaches(id, 'done')).toMatchObject({ terkirim: 1, gagal: 0 });
    expect(chat.numbers()).toEqual([budi?.nohp]);
  });

  it('is named no more in a report either when their message is made at the same moment', async () => {
    const body = { ...CONTENT, nama: 'Sekarang', penerima, jadwal: wallClock(600) };
    const id = dataOf(await chat.send(PATH, body)).broadcastId;
    const erased = await chat.database.tx(async (tx) => {
      await tx.query(`SELECT 1 FROM broadcasts WHERE store_id || '.' || id = $1 FOR UPDATE`, [id]);
      const erasing = erase(ana?.nohp ?? '', 4);
      await untilWaiting(tx, erasing);
      await tx.query(
        `UPDATE broadcast_recipients SET pesan_id = 'made' WHERE store_id || '.' || broadcast_id = $1 AND nohp = $2`,
        [id, ana?.nohp],
      );
      return { erasing };
    });
    await erased.erasing;
    const made = { nohp: ana?.nohp, nama: null, params: {}, status: 0, error: null };
    expect(await recipients(id)).toEqual([made, { ...budi, status: 0, error: null }]);
  });

  it('stays in the report of what they got, without a name', async () => {
    const id = dataOf(await chat.send('/v1/send_broadcast', { ...CONTENT, nama: 'Kemarin', penerima })).broadcastId;
    await chat.reaches(id, 'done');
    await erase(ana?.nohp ?? '', 5);
    expect(await recipients(id)).toEqual([
      { nohp: ana?.nohp, nama: null, params: {}, status: 1, error: null },
      { ...budi, status: 1, error: null },
    ]);
    expect(await chat.campaign(id)).toMatchObject({ total: 2, valid: 2, terkirim: 2, opt_out: 0 });
  });
});
