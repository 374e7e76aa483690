import { rmSync } from 'node:fs';
import { testDatabase, type TestDatabase } from '@platform/testing';
import { migrations, schema } from './data-source';
import { gatewayEnvironment, until } from './gateway.fixture';
import { GatewayProcess } from './process.fixture';
import { Receiver } from './receiver.fixture';

let database: TestDatabase;
let receiver: Receiver;
let gateway: GatewayProcess;
let settings: Record<string, string>;
beforeAll(async () => {
  database = await testDatabase({ schema, migrations });
  receiver = await new Receiver().start();
  settings = gatewayEnvironment(database.url, receiver.url);
  gateway = await GatewayProcess.create(settings);
  const shop = { instance: 'dev1', device: { nama: 'Toko Nusa WA', nohp: '628110000001' } };
  expect(await gateway.command('seed', JSON.stringify(shop))).toBe(0);
  expect(await gateway.command('seed', JSON.stringify(shop))).toBe(0);
}, 60_000);
afterEach(() => receiver.reset());
afterAll(async () => {
  await gateway.kill('SIGKILL');
  await receiver.stop();
  await database.stop?.();
  rmSync(settings.FILES_DIR ?? '', { recursive: true, force: true });
});

const CHATS = Array.from({ length: 20 }, (_, n) => `6281200000${String(n).padStart(2, '0')}`);
const count = async (sql: string): Promise<number> => {
  const [row] = await database.query<{ count: string }>(sql);
  return Number(row?.count);
};

describe('kill -9', () => {
  it('in the middle of 200 messages over 20 chats loses none, keeps each chat in order and repeats with the same event id', async () => {
    await gateway.start();
    // Slow enough that the process dies with calls under way and rows waiting
    receiver.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { body: { result: true } };
    };
    for (let n = 0; n < 10; n++)
      await Promise.all(CHATS.map((from, chat) => gateway.client.customer(from, 'dev1', `${chat}-${n}`)));
    await until(
      () => receiver.calls.length,
      (calls) => calls >= 40,
    );
    await gateway.kill('SIGKILL');
    expect(receiver.taken.length).toBeLessThan(200);
    await gateway.start();
    await until(
      () => new Set(receiver.taken.map(({ fields }) => fields.id)).size,
      (messages) => messages === 200,
      30_000,
    );
    const eventIds = new Map<string, Set<unknown>>();
    for (const { fields, headers } of receiver.taken)
      eventIds.set(fields.id ?? '', (eventIds.get(fields.id ?? '') ?? new Set()).add(headers['x-gateway-event-id']));
    expect([...eventIds.values()].every((ids) => ids.size === 1)).toBe(true);
    for (const chat of CHATS.keys()) {
      const texts = receiver.taken.map(({ fields }) => fields.text ?? '').filter((text) => text.startsWith(`${chat}-`));
      expect([...new Set(texts)]).toEqual(Array.from({ length: 10 }, (_, n) => `${chat}-${n}`));
    }
  }, 90_000);

  it('before WhatsApp was told that a message arrived delivers it again, and it is told on once', async () => {
    await gateway.start();
    // The store refuses while the network tries to deliver: nothing is acknowledged, nothing is lost
    await database.query('ALTER TABLE message ADD CONSTRAINT closed CHECK (false) NOT VALID');
    for (let n = 0; n < 5; n++) await gateway.client.customer('628129999999', 'dev1', `tertahan ${n}`);
    await gateway.kill('SIGKILL');
    await database.query('ALTER TABLE message DROP CONSTRAINT closed');
    await gateway.start();
    await until(
      () => receiver.messages().length,
      (taken) => taken >= 5,
    );
    expect(receiver.messages().map(({ fields }) => fields.text)).toEqual([0, 1, 2, 3, 4].map((n) => `tertahan ${n}`));
  }, 60_000);

  it('between send and acknowledgement shows the customer each message once, and its statuses arrive', async () => {
    await gateway.start();
    const { client } = gateway;
    await client.data(client.post('/sim/faults', { delay_ms: 600_000 }));
    const sends = await Promise.all(
      CHATS.slice(0, 10).map((nohp, n) => client.data<{ id: string }>(client.send(`K-${n}`, nohp, `jawaban ${n}`))),
    );
    await until(
      () => count(`SELECT count(*) FROM message WHERE send_state = 'sent_to_engine'`),
      (sent) => sent === 10,
    );
    await gateway.kill('SIGKILL');
    await gateway.start();
    // Sent again with the same id; the acknowledgements come now
    await until(
      () => count('SELECT count(*) FROM sim_message WHERE copies = 2'),
      (copies) => copies === 10,
    );
    await database.query('UPDATE sim_message SET delay_ms = 0');
    await client.data(client.post('/sim/faults', { delay_ms: 0 }));
    await client.data(client.post('/sim/offline', { nohp: CHATS[0], on: false }));
    for (const [n, { id }] of sends.entries()) {
      const statuses = await until(
        () => receiver.statuses(id),
        (seen) => seen.includes('delivered'),
      );
      expect([...new Set(statuses)]).toEqual(['pending', 'sent', 'delivered']);
      expect(await client.shows(CHATS[n] ?? '')).toEqual([`jawaban ${n}`]);
    }
  }, 60_000);

  it('is not needed to stop: SIGTERM ends the process with 0, and a restart keeps the device', async () => {
    await gateway.start();
    expect(await gateway.kill('SIGTERM')).toBe(0);
    await gateway.start();
    const info = await gateway.client.data<{ status: string }>(gateway.client.get('/api/device-info?instanceID=dev1'));
    expect(info.status).toBe('connected');
    expect(await gateway.kill('SIGTERM')).toBe(0);
  }, 60_000);
});
