import { webcrypto } from 'node:crypto';
import { useGateway, timePasses, until } from '../../gateway.fixture';
import { accepted, type Answer, type ReceivedCallback } from '../../receiver.fixture';

const SECRET = 'a-secret-of-the-device-itself';
const PEOPLE = Array.from({ length: 5 }, (_, n) => `62812000000${n}`);
const gateway = useGateway();
beforeAll(async () => {
  await gateway.client.link('dev1', { secret: SECRET });
});
beforeEach(() => gateway.receiver.reset());

const delivered = (count: number) =>
  until(
    () => gateway.receiver.messages().length,
    (taken) => taken >= count,
  );

/** The receiver's side after the words of design 3.5, on the platform's Web Crypto instead of our signer's code. */
const isGenuine = async (
  secret: string,
  { headers, raw }: Pick<ReceivedCallback, 'headers' | 'raw'>,
  now = Date.now(),
): Promise<boolean> => {
  const timestamp = String(headers['x-gateway-timestamp']);
  const given = Buffer.from(String(headers['x-gateway-signature']).replace('sha256=', ''), 'hex');
  const signed = Buffer.concat([Buffer.from(`${timestamp}.${String(headers['x-gateway-event-id'])}.`), raw]);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await webcrypto.subtle.importKey('raw', Buffer.from(secret), hmac, false, ['verify']);
  const isOld = Math.abs(now - Number(timestamp)) > 10 * 60_000;
  return !isOld && webcrypto.subtle.verify('HMAC', key, given, signed);
};

describe('a customer’s message', () => {
  it('reaches the receiver with the fields of the contract in their order, all of them texts', async () => {
    const { client, receiver } = gateway;
    await client.data(client.post('/sim/phones', { nohp: '08123456789', name: 'Budi' }));
    const { id, number } = await client.customer('+62 812-3456-789', 'dev1', 'ada stok? 👟\nukuran 42');
    await delivered(1);
    expect(number).toBe('628123456789@s.whatsapp.net');
    expect(receiver.calls[0]?.parts).toEqual([
      ['instanceID', 'dev1'],
      ['result', 'true'],
      ['report', 'false'],
      ['text', 'ada stok? 👟\nukuran 42'],
      ['number', '628123456789@s.whatsapp.net'],
      ['fromMe', 'false'],
      ['id', id],
      ['name', 'Budi'],
      ['timestamp', expect.stringMatching(/^\d{10}$/)],
      ['type', 'chat'],
      ['rawMessage', expect.any(String)],
    ]);
    expect(JSON.parse(receiver.calls[0]?.fields.rawMessage ?? '')).toEqual({
      key: { remoteJid: number, fromMe: false, id },
      pushName: 'Budi',
    });
  });

  it('is signed over the raw bytes with the secret of the device', async () => {
    const { client, receiver } = gateway;
    await client.customer('628123456789', 'dev1', 'halo');
    await delivered(1);
    const [callback] = receiver.calls as [ReceivedCallback];
    expect(callback.headers).toMatchObject({
      'x-gateway-event-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      'x-gateway-attempt': '1',
      'x-gateway-timestamp': expect.stringMatching(/^\d{13}$/),
      'x-gateway-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'content-length': String(callback.raw.length),
    });
    const { headers, raw } = callback;
    const changed = Buffer.from(raw);
    changed.writeUInt8(raw.readUInt8(50) ^ 1, 50);
    const later = Date.now() + 10 * 60_000 + 60_000;
    expect([
      await isGenuine(SECRET, { headers, raw }),
      await isGenuine(SECRET, { headers, raw: changed }),
      await isGenuine(`${SECRET}x`, { headers, raw }),
      await isGenuine(SECRET, { headers: { ...headers, 'x-gateway-timestamp': String(Date.now() + 1) }, raw }),
      await isGenuine(SECRET, { headers: { ...headers, 'x-gateway-event-id': 'another' }, raw }),
      await isGenuine(SECRET, { headers, raw }, later),
    ]).toEqual([true, false, false, false, false, false]);
  });

  it('may be a place, and may come from a group', async () => {
    const { client, receiver } = gateway;
    const location = { latitude: -6.2, longitude: 106.8, name: 'Kantor', address: 'Jl. Sudirman 1' };
    await client.data(
      client.post('/sim/messages', { from: '628123456789', to: 'dev1', location, group: '120363000000000001' }),
    );
    await delivered(1);
    expect(receiver.calls[0]?.fields).toEqual({
      instanceID: 'dev1',
      result: 'true',
      report: 'false',
      number: '120363000000000001@g.us',
      fromMe: 'false',
      id: expect.any(String),
      name: 'Budi',
      timestamp: expect.any(String),
      type: 'chat',
      latitude: '-6.2',
      longitude: '106.8',
      locationName: 'Kantor',
      locationAddress: 'Jl. Sudirman 1',
      participantname: 'Budi',
      rawMessage: expect.any(String),
    });
  });

  it('that WhatsApp delivers twice is called back once', async () => {
    const { client, receiver } = gateway;
    await client.data(client.post('/sim/faults', { dup: true }));
    await client.customer('628123456789', 'dev1', 'dua kali');
    await client.data(client.post('/sim/faults', { dup: false }));
    await client.customer('628123456789', 'dev1', 'sekali');
    await delivered(2);
    expect(receiver.messages().map(({ fields }) => fields.text)).toEqual(['dua kali', 'sekali']);
  });

  it('written to the number of the device arrives there too', async () => {
    await gateway.client.customer('628123456789', '628110000001', 'lewat nomor');
    await delivered(1);
    expect(gateway.receiver.messages()[0]?.fields.instanceID).toBe('dev1');
  });
});

