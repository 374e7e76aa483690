import { until, type HttpReply } from '../../gateway.fixture';
import { useGatewayProcess } from '../../process.fixture';

const RECIPIENTS = 60;
const PHONES = Array.from({ length: RECIPIENTS }, (_, n) => `6281400000${String(n).padStart(3, '0')}`);
const { database, gateway } = useGatewayProcess();
beforeAll(async () => {
  const shop = { instance: 'dev1', device: { nama: 'Toko Nusa WA', nohp: '628110000001' } };
  expect(await gateway.command('seed', JSON.stringify(shop))).toBe(0);
  await database.query(`INSERT INTO sim_phone (nohp, name) SELECT nohp, 'Pelanggan' FROM unnest($1::text[]) nohp`, [
    PHONES,
  ]);
});

interface Shown {
  phone: string;
  texts: string[];
  ids: number;
}
/** What arrived on the phones. The same id twice is one message there. */
const shown = () =>
  database.query<Shown>(
    `SELECT phone, array_agg(content->>'text' ORDER BY seq) AS texts, count(DISTINCT id)::integer AS ids
     FROM sim_message WHERE direction = 'out' GROUP BY phone ORDER BY phone`,
  );
const arrived = async (): Promise<number> => (await shown()).length;
const isAnswered = ({ status }: HttpReply): boolean => status === 200;

describe('kill -9 in the middle of a broadcast', () => {
  it('three times over reaches everybody exactly once, single sends of a campaign included', async () => {
    await gateway.start();
    const { client } = gateway;
    const broadcast = { broadcast_id: 'CRASH', numbers: PHONES, text: 'Promo' };
    const later = { ...broadcast, scheduled_at: new Date(Date.now() + 600_000).toISOString() };
    expect(await client.post('/api/send-broadcast', later)).toMatchObject({ status: 200 });
    await database.query(
      `UPDATE broadcast SET start_at = now(), pace = '{"delayMin":0,"delayMax":0.12,"batchSize":1000,"batchPause":0}'`,
    );
    const single = (n: number) =>
      client.send(`S-${n}`, PHONES[n] ?? '', `Sapaan ${n}`, { bulk: { delay_min: 0, delay_max: 0 } });
    for (let round = 1; round <= 3; round++) {
      // A campaign of another system, which repeats what was not answered
      const answers = [single(round), single(round + 10)];
      await until(arrived, (phones) => phones >= round * 12);
      await gateway.kill('SIGKILL');
      await Promise.allSettled(answers);
      expect(await arrived()).toBeLessThan(RECIPIENTS);
      await gateway.start();
      for (const n of [round, round + 10]) await until(() => single(n), isAnswered);
    }
    const last = await until(
      () => client.data<{ state: string }>(client.get('/api/broadcast/CRASH')),
      ({ state }) => state === 'done',
    );
    expect(last).toEqual({ total: RECIPIENTS, sent: RECIPIENTS, failed: 0, skipped: 0, state: 'done', next_at: null });
    const singles = [1, 2, 3].flatMap((round) => [round, round + 10]);
    const expected = PHONES.map((phone, n) => {
      const texts = singles.includes(n) ? ['Promo', `Sapaan ${n}`] : ['Promo'];
      return { phone, texts, ids: texts.length };
    });
    const all = await until(
      shown,
      (phones) => phones.reduce((sum, { ids }) => sum + ids, 0) === RECIPIENTS + singles.length,
    );
    expect(all.map((each) => ({ ...each, texts: [...each.texts].sort() }))).toEqual(expected);
  });
});
