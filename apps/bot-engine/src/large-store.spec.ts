// One large store beside many small ones: what is read for it does not grow with it, however sure PostgreSQL is of a store of common size.
import { PageCursor } from '@platform/data';
import { expectFewRead, fill, useDatabase, vacuumed, type Asking } from '@platform/testing';
import { migrations, SCHEMA } from './data-source';
import { CatalogueRepository } from './features/catalogue/catalogue.repository';
import { CheckoutRepository } from './features/checkout/checkout.repository';
import { conversationRepository } from './features/conversations/conversation.repository';
import { isOrderedHere } from './features/payment/payment.repository';
import { RunRepository } from './features/runs/run.repository';
import { SessionRepository } from './features/sessions/session.repository';
import { NO_FACTS } from './features/tools/public';

const database = useDatabase({ schema: SCHEMA, migrations });

/** Fewer than the conversations, lines or products of the large store, more than the stores. */
const FEW = 1000;
const id = (n: string): string => `('00000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
const LONG = '00000000-0000-7000-8000-000000002000';

/** Customer n of the large store, L, has conversation n, run n and checkout n; conversation 2000 has two thousand lines and runs. */
const SCENE = [
  `CREATE TEMPORARY TABLE seeded AS SELECT n, CASE WHEN n <= 2000 THEN 'L' ELSE 'S' || n % 300 END AS store FROM generate_series(1, 20000) n ORDER BY n * 7919 % 20000`,
  `CREATE TEMPORARY TABLE said AS SELECT s.*, line, n * 10000 + line AS run FROM seeded s CROSS JOIN LATERAL generate_series(1, CASE n WHEN 2000 THEN 2000 ELSE 2 END) line`,
  `INSERT INTO bot_conversations (store_id, id, agent_id, id_user, conv_key, chat_id) SELECT store, ${id('n')}, 'A' || store, '62' || n, lpad(n::text, 32, '0'), 'C' || n FROM seeded`,
  `INSERT INTO bot_chats (store_id, conv_id, chat) SELECT store, ${id('n')}, 'C' || n FROM seeded`,
  `INSERT INTO bot_runs (store_id, id, conv_id, lead_token, status, reply, tokens_in, tokens_out, cost_micros, ms_queue, ms_model, ms_total, agent_version)
     SELECT store, ${id('run')}, ${id('n')}, ${id('run')}, 'done', '{"answer":["ya"]}', 1, 1, 1, 1, 1, 1, 1 FROM said`,
  `INSERT INTO bot_run_steps (store_id, run_id, n, assistant, results) SELECT store, ${id('run')}, 1, '{}', '[]' FROM said`,
  `INSERT INTO bot_messages (store_id, conv_id, role, content, id_message, run_id) SELECT store, ${id('n')}, 'user', 'ada?', 'M' || n || '.' || line, ${id('run')} FROM said`,
  `INSERT INTO llm_requests (store_id, id, agent_id, run_id, purpose, model, status, tokens_in, tokens_cached, tokens_out, ms)
     SELECT store, ${id('run')}, 'A' || store, ${id('run')}, 'chat', 'm', 'ok', 1, 0, 1, 1 FROM said`,
  `INSERT INTO bot_checkouts (store_id, id, conv_id, run_id, confirm_token, cart_hash, args, quote, total, state, order_number)
     SELECT store, ${id('n')}, ${id('n')}, ${id('n * 10000 + 1')}, 'T' || n, 'h', '{}', '{}', 1, CASE n % 2 WHEN 0 THEN 'quoted' ELSE 'paid' END, CASE n % 2 WHEN 1 THEN 'N' || n END FROM seeded`,
  `INSERT INTO bot_catalogue (store_id, sku, product_id, variant_id, name, category, body, updated_at) SELECT store, 'K' || n, 'P' || n, 'V' || n, 'Tas ' || n, 'Tas', 'kulit', now() FROM seeded`,
  `INSERT INTO bot_vocab (store_id, word) SELECT store, 'kata' || n FROM seeded`,
  `INSERT INTO bot_test_sessions (store_id, id, agent_id, title, prompt) SELECT store, ${id('n')}, 'A' || store, 'T', 'P' FROM seeded`,
];

const AT = new Date('2026-11-30T12:00:00Z');
const ref = {
  storeId: 'L',
  agentId: 'AL',
  customer: '622000',
  key: '2000'.padStart(32, '0'),
  chat: 'C2000',
  chatId: 'C2000',
};
const run = {
  id: '00000000-0000-7000-8000-000099999999',
  leadToken: LONG,
  status: 'done' as const,
  costMicros: 1,
  mergedIds: [],
  input: {},
  sources: [],
  steps: 0,
  tokensIn: 1,
  tokensOut: 1,
  ms: { queue: 1, model: 1, total: 1 },
  agentVersion: 1,
  reply: { answer: ['ya'], images: [], messageIds: ['b1'] },
};
const turn = {
  conversation: { ...ref, id: LONG },
  seed: [],
  since: [],
  said: [{ messageId: 'new', content: 'ada?', images: [] }],
  requests: [],
  facts: NO_FACTS,
  resumed: false,
  pushes: [],
  run,
};
const cursors = new PageCursor('secret of the large store');
const runs: (query: object) => Asking = (query) => (sql) =>
  new RunRepository(sql, cursors).list('L', { limit: 20, ...query });

beforeAll(async () => {
  await fill(database, SCENE);
  await vacuumed(database);
});

it.each<[string, Asking]>([
  ['to open a long conversation', (sql) => conversationRepository(sql).open(ref, ['M2000.77'])],
  ['to find what was answered', (sql) => conversationRepository(sql).answered(ref, ['M2000.77'], LONG)],
  [
    'to store a step',
    (sql) => conversationRepository(sql).step(turn.conversation, run, { n: 1, record: { text: null, calls: [] } }),
  ],
  ['to store a turn', (sql) => conversationRepository(sql).commit(turn)],
  ['a page of runs', runs({})],
  ['a page of runs of a chat', runs({ chat_id: 'C1999' })],
  ['a page of runs that failed', runs({ status: 'fallback' })],
  ['one run', (sql) => new RunRepository(sql, cursors).find('L', '00000000-0000-7000-8000-000020000077')],
  ['a quote by its token', (sql) => new CheckoutRepository(sql).byToken('L', LONG, 'T2000', AT)],
  ['a quote', (sql) => new CheckoutRepository(sql).byId('L', LONG, AT)],
  ['to begin an order', (sql) => new CheckoutRepository(sql).begin(sql, 'L', { id: LONG, key: 'k', at: AT })],
  ['to look for an order in a conversation', (sql) => new CheckoutRepository(sql).hasOrder('L', LONG, 'N1999')],
  ['to look for an order', (sql) => isOrderedHere(sql, 'L', 'N1999')],
  ['to name products', (sql) => new CatalogueRepository(sql).named('L', ['K77', 'K78'])],
  ['to search a product', (sql) => new CatalogueRepository(sql).search('L', ['77'], 20)],
  ['a page of test sessions', (sql) => new SessionRepository(sql, cursors).list('L', { limit: 20 })],
])('%s takes not all that the store has', (_, work) => expectFewRead(database, FEW, work));
