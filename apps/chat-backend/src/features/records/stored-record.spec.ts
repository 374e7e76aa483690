import type { Sql } from '@platform/data';
import { Searches } from '../../searches';
import { chatDatabase, SERVICE, startChat, type Chat } from '../../chat.fixture';
import { migrations } from '../../data-source';
import { Listed1795209000000 } from '../../migrations/1795209000000-listed';
import { ChatListRepository } from '../chat-list/chat-list.repository';
import { COMPUTED_PAGE } from '../chat-list/computed-page.fixture';
import { listRecord, storedJoins, storedListRecord } from './public';

/** Every chat whose shown record is not what its tables say now, byte by byte. */
const DIFFERENT = `
  SELECT * FROM (
    SELECT c.nohp, ${storedListRecord('c', 's')} AS shown, ${listRecord('c', 'k', 's')}::text AS said
    FROM conversations c LEFT JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id JOIN stores s ON s.store_id = c.store_id
    ${storedJoins('c', 's')}) r WHERE shown IS DISTINCT FROM said`;
const different = (sql: Sql) => sql.query(DIFFERENT);
const stored = async (sql: Sql, where = 'true'): Promise<number> => {
  const [row] = await sql.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM conversations WHERE listed IS NOT NULL AND ${where}`,
  );
  return row?.n ?? 0;
};

const HOSTILE = [
  '"user_nama":null',
  '\\"order_status":null,\\',
  'a"b\\c/d\n\t\u0001\u2028',
  '🙂 é \ud55c',
  '',
  '%{}[]',
];
const PEOPLE = `
  INSERT INTO customers (store_id, id, nohp, nama, profilepic, tags)
    SELECT 'S1', uuidv7(), '62810000' || n, CASE WHEN n % 7 < 6 THEN ($1::text[])[1 + n % 6] END, CASE WHEN n % 3 = 0 THEN ($1::text[])[1 + n % 5] END,
      CASE WHEN n % 2 = 0 THEN $1::text[] ELSE '{}' END FROM generate_series(10, 69) n;
  `;
const CHATS = `
  INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at, last_text)
    SELECT 'S1', uuidv7(), 'dev1', k.nohp, '3', k.id, 1, now() - right(k.nohp, 2)::int * interval '1 minute', 'x' FROM customers k`;
const EVERYTHING = `
  UPDATE conversations c SET status = n % 4, status_escalate = n % 3, last_ack = n % 5, is_group = n % 2 = 0, unread_count = n, read_seq = n % 6, last_seq = n,
    assignee_id = (ARRAY['u-rina', 'u-siti', 'u-gone', NULL])[1 + n % 4], gudang_id = CASE WHEN n % 5 = 0 THEN ($1::text[])[1 + n % 6] END,
    prioritas = (ARRAY['low', 'urgent', NULL])[1 + n % 3], last_text = CASE WHEN n % 8 < 7 THEN ($1::text[])[1 + n % 6] END, last_type = CASE WHEN n % 6 > 0 THEN 'chat' END,
    last_from_me = n % 3 = 0, last_pesan_id = CASE WHEN n % 4 > 0 THEN ($1::text[])[1 + n % 6] END, ticket_id = CASE WHEN n % 9 = 0 THEN ($1::text[])[1 + n % 6] END,
    waiting_since = CASE WHEN n % 2 = 0 THEN now() - n * interval '1.7 hours' END, first_response_at = CASE WHEN n % 3 = 0 THEN now() - n * interval '1.3 hours' END,
    pending_until = CASE WHEN n % 4 = 2 THEN now() + n * interval '1 day' END, episode = n, version = n * 1000
  FROM (SELECT id, right(nohp, 2)::int AS n FROM conversations) x WHERE x.id = c.id`;

describe('the stored part of a list record', () => {
  let database: Awaited<ReturnType<typeof chatDatabase>>;
  beforeAll(async () => {
    database = await chatDatabase();
    await database.query(PEOPLE, [HOSTILE]);
    await database.query(CHATS);
  });
  afterAll(() => database.stop?.());

  it('comes with the second write of a chat, and shows whatever its columns hold', async () => {
    expect([await stored(database), await different(database)]).toEqual([0, []]);
    await database.query(EVERYTHING, [HOSTILE]);
    expect([await stored(database), await different(database)]).toEqual([60, []]);
  });

  it.each([
    ['a customer is renamed', `UPDATE customers SET nama = nama || '!' WHERE nohp < '6281000030'`],
    ['a customer gets tags', `UPDATE customers SET tags = tags || 'vip'::text, profilepic = NULL`],
    [
      'a customer gets another number',
      `UPDATE customers SET nohp = '9' || nohp, nama = 'Baru' WHERE nohp = '6281000012'`,
    ],
    ['an agent is renamed', `UPDATE users SET nama = '"user_nama":null' WHERE user_id = 'u-rina'`],
    ['an agent is gone, another is new', `UPDATE users SET user_id = 'u-gone' WHERE user_id = 'u-siti'`],
    [
      'orders come',
      `INSERT INTO chat_orders (store_id, id, nohp, order_number, status, created_at, updated_at)
        SELECT store_id, nohp, nohp, nohp, 'di"kirim', now(), now() FROM customers`,
    ],
    ['an order is gone', `DELETE FROM chat_orders WHERE id < '6281000030'`],
    ['the store moves', `UPDATE stores SET tz = 'Asia/Jayapura' WHERE store_id = 'S1'`],
  ])('stays right when %s', async (_, change) => {
    await database.query(change);
    expect([await stored(database), await different(database)]).toEqual([60, []]);
  });

  it('is on pages with the same bytes as pages that are computed', async () => {
    const list = new ChatListRepository(database, new Searches(database));
    const question = { storeId: 'S1', sight: null, status: undefined, enters: false, groups: true, filter: {} };
    const whole = { ...question, after: undefined, limit: 50 };
    const computed = await database.query<{ records: string; ids: string[] }>(COMPUTED_PAGE, ['S1', '3', 'dev1', 50]);
    const index = computed[0]?.ids.map((id) => `"S1.${id}"`).join(',');
    for (const page of [
      await list.page({ ...whole, shapes: ['byTeam'], teams: ['3'], instance: 'dev1' }),
      await list.page({ ...whole, shapes: ['byTeam'], teams: ['3', '4'], instance: undefined }),
      await list.page({ ...whole, shapes: ['byDevice'], teams: undefined, instance: undefined }),
    ])
      expect(page).toMatchObject({ records: computed[0]?.records, index, lastId: computed[0]?.ids.at(-1), more: true });
  });
});

describe('the stored part of a list record that operators and later releases meet', () => {
  let database: Awaited<ReturnType<typeof chatDatabase>>;
  beforeEach(async () => {
    database = await chatDatabase();
    await database.query(PEOPLE, [HOSTILE]);
    await database.query(CHATS);
    await database.query(EVERYTHING, [HOSTILE]);
  });
  afterEach(() => database.stop?.());

  it('has one form for ever: another one has a column and triggers of another name', () => {
    const writing = migrations.filter((migration) =>
      JSON.stringify(new migration()).includes('FUNCTION conversation_listed'),
    );
    expect(writing).toEqual([Listed1795209000000]);
  });

  it('is taken when the customer is deleted', async () => {
    await database.query(`DELETE FROM customers WHERE nohp < '6281000030'`);
    expect([await stored(database), await different(database)]).toEqual([40, []]);
    await database.query('DELETE FROM customers');
    expect([await stored(database), await different(database)]).toEqual([0, []]);
  });

  it('says null for codes that nobody knows, as a computed one does', async () => {
    await database.query('UPDATE conversations SET status = 9, status_escalate = -2, last_ack = 77');
    expect([await stored(database), await different(database)]).toEqual([60, []]);
  });

  it('is kept in step by writers whose search_path is another', async () => {
    await database.tx(async (tx) => {
      await tx.query(`SET LOCAL search_path = ''`);
      await tx.query(`UPDATE chat_backend.conversations SET listed_customer = NULL`);
      await tx.query(
        `UPDATE chat_backend.customers SET nama = 'Operator' WHERE nohp OPERATOR(pg_catalog.<) '6281000030'`,
      );
    });
    expect([await stored(database), await different(database)]).toEqual([60, []]);
    const [told] = await database.query(
      `SELECT count(*)::int AS n FROM conversations WHERE listed LIKE '%"nama":"Operator"%'`,
    );
    expect(told).toEqual({ n: 20 });
  });
});

describe('two writers at once', () => {
  let database: Awaited<ReturnType<typeof chatDatabase>>;
  beforeEach(async () => {
    database = await chatDatabase();
    await database.query(PEOPLE, [HOSTILE]);
    await database.query(CHATS);
  });
  afterEach(() => database.stop?.());

  const CHAT = `UPDATE conversations SET version = version + 1 WHERE nohp = '6281000010'`;
  const RENAME = `UPDATE customers SET nama = 'Baru' WHERE nohp = '6281000010'`;
  /** `first` is not committed when `second` is sent; `between` is done meanwhile. */
  const race = async (first: string, second: string, between?: string): Promise<void> => {
    let later: Promise<unknown> = Promise.resolve();
    await database.tx(async (tx) => {
      await tx.query(first);
      later = database.query(second);
      if (between) await database.query(between);
      await database.query('SELECT pg_sleep(0.1)');
    });
    await later;
  };

  it.each([
    ['the chat is written first while its customer is renamed', RENAME, CHAT],
    ['the customer is renamed while the chat gets its first record', CHAT, RENAME],
  ])('leave the right record when %s', async (_, first, second) => {
    await race(first, second);
    expect(await different(database)).toEqual([]);
    await database.query(CHAT);
    expect([await stored(database, `nohp = '6281000010'`), await different(database)]).toEqual([1, []]);
  });

  it.each([
    ['the chat has a message while its customer is renamed', RENAME, CHAT],
    ['the customer is renamed while the chat has a message', CHAT, RENAME],
  ])('leave the right record of a chat that had one when %s', async (_, first, second) => {
    await database.query(CHAT);
    await race(first, second);
    expect([await stored(database), await different(database)]).toEqual([1, []]);
  });

  it('leave the right record when a chat is given to a customer who is being renamed', async () => {
    const give = `UPDATE conversations SET customer_id = (SELECT id FROM customers WHERE nohp = '6281000010') WHERE nohp = '6281000011'`;
    await database.query(`UPDATE conversations SET version = 2`);
    await race(RENAME, 'SELECT 1', give);
    expect(await different(database)).toEqual([]);
    await race(give, `UPDATE customers SET nama = 'Lagi' WHERE nohp = '6281000010'`);
    expect(await different(database)).toEqual([]);
  });

  it('leave the right record of a chat that begins while its customer is renamed', async () => {
    const begin = `INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at)
      SELECT 'S1', uuidv7(), 'vip', nohp, '4', id, 1, now() FROM customers WHERE nohp = '6281000010'`;
    const written = `UPDATE conversations SET version = 2 WHERE instance = 'vip'`;
    await race(RENAME, 'SELECT 1', `${begin}; ${written}`);
    expect(await different(database)).toEqual([]);
    await database.query(`${CHAT}; ${written}`);
    expect([await stored(database), await different(database)]).toEqual([2, []]);
  });
});

describe('writes of every kind at once', () => {
  let chat: Chat;
  beforeAll(async () => {
    chat = await startChat();
  });
  afterAll(() => chat.stop());

  it('leave no record that differs from what the tables say', async () => {
    const number = (n: number): string => `62855000${n % 9}`;
    const ref = (n: number) => ({ nohp: number(n), instance: 'dev1', team: '3' });
    const owner = chat.tokens.tokenFor({ role: 'owner', teams: [], sub: 'u-siti' });
    const service = chat.tokens.tokenFor(SERVICE);
    const push = (kind: string, row: object, n: number) =>
      chat.post('/internal/sync', { [kind]: [{ store_id: 'S1', updated_at: 1000 + n, ...row }] }, { token: service });
    const inbound = (n: number, more = {}) =>
      chat.inbound({ number: `${number(n)}@s.whatsapp.net`, profilepic: `https://p/${n}`, name: `N${n}`, ...more });
    const order = (n: number) => ({ id: `O${n}`, nohp: number(n), status: n % 2 ? 'dikirim' : 'dibayar' });
    const deeds: ((n: number) => Promise<unknown>)[] = [
      (n) => inbound(n),
      (n) => push('customers', { nohp: number(n), nama: `Pelanggan ${n}`, tags: [`t${n}`] }, n),
      (n) => chat.post('/v1/handle_chat', { ...ref(n), force: true }, { token: owner }),
      (n) => inbound(n, { instanceID: 'vip' }),
      (n) => chat.post('/v1/send_message', { ...ref(n), pesan: `balas ${n}` }),
      (n) => push('users', { user_id: n % 2 ? 'u-rina' : 'u-siti', nama: `Agen ${n}` }, n),
      (n) => chat.post('/v1/chat_markread', ref(n)),
      (n) => chat.post('/v1/chat_pending', { ...ref(n), pending_until: '2026-12-31 10:00' }, { token: owner }),
      (n) => push('orders', order(n), n),
      (n) => inbound(n, { number: `7${n % 9}@lid`, id: `LID${n % 9}` }),
      (n) => inbound(n, { id: `LID${n % 9}` }),
      (n) => chat.post('/v1/chat_finish', ref(n), { token: owner }),
      (n) => push('stores', { nama: 'Toko', tz: n % 2 ? 'Asia/Jakarta' : 'Asia/Makassar' }, n),
      (n) => push('customers', { nohp: number(n), ...(n % 4 ? { nama: 'X' } : { deleted: true }) }, n),
      (n) => chat.post('/v1/chats/request-escalate', { ...ref(n), alasan: 'minta', to_team: '4' }),
      (n) => chat.post('/v1/chat_move', { ...ref(n), to_team: n % 2 ? '4' : '3' }, { token: owner }),
    ];
    const worker = async (w: number): Promise<void> => {
      for (let n = 0; n < 48; n++) {
        const { status } = (await deeds[(n * (2 * w + 1) + w) % deeds.length]?.(n * 8 + w)) as { status: number };
        expect(status).toBeLessThan(500);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, w) => worker(w)));
    expect(await different(chat.database)).toEqual([]);
    expect(await stored(chat.database)).toBeGreaterThan(9);
  });
});
