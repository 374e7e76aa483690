// bot-engine itself, as a process beside this service: every row of the design's table (5.6) that asks it.
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { startAgentsWorld } from './features/agents/agents.fixture';
import { askAll, mountedBelow, prepared, routeOf, startSwallowing, type FaceRow } from './faces.fixture';
import { startSecondProcess } from './second-process.fixture';
import { askDocumented } from './asked.fixture';
import { bearer } from './commerce.fixture';

/** Longer than all rows take to be asked, and no longer than a test may wait. */
const PATIENCE = { OWNER_TIMEOUT_MS: '4000', MODEL_TIMEOUT_MS: '4000' };
const world = useRunning(() => startAgentsWorld(PATIENCE));
type Shop = Awaited<ReturnType<typeof world.store>>;
type Row = FaceRow<Shop>;

const NEW = { name: 'Nusa', prompt: 'Kamu ramah.', tools: ['check_stock'] };
const FAQ = { kind: 'faq', title: 'Jam buka', text: 'Toko buka 09.00-21.00.' };
const NOBODY = 'nobody-knows';
const idOf = async (answer: Promise<{ readonly body: { readonly data: { id: string } } }>) =>
  (await answer).body.data.id;
const made = ({ ask }: Shop) => idOf(ask<{ id: string }>('POST', '/agent', NEW));
const ofAgent =
  (more: string, body?: object): Row['ready'] =>
  async (shop) => [`/agent/${await made(shop)}${more}`, body];
const trial = (agent_id: string, more: object = {}) => ({
  ...{ agent_id, prompt: 'Kamu adalah Nusa. Toko buka 09.00-21.00.', question: 'jam buka?', ...more },
});
const tried = async (shop: Shop): Promise<string> => {
  const session_id = uuidv7();
  await shop.ask('POST', '/testing/ai-agent', trial(await made(shop), { session_id }));
  return session_id;
};
const NOT_FOUND = [404, 'not_found'] as const;
const INVALID = [422, 'validation'] as const;
const call =
  (method: string, path: string, body?: object): Row['refused'] =>
  ({ ask }) =>
    ask(method, path, body);

const ROWS: readonly Row[] = [
  { row: 'GET /agent', ready: () => ['/agent'], good: 200, refused: call('GET', '/agent?page=0'), because: INVALID },
  {
    ...{ row: 'POST /agent', ready: () => ['/agent', NEW], good: 201 },
    ...{ refused: call('POST', '/agent', { ...NEW, tools: ['rm'] }), because: INVALID },
  },
  {
    ...{ row: 'GET /agent/{id}', ready: ofAgent(''), good: 200 },
    ...{ refused: call('GET', `/agent/${NOBODY}`), because: NOT_FOUND },
  },
  {
    ...{ row: 'PUT /agent/{id}', ready: ofAgent('', { name: 'Dua' }), good: 200, because: [409, 'version_conflict'] },
    refused: async (shop) => {
      const path = `/agent/${await made(shop)}`;
      await shop.ask('PUT', path, { name: 'Dua', version: 1 });
      return shop.ask('PUT', path, { name: 'Tiga', version: 1 });
    },
  },
  {
    ...{ row: 'PUT /agent/{id}/status', ready: ofAgent('/status', { enabled: false }), good: 200 },
    ...{ refused: call('PUT', `/agent/${NOBODY}/status`, { enabled: true }), because: NOT_FOUND },
  },
  {
    ...{ row: 'DELETE /agent/{id}', ready: ofAgent(''), good: 200 },
    ...{ refused: call('DELETE', `/agent/${NOBODY}`), because: NOT_FOUND },
  },
  {
    ...{ row: 'POST /agent/{id}/knowledge', ready: ofAgent('/knowledge', FAQ), good: 202 },
    ...{ refused: call('POST', `/agent/${NOBODY}/knowledge`, FAQ), because: NOT_FOUND },
  },
  {
    row: 'POST /agent/{id}/knowledge  a file',
    ready: async (shop) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ kind: 'policy', title: 'Retur' })) form.append(name, value);
      form.append('file', new Blob(['Tujuh hari.'], { type: 'text/plain' }), 'retur.txt');
      return [`/agent/${await made(shop)}/knowledge`, form];
    },
    ...{ good: 202, because: [415, 'unsupported_media'] },
    refused: async (shop) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ kind: 'policy', title: 'Retur' })) form.append(name, value);
      form.append('file', new Blob(['<html><body>x</body></html>'], { type: 'text/plain' }), 'a.html');
      return shop.ask('POST', `/agent/${await made(shop)}/knowledge`, form);
    },
  },
  {
    row: 'DELETE /agent/{id}/knowledge/{knowledgeId}',
    ready: async (shop) => {
      const id = await made(shop);
      return [`/agent/${id}/knowledge/${await idOf(shop.ask<{ id: string }>('POST', `/agent/${id}/knowledge`, FAQ))}`];
    },
    ...{ good: 200, because: NOT_FOUND },
    refused: async (shop) => shop.ask('DELETE', `/agent/${await made(shop)}/knowledge/${NOBODY}`),
  },
  {
    ...{ row: 'GET /agent/{id}/usage', ready: ofAgent('/usage'), good: 200 },
    ...{ refused: call('GET', `/agent/${NOBODY}/usage`), because: NOT_FOUND },
  },
  {
    row: 'POST /testing/ai-agent',
    ready: async (shop) => ['/testing/ai-agent', trial(await made(shop))],
    ...{ good: 200, refused: call('POST', '/testing/ai-agent', trial(NOBODY)), because: NOT_FOUND },
  },
  {
    ...{ row: 'GET /testing/sessions', ready: async (shop) => (await tried(shop), ['/testing/sessions']), good: 200 },
    ...{ refused: call('GET', '/testing/sessions?cursor=x'), because: INVALID },
  },
  {
    row: 'GET /testing/sessions/{id}',
    ready: async (shop) => [`/testing/sessions/${await tried(shop)}`],
    ...{ good: 200, refused: call('GET', `/testing/sessions/${uuidv7()}`), because: NOT_FOUND },
  },
  {
    row: 'POST /botwelcome/generate',
    ready: async (shop) => ['/botwelcome/generate', { agent_id: await made(shop), tone: 'ramah' }],
    ...{ good: 200, refused: call('POST', '/botwelcome/generate', { agent_id: NOBODY }), because: NOT_FOUND },
  },
];

