import { silentLogger } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { explain, expectNoSeqScan } from '@platform/testing';
import { askOf, type Ask } from '../../../asked.fixture';
import { newStore, startCommerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import { billedStore, passDays, renewNow } from '../../billing/billing.fixture';
import { startFakeChat } from '../../../clients/chat.sync.fake';
import { customerCopies } from '../../contacts/copies/public';
import { ChatCopies, PENDING } from './chat.copies';

const chat = useRunning(startFakeChat);
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }));
afterEach(() => {
  chat.state.mood = 'answer';
});

const DAY_MS = 86_400_000;
const DIGITS = '6281234567890';
const shop = async () => {
  const storeId = await newStore(commerce);
  return { storeId, ask: askOf(commerce)(storeId) };
};
const add = async (ask: Ask, more: object = {}) =>
  (await ask<{ id: string }>('POST', '/contact', { name: 'Budi', phone: DIGITS, ...more })).body.data.id;

/** Jobs whose attempt failed are due now, not in some seconds. */
const hurry = () =>
  commerce.database.query(
    `UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE attempts < max_attempts AND locked_at IS NULL`,
  );
/** When nothing of the store waits any more. */
const settled = (storeId: string) =>
  until(async () => {
    await hurry();
    const waiting = 'SELECT 1 FROM sync_pending WHERE store_id = $1 AND sent_at IS NULL LIMIT 1';
    return (await commerce.database.query(waiting, [storeId])).length === 0;
  });
/** What chat-backend has of each number: the name, or that it is deleted. */
const told = (storeId: string) =>
  Object.fromEntries(chat.copies(storeId).map(({ nohp, nama, deleted }) => [nohp, deleted ? 'deleted' : nama]));

describe('what chat-backend is told of contacts', () => {
  it('is a row in its words', async () => {
    const { ask, storeId } = await shop();
    const id = await add(ask, { tags: ['VIP'], custom: { ukuran: 42 }, email: 'b@shop.example' });
    await ask('POST', `/contact/${id}/addresses`, { line: 'Jl. 1', city: 'Bandung' });
    await ask('POST', `/contact/${id}/notes`, { text: 'Sore' });
    await ask('PUT', `/contact/${id}/block`, { blocked: true });
    await settled(storeId);
    expect(chat.copies(storeId)).toEqual([
      {
        ...{ store_id: storeId, nohp: DIGITS, id, nama: 'Budi', email: 'b@shop.example', alamat: 'Jl. 1' },
        ...{ kota: 'Bandung', tags: ['VIP'], catatan: 'Sore', custom: { ukuran: 42 }, opt_out: false, blokir: true },
        ...{ total_order: 0, total_belanja: 0, updated_at: expect.any(Number) },
      },
    ]);
  });

  it('are all writes, the last one last, also when the clock stands still', async () => {
    const { ask, storeId } = await shop();
    const id = await add(ask);
    await settled(storeId);
    for (const name of ['A', 'B', 'C']) {
      await ask('PUT', `/contact/${id}`, { name });
      await settled(storeId);
      expect(told(storeId)).toEqual({ [DIGITS]: name });
    }
    await Promise.all(['D', 'E'].map((name) => ask('PUT', `/contact/${id}`, { name })));
    await settled(storeId);
    const [row] = await commerce.database.query<{ name: string }>('SELECT name FROM contact WHERE store_id = $1', [
      storeId,
    ]);
    expect(told(storeId)).toEqual({ [DIGITS]: row?.name });
  });

  it('is every number of a merged contact, and the end of one that was deleted or replaced, and its new beginning', async () => {
    const { ask, storeId } = await shop();
    const [keep, other] = [await add(ask), await add(ask, { name: 'B', phone: '628111111111' })];
    await settled(storeId);
    await ask('POST', '/contact/merge', { keep_id: keep, merge_ids: [other] });
    await settled(storeId);
    expect(chat.copies(storeId).map(({ nohp, id, nama }) => [nohp, id, nama])).toEqual([
      [DIGITS, keep, 'Budi'],
      ['628111111111', keep, 'Budi'],
    ]);
    await ask('PUT', `/contact/${keep}`, { phone: '628222222222' });
    await settled(storeId);
    expect(told(storeId)).toEqual({ [DIGITS]: 'deleted', '628111111111': 'Budi', '628222222222': 'Budi' });
    await ask('DELETE', `/contact/${keep}`);
    await settled(storeId);
    expect(Object.values(told(storeId))).toEqual(['deleted', 'deleted', 'deleted']);
    await add(ask, { name: 'New' });
    await settled(storeId);
    expect(told(storeId)).toMatchObject({ [DIGITS]: 'New' });
  });

  it('begins anew, days later, of a number whose end was written by a clock that was further ahead', async () => {
    const { ask, storeId } = await shop();
    const id = await add(ask);
    await settled(storeId);
    chat.state.mood = 'down';
    commerce.clock.advance(10 * DAY_MS);
    await ask('DELETE', `/contact/${id}`);
    commerce.clock.advance(-10 * DAY_MS);
    chat.state.mood = 'answer';
    await settled(storeId);
    commerce.clock.advance(2 * DAY_MS);
    await add(ask, { name: 'B', phone: '628111111111' });
    await settled(storeId);
    await add(ask, { name: 'New' });
    await settled(storeId);
    expect(told(storeId)).toEqual({ [DIGITS]: 'New', '628111111111': 'B' });
  });

  it('arrives after chat-backend was down', async () => {
    const { ask, storeId } = await shop();
    const id = await add(ask);
    await settled(storeId);
    chat.state.mood = 'down';
    const { calls } = chat.state;
    await ask('PUT', `/contact/${id}`, { name: 'A' });
    await until(() => chat.state.calls > calls);
    await ask('PUT', `/contact/${id}`, { name: 'B' });
    await add(ask, { name: 'C', phone: '628111111111' });
    expect(told(storeId)).toEqual({ [DIGITS]: 'Budi' });
    chat.state.mood = 'answer';
    await settled(storeId);
    expect(told(storeId)).toEqual({ [DIGITS]: 'B', '628111111111': 'C' });
  });

  it('does not wait behind a row that chat-backend will never take', async () => {
    const { ask, storeId } = await shop();
    await commerce.database.tx(async (tx) => {
      for (const [at, name] of ['A', 'x'.repeat(300), 'C'].entries()) {
        const id = `0199f7a0-0000-7000-8000-00000000080${at}`;
        const phone = `62811111111${at}`;
        const values = [storeId, phone, id];
        await tx.query(`INSERT INTO contact_phone VALUES ($1, $2, $3, true, now())`, values);
        const insert = `INSERT INTO contact (store_id, id, name, version, created_at, updated_at) VALUES ($1, $2, $3, 1, now(), now())`;
        await tx.query(insert, [storeId, id, name]);
        await tx.query(`INSERT INTO sync_pending VALUES ($1, 'customers', $2, 1, false)`, [storeId, phone]);
      }
    });
    await add(ask);
    await settled(storeId);
    expect(told(storeId)).toEqual({ '628111111110': 'A', '628111111112': 'C', [DIGITS]: 'Budi' });
  });
});

