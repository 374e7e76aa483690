import { metricsOf, until } from '@platform/testing';
import { SERVICE } from '../../chat.fixture';
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

describe('a campaign whose device is removed', () => {
  let version = 0;
  const device = (instance: string, more: object = {}) =>
    chat.post(
      '/internal/sync',
      { devices: [{ store_id: 'S1', instance, updated_at: ++version, default_team_id: '3', ...more }] },
      { token: chat.tokens.tokenFor(SERVICE) },
    );
  const on = async (instance: string, nama: string, path: string, more: object = {}) => {
    await device(instance);
    return dataOf(await chat.send(path, { ...CONTENT, instance, nama, ...more })).broadcastId;
  };

  it('is paused while its message waits for the device, its maker is told once, and nobody else is written to', async () => {
    const away = { status: 503, message: 'busy', retryAfterSeconds: 1 };
    chat.gateway.next.push(...Array.from({ length: 50 }, () => away));
    const id = await on('gone1', 'Hilang', '/v1/send_broadcast', { penerima: people(3, '6291') });
    await until(() => chat.numbers().some((nohp) => nohp.startsWith('6291')));
    expect(await chat.reaches(id, 'sending')).toMatchObject({ terkirim: 0 });
    await device('gone1', { deleted: true });
    await minute();
    await minute();
    expect(await chat.campaign(id)).toMatchObject({ status: 'paused', valid: 3, terkirim: 0, gagal: 0 });
    expect((await told('Hilang')).map(({ isi }) => isi)).toEqual(['Hilang: perangkat sudah dihapus; broadcast dijeda']);
    chat.gateway.next.length = 0;
    await until(
      () => chat.campaign(id),
      (now) => (now as { terkirim?: number }).terkirim === 1,
    );
    await chat.send(PATH, { broadcastId: id, aksi: 'resume' });
    await minute();
    expect(await chat.reaches(id, 'paused')).toMatchObject({ valid: 3, terkirim: 1 });
    expect(new Set(chat.numbers().filter((nohp) => nohp.startsWith('6291'))).size).toBe(1);
  });

  it('is a draft again when it is scheduled, before its time, and its maker is told', async () => {
    const planned = { penerima: people(1, '6292'), jadwal: wallClock(600) };
    const id = await on('gone2', 'Batal', PATH, planned);
    await device('gone2', { deleted: true });
    await minute();
    expect(await chat.campaign(id)).toMatchObject({ status: 'draft', valid: 1 });
    expect((await told('Batal')).map(({ isi }) => isi)).toEqual([
      'Batal: perangkat sudah dihapus; kembali menjadi draft',
    ]);
  });
});

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
    const [, own = ''] = id.split('.');
    expect(chat.log.filter((line) => line.includes('a campaign was stopped') && line.includes(own))).toHaveLength(1);
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

describe('campaigns with which nothing can be done keep no other waiting', () => {
  const stuck = (nama: string) =>
    chat.database.query(`
      CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a bug'; END $$;
      CREATE TRIGGER stuck BEFORE UPDATE ON broadcasts FOR EACH ROW WHEN (NEW.nama = '${nama}') EXECUTE FUNCTION stuck()`);
  const due = async (nama: string, sooner = '1 second') => {
    const answer = await chat.send(PATH, { ...CONTENT, nama, penerima: people(1, '6299'), jadwal: wallClock(60) });
    const { broadcastId } = dataOf(answer);
    const past = `UPDATE broadcasts SET jadwal = now() - $2::interval WHERE store_id || '.' || id = $1`;
    await chat.database.query(past, [broadcastId, sooner]);
    return broadcastId;
  };
  afterEach(() =>
    chat.database.query(`DROP FUNCTION IF EXISTS stuck() CASCADE; DELETE FROM broadcasts WHERE nama = 'Macet'`),
  );

  it('that is due, behind more than are begun together', async () => {
    const first = await due('Macet', '1 hour');
    await chat.database.query(
      `INSERT INTO broadcasts SELECT (jsonb_populate_record(b, jsonb_build_object('id', uuidv7()))).* FROM broadcasts b, generate_series(1, 99)
       WHERE store_id || '.' || id = $1`,
      [first],
    );
    const behind = await due('Di belakang');
    await stuck('Macet');
    await minute();
    expect((await chat.campaign(behind)).status).not.toBe('scheduled');
  });

  it('that is due, when another one without a device cannot be stopped', async () => {
    const lost = await due('Macet');
    await chat.database.query(`UPDATE broadcasts SET instance = 'nowhere' WHERE store_id || '.' || id = $1`, [lost]);
    const behind = await due('Sehat');
    await stuck('Macet');
    await minute();
    expect((await chat.campaign(behind)).status).not.toBe('scheduled');
  });
});