describe('the order of callbacks', () => {
  it('holds within every chat, and a refused chat delays no other', async () => {
    const { client, receiver } = gateway;
    let blocked = true;
    receiver.answer = ({ fields }) => (blocked && fields.text === '0-0' ? { status: 500 } : accepted);
    for (let n = 0; n < 10; n++)
      await Promise.all(PEOPLE.map((person, index) => client.customer(person, 'dev1', `${index}-${n}`)));
    await delivered(40);
    const texts = () => receiver.messages().map(({ fields }) => fields.text ?? '');
    expect(texts().filter((text) => text.startsWith('0-'))).toEqual([]);
    blocked = false;
    await delivered(50);
    for (const index of PEOPLE.keys())
      expect(texts().filter((text) => text.startsWith(`${index}-`))).toEqual(
        Array.from({ length: 10 }, (_, n) => `${index}-${n}`),
      );
  });
});

describe('a receiver that answers 503 for a while', () => {
  it('gets everything afterwards, once and in order', async () => {
    const { client, receiver, database } = gateway;
    receiver.answer = () => ({ status: 503 });
    for (let n = 0; n < 8; n++)
      await Promise.all(PEOPLE.map((person, index) => client.customer(person, 'dev1', `${index}-${n}`)));
    await until(
      () => receiver.calls.length,
      (calls) => calls >= 10,
    );
    receiver.answer = () => accepted;
    await timePasses(database);
    await delivered(40);
    const texts = receiver.messages().map(({ fields }) => fields.text ?? '');
    expect(texts).toHaveLength(40);
    for (const index of PEOPLE.keys())
      expect(texts.filter((text) => text.startsWith(`${index}-`))).toEqual(
        Array.from({ length: 8 }, (_, n) => `${index}-${n}`),
      );
  });
});

describe('a receiver that takes longer than a lease lasts', () => {
  const patient = useGateway({ WEBHOOK_LEASE: '3s' });
  const leaseUntil = async (): Promise<number> => {
    const sql = 'SELECT next_at FROM outbox_lane WHERE fence IS NOT NULL';
    const [lane] = await patient.database.query<{ next_at: Date }>(sql);
    return lane?.next_at.getTime() ?? 0;
  };

  it('gets its callback once: the lane stays with the process that waits for the answer', async () => {
    const { client, receiver } = patient;
    let answer: (answer: Answer) => void = () => undefined;
    receiver.answer = () => new Promise((resolve) => (answer = resolve));
    await client.link('dev1');
    await client.customer(PEOPLE[0] ?? '', 'dev1', 'halo');
    await until(() => receiver.calls.length, Boolean);
    const claimed = await leaseUntil();
    await until(leaseUntil, (renewed) => renewed > claimed);
    answer(accepted);
    await until(
      () => patient.database.query(`SELECT 1 FROM outbox_row WHERE state = 'queued'`),
      ({ length }) => length === 0,
    );
    expect(receiver.calls.map(({ fields }) => fields.text)).toEqual(['halo']);
  });
});
