import { expectNoSeqScan, explain, testDatabase } from '@platform/testing';
import { startChat, type Chat } from '../../chat.fixture';
import { migrations, SCHEMA } from '../../data-source';
import { Searches, SEARCHES } from '../../searches';
import { ChatListRepository } from './chat-list.repository';
import { listStatement, type ListShape } from './chat-list.sql';
import { CHATS_OF_WORDS } from './chat-search.sql';

let chat: Chat;
const BUDI = '628100000001';
const SITI = '628100000002';
const TONO = '628100000003';
const DAY = 86_400;
const daysAgo = (days: number): string => String(Math.floor(Date.now() / 1000) - days * DAY);
const write = (nohp: string, name: string, text: string, days = 1) =>
  chat.inbound({ number: `${nohp}@s.whatsapp.net`, name, text, timestamp: daysAgo(days) });

beforeAll(async () => {
  chat = await startChat();
  await write(BUDI, 'Budi', 'ada sepatu lari biru?', 3);
  await write(BUDI, 'Budi', 'terima kasih', 2);
  await write(SITI, 'Siti', 'sepatu putih lama sekali', 100);
  await write(SITI, 'Siti', 'halo', 1);
  await write(TONO, 'Tono', 'kapan sampai?', 1);
  await chat.database.query(`
    UPDATE customers SET tags = '{vip,grosir}' WHERE nohp = '${SITI}';
    INSERT INTO chat_orders (store_id, id, nohp, order_number, status, created_at, updated_at) VALUES
      ('S1', 'O1', '${BUDI}', 'INV-2026-0017', 'dikirim', now() - interval '2 days', now()),
      ('S1', 'O2', '${BUDI}', 'INV-2026-0018', 'dibayar', now(), now()), ('S1', 'O3', '${TONO}', 'INV-2026-0019', 'dikirim', now(), now()),
      ('S2', 'O4', '${SITI}', 'INV-2026-0017', 'dikirim', now(), now());
    INSERT INTO tickets (store_id, id, nomor, conversation_id, nohp, judul, isi, status)
      SELECT 'S1', gen_random_uuid(), 'TKT-000042', id, nohp, 'Barang rusak', '-', 'pending' FROM conversations WHERE nohp = '${TONO}';`);
});
afterAll(() => chat.stop());

const ask = (query: object, team = '3') => chat.post('/v1/chat_list', { nohp: '-', instance: 'dev1', team, ...query });
const found = async (query: object): Promise<string[]> =>
  ((await ask(query)).body as { data: { nohp: string }[] }).data.map(({ nohp }) => nohp);