it('chat-backend is told that a store may not send from the end of its unpaid plan until it has one again', async () => {
  const store = await billedStore(commerce);
  const sends = () =>
    chat.copies(store.storeId).flatMap(({ settings }) => (settings ? [(settings as { sends: boolean }).sends] : []));
  await store.subscribed('starter');
  passDays(commerce, 60);
  await renewNow(commerce);
  expect((await store.subscription()).status).toBe('expired');
  await settled(store.storeId);
  expect(sends()).toEqual([false]);
  await store.subscribed('starter');
  await settled(store.storeId);
  expect(sends()).toEqual([true]);
});

it('a store with very much to tell does it in turns, and leaves the next to other stores', async () => {
  const storeId = await newStore(commerce);
  const many = `INSERT INTO sync_pending (store_id, kind, row_id, version, deleted)
    SELECT $1, 'customers', (6281000000000 + n)::text, n, false FROM generate_series(1, 5700) n`;
  await commerce.database.query(many, [storeId]);
  const [turns, sizes]: [string[], number[]] = [[], []];
  const { clock, database } = commerce;
  const copies = new ChatCopies(
    {
      ...{ sql: database, clock, logger: silentLogger },
      queue: { enqueue: (_tx: unknown, job: string) => Promise.resolve(String(turns.push(job))) } as never,
      chat: { push: async ({ customers = [] }) => ({ applied: sizes.push(customers.length), skipped: 0 }) },
    },
    { customers: customerCopies },
  );
  await copies.push({ storeId });
  expect([turns, sizes]).toEqual([['chat.sync'], Array(10).fill(500)]);
  await copies.push({ storeId });
  expect([turns, sizes.slice(10)]).toEqual([['chat.sync'], [500, 200]]);
});

it('what was told is noted without waiting for whoever changes a row meanwhile, which stays to be told', async () => {
  const storeId = await newStore(commerce);
  const { clock, database } = commerce;
  const push = async () => ({ applied: 1, skipped: 0 });
  const parts = { sql: database, clock, logger: silentLogger, queue: jobQueue(), chat: { push } };
  const copies = new ChatCopies(parts, { customers: customerCopies });
  const rows = `INSERT INTO sync_pending SELECT $1, 'customers', unnest(ARRAY['6281', '6282']), 1, false`;
  await database.query(rows, [storeId]);
  await database.tx(async (tx) => {
    await tx.query(`UPDATE sync_pending SET version = 2 WHERE store_id = $1 AND row_id = '6282'`, [storeId]);
    await copies.pushNow(storeId, 'customers');
    const left = 'SELECT row_id FROM sync_pending WHERE store_id = $1';
    expect(await tx.query(left, [storeId])).toEqual([{ row_id: '6282' }]);
  });
});

it('what waits for chat-backend is found by an index', async () =>
  expectNoSeqScan(await explain(commerce.database, PENDING, ['S1', 'customers']), 'sync_pending'));
