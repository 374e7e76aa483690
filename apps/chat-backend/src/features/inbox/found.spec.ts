// Messages of one chat by their words, among a hundred thousand of its store.
import { untilWaiting, vacuumed } from '@platform/testing';
import { startChat, type Chat } from '../../chat.fixture';
import { FOUND } from './inbox.repository';

let chat: Chat;
const LONG = '628100000001';
const NEAR = '628100000002';
const ref = (nohp: string) => ({ nohp, instance: 'dev1', team: '3' });

/** $1 number  $2 how many. Every thousandth says something of its own. */
const FILL = `
  INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, type, pesan, status_ack, waktu)
  SELECT c.store_id, c.id, n, c.instance, c.nohp || '-' || n, false, 'customer', 'chat',
    CASE WHEN n % 1000 = 0 THEN 'Sepatu Lari biru nomor ' || n ELSE 'pesan biasa ' || n END, 2, now()
  FROM conversations c CROSS JOIN generate_series(2, $2::int) n WHERE c.nohp = $1`;
const COUNT = `UPDATE conversations SET last_seq = $2 WHERE nohp = $1`;

const fill = async (nohp: string, most: number): Promise<void> => {
  await chat.inbound({ number: `${nohp}@s.whatsapp.net`, text: 'halo' });
  await chat.database.query(FILL, [nohp, most]);
  await chat.database.query(COUNT, [nohp, most]);
};

beforeAll(async () => {
  chat = await startChat();
  await fill(LONG, 12_000);
  await fill(NEAR, 5_000);
  for (let n = 10; n < 27; n += 1) await fill(`6281000000${n}`, 5_000);
  await vacuumed(chat.database);
});
afterAll(() => chat.stop());

const ask = async (nohp: string, more: object, path = '/v1/chat_inbox') =>
  (await chat.post(path, { ...ref(nohp), ...more })).body as {
    result: boolean;
    code?: string;
    data: { seq: number }[];
  };
const found = async (nohp: string, search: string, more: object = {}) =>
  (await ask(nohp, { search, ...more })).data.map(({ seq }) => seq);

it('finds words in their order, however they are spelt, of this chat alone, the oldest first', async () => {
  const all = [1_000, 2_000, 3_000, 4_000, 5_000];
  for (const search of ['lari', 'SEPATU  biru', ' sepatu lari BIRU nomor ', 'epat'])
    expect([search, await found(NEAR, search)]).toEqual([search, all]);
  for (const search of ['biru sepatu', '%', '_', 'sepatu_lari', '\\', `'; --`, 'x'.repeat(100)])
    expect([search, await found(NEAR, search)]).toEqual([search, []]);
});

it('finds captions, names of files and places', async () => {
  await chat.database.query(`
    UPDATE messages SET pesan = NULL, caption = 'Bukti transfer', media = '{"name": "x", "filename": "Struk_BCA.pdf"}', detail = '{"locationName": "Pasar Baru"}'
    WHERE pesan_id = '${NEAR}-7'`);
  for (const search of ['bukti', 'struk_bca', 'pasar baru'])
    expect([search, await found(NEAR, search)]).toEqual([search, [7]]);
});

it('gives the newest that fit, and goes on behind an offset; one call reads five thousand messages', async () => {
  expect(await found(NEAR, 'lari', { limit: '2' })).toEqual([4_000, 5_000]);
  expect(await found(NEAR, 'lari', { limit: '2', offset: String(5_000 - 3_999) })).toEqual([2_000, 3_000]);
  expect(await found(LONG, 'lari')).toEqual([8_000, 9_000, 10_000, 11_000, 12_000]);
  expect(await found(LONG, 'lari', { offset: '5000' })).toEqual([3_000, 4_000, 5_000, 6_000, 7_000]);
  expect(await found(LONG, 'lari', { offset: '10000' })).toEqual([1_000, 2_000]);
});

it.each(['', ' ', '\u200b'])('%j asks for no words: the newest are there', async (search) =>
  expect((await ask(NEAR, { search, limit: '2' })).data.map(({ seq }) => seq)).toEqual([4_999, 5_000]),
);

it('is refused as reading is: another team, another store, too long a text', async () => {
  const stranger = chat.tokens.tokenFor({ sub: 'u-x', teams: ['4'] });
  const foreign = chat.tokens.tokenFor({ sub: 'u-y', store_id: 'S2', role: 'owner', teams: [] });
  const codes = [];
  for (const token of [stranger, foreign])
    codes.push((await chat.post('/v1/chat_inbox', { ...ref(NEAR), search: 'lari' }, { token })).body);
  expect(codes).toMatchObject([{ code: 'forbidden_team' }, { result: false }]);
  expect((await chat.post('/v1/chat_inbox', { ...ref(NEAR), search: 'x'.repeat(101) })).status).toBe(422);
});

it('a search that takes too long is refused', async () => {
  const answer = await chat.database.tx(async (tx) => {
    await tx.query('LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
    return ask(NEAR, { search: 'lari' });
  });
  expect(answer).toEqual({ result: false, message: 'pencarian terlalu luas', code: 'too_broad' });
});

it('a store that searches without end leaves another a place, and what gets no turn is to come later', async () => {
  const foreign = chat.tokens.tokenFor({ sub: 'u-y', store_id: 'S2', role: 'owner', teams: [] });
  const [first, all] = await chat.database.tx(async (tx) => {
    await tx.query('LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
    const noisy = Array.from({ length: 12 }, () => chat.post('/v1/chat_inbox', { ...ref(NEAR), search: 'lari' }));
    await untilWaiting(tx, ...noisy.slice(0, 3));
    const quiet = chat.post(
      '/v1/chat_list',
      { nohp: '-', instance: 'all', team: 'all', keyword: 'x' },
      { token: foreign },
    );
    return [await Promise.race([quiet, ...noisy]), await Promise.all(noisy)] as const;
  });
  expect(first).toMatchObject({ status: 200, body: { result: true, data: [] } });
  const told = all.map(({ status, body }) => (body as { code?: string }).code ?? status);
  expect(new Set(told)).toEqual(new Set(['too_broad', 429]));
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}
const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)];

it('reads one range of the key, whatever the words and however many messages there are', async () => {
  for (const pattern of ['%lari%', '%nothing like it%', '%e%']) {
    const values = ['S1', 'dev1', LONG, null, null, true, 30, 0, pattern];
    const [row] = await chat.database.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${FOUND}`,
      values,
    );
    const read = nodes(row?.['QUERY PLAN'][0].Plan as Node).filter((node) => node['Relation Name'] === 'messages');
    expect([pattern, read.map((node) => node['Index Name'])]).toEqual([pattern, ['messages_pkey']]);
    const rows = read.map((node) => (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0));
    expect(Math.max(...rows)).toBeLessThanOrEqual(5_000);
  }
});