describe('a search of the list', () => {
  it.each([
    ['words of any message, in any order', { searchType: 'pesan', search: 'biru sepatu' }, [BUDI]],
    ['no message older than 90 days', { searchType: 'pesan', search: 'putih' }, []],
    ['part of an order number, in this store', { searchType: 'order', search: '0017' }, [BUDI]],
    ['several orders, the newest chat first', { searchType: 'order', search: 'INV-2026' }, [TONO, BUDI]],
    ['a tag', { searchType: 'tag', search: 'vip' }, [SITI]],
    ['no part of a tag', { searchType: 'tag', search: 'vi' }, []],
    ['a ticket by number', { searchType: 'ticket', search: '000042' }, [TONO]],
    ['a ticket by title', { searchType: 'ticket', search: 'rusak' }, [TONO]],
    ['digits, as a part of a number', { search: '0000001' }, [BUDI]],
    ['a name with a keyword beside it', { search: 'i', searchType: 'nama', keyword: 'terima' }, [BUDI]],
    ['nothing, when the keyword does not fit', { search: 'Budi', keyword: 'Siti' }, []],
  ])('finds %s', async (_, query, expected) => expect(await found(query)).toEqual(expected));

  it('finds words of a name in their order, whatever stands between them', async () => {
    await write('628100000020', 'Siti Nur_Aini Wulandari', 'halo');
    for (const search of ['siti wul', 'nur_aini', 'NUR_AINI  wulan', 'ti nur_aini'])
      expect([search, await found({ searchType: 'nama', search })]).toEqual([search, ['628100000020']]);
    expect(await found({ searchType: 'nama', search: 'wulandari siti' })).toEqual([]);
    expect(await found({ searchType: 'nama', search: 'nurXaini' })).toEqual([]);
  });

  it.each([
    ['a name that more customers have', 'nama', 'kembar'],
    ['an order number that more begin with', 'order', 'KEMBAR'],
    ['a title that more tickets have', 'ticket', 'kembar'],
  ])('shows the newest two hundred of %s', async (_, searchType, search) => {
    await chat.database.query(`
      WITH people AS (
        INSERT INTO customers (store_id, id, nohp, nama)
        SELECT 'S1', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '6281111' || n, 'Kembar ' || n FROM generate_series(1, 202) n RETURNING id, nohp),
      ordered AS (
        INSERT INTO chat_orders (store_id, id, nohp, order_number, status, created_at, updated_at)
        SELECT 'S1', id::text, nohp, 'KEMBAR-' || nohp, 'dikirim', now() + right(id::text, 4)::int * interval '1 second', now() FROM people),
      chats AS (
        INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at, last_text)
        SELECT 'S1', gen_random_uuid(), 'dev1', nohp, '3', id, 0, now(), 'x' FROM people RETURNING id, nohp, customer_id)
      INSERT INTO tickets (store_id, id, nomor, conversation_id, nohp, judul, isi, status, created_at)
        SELECT 'S1', gen_random_uuid(), 'TKT-' || nohp, id, nohp, 'Kembar', '-', 'pending', now() + right(customer_id::text, 4)::int * interval '1 second' FROM chats`);
    const shown = await found({ searchType, search, limit: '200' });
    for (const table of ['tickets', 'conversations', 'chat_orders', 'customers'])
      await chat.database.query(`DELETE FROM ${table} WHERE nohp LIKE '6281111%'`);
    expect([shown.length, shown.includes('62811111'), shown.includes('62811112')]).toEqual([200, false, false]);
  });

  it('refuses words that hundreds of messages have, instead of showing some of them', async () => {
    await chat.database.query(`
      INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, type, pesan, status_ack, waktu)
      SELECT c.store_id, c.id, 1000 + n, c.instance, 'many-' || n, false, 'customer', 'chat', 'umum sekali', 2, now()
      FROM conversations c CROSS JOIN generate_series(1, 201) n WHERE c.nohp = '${TONO}'`);
    const tooBroad = { result: false, message: 'pencarian terlalu luas', code: 'too_broad' };
    expect((await ask({ searchType: 'pesan', search: 'umum' })).body).toEqual(tooBroad);
    await chat.database.query(`DELETE FROM messages WHERE pesan_id = 'many-1'`);
    expect(await found({ searchType: 'pesan', search: 'umum' })).toEqual([TONO]);
  });

  it('gives up after three seconds instead of holding up others', async () => {
    // Somebody locks the table for longer than that
    const blocker = chat.database.tx(async (tx) => {
      await tx.query('LOCK TABLE tickets IN ACCESS EXCLUSIVE MODE');
      return ask({ searchType: 'ticket', search: 'rusak' });
    });
    expect((await blocker).body).toEqual({ result: false, message: 'pencarian terlalu luas', code: 'too_broad' });
  });
});

