import { registrationsOf, type Registration } from '@platform/http';
import { useRunning } from '@platform/testing';
import { internalCalls, internalToken, newCustomer, tokenFor, useBot } from './app.fixture';
import { allOf, bodyOf, CANARY, nobodysRows, pathWith, wholeStore, type Rows } from './whole-store.fixture';

const { database, bot } = useBot({ environment: { LOG_LEVEL: 'debug' } });
/** What the store S2 has, in whose name nobody asks here. */
const theirs = useRunning(async (): Promise<Rows> => wholeStore(bot, database, 'S2'));
let before: string;
beforeAll(async () => {
  before = await allOf(database, 'S2');
  expect(before.split(CANARY).length).toBeGreaterThan(12);
});

const s1 = () => internalCalls(bot, 'S1');
const routeOf = ({ path, endpoint }: Registration) => `${endpoint.method.toUpperCase()} ${path}`;
const internal = () => registrationsOf(bot.service).filter(({ guard }) => guard.label === 'service');
const call = (registration: Registration, path: string, rows: Rows) => {
  const method = registration.endpoint.method.toUpperCase();
  const hasBody = method === 'POST' || method === 'PUT';
  return s1()(method, path.replace('/internal', ''), hasBody ? bodyOf(routeOf(registration), rows) : undefined);
};

const lacksBody = (one: Registration): boolean =>
  one.endpoint.body !== undefined && bodyOf(routeOf(one), nobodysRows()) === undefined;

it('every writing route, and every row that a path names, is known to this suite', () => {
  const unknown = internal().filter((one) => pathWith(one.path, nobodysRows()) === undefined || lacksBody(one));
  expect(unknown.map(routeOf)).toEqual([]);
});

it("another store's row in a path is the 404 of a row that nobody has, at every route, and is left as it is", async () => {
  const named = internal().filter(({ path }) => path.includes('{'));
  const wrong: Record<string, unknown> = {};
  for (const one of named) {
    const nobodys = nobodysRows();
    const [their, unknown] = [pathWith(one.path, theirs), pathWith(one.path, nobodys)];
    const asked = await call(one, their ?? '', theirs);
    const same = await call(one, unknown ?? '', theirs);
    const { status, body } = asked;
    const isNone = status === 404 && (body as { code?: string }).code === 'not_found';
    if (!isNone || JSON.stringify(asked) !== JSON.stringify(same)) wrong[routeOf(one)] = [asked, same];
  }
  expect(wrong).toEqual({});
  expect(named.length).toBeGreaterThan(10);
  expect(await allOf(database, 'S2')).toBe(before);
});

it("a list, whatever it is asked for, holds nothing of another store, not even by that store's ids", async () => {
  const lists = internal().filter(({ path, endpoint }) => endpoint.method === 'get' && !path.includes('{'));
  const chat = encodeURIComponent(`${CANARY} chat`);
  for (const { path } of lists) {
    const days = 'from=2026-01-01&to=2026-12-31';
    for (const filter of ['', `agent_id=${theirs.agent}`, `chat_id=${chat}`, `agent_id=${theirs.agent}&${days}`]) {
      const { status, body } = await s1()('GET', `${path.replace('/internal', '')}?${filter}`);
      const told = JSON.stringify(body);
      expect([path, filter, told]).toEqual([path, filter, expect.not.stringContaining(CANARY)]);
      expect([path, filter, status]).toEqual([path, filter, expect.any(Number)]);
      for (const id of Object.values({ ...theirs }))
        expect([path, told]).toEqual([path, expect.not.stringContaining(id)]);
    }
  }
  expect(lists.length).toBeGreaterThan(5);
});

it('a cursor of another store opens no list of this one', async () => {
  await wholeStore(bot, database, 'S2b');
  await wholeStore(bot, database, 'S2b');
  for (const path of ['/test-sessions', '/runs', '/evals', '/gaps']) {
    const { body } = await internalCalls(bot, 'S2b')('GET', `${path}?limit=1`);
    const { next_cursor: cursor } = (body as { meta: { next_cursor: string | null } }).meta;
    const { status } = await s1()('GET', `${path}?limit=1&cursor=${encodeURIComponent(cursor ?? '')}`);
    expect([path, typeof cursor, status]).toEqual([path, 'string', 422]);
  }
});

it("another store's agent or run in a body is not found, and nothing is written", async () => {
  const posts = internal().filter(({ endpoint, path }) => endpoint.method === 'post' && !path.includes('{'));
  const answers: Record<string, unknown> = {};
  for (const one of posts) if (one.path !== '/internal/agents') answers[one.path] = await call(one, one.path, theirs);
  const none = (message: string) => ({ status: 404, body: { status: 'error', message, code: 'not_found' } });
  expect(answers).toEqual({
    '/internal/knowledge': none('agent not found'),
    '/internal/test-sessions': none('agent not found'),
    '/internal/evals': none('run not found'),
    '/internal/evals/run': none('agent not found'),
  });
  expect(await allOf(database, 'S2')).toBe(before);
  expect(await allOf(database, 'S1')).not.toContain(theirs.agent);
});

it('a token of one store is good for that one only, whatever the header says', async () => {
  for (const one of internal()) {
    const path = pathWith(one.path, theirs) ?? '';
    const answer = await fetch(bot.url + path, {
      method: one.endpoint.method.toUpperCase(),
      headers: { authorization: `Bearer ${await internalToken('S1')}`, 'x-store-id': 'S2' },
    });
    expect([routeOf(one), answer.status, await answer.json()]).toEqual([
      routeOf(one),
      403,
      { status: 'error', message: 'The token belongs to another store', code: 'forbidden' },
    ]);
  }
});

describe('a user of another store', () => {
  const STORE = { status: 404, message: 'store not found' };

  it.each([
    ['/api/chatbot-api', { statusCode: 404, message: 'store not found' }],
    ['/api/generate_welcome', STORE],
  ])('is told by %s that there is no such store', async (path, body) => {
    const authorization = `Bearer ${await tokenFor({ store: 'S1' })}`;
    const sent = { ...bodyOf(`POST ${path}`, theirs), idStore: 'S2', store_id: 'S2', idUser: newCustomer() };
    const answer = await bot.post(path, sent, { authorization });
    expect([answer.status, answer.body]).toEqual([404, body]);
  });

  it("is told by every route that another store's agent is none of the store", async () => {
    for (const path of ['/api/chatbot-api', '/api/generate_welcome', '/api/ai-agent-testing']) {
      const sent = { ...bodyOf(`POST ${path}`, theirs), idStore: 'S1', store_id: 'S1', idUser: newCustomer() };
      const answer = await bot.post(path, sent);
      expect([path, answer.status, JSON.stringify(answer.body)]).toEqual([
        path,
        404,
        expect.stringContaining('agent not found'),
      ]);
    }
    expect(await allOf(database, 'S2')).toBe(before);
  });
});

it('nothing that is said, asked or configured stands in the log, at its most talkative level', async () => {
  const own = await wholeStore(bot, database, 'S9');
  for (const one of internal()) await call(one, pathWith(one.path, own) ?? '', own);
  for (const { path, endpoint } of registrationsOf(bot.service))
    if (path.startsWith('/api/') && endpoint.method === 'post')
      await bot.post(path, { ...bodyOf(`POST ${path}`, own), idStore: 'S9', store_id: 'S9', idUser: `62${CANARY}` });
  expect(bot.log.length).toBeGreaterThan(20);
  expect(bot.log.filter((line) => line.includes(CANARY) || line.includes('eyJ')).slice(0, 3)).toEqual([]);
});