const named = ROWS.map((row) => [row.row, row] as const);

it('every route that asks bot-engine stands in the table', () => {
  const mounted = mountedBelow(world.commerce, ['/agent', '/testing', '/botwelcome/generate']);
  expect([...new Set(ROWS.map(routeOf))].sort()).toEqual(mounted);
});

describe('with bot-engine', () => {
  it.each(named)('%s is answered', async (row, { ready, good }) => {
    const shop = await world.store();
    const [path, body] = await ready(shop);
    const { status } = await shop.ask(row.split(' ')[0] ?? '', path, body);
    expect(status).toBe(good);
  });

  it.each(named)('%s is refused by the code of what is wrong', async (_, { refused, because }) => {
    const { status, body } = await refused(await world.store());
    expect([status, body.code]).toEqual(because);
  });
});

describe('without bot-engine', () => {
  let [slow, down] = [new Map(), new Map()] as ReadonlyMap<string, readonly [number, string | undefined]>[];
  beforeAll(async () => {
    const asked = await prepared(ROWS, world.store);
    world.bot.freeze();
    slow = await askAll(asked);
    world.bot.awaken();
    await world.bot.kill();
    down = await askAll(asked);
    await world.bot.restart();
    const { ask } = await world.store();
    await until(async () => (await ask('GET', '/agent')).status === 200);
  });

  it.each(named)('%s is a 504 while it is slow', (row) => expect(slow?.get(row)).toEqual([504, 'provider_timeout']));
  it.each(named)('%s is a 502 while it is down', (row) => expect(down?.get(row)).toEqual([502, 'provider_error']));
});

describe('a request that is repeated after its process was killed between the answer of bot-engine and ours', () => {
  const rows = (table: string, storeId: string) =>
    world.bot.database.query(`SELECT 1 FROM bot_engine.${table} WHERE store_id = $1`, [storeId]);

  it.each([
    ['an agent', 'bot_agents', async () => ['/agent', NEW] as const],
    ['a document', 'bot_knowledge_docs', async (shop: Shop) => [`/agent/${await made(shop)}/knowledge`, FAQ] as const],
  ])('makes %s once', async (_, table, ready) => {
    const shop = await world.store();
    const [path, body] = await ready(shop);
    const [before, key] = [(await rows(table, shop.storeId)).length, uuidv7()];
    const swallowing = await startSwallowing(world.bot.url);
    const doomed = await startSecondProcess(world.commerce, {
      BOT_URL: swallowing.url,
      SENDS: 'held',
      OWNER_TIMEOUT_MS: '60000',
    });
    const headers = bearer(world.commerce.storeAuth.userToken({ store_id: shop.storeId }), { 'idempotency-key': key });
    const lost = askDocumented(world.commerce, doomed.url, path, { method: 'POST', body, headers }).catch(() => 'lost');
    await until(() => swallowing.swallowed.some((answer) => / 20\d$/.test(answer)));
    await doomed.stop('SIGKILL');
    expect(await lost).toBe('lost');
    expect((await rows(table, shop.storeId)).length).toBe(before + 1);
    const again = await shop.ask('POST', path, body, key);
    expect([200, 201, 202]).toContain(again.status);
    expect((await rows(table, shop.storeId)).length).toBe(before + 1);
    swallowing.stop();
  });
});