describe('a filter of the list', () => {
  it.each([
    ['the latest order', { order_status: ['dikirim'] }, [TONO]],
    ['the latest ticket', { ticket_status: 'pending' }, [TONO]],
    ['any of some tags', { tag: ['vip', 'baru'] }, [SITI]],
    ['two of them at once', { tag: ['vip'], order_status: ['dikirim'] }, []],
  ])('by %s', async (_, filter, expected) => expect(await found({ filter })).toEqual(expected));

  it("by days counts them on the store's calendar", async () => {
    const at = new Date('2026-02-10T18:30:00Z'); // 01:30 on the 11th in Jakarta
    await chat.inbound({ number: '628100000009@s.whatsapp.net', timestamp: String(at.getTime() / 1000) });
    expect(await found({ filter: { date_from: '2026-02-11', date_to: '2026-02-11' } })).toEqual(['628100000009']);
    expect(await found({ filter: { date_from: '2026-02-10', date_to: '2026-02-10' } })).toEqual([]);
  });

  it('by unread shows the newest, however many there are', async () => {
    await chat.database.query(`
      WITH people AS (
        INSERT INTO customers (store_id, id, nohp, nama) SELECT 'S1', uuidv7(), '62855' || lpad(n::text, 7, '0'), 'Antre' FROM generate_series(1, 1200) n RETURNING id, nohp)
      INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, unread_count, last_at, last_text)
      SELECT 'S1', uuidv7(), 'dev1', nohp, '3', id, 1, 1, now() + right(nohp, 4)::int * interval '1 second', 'x' FROM people`);
    const shown = await found({ status: 'unread', limit: '3', filter: { user_id: 'none' } });
    await chat.database.query(`DELETE FROM conversations WHERE nohp LIKE '62855%'`);
    expect(shown).toEqual(['628550001200', '628550001199', '628550001198']);
  });

  it('refuses a ticket status that does not exist', async () =>
    expect(await ask({ filter: { ticket_status: 'lost' } })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'filter.ticket_status', tag: 'oneof' }] },
    }));
});

describe('every statement of the list', () => {
  const id = '00000000-0000-7000-8000-000000000000';
  const shapes: (readonly ListShape[])[] = [
    ['byTeam'],
    ['byDevice'],
    ['unread'],
    ['nama', 'nohp', 'newest'],
    ['order'],
    ['tag'],
    ['ticket'],
    ['pesan'],
  ];
  const filter = { text: '%budi%', name: '%budi%', words: 'budi', chats: [id] };

  it.each(shapes)('%s: finds its chats by indexes, whatever else is asked', async (...wanted) => {
    const forms = [
      { teams: 'one', status: 0, optional: ['3', 'dev1', ['3']] },
      { teams: 'some', status: undefined, optional: [['3', '4'], 'dev1', ['3']] },
      { teams: 'all', status: undefined, optional: [] },
    ] as const;
    for (const { optional, ...more } of forms) {
      const said = optional.length > 0;
      const enters = more.teams === 'one';
      const form = {
        shapes: wanted,
        instance: said,
        sight: said,
        filter: true,
        groups: said,
        enters,
        most: 50,
        ...more,
      };
      const values = ['S1', 'infinity', id, 50, ...optional, filter];
      expectNoSeqScan(await explain(chat.database, listStatement(form), values), 'messages', 'conversations');
    }
  });

  it('finds words of messages by their index', async () =>
    expectNoSeqScan(await explain(chat.database, CHATS_OF_WORDS, ['S1', 'biru']), 'messages'));
});

it('a search is planned with its own words, however often it is asked', async () => {
  const database = await testDatabase({ schema: SCHEMA, migrations, poolSize: 1 });
  const searches = database.aside({ ...SEARCHES, poolSize: 1 });
  const list = new ChatListRepository(database, new Searches(searches));
  const question = {
    storeId: 'S1',
    teams: undefined,
    sight: null,
    status: undefined,
    instance: undefined,
    enters: false,
  };
  for (let n = 0; n < 12; n++) {
    const filter = { text: `%${n}%`, name: `%${n}%` };
    await list.page({ ...question, shapes: ['nama', 'newest'], groups: true, after: undefined, limit: 50, filter });
  }
  expect(
    await searches.query(
      `SELECT generic_plans::int AS general, custom_plans::int AS own FROM pg_prepared_statements WHERE name LIKE 'chat_list%'`,
    ),
  ).toEqual([{ general: 0, own: 12 }]);
  await searches.stop?.();
  await database.stop?.();
});
