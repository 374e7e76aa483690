// chat-backend itself, as a process beside this service: one with its own database alone, one with a CRM source too.
import {
  caller,
  freePort,
  runProgramCommand,
  startProgram,
  testDatabase,
  until,
  useRunning,
  type RunningProgram,
  type TestDatabase,
} from '@platform/testing';
import { askOf } from '../../../asked.fixture';
import { newMember, newStore, startCommerce } from '../../../commerce.fixture';
import type { Contact } from '../../contacts/people/public';

const main = 'apps/chat-backend/src/main.ts';

const startWorld = async (sources: number) => {
  const port = await freePort();
  const commerce = await startCommerce({ CHAT_URL: `http://127.0.0.1:${port}` }, new Date().toISOString());
  const empty = { schema: 'chat_backend', migrations: [] };
  const databases = await Promise.all(Array.from({ length: sources }, () => testDatabase(empty)));
  const env = {
    ...{ APP_ENV: 'test', HOST: '127.0.0.1', PORT: String(port), DEVICE_POLL_S: '0', MEDIA_SECRET: 'm' },
    ...{ DATABASE_URL: databases[0]?.url ?? '', COMMERCE_URL: commerce.url, STORE_AUTH_URL: commerce.storeAuth.url },
    ...{ SERVICE_CLIENT_ID: 'chat-backend', SERVICE_CLIENT_SECRET: commerce.storeAuth.client.secret },
    ...{ WA_GATEWAY_URL: 'http://127.0.0.1:9', ...(databases[1] ? { CRM_DATABASE_URL: databases[1].url } : {}) },
  };
  const migrated = await runProgramCommand({ main, args: ['migrate'], env });
  if (migrated.code !== 0) throw new Error(migrated.output);
  let chat: RunningProgram = await startProgram({ main, env });
  return {
    commerce,
    databases,
    env,
    kill: () => chat.stop('SIGKILL'),
    restart: async () => void (chat = await startProgram({ main, env })),
    stop: async () => {
      await chat.stop();
      await commerce.stop();
      await Promise.all(databases.map((database) => database.stop?.()));
    },
  };
};

let messages = 0;
const CONTACTS = `SELECT nohp, nama, contact_id, tags, total_order FROM customers WHERE store_id = $1 ORDER BY nohp`;

