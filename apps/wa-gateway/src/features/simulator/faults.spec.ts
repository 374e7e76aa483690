import { useGateway, until } from '../../gateway.fixture';

const BUDI = '628123456789';
const SITI = '628123456780';
const gateway = useGateway();
beforeAll(async () => {
  await gateway.client.data(gateway.client.post('/sim/phones', { nohp: BUDI }));
});
beforeEach(() => gateway.receiver.reset());

const calm = { drop: false, delay_ms: 0, dup: false, nack463: false };
const faults = (which: object) => gateway.client.post('/sim/faults', which);
const idOf = ({ body }: { body: unknown }) => (body as { data: { id: string } }).data.id;
const statuses = (id: string, holds: (told: (string | undefined)[]) => boolean) =>
  until(() => gateway.receiver.statuses(id), holds);
const infoOf = (instanceID: string) =>
  gateway.client.data<{ status: string; last_error: string | null }>(
    gateway.client.get(`/api/device-info?instanceID=${instanceID}`),
  );

describe('POST /sim/faults', () => {
  it('answers the faults that are on; what is not named stays as it is', async () => {
    const answer = (data: object) => ({ status: 200, body: { success: true, message: 'faults set', data } });
    expect(await faults({ dup: true })).toEqual(answer({ ...calm, dup: true }));
    expect(await faults({ delay_ms: 5 })).toEqual(answer({ ...calm, dup: true, delay_ms: 5 }));
    expect(await faults({ dup: false, delay_ms: 0 })).toEqual(answer(calm));
  });

  it('dup: a message that comes twice is told once', async () => {
    const { client, receiver } = gateway;
    await client.link('dup-1', {}, '628110000011');
    await faults({ dup: true });
    await client.customer(BUDI, 'dup-1', 'dua kali');
    await client.customer(BUDI, 'dup-1', 'sesudahnya');
    await until(
      () => receiver.messages().length,
      (count) => count >= 2,
    );
    await faults({ dup: false });
    expect(receiver.messages().map(({ fields }) => fields.text)).toEqual(['dua kali', 'sesudahnya']);
  });

  it('delay_ms: acknowledgements come later', async () => {
    const { client, database } = gateway;
    await client.link('slow-1', {}, '628110000012');
    await faults({ delay_ms: 600_000 });
    const id = idOf(await client.send('F-SLOW', BUDI, 'pelan', { instanceID: 'slow-1' }));
    await until(
      () => database.query('SELECT 1 FROM sim_message WHERE id = $1', [id]),
      ({ length }) => length === 1,
    );
    await faults({ delay_ms: 0 });
    expect(await statuses(id, ({ length }) => length > 0)).toEqual(['pending']);
    // Ten minutes later
    await database.query('UPDATE sim_message SET delay_ms = 0 WHERE id = $1', [id]);
    await client.data(client.post('/sim/offline', { nohp: BUDI, on: false }));
    expect(await statuses(id, (told) => told.includes('delivered'))).toEqual(['pending', 'sent', 'delivered']);
  });

  it('a thousand messages to a phone that is off keep no other phone waiting', async () => {
    const { client, database } = gateway;
    await client.link('many-1', {}, '628110000016');
    await client.data(client.post('/sim/phones', { nohp: SITI }));
    await client.data(client.post('/sim/offline', { nohp: SITI, on: true }));
    await database.query(
      `INSERT INTO sim_message (instance_id, id, direction, phone, chat, content, level, reported)
       SELECT 'many-1', 'OFF' || n, 'out', $1, $1 || '@s.whatsapp.net', '{"kind":"text","text":"x"}', 1, 1 FROM generate_series(1, 1000) n`,
      [SITI],
    );
    const id = idOf(await client.send('F-BEHIND', BUDI, 'di belakang seribu', { instanceID: 'many-1' }));
    expect(await statuses(id, (told) => told.includes('delivered'))).toEqual(['pending', 'sent', 'delivered']);
  });

  it('drop: what is sent reaches nobody', async () => {
    const { client } = gateway;
    await client.link('lost-1', {}, '628110000013');
    await faults({ drop: true });
    const lost = idOf(await client.send('F-LOST', BUDI, 'hilang', { instanceID: 'lost-1' }));
    await until(
      async () =>
        (
          await gateway.database.query<{ state: string }>(`SELECT send_state AS state FROM message WHERE id = $1`, [
            lost,
          ])
        )[0]?.state,
      (state) => state === 'sent_to_engine',
    );
    await faults({ drop: false });
    const kept = idOf(await client.send('F-KEPT', BUDI, 'sampai', { instanceID: 'lost-1' }));
    await statuses(kept, (told) => told.includes('delivered'));
    expect(await client.shows(BUDI)).not.toContain('hilang');
    expect(gateway.receiver.statuses(lost)).toEqual(['pending']);
  });

  it('replace: the device ends, and does not come back by itself', async () => {
    const { client } = gateway;
    await client.link('gone-1', {}, '628110000014');
    await faults({ replace: 'gone-1' });
    expect(await infoOf('gone-1')).toMatchObject({ status: 'replaced', last_error: '440 replaced' });
    expect(await client.send('F-GONE', BUDI, 'x', { instanceID: 'gone-1' })).toMatchObject({ status: 409 });
  });

  it('ban: the device ends, and what still waits fails', async () => {
    const { client, receiver } = gateway;
    await client.link('ban-1', {}, '628110000015');
    await faults({ delay_ms: 60_000 });
    const id = idOf(await client.send('F-BAN', BUDI, 'terlambat', { instanceID: 'ban-1' }));
    await faults({ delay_ms: 0, ban: 'ban-1' });
    expect(await infoOf('ban-1')).toMatchObject({ status: 'banned', last_error: '403 banned' });
    await statuses(id, ({ length }) => length === 2);
    expect(receiver.taken.filter(({ fields }) => fields.id === id).map(({ fields }) => fields.rawMessage)).toEqual([
      '{"pesan_id":"F-BAN"}',
      '{"pesan_id":"F-BAN","failed":{"code":"BANNED","retryable":false}}',
    ]);
  });
});
