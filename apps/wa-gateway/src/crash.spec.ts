import { until } from './gateway.fixture';
import { customersWrite } from './held-messages.fixture';
import { useGatewayProcess } from './process.fixture';
import { accepted } from './receiver.fixture';

const { database, receiver, gateway } = useGatewayProcess();
beforeAll(async () => {
  const shop = { instance: 'dev1', device: { nama: 'Toko Nusa WA', nohp: '628110000001' } };
  expect(await gateway.command('seed', JSON.stringify(shop))).toBe(0);
  expect(await gateway.command('seed', JSON.stringify(shop))).toBe(0);
});
/** What is on its way arrives before the next test begins: a call that a kill cut off is repeated. */
const calm = () =>
  until(
    () => database.query(`SELECT 1 FROM outbox_row WHERE state IN ('queued', 'blocked')`),
    ({ length }) => length === 0,
  );
afterEach(async () => {
  receiver.answer = () => accepted;
  await gateway.start();
  await calm();
  receiver.reset();
});

const CHATS = Array.from({ length: 20 }, (_, n) => `6281200000${String(n).padStart(2, '0')}`);
const count = async (sql: string): Promise<number> => {
  const [row] = await database.query<{ count: string }>(sql);
  return Number(row?.count);
};

/** The whole of it is a run of its own: `npm run chaos -- --messages=1000 --kills=20`. */
const EACH = 15;
const KILLS = 4;

/** Messages by their chat and number; repetitions behind the first arrival. */
const inChat = (chat: number): string[] => [
  ...new Set(receiver.taken.map(({ fields }) => fields.text ?? '').filter((text) => text.startsWith(`${chat}-`))),
];
const distinct = (): number => new Set(receiver.taken.map(({ fields }) => fields.id)).size;

/** Texts in the order in which they came first. */
const firstArrivals = (): (string | undefined)[] => [...new Set(receiver.messages().map(({ fields }) => fields.text))];

/** Every message has one event id, however often it came. */
const expectOneEventEach = (): void => {
  const eventIds = new Map<string, Set<unknown>>();
  for (const { fields, headers } of receiver.calls)
    eventIds.set(fields.id ?? '', (eventIds.get(fields.id ?? '') ?? new Set()).add(headers['x-gateway-event-id']));
  expect([...eventIds.values()].filter((ids) => ids.size !== 1)).toEqual([]);
};

describe('kill -9', () => {
  it('at random points of 300 messages over 20 chats loses none, keeps each chat in order and repeats with the same event id', async () => {
    await gateway.start();
    // Slow enough that the process dies with calls under way and rows waiting
    receiver.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return { body: { result: true } };
    };
    for (let n = 0; n < EACH; n++)
      await Promise.all(CHATS.map((from, chat) => gateway.client.customer(from, 'dev1', `${chat}-${n}`)));
    const all = CHATS.length * EACH;
    for (let kill = 0; kill < KILLS; kill++) {
      const point = distinct() + Math.floor((Math.random() * (all - distinct())) / (KILLS - kill));
      await until(distinct, (messages) => messages >= point);
      await gateway.kill('SIGKILL');
      await gateway.start();
    }
    await until(distinct, (messages) => messages === all);
    for (const chat of CHATS.keys())
      expect(inChat(chat)).toEqual(Array.from({ length: EACH }, (_, n) => `${chat}-${n}`));
    expectOneEventEach();
  });

  it('lets nothing get lost that customers write while nobody is there: it arrives once, in order', async () => {
    await gateway.start();
    await Promise.all(CHATS.slice(0, 5).map((from, chat) => gateway.client.customer(from, 'dev1', `jauh-${chat}`)));
    await until(distinct, (messages) => messages === 5);
    await calm();
    await gateway.kill('SIGKILL');
    receiver.reset();
    for (const chat of [0, 1, 2, 3, 4]) expect(await customersWrite(database, `jauh-${chat}`, 10)).toHaveLength(10);
    await gateway.start();
    await until(
      () => receiver.messages().length,
      (messages) => messages >= 50,
    );
    const texts = receiver.messages().map(({ fields }) => fields.text ?? '');
    expect(texts).toHaveLength(50);
    for (const chat of [0, 1, 2, 3, 4])
      expect(texts.filter((text) => text.startsWith(`jauh-${chat} `))).toEqual(
        Array.from({ length: 10 }, (_, n) => `jauh-${chat} ${n + 1}`),
      );
  });

  it('after a message was stored and before WhatsApp was told so tells it on once', async () => {
    await gateway.start();
    // The network does not hear that the device has it: the process dies in between
    await database.query(`
      CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';
      CREATE TRIGGER stall BEFORE UPDATE OF level ON sim_message FOR EACH ROW WHEN (NEW.direction = 'in') EXECUTE FUNCTION stall()`);
    await gateway.client.customer('628129999998', 'dev1', 'sudah disimpan');
    await until(
      () => receiver.messages().length,
      (messages) => messages === 1,
    );
    await gateway.kill('SIGKILL');
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
    );
    await database.query('DROP TRIGGER stall ON sim_message; DROP FUNCTION stall()');
    await gateway.start();
    await until(
      () => count(`SELECT count(*) FROM sim_message WHERE direction = 'in' AND level = 0`),
      (held) => held === 0,
    );
    await gateway.client.customer('628129999998', 'dev1', 'sesudahnya');
    await until(firstArrivals, ({ length }) => length === 2);
    expect(firstArrivals()).toEqual(['sudah disimpan', 'sesudahnya']);
    expectOneEventEach();
  });

  it('before WhatsApp was told that a message arrived delivers it again, and it is told on once', async () => {
    await gateway.start();
    // The store refuses while the network tries to deliver: nothing is acknowledged, nothing is lost
    await database.query('ALTER TABLE message ADD CONSTRAINT closed CHECK (false) NOT VALID');
    for (let n = 0; n < 5; n++) await gateway.client.customer('628129999999', 'dev1', `tertahan ${n}`);
    await gateway.kill('SIGKILL');
    await database.query('ALTER TABLE message DROP CONSTRAINT closed');
    await gateway.start();
    await until(firstArrivals, ({ length }) => length === 5);
    expect(firstArrivals()).toEqual([0, 1, 2, 3, 4].map((n) => `tertahan ${n}`));
  });

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
  });

  it('is not needed to stop: SIGTERM ends the process with 0, and a restart keeps the device', async () => {
    await gateway.start();
    expect(await gateway.kill('SIGTERM')).toBe(0);
    await gateway.start();
    const info = await gateway.client.data<{ status: string }>(gateway.client.get('/api/device-info?instanceID=dev1'));
    expect(info.status).toBe('connected');
    expect(await gateway.kill('SIGTERM')).toBe(0);
  });
});
