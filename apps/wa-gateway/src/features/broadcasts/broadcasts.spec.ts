import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io } from 'socket.io-client';
import { systemClock } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { documented, invalid, useGateway, until } from '../../gateway.fixture';

const PHONES = ['628120000001', '628120000002', '628120000003', '628120000004'];
const [BUDI = '', SARI = '', TONO = '', RINA = ''] = PHONES;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let fetched = 0;
const shop = useRunning(async () => {
  const server = createServer((_, response) => {
    fetched += 1;
    response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
});
const gateway = useGateway(() => ({ MEDIA_URL_ALLOW: `127.0.0.1:${(shop.address() as AddressInfo).port}` }));
beforeAll(async () => {
  await gateway.client.link('dev1');
  for (const nohp of PHONES) await gateway.client.data(gateway.client.post('/sim/phones', { nohp, name: 'Pelanggan' }));
});

interface Answer {
  broadcast_id: string;
  estimated_finish: string;
}
const send = (body: object) => gateway.client.post('/api/send-broadcast', body);
const act = (id: string, action: string) => gateway.client.post(`/api/broadcast/${id}`, { action });
const progress = (id: string) => gateway.client.data<{ state: string }>(gateway.client.get(`/api/broadcast/${id}`));
const done = (id: string) =>
  until(
    () => progress(id),
    ({ state }) => state === 'done',
  );
/** Pauses are whole seconds on the wire, too long for a test. */
const hurry = (id: string) =>
  gateway.database.query(
    `UPDATE broadcast SET pace = '{"delayMin":0,"delayMax":0,"batchSize":99,"batchPause":0}', start_at = now() WHERE broadcast_id = $1`,
    [id],
  );
const rested = () => gateway.database.query(`UPDATE campaign_lane SET next_at = 'epoch'`);
/** Held back until `go`. */
const scheduled = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
const go = async (id: string): Promise<void> => {
  await hurry(id);
  await rested();
  await act(id, 'pause');
  await act(id, 'resume');
};

describe('POST /api/send-broadcast', () => {
  it('waits for its time also in a process whose clock is two hours ahead of the database', async () => {
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() + 7_200_000));
    await send({ ...scheduled, broadcast_id: 'AHEAD', numbers: [BUDI], text: 'Nanti' });
    const told = await progress('AHEAD');
    jest.restoreAllMocks();
    expect(told).toMatchObject({ state: 'scheduled', sent: 0 });
    await act('AHEAD', 'cancel');
  });

  it('sends everybody their own text, and names who was rejected and why', async () => {
    const recipients = [
      { number: '08120000001', data: { nama: 'Budi', kode: 7 } },
      { number: '+62 812-0000-002', data: { nama: 'Sari', kode: 'B' } },
      { number: BUDI, data: { nama: 'Budi lagi', kode: 8 } },
      { number: TONO, data: { nama: 'Tono' } },
      { number: 'Rina', data: { nama: 'Rina', kode: 9 } },
      { number: '120363000000000001', data: { nama: 'Grup', kode: 9 } },
      { number: '628129999999', data: { nama: 'Hantu', kode: 9 } },
    ];
    const answer = await send({
      ...scheduled,
      broadcast_id: 'PROMO-1',
      recipients,
      text: 'Halo {{nama}}, kode {{ kode }}',
    });
    expect(answer).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'broadcast queued',
        data: {
          broadcast_id: 'PROMO-1',
          total: 7,
          queued: 3,
          rejected: [
            { number: BUDI, message: 'number is repeated' },
            { number: TONO, message: 'kode is required' },
            { number: 'Rina', message: 'number format not valid' },
            { number: '120363000000000001', message: 'number format not valid' },
          ],
          estimated_finish: expect.any(String),
        },
      },
    });
    const counts = { total: 7, sent: 0, failed: 0, skipped: 4 };
    expect(await progress('PROMO-1')).toEqual({ ...counts, state: 'scheduled', next_at: scheduled.scheduled_at });
    await go('PROMO-1');
    expect(await done('PROMO-1')).toEqual({ total: 7, sent: 2, failed: 0, skipped: 5, state: 'done', next_at: null });
    await until(
      async () => [await gateway.client.shows(BUDI), await gateway.client.shows(SARI)],
      (shown) => shown.flat().length === 2,
    );
    expect(await gateway.client.shows(BUDI)).toEqual(['Halo Budi, kode 7']);
    expect(await gateway.client.shows(SARI)).toEqual(['Halo Sari, kode B']);
  });

  it('answers a repeated broadcast_id with the first data, and sends nothing again', async () => {
    const first = await gateway.client.data<Answer>(send({ broadcast_id: 'SAME', numbers: [TONO], text: 'satu kali' }));
    const again = await Promise.all(
      Array.from({ length: 5 }, () =>
        gateway.client.data(send({ broadcast_id: 'SAME', numbers: [RINA], text: 'lain' })),
      ),
    );
    expect(again).toEqual(again.map(() => ({ ...first, duplicate: true })));
    await rested();
    await done('SAME');
    await until(
      () => gateway.client.shows(TONO),
      (shown) => shown.includes('satu kali'),
    );
    expect((await gateway.client.shows(TONO)).filter((text) => text === 'satu kali')).toHaveLength(1);
    expect(await gateway.client.shows(RINA)).toEqual([]);
  });

  it('fetches a file once for all recipients, with a caption for each', async () => {
    const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/promo.png`;
    const recipients = [TONO, RINA].map((number, n) => ({ number, data: { n } }));
    const body = { ...scheduled, broadcast_id: 'MEDIA', recipients, type: 'image', url, text: 'Promo {{n}}' };
    await gateway.client.data(send(body));
    await go('MEDIA');
    await done('MEDIA');
    const sql = `SELECT payload->'content' AS content FROM message WHERE role = 'broadcast' AND type = 'image' ORDER BY seq`;
    const rows = await gateway.database.query<{ content: { caption: string; media: { key: string } } }>(sql);
    expect(rows.map(({ content }) => content.caption)).toEqual(['Promo 0', 'Promo 1']);
    expect(new Set(rows.map(({ content }) => content.media.key)).size).toBe(1);
    expect(fetched).toBe(1);
  });

  it('estimates its end from pauses, batches and what is ahead of it', async () => {
    const numbers = Array.from({ length: 100 }, (_, n) => `6281300${String(n).padStart(5, '0')}`);
    const pace = { delay_min: 4, delay_max: 6, batch_size: 10, batch_pause: 55 };
    const begun = new Date(scheduled.scheduled_at).getTime();
    const ids = ['END-1', 'END-2'];
    const ends = [];
    for (const broadcast_id of ids) {
      const { estimated_finish: end } = await gateway.client.data<Answer>(
        send({ ...scheduled, ...pace, broadcast_id, numbers, text: 'Halo' }),
      );
      ends.push(new Date(end).getTime() - begun);
    }
    // A hundred of 5 s, every tenth followed by 55 s: 10 s each on average, the last one without a pause behind it
    expect(ends).toEqual([990_000, 1_990_000]);
    for (const id of ids) await act(id, 'cancel');
  });

  const numbers = ['08123456789'];
  it.each<[object, string, string]>([
    [{ numbers: [], text: 'a' }, 'numbers', 'min'],
    [{ numbers: Array.from({ length: 10_001 }, () => '1'), text: 'a' }, 'numbers', 'max'],
    [{ numbers, recipients: [{ number: '08123456789' }], text: 'a' }, 'recipients', 'format'],
    [{ recipients: [{ data: {} }], text: 'a' }, 'recipients[0].number', 'required'],
    [{ numbers, type: 'image' }, 'url', 'required'],
    [{ numbers, url: 'http://127.0.0.1/a.png' }, 'type', 'required'],
    [{ numbers, type: 'image', url: 'http://127.0.0.1/a', text: 'a'.repeat(1_025) }, 'text', 'format'],
    [{ numbers, text: 'a', delay_min: 0 }, 'delay_min', 'min'],
    [{ numbers, text: 'a', delay_max: 601 }, 'delay_max', 'max'],
    [{ numbers, text: 'a', daily_limit: 3_000_000_000 }, 'daily_limit', 'max'],
    [{ numbers, text: 'a', scheduled_at: '2026-11-21' }, 'scheduled_at', 'format'],
    [
      { numbers, text: 'a', scheduled_at: new Date(Date.now() + 31 * 86_400_000).toISOString() },
      'scheduled_at',
      'format',
    ],
    [{ numbers, text: 'a', broadcast_id: '../a' }, 'broadcast_id', 'format'],
  ])('refuses an impossible request: %#', async (body, field, tag) => {
    expect(await send(body)).toEqual(invalid(field, tag));
  });
});

describe('POST /api/broadcast/{id}', () => {
  it('pauses, resumes and cancels', async () => {
    await send({ ...scheduled, broadcast_id: 'ACT', numbers: [BUDI, SARI], text: 'jeda' });
    const counts = { total: 2, sent: 0, failed: 0, skipped: 0 };
    expect(await act('ACT', 'pause')).toEqual({
      status: 200,
      body: { success: true, message: 'success pause broadcast', data: { ...counts, state: 'paused', next_at: null } },
    });
    expect(await act('ACT', 'resume')).toMatchObject({ body: { data: { ...counts, state: 'scheduled' } } });
    const cancelled = { ...counts, state: 'cancelled', next_at: null };
    expect(await act('ACT', 'cancel')).toMatchObject({
      body: { message: 'success cancel broadcast', data: cancelled },
    });
    expect(await act('ACT', 'resume')).toMatchObject({ body: { data: cancelled } });
  });
});

describe('opt-out words of a customer', () => {
  const optedOut = () => gateway.database.query('SELECT number FROM opt_out ORDER BY number');
  const written = (words: number) =>
    until(
      () => gateway.receiver.messages().length,
      (count) => count === words,
    );

  it('STOP, BERHENTI and UNSUBSCRIBE keep campaigns away, START brings them back, and all are told on', async () => {
    const { client, receiver } = gateway;
    receiver.reset();
    await client.customer(BUDI, 'dev1', ' stop ');
    await client.customer(SARI, 'dev1', 'Berhenti');
    await client.customer(TONO, 'dev1', 'UNSUBSCRIBE');
    await client.customer(RINA, 'dev1', 'jangan stop dulu');
    await written(4);
    expect(await optedOut()).toEqual([BUDI, SARI, TONO].map((nohp) => ({ number: `${nohp}@s.whatsapp.net` })));
    expect(await client.send('OUT-1', BUDI, 'promo', { bulk: {} })).toEqual(
      invalid('number', 'opted_out', 'number opted out'),
    );
    await send({ ...scheduled, broadcast_id: 'OUT', numbers: [BUDI, SARI, TONO, RINA], text: 'promo' });
    await go('OUT');
    expect(await done('OUT')).toMatchObject({ total: 4, sent: 1, skipped: 3 });
    expect((await client.send('OUT-2', BUDI, 'pesanan Kakak siap')).status).toBe(200);
    for (const nohp of [BUDI, SARI, TONO]) await client.customer(nohp, 'dev1', 'start');
    await written(7);
    expect(await optedOut()).toEqual([]);
  });
});

describe('error 463 of a campaign message', () => {
  it('pauses the lane and restricts the device: one failure, status stays pending, and interactive sends go on', async () => {
    const { client, receiver } = gateway;
    receiver.reset();
    const socket = documented(io(client.url));
    const events: Record<string, unknown>[] = [];
    socket.on('broadcastProgress', (event: Record<string, unknown>) => events.push(event));
    socket.on('messageFailed', (event: Record<string, unknown>) => events.push(event));
    await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
    await send({ ...scheduled, broadcast_id: 'LOCK', numbers: [BUDI, SARI, TONO], text: 'promo' });
    await client.data(client.post('/sim/faults', { nack463: true }));
    // Before it is its time: whoever resumed it again after the error would have it go on
    await act('LOCK', 'resume');
    await act('LOCK', 'pause');
    await gateway.database.query(
      `UPDATE broadcast SET pace = '{"delayMin":60,"delayMax":60,"batchSize":99,"batchPause":0}', start_at = now() WHERE broadcast_id = 'LOCK'`,
    );
    await rested();
    await act('LOCK', 'resume');
    const paused = await until(
      () => progress('LOCK'),
      ({ state, ...rest }) => state === 'paused' && (rest as { failed?: number }).failed === 1,
    );
    expect(paused).toEqual({
      total: 3,
      sent: 0,
      failed: 1,
      skipped: 0,
      state: 'paused',
      cause: 'WA_463',
      next_at: null,
    });
    await client.data(client.post('/sim/faults', { nack463: false }));
    const info = await client.data<{ restricted_until: string; status: string }>(
      client.get('/api/device-info?instanceID=dev1'),
    );
    expect(info.status).toBe('connected');
    const hours = (new Date(info.restricted_until).getTime() - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    const failures = await until(
      () => receiver.taken.filter(({ fields }) => fields.rawMessage?.includes('WA_463')),
      ({ length }) => length > 0,
    );
    expect(failures.map(({ fields }) => [fields.status, fields.rawMessage])).toEqual([
      ['pending', '{"failed":{"code":"WA_463","retryable":false}}'],
    ]);
    const told = await until(
      () => events.filter(({ cause, code }) => cause === 'WA_463' || code === 'WA_463'),
      ({ length }) => length === 2,
    );
    const id = failures[0]?.fields.id;
    expect(told).toEqual([
      {
        instanceID: 'dev1',
        broadcast_id: 'LOCK',
        total: 3,
        sent: 1,
        failed: 0,
        skipped: 0,
        state: 'paused',
        cause: 'WA_463',
        next_at: null,
      },
      { instanceID: 'dev1', number: `${BUDI}@s.whatsapp.net`, id, pesan_id: null, code: 'WA_463', retryable: false },
    ]);
    expect((await client.send('LOCK-2', BUDI, 'tetap dibalas')).status).toBe(200);
    await until(
      () => client.shows(BUDI),
      (shown) => shown.includes('tetap dibalas'),
    );
    socket.close();
  });
});
