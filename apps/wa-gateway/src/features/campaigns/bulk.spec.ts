import { useGateway, until } from '../../gateway.fixture';

const PHONES = Array.from({ length: 12 }, (_, n) => `62815000000${String(n).padStart(2, '0')}`);
const phone = (n: number): string => PHONES[n] ?? '';
const slow = { delay_min: 300, delay_max: 300 };
const gateway = useGateway();
beforeAll(async () => {
  await gateway.client.link('dev1');
  for (const nohp of PHONES) await gateway.client.data(gateway.client.post('/sim/phones', { nohp, name: 'Pelanggan' }));
});
beforeEach(async () => {
  await gateway.database.query('DELETE FROM campaign_item');
  await gateway.database.query(`UPDATE campaign_lane SET next_at = 'epoch', batch = 0`);
});

const bulk = (pesan: string, n: number, pace: object = slow) =>
  gateway.client.send(pesan, phone(n), `promo ${pesan}`, { bulk: pace });
const shows = (n: number, text: string) =>
  until(
    () => gateway.client.shows(phone(n)),
    (shown) => shown.includes(text),
  );
const raw = (pesan: string, n: number) =>
  fetch(`${gateway.client.url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pesan_id: pesan, role: 'bot', data: { number: phone(n), text: 'promo', bulk: slow } }),
  });

describe('a send with bulk', () => {
  it('is answered like any other, waits for its turn, and is reported like any other', async () => {
    const { client, receiver } = gateway;
    const first = await bulk('A-1', 0);
    const data = {
      pesan_id: 'A-1',
      role: 'agent',
      id: expect.stringMatching(/^3EB0[0-9A-F]{18}$/),
      instanceID: 'dev1',
      number: `${phone(0)}@s.whatsapp.net`,
      status: 'pending',
      timestamp: expect.any(Number),
      delivery: 'engine',
    };
    expect(first).toEqual({ status: 200, body: { success: true, message: 'success send message', data } });
    await shows(0, 'promo A-1');
    await bulk('A-2', 1);
    expect(await client.send('A-3', phone(1), 'jawaban')).toMatchObject({ status: 200 });
    // What an agent answers does not wait for the campaign, not even in the same chat
    await shows(1, 'jawaban');
    expect(await client.shows(phone(1))).toEqual(['jawaban']);
    const { id } = (first.body as { data: { id: string } }).data;
    await until(
      () => receiver.statuses(id),
      (statuses) => statuses.includes('delivered'),
    );
    expect(receiver.statuses(id)).toEqual(['pending', 'sent', 'delivered']);
  });

  it('is admitted five times: the sixth learns when to come back, a repeat gets its first answer', async () => {
    await bulk('B-0', 2);
    await shows(2, 'promo B-0');
    for (let n = 1; n <= 5; n++) expect((await bulk(`B-${n}`, n)).status).toBe(200);
    const secondsToNext = async () => {
      const [lane] = await gateway.database.query<{ seconds: number }>(
        'SELECT extract(epoch FROM next_at - now())::float AS seconds FROM campaign_lane',
      );
      return Math.max(1, Math.ceil(lane?.seconds ?? 0));
    };
    const before = await secondsToNext();
    const answer = await raw('B-6', 6);
    expect(await answer.json()).toEqual({
      success: false,
      message: 'broadcast queue is full',
      error: { code: 'RATE_LIMIT', retryable: true },
    });
    expect(answer.status).toBe(429);
    const named = Number(answer.headers.get('retry-after'));
    expect(named).toBeLessThanOrEqual(before);
    expect(named).toBeGreaterThanOrEqual(await secondsToNext());
    expect(await bulk('B-5', 5)).toMatchObject({ status: 200, body: { data: { pesan_id: 'B-5', duplicate: true } } });
    expect(await gateway.database.query(`SELECT id FROM message WHERE pesan_id = 'B-6'`)).toEqual([]);
  });

  it('may be a location or a file as well, also as a form', async () => {
    const { client } = gateway;
    const place = { number: phone(7), latitude: -6.2, longitude: 106.8, bulk: slow };
    expect(await client.post('/api/send-location', place)).toMatchObject({ status: 200 });
    const form = new FormData();
    form.set('number', phone(8));
    form.set('type', 'document');
    form.set('bulk', JSON.stringify(slow));
    form.set('file', new Blob(['harga']), 'harga.txt');
    expect(await client.get('/api/send-media', { method: 'POST', body: form })).toMatchObject({ status: 200 });
    await until(
      () => gateway.database.query<{ chat: string }>(`SELECT chat FROM campaign_item WHERE state = 'waiting'`),
      (waiting) => waiting.length === 1 && (waiting[0]?.chat ?? '').startsWith(phone(8)),
    );
  });

  it.each<[unknown, string]>([
    [{ delay_min: 601 }, 'bulk.delay_min'],
    [{ delay_min: 9, delay_max: 8 }, 'bulk.delay_max'],
    ['fast', 'bulk'],
    [[], 'bulk'],
  ])('says what is wrong with %j', async (wrong, field) => {
    const { status, body } = await gateway.client.send('W-1', phone(9), 'promo', { bulk: wrong });
    expect([status, (body as { message: string }).message]).toEqual([422, `${field} is not valid`]);
  });

  it('of an account that is logged out fails like every other, and its broadcasts rest', async () => {
    const { client, receiver, database } = gateway;
    await bulk('C-1', 10);
    await shows(10, 'promo C-1');
    await bulk('C-2', 11);
    await client.data(client.post('/api/send-broadcast', { broadcast_id: 'GONE', numbers: [phone(0)], text: 'promo' }));
    receiver.reset();
    await client.data(client.get('/api/logout?instanceID=dev1'));
    const failures = await until(
      // That it was taken may be told late, before the failure
      () => receiver.taken.filter(({ fields }) => /C-2.*failed/.test(fields.rawMessage ?? '')),
      ({ length }) => length > 0,
    );
    expect(failures.map(({ fields }) => fields.rawMessage)).toEqual([
      '{"pesan_id":"C-2","failed":{"code":"LOGGED_OUT","retryable":false}}',
    ]);
    const item = `SELECT i.state FROM campaign_item i JOIN message m ON m.instance_id = i.instance_id AND m.id = i.message_id WHERE m.pesan_id = 'C-2'`;
    expect(await database.query(item)).toEqual([{ state: 'failed' }]);
    expect(await client.data(client.get('/api/broadcast/GONE'))).toMatchObject({
      state: 'paused',
      cause: 'LOGGED_OUT',
    });
  });
});
