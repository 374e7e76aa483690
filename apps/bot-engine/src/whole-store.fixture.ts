import { uuidv7 } from '@platform/runtime';
import { until, type TestDatabase } from '@platform/testing';
import { internalCalls, type Bot } from './app.fixture';
import { seedRun } from './features/runs/runs.fixture';

/** Stands in every text of the store: it must reach no other store and no log. */
export const CANARY = 'canary-4f1b';

/** One row of everything that has an id. */
export interface Rows {
  readonly agent: string;
  readonly doc: string;
  readonly gap: string;
  readonly session: string;
  readonly run: string;
  readonly case: string;
  readonly evaluation: string;
}

/** What the `{id}` of a path names, by what the path begins with; the longest one counts. */
const NAMED: readonly (readonly [string, keyof Rows])[] = [
  ['/internal/evals/runs/', 'evaluation'],
  ['/internal/evals/', 'case'],
  ['/internal/agents/', 'agent'],
  ['/internal/knowledge/', 'doc'],
  ['/internal/gaps/', 'gap'],
  ['/internal/test-sessions/', 'session'],
  ['/internal/runs/', 'run'],
];

/** Undefined when the path has a parameter of which this fixture knows no row: add one. */
export const pathWith = (path: string, rows: Rows): string | undefined => {
  if (!path.includes('{')) return path;
  const [, name] = NAMED.find(([prefix]) => path.startsWith(prefix)) ?? [];
  return name && path.replace('{id}', rows[name]);
};

export const nobodysRows = (): Rows => ({
  ...{ agent: uuidv7(), doc: uuidv7(), gap: uuidv7(), session: uuidv7(), run: uuidv7() },
  ...{ case: uuidv7(), evaluation: uuidv7() },
});

const text = (what: string): string => `${CANARY} ${what}`;

/** A body that each writing route takes, about rows of a store; a route that is missing fails the suites that use it. */
export const bodyOf = (route: string, { agent, run }: Rows): object | undefined =>
  ({
    'POST /internal/agents': { id: uuidv7(), name: text('name'), prompt: text('prompt') },
    'PUT /internal/agents/{id}': { prompt: text('other prompt') },
    'POST /internal/knowledge': { id: uuidv7(), agent_id: agent, kind: 'faq', title: text('title'), text: text('doc') },
    'PUT /internal/gaps/{id}': { status: 'dismissed' },
    'POST /internal/test-sessions': {
      ...{ id: uuidv7(), agent_id: agent, prompt: text('p'), question: text('q'), answer: text('a') },
    },
    'POST /internal/runs/{id}/replay': { prompt: text('replay') },
    'POST /internal/evals': { id: uuidv7(), from_run: run },
    'POST /internal/evals/run': { agent_id: agent, prompt: text('wish') },
    'POST /api/chatbot-api': { idUser: '628', idAgent: agent, idStore: '', message: text('m'), idMessage: uuidv7() },
    'POST /api/ai-agent-testing': { store_id: '', agent_id: agent, prompt: text('p'), question: text('q') },
    'POST /api/notify-new-message': { idStore: '', idUser: '628', idMessage: 'm1' },
    'POST /api/generate_welcome': { store_id: '', agent_id: agent, customer_name: text('n') },
    'POST /api/webhook/payment-notification': {
      ...{ idEvent: 'e1', event: 'payment.paid', orderNumber: 'INV-1', idStore: '' },
    },
  })[route];

/** A store with a row of everything, each with the canary in its texts. */
export const wholeStore = async (bot: Bot, database: TestDatabase, store: string): Promise<Rows> => {
  const ask = internalCalls(bot, store);
  const created = async (route: string, rows: Partial<Rows>): Promise<string> => {
    const body = bodyOf(`POST ${route}`, rows as Rows);
    const answer = await ask('POST', route.replace('/internal', ''), body);
    if (answer.status >= 300) throw new Error(`${route}: ${JSON.stringify(answer)}`);
    return (answer.body as { data: { id: string } }).data.id;
  };
  await database.query('INSERT INTO bot_stores (store_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    ...[store, text('store')],
  ]);
  const agent = await created('/internal/agents', {});
  const input = { history: [], burst: [text('said')], absorbed: [], facts: { products: [] } };
  const run = await seedRun(database, { store, agent, answer: [text('answer')], chat: text('chat'), input });
  const [gap] = await database.query<{ id: string }>(
    `INSERT INTO bot_gaps (store_id, id, agent_id, folded, question, run_id) VALUES ($1, $2, $3, $4, $4, $5) RETURNING id`,
    [store, uuidv7(), agent, text('question'), run],
  );
  const rows = { agent, run, gap: gap?.id ?? '' };
  const doc = await created('/internal/knowledge', rows);
  const session = await created('/internal/test-sessions', rows);
  const evalCase = await created('/internal/evals', rows);
  const evaluation = await created('/internal/evals/run', rows);
  const settled = async () => [await ask('GET', `/evals/runs/${evaluation}`), await ask('GET', `/knowledge/${doc}`)];
  await until(settled, (all) => all.every(({ body }) => !/waiting|running|processing/.test(JSON.stringify(body))));
  return { ...rows, doc, session, case: evalCase, evaluation };
};

/** Everything that a store has, as one text. */
export const allOf = async (database: TestDatabase, store: string): Promise<string> => {
  const tables = await database.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'bot_engine' AND c.column_name = 'store_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const all = tables.map(async ({ name }) => {
    const told = `SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS told FROM ${name} t WHERE store_id = $1`;
    const [row] = await database.query<{ told: string }>(told, [store]);
    return `${name}: ${row?.told}`;
  });
  return (await Promise.all(all)).join('\n');
};