describe.each([
  ['alone', 1],
  ['with a CRM source', 2],
])('chat-backend %s', (_, sources) => {
  const world = useRunning(() => startWorld(sources));
  /** Jobs whose attempt failed are due now, not in some seconds, however often that was asked. */
  const hurry = (): Promise<unknown> =>
    world.commerce.database.query(
      'UPDATE commerce_api_jobs._private_jobs SET run_at = now(), attempts = 0 WHERE attempts > 0 AND locked_at IS NULL',
    );
  /** What every source answers, when they answer this. */
  const everywhere = async (statement: string, storeId: string, expected: unknown): Promise<void> => {
    const of = (database: TestDatabase) => database.query(statement, [storeId]);
    const found = await until(
      async () => (await hurry(), Promise.all(world.databases.map(of))),
      (answers) => JSON.stringify(answers) === JSON.stringify(answers.map(() => expected)),
    );
    expect(found).toEqual(found.map(() => expected));
  };
  /** A store with a device, both of which chat-backend knows; `suffix` of the routes of its last source. */
  const shop = async () => {
    const storeId = await newStore(world.commerce, [{ sku: 'HAT', price: 10_000, stock: 9 }]);
    const ask = askOf(world.commerce)(storeId);
    const instance = `dev-${storeId}`;
    for (const database of world.databases) {
      await database.query(`INSERT INTO teams (store_id, id, nama) VALUES ($1, '3', 'CS')`, [storeId]);
      await database.query(
        `INSERT INTO devices (store_id, instance, nama, default_team_id) VALUES ($1, $2, 'WA', '3')`,
        [storeId, instance],
      );
      await database.query('INSERT INTO device_route (instance, store_id) VALUES ($2, $1)', [storeId, instance]);
    }
    await ask('PUT', '/store', { name: 'Toko Baru' });
    await everywhere('SELECT nama FROM stores WHERE store_id = $1', storeId, [{ nama: 'Toko Baru' }]);
    const suffix = sources === 1 ? '' : '_crm';
    const writes = async (nohp: string, name: string): Promise<void> => {
      const data = new FormData();
      const fields = { instanceID: instance, result: 'true', report: 'false', type: 'chat', text: 'halo', name };
      const unique = { number: `${nohp}@s.whatsapp.net`, id: `WA${(messages += 1)}`, timestamp: '1795157100' };
      for (const [field, value] of Object.entries({ ...fields, ...unique })) data.append(field, value);
      const url = `http://127.0.0.1:${world.env.PORT}`;
      const { status, body } = await caller(url)(`/v1/callback_message${suffix}`, { body: data });
      expect({ status, body }).toMatchObject({ status: 200, body: { result: true } });
    };
    const inbox = async (): Promise<object[]> => {
      const path = `/v1/chat_list${suffix || '_admin'}`;
      const answer = await caller(`http://127.0.0.1:${world.env.PORT}`)(path, {
        body: { nohp: '-', instance, team: '3' },
      });
      expect(answer).toMatchObject({ status: 200, body: { result: true } });
      const { data } = answer.body as { data: { nohp: string; nama: string | null }[] };
      return data.map(({ nohp, nama }) => ({ nohp, nama }));
    };
    return { storeId, ask, writes, inbox };
  };
  type Shop = Awaited<ReturnType<typeof shop>>;
  const contacts = async ({ ask }: Shop) => (await ask<Contact[]>('GET', '/contact?sort=name')).body.data;
  const customer = ({ id, name, phone, tags, orders_count }: Contact, nohp = phone) => ({
    ...{ nohp, nama: name, contact_id: id, tags: tags.map((tag) => tag.name), total_order: orders_count },
  });

  it('makes one contact of a number that writes for the first time, however often it writes at once', async () => {
    const own = await shop();
    await Promise.all(Array.from({ length: 20 }, () => own.writes('6281234567890', 'Budi')));
    const [budi] = await until(
      () => contacts(own),
      ({ length }) => length > 0,
    );
    expect(budi).toMatchObject({ name: 'Budi', phone: '6281234567890', source: 'chat', opted_out: false });
    await own.writes('6281234567890', 'Budi');
    expect(await contacts(own)).toHaveLength(1);
  });

  it('follows what is renamed, ordered, merged and deleted here, and the name of the shop', async () => {
    const own = await shop();
    const add = async (phone: string, more: object = {}) =>
      (await own.ask<Contact>('POST', '/contact', { name: 'Ani', phone, ...more })).body.data;
    const [keep, other] = [await add('62811000001', { tags: ['VIP'] }), await add('62811000002')];
    await everywhere(CONTACTS, own.storeId, [customer(keep), customer(other)]);
    await own.ask('PUT', `/contact/${keep.id}`, { name: 'Ani Nusa' });
    const [{ id: variant_id } = { id: '' }] = await world.commerce.database.query<{ id: string }>(
      'SELECT id FROM variant WHERE store_id = $1',
      [own.storeId],
    );
    const order = { contact_id: other.id, payment_method: 'cash', items: [{ variant_id, qty: 2 }] };
    const { number } = (await own.ask<{ number: string }>('POST', '/order', order)).body.data;
    const renamed = { ...keep, name: 'Ani Nusa' };
    await everywhere(CONTACTS, own.storeId, [customer(renamed), customer({ ...other, orders_count: 1 })]);
    const orders = `SELECT nohp, order_number, status, total::int, items->0->'qty' AS qty FROM chat_orders WHERE store_id = $1`;
    const shown = { nohp: '62811000002', order_number: number, status: 'open', total: 20_000, qty: 2 };
    await everywhere(orders, own.storeId, [shown]);
    await own.ask('POST', '/contact/merge', { keep_id: keep.id, merge_ids: [other.id] });
    const merged = { ...renamed, orders_count: 1 };
    await everywhere(CONTACTS, own.storeId, [customer(merged), customer(merged, '62811000002')]);
    await own.ask('DELETE', `/contact/${keep.id}`);
    const gone = { nama: null, contact_id: null, tags: [], total_order: 1 };
    await everywhere(CONTACTS, own.storeId, [
      { nohp: '62811000001', ...gone },
      { nohp: '62811000002', ...gone },
    ]);
    await everywhere(orders, own.storeId, []);
  });

  it('shows in its inbox whatever a contact is called here, also one that was merged into another, and no name of one that was deleted', async () => {
    const own = await shop();
    const nohp = '62811000009';
    const shows = async (nama: string | null) => {
      const expected = [{ nohp, nama }];
      const seen = await until(
        async () => (await hurry(), own.inbox()),
        (found) => JSON.stringify(found) === JSON.stringify(expected),
      );
      expect(seen).toEqual(expected);
    };
    await own.writes(nohp, 'Budi');
    await shows('Budi');
    const [budi] = await until(
      () => contacts(own),
      ({ length }) => length > 0,
    );
    await own.ask('PUT', `/contact/${budi?.id}`, { name: 'Pak Budi' });
    await shows('Pak Budi');
    const ani = (await own.ask<Contact>('POST', '/contact', { name: 'Ani', phone: '62811000008' })).body.data;
    await own.ask('POST', '/contact/merge', { keep_id: ani.id, merge_ids: [budi?.id] });
    await shows('Ani');
    await own.ask('DELETE', `/contact/${ani.id}`);
    await shows(null);
  });

  it('tells whose chats a member handles: they see the orders of these customers alone', async () => {
    const own = await shop();
    const { userId, token } = await newMember(world.commerce, own.storeId, 'cs');
    const [{ id: variant_id } = { id: '' }] = await world.commerce.database.query<{ id: string }>(
      'SELECT id FROM variant WHERE store_id = $1',
      [own.storeId],
    );
    for (const phone of ['62811000007', '62811000008']) {
      await own.writes(phone, 'Budi');
      const order = { contact: { name: 'Budi', phone }, payment_method: 'cash', items: [{ variant_id, qty: 1 }] };
      await own.ask('POST', '/order', order);
    }
    const phones = async () => {
      const { body } = await world.commerce.call('GET', '/api/order', token);
      return (body as { data: { buyer: { phone: string } }[] }).data.map(({ buyer }) => buyer.phone);
    };
    expect(await phones()).toEqual([]);
    const take = `UPDATE conversations SET status = 1, assignee_id = $2 WHERE store_id = $1 AND nohp = '62811000008'`;
    for (const database of world.databases) await database.query(take, [own.storeId, userId]);
    expect(await phones()).toEqual(['62811000008']);
  });

  it('that was killed and is back is equal again, in both directions', async () => {
    const own = await shop();
    const { id } = (await own.ask<Contact>('POST', '/contact', { name: 'A', phone: '62811000001' })).body.data;
    await world.kill();
    for (const name of ['B', 'C', 'D']) await own.ask('PUT', `/contact/${id}`, { name });
    const fresh = (await own.ask<Contact>('POST', '/contact', { name: 'E', phone: '62811000002' })).body.data;
    await world.restart();
    const [changed] = await contacts(own);
    await everywhere(CONTACTS, own.storeId, [customer(changed as Contact), customer(fresh)]);
    await own.writes('62811000003', 'F');
    await until(
      () => contacts(own),
      ({ length }) => length === 3,
    );
  });
});
