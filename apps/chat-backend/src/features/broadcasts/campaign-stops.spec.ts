import { metricsOf, until } from '@platform/testing';
import { CONTENT, dataOf, people, useCampaigns, wallClock } from './broadcasts.fixture';

const chat = useCampaigns();
const PATH = '/v1/broadcast/scheduler';

/** What every minute does. */
const minute = () => chat.send(PATH, {});
const told = async (nama: string) => {
  const { body } = await chat.send('/v1/get_notif', { type: 'broadcast_stopped' });
  return (body as { data: { isi: string }[] }).data.filter(({ isi }) => isi.startsWith(`${nama}: `));
};
/** What the operators are told, of campaigns that no person made too. */
const stopped = async () =>
  (await metricsOf(chat.url, 'campaigns_stopped_total'))['campaigns_stopped_total{component="campaigns"}'] ?? NaN;
/** Every message with this word fails as nothing does that the service knows of. */
const broken = async (word: string): Promise<() => Promise<unknown>> => {
  await chat.database.query(`
    CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a bug'; END $$;
    CREATE TRIGGER broken BEFORE INSERT ON messages FOR EACH ROW WHEN (NEW.pesan LIKE '%${word}%') EXECUTE FUNCTION broken()`);
  return () => chat.database.query('DROP FUNCTION broken() CASCADE');
};

describe('a campaign that fails again and again for a reason nobody foresaw', () => {
  it('is paused, its maker is told once, and whoever is left gets the message when it is resumed', async () => {
    const before = await stopped();
    const mend = await broken('mogok');
    const penerima = people(3, '6286').map((one, n) => ({ ...one, nama: ['Ana', 'mogok', 'Citra'][n] }));
    const id = dataOf(await chat.send('/v1/send_broadcast', { ...CONTENT, nama: 'Macet', penerima })).broadcastId;
    const paused = await until(
      async () => {
        await minute();
        return chat.campaign(id);
      },
      ({ status }) => status === 'paused',
    );
    expect(paused).toMatchObject({ total: 3, valid: 3, terkirim: 1, gagal: 0 });
    await minute();
    expect(await told('Macet')).toEqual([
      expect.objectContaining({
        type: 'broadcast_stopped',
        judul: 'Broadcast berhenti',
        isi: 'Macet: tidak dapat dilanjutkan karena gangguan; lanjutkan setelah diperbaiki',
        count: 1,
      }),
    ]);
    expect(chat.log.filter((line) => line.includes('a campaign was stopped'))).toHaveLength(1);
    expect(await stopped()).toBeGreaterThan(before);
    await mend();
    await chat.send(PATH, { broadcastId: id, aksi: 'resume' });
    expect(await chat.reaches(id, 'done')).toMatchObject({ terkirim: 3, gagal: 0 });
    expect(chat.numbers().filter((nohp) => nohp.startsWith('6286'))).toEqual(people(3, '6286').map(({ nohp }) => nohp));
  });

  it('is not paused when a later try succeeds, nor by minutes of quiet hours', async () => {
    const mend = await broken('sebentar');
    const penerima = people(1, '6287').map((one) => ({ ...one, nama: 'sebentar' }));
    const jam_tenang = { from: wallClock(-60).slice(11), to: wallClock(60).slice(11) };
    const body = { ...CONTENT, nama: 'Sebentar', penerima };
    const id = dataOf(await chat.send('/v1/send_broadcast', body)).broadcastId;
    const quiet = dataOf(await chat.send('/v1/send_broadcast', { ...body, nama: 'Tenang', jam_tenang })).broadcastId;
    const failures = () => chat.log.filter((line) => line.includes('a bug')).length;
    await until(failures);
    await mend();
    for (let minutes = 0; minutes < 100; minutes++) await minute();
    expect(await chat.reaches(id, 'done')).toMatchObject({ terkirim: 1 });
    expect(await chat.campaign(quiet)).toMatchObject({ status: 'sending' });
  });

  it('when it is due becomes a draft again, and can be started when it is mended', async () => {
    const penerima = people(1, '6288');
    const planned = await chat.send(PATH, { ...CONTENT, nama: 'Rusak', penerima, jadwal: wallClock(60) });
    const id = dataOf(planned).broadcastId;
    const setFilter = (filter: string) =>
      chat.database.query(
        `UPDATE broadcasts SET jadwal = now() - interval '1 minute', body = jsonb_set(body, '{filter}', $2) WHERE store_id || '.' || id = $1`,
        [id, filter],
      );
    await chat.inbound();
    await setFilter('{"last_order_from":"2026-02-30"}');
    await until(
      async () => {
        await minute();
        return chat.campaign(id);
      },
      ({ status }) => status === 'draft',
    );
    await minute();
    expect((await told('Rusak')).map(({ isi }) => isi)).toEqual([
      'Rusak: tidak dapat dimulai karena gangguan; kembali menjadi draft',
    ]);
    await setFilter('null');
    await chat.internal('POST', `/${id}/action`, { store_id: 'S1', aksi: 'start' });
    expect(await chat.reaches(id, 'done')).toMatchObject({ total: 1, terkirim: 1 });
  });
});
