import type { Sql } from '@platform/data';
import { openJobQueue } from '@platform/jobs';
import { silentLogger } from '@platform/runtime';
import { untilWaiting } from '@platform/testing';
import { chatDatabase } from '../../chat.fixture';
import { SCHEMA } from '../../data-source';
import { IngestRepository } from '../ingest/ingest.repository';
import { ingestStatement } from '../ingest/ingest.sql';
import { stubOf } from '../ingest/inbound-message';
import { SyncRepository } from '../sync/sync.repository';

let database: Awaited<ReturnType<typeof chatDatabase>>;
beforeEach(async () => {
  database = await chatDatabase();
  await database.query(`
    INSERT INTO customers (store_id, id, nohp, nama) SELECT 'S1', uuidv7(), '62810' || n, 'Lama' FROM generate_series(1, 2) n;
    INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at)
      SELECT 'S1', uuidv7(), d.instance, k.nohp, '3', k.id, 1, now() FROM customers k CROSS JOIN (VALUES ('dev1'), ('vip')) d(instance);
    UPDATE conversations SET version = 2`);
});
afterEach(() => database.stop?.());

/** Statements of one session, without the second try that a deadlock would get. */
const onSession = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
  const client = await database.pool.connect();
  const query = async (text: string, values?: readonly unknown[]) =>
    (await client.query(text, values as unknown[])).rows;
  const prepared = (_: string, text: string, values: readonly unknown[]) => query(text, values);
  const later: Sql['later'] = async (...asked) => void (await prepared(...asked));
  return work({ query, prepared, later }).finally(() => client.release());
};

/** Messages of two chats in one transaction, in the order of their keys; `other` begins to wait for the first in between. */
const amidMessages = async (chats: readonly [string, string], other: (sql: Sql) => Promise<unknown>): Promise<void> => {
  const messageOf = (chat: string): string =>
    `UPDATE conversations SET version = version + 1 WHERE instance || ' ' || nohp = '${chat}'`;
  let waiting: Promise<unknown> = Promise.resolve();
  const messages = onSession(async (sql) => {
    await sql.query(`BEGIN; ${messageOf(chats[0])}`);
    waiting = onSession(other);
    await untilWaiting(sql, waiting);
    await sql.query(`${messageOf(chats[1])}; COMMIT`);
  });
  await Promise.all([messages, messages.then(() => waiting)]);
};

const names = () =>
  database.query(`SELECT DISTINCT (listed || '"}')::json->>'nama' AS nama FROM conversations ORDER BY 1`);

describe('messages never wait in a circle with', () => {
  it('a push of customers in another order than that of the chats', async () => {
    const rows = ['628102', '628101'].map((nohp) => ({ store_id: 'S1', nohp, nama: 'Baru' }));
    await amidMessages(['dev1 628101', 'dev1 628102'], (sql) => new SyncRepository(sql).put('customers', rows));
    expect(await names()).toEqual([{ nama: 'Baru' }]);
  });

  it('a push that forgets customers in another order than that of the chats', async () => {
    const rows = ['628102', '628101'].map((nohp) => ({ store_id: 'S1', nohp }));
    await amidMessages(['dev1 628101', 'vip 628101'], (sql) => new SyncRepository(sql).remove('customers', rows));
    expect(await names()).toEqual([{ nama: null }]);
  });

  it('a message that brings a new picture of a customer who has a chat on an earlier device too', async () => {
    const queue = openJobQueue<Record<string, object>>(`${SCHEMA}_jobs`);
    const job = (task: string) => (payload: string, key: string) => queue.expression(task, { payload, key });
    const statement = ingestStatement({
      automation: job('automation'),
      contact: undefined,
      event: undefined,
      members: undefined,
      file: job('file'),
    });
    const message = {
      store_id: 'S1',
      instance: 'vip',
      number: '628101',
      is_group: false,
      team_id: '3',
      pesan_id: 'WA1',
      conversation_id: '00000000-0000-7000-8000-000000000001',
      customer_id: '00000000-0000-7000-8000-000000000002',
      from_me: false,
      media: null,
      opt_out: null,
    };
    const brought = { ...stubOf({ ...message } as Parameters<typeof stubOf>[0]), profilepic: 'https://p/baru' };
    await amidMessages(['dev1 628101', 'vip 628101'], async (sql) => {
      const stored = await new IngestRepository(sql, statement, silentLogger).store(brought);
      expect(JSON.parse(stored.list)).toMatchObject({ profilepic: 'https://p/baru' });
    });
    const pictures = `SELECT DISTINCT (listed || '"}')::json->>'profilepic' AS picture FROM conversations WHERE nohp = '628101'`;
    expect(await database.query(pictures)).toEqual([{ picture: 'https://p/baru' }]);
  });
});
