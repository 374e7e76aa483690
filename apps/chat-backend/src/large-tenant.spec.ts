import { useDatabase, type Plan } from '@platform/testing';
import { migrations, SCHEMA } from './data-source';
import { ADD, RECIPIENTS } from './features/broadcasts/broadcast.sql';
import { ENDED, NEXT } from './features/broadcasts/fill.sql';
import { INBOX } from './features/inbox/inbox.repository';
import { APPLY_STATUS } from './features/ingest/status.repository';
import { IS_SENDING, QUOTABLE, SEND } from './features/outbound/outbound.sql';
import { FIND_CHAT } from './features/tenancy/chat.finder';
import { OPEN } from './features/tickets/desk.sql';

const database = useDatabase({ schema: SCHEMA, migrations });

/** Fewer than the chats, messages or recipients of the large store, more than the stores. */
const FEW = 1000;
const CAMPAIGN = '00000000-0000-7000-8000-000000000001';
const CHAT = '00000000-0000-7000-8000-000000002000';
const id = (n: string): string => `('00000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

/**
 * One large store, L, beside three hundred small ones, each with a device and a campaign of its own: chat n of the large store has customer n, a
 * message Mn, and is the recipient n of its campaign, which has come to the middle. Chat 2000 is a long one.
 */
const SCENE = [
  `INSERT INTO stores (store_id, nama) SELECT 'S' || n, 'Toko' FROM generate_series(1, 300) n UNION ALL SELECT 'L', 'Besar'`,
  `INSERT INTO devices (store_id, instance, nama, default_team_id) SELECT store_id, 'd' || store_id, 'D', '1' FROM stores`,
  `CREATE TEMPORARY TABLE seeded AS SELECT n, CASE WHEN n <= 2000 THEN 'L' ELSE 'S' || n % 300 + 1 END AS store, '62' || lpad(n::text, 9, '0') AS nohp
     FROM generate_series(1, 20000) n ORDER BY n * 7919 % 20000`,
  `INSERT INTO customers (store_id, id, nohp) SELECT store, ${id('n')}, nohp FROM seeded`,
  `INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at)
     SELECT store, ${id('n')}, 'd' || store, nohp, '1', ${id('n')}, CASE n WHEN 2000 THEN 2000 ELSE 1 END, now() FROM seeded`,
  `INSERT INTO conversation_aliases (store_id, instance, alias, nohp) SELECT store, 'd' || store, n || '@lid', nohp FROM seeded`,
  `INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, wa_id, from_me, role, type, broadcast_id, status_ack, waktu)
     SELECT store, ${id('n')}, seq, 'd' || store, 'M' || n || CASE seq WHEN 1 THEN '' ELSE '.' || seq END, 'W' || n || '.' || seq, true, 'system', 'chat',
       CASE seq WHEN 1 THEN '${CAMPAIGN}' END, 1, now() FROM seeded CROSS JOIN LATERAL generate_series(1, CASE n WHEN 2000 THEN 2000 ELSE 1 END) seq`,
  `INSERT INTO broadcasts (store_id, id, instance, team_id, nama, status, body, actor_type) SELECT store_id, ${id("row_number() OVER (ORDER BY store_id <> 'L', store_id)")}, 'd' || store_id, '1', 'B',
     CASE store_id WHEN 'L' THEN 'sending' ELSE 'done' END, '{}'::jsonb, 'system' FROM stores`,
  `INSERT INTO broadcast_recipients (store_id, broadcast_id, nohp, status, pesan_id)
     SELECT b.store_id, b.id, s.nohp, CASE WHEN n <= 1000 THEN 1 ELSE 0 END, CASE WHEN n <= 1000 THEN 'M' || n END FROM seeded s JOIN broadcasts b ON b.store_id = s.store ORDER BY n`,
  `UPDATE broadcasts SET filled = (SELECT max(ord) FROM broadcast_recipients WHERE store_id = 'L' AND status = 1) WHERE store_id = 'L'`,
  ...'conversations customers messages conversation_aliases broadcasts broadcast_recipients stores devices'
    .split(' ')
    .map((table) => `VACUUM ANALYZE ${table}`), // as a store that has stood for a while
];

interface Measured extends Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
}

/** Rows that the statement took from tables or threw away behind them. */
const rowsOf = (node: Measured): number =>
  (node['Relation Name'] || node['Rows Removed by Join Filter']
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
      node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan as Measured), 0);

const literal = (value: unknown): string =>
  value === null
    ? 'NULL'
    : `'${(Array.isArray(value) ? `{${value.join(',')}}` : String(value)).replaceAll("'", "''")}'`;

/** What it reads with a plan for any store, as a connection that knows it well has one, and with a plan for this one. Nothing of it stays. */
const readBy = (text: string, values: readonly unknown[]): Promise<number[]> =>
  Promise.all(
    ['force_generic_plan', 'force_custom_plan'].map(async (mode) => {
      let rows = -1;
      const rolledBack = new Error('rolled back');
      const work = database.tx(async (tx) => {
        await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
        await tx.query(`PREPARE measured AS ${text}`);
        const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: Measured }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE measured (${values.map(literal).join(', ')})`,
        );
        await tx.query('DEALLOCATE measured');
        rows = row ? rowsOf(row['QUERY PLAN'][0].Plan) : -1;
        throw rolledBack;
      });
      await work.catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
      return rows;
    }),
  );

const campaign = ['L', CAMPAIGN];
const named = ['L', 'dL', '62000002000', null, ['1'], true];
const message = { ord: 0, pesan_id: 'new', role: 'agent', type: 'chat', pesan: 'Halo', preview: 'Halo' };
const people = [{ ord: 0, nohp: '62000001500', valid: true, times: 1 }];

describe('of a large store beside many small ones', () => {
  beforeAll(async () => {
    for (const statement of SCENE) await database.query(statement);
  });

  it.each<[string, string, readonly unknown[]]>([
    ['to find a chat', FIND_CHAT, named],
    ['to open a chat', INBOX, [...named, 20, 0]],
    ['to open a ticket', OPEN, ['L', CHAT, '62000001999', 'Judul', 'Isi', null, null, null, null, null]],
    ['to send a message', SEND, ['L', CHAT, JSON.stringify([message]), null, null, 'trace', null]],
    ['to quote a message of a long chat', QUOTABLE, ['L', CHAT, 'M2000.77']],
    ['to ask whether somebody is being written to', IS_SENDING, ['L', 'dL', ['62000002000']]],
    ['to note a receipt', APPLY_STATUS, ['L', 'dL', 'M700', 'W700.1', 3, null, '62000000700']],
    ['to add somebody to a campaign', ADD, [...campaign, JSON.stringify(people)]],
    ['to find the next recipient of a campaign', NEXT, campaign],
    ['to note the end of a message of a campaign', ENDED, [...campaign, '62000000700', 'M700', 'dL', 1, null, 1]],
  ])('%s takes not all that the store has', async (_, text, values) => {
    for (const rows of await readBy(text, values)) expect(rows).toBeLessThan(FEW);
  });

  it('a page of recipients takes not all customers', async () => {
    for (const rows of await readBy(RECIPIENTS, [...campaign, null, 0, 50])) expect(rows).toBeLessThan(FEW);
  });
});
