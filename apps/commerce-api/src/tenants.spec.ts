import { examplesOf, registrationsOf, type Endpoint, type Registration } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { forServicesOnly, type Need } from './abilities';
import { askOf, type Ask } from './asked.fixture';
import { newStore, type Commerce } from './commerce.fixture';
import { conversationIdOf } from './features/inbox/conversations/public';
import { ownedBy, startWithOwners } from './owners.fixture';
import { pathWith, pathWithin, type AllRows as Rows } from './shop-rows.fixture';
import { BODIES } from './tenants.cases.fixture';
import { QUERIES, WELL_FORMED } from './tenants.requests.fixture';
import { wholeShop } from './whole-shop.fixture';

const world = useRunning(startWithOwners);
let commerce: Commerce;
let mine: Rows;
let ask: Ask;
let other: { readonly storeId: string; readonly rows: Rows };
/** Names of rows that nobody has. */
let nobodys: Rows;

beforeAll(async () => {
  ({ commerce } = world);
  const everything = async () => {
    const shop = await wholeShop(commerce);
    return { storeId: shop.storeId, rows: { ...shop.rows, ...(await ownedBy(world, shop)) } };
  };
  const own = await everything();
  [mine, ask] = [own.rows, askOf(commerce)(own.storeId)];
  other = await everything();
  const chatId = `${own.storeId}.${uuidv7()}`;
  const inbox = { instance: `dev-${mine.device}`, team: mine.chatTeam };
  const conversation = conversationIdOf({ ...inbox, nohp: '6281100000000', chatId });
  const unknown = Object.fromEntries(Object.keys(mine).map((name) => [name, uuidv7()]));
  nobodys = {
    ...(unknown as Rows),
    sku: 'NOBODY',
    phone: '6281100000000',
    orderNumber: 'INV-260301-ZZZZZZ',
    ...{ conversation, ticket: chatId },
  };
});

/** Tokens of ours are good for ten minutes at the owners, whose clocks go on. */
beforeEach(() => world.catchUp());

/** Everything that a store has, as one text. */
const allOf = async ({ database }: Commerce, storeId: string): Promise<string> => {
  const tables = await database.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'commerce_api' AND c.column_name = 'store_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const all = tables.map(async ({ name }) => {
    const text = `SELECT '${name} ' || coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS told FROM ${name} t WHERE store_id = $1`;
    return (await database.query<{ told: string }>(text, [storeId]))[0]?.told;
  });
  return (await Promise.all(all)).join('\n');
};

const goodBody = (endpoint: Endpoint): unknown =>
  examplesOf(commerce.app, endpoint).find(({ status, request }) => status < 300 && request !== undefined)?.request;

/** What is for services alone asks nobody else for a row. */
const ofStores = () =>
  registrationsOf(commerce.app).filter(
    ({ path, guard, endpoint }) =>
      guard.label === 'token' && path.startsWith('/api/') && !forServicesOnly.has(endpoint.guard as Need),
  );

/** Asks a route with this path and what its documentation sends. */
const askWith = ({ path, endpoint }: Registration, filled: string) => {
  const method = endpoint.method.toUpperCase();
  const body = method === 'GET' ? undefined : (WELL_FORMED[`${method} ${path}`] ?? goodBody(endpoint));
  return ask<unknown>(method, filled.slice(4), body, endpoint.idempotency === 'required' ? uuidv7() : undefined);
};

it("another store's row in a path is 404 at every route, as if nobody had it, and is left as it is", async () => {
  const before = await allOf(commerce, other.storeId);
  const answers: Record<string, unknown> = {};
  const tried: string[] = [];
  // A SKU is what its store calls it: the same one is in every shop
  const rows = { ...other.rows, sku: 'NOT-MINE' };
  for (const route of ofStores()) {
    const [theirs, unknown] = [pathWith(route.path, rows), pathWith(route.path, nobodys)];
    if (theirs === undefined || unknown === undefined) continue;
    const title = `${route.endpoint.method.toUpperCase()} ${route.path}`;
    tried.push(title);
    const [asked, same] = [await askWith(route, theirs), await askWith(route, unknown)];
    // With a field it would be an id of the body that was not found
    const isOfPath = asked.status === 404 && !('field' in asked.body);
    if (!isOfPath || JSON.stringify(asked) !== JSON.stringify(same)) answers[title] = asked;
  }
  expect(answers).toEqual({});
  expect(tried.length).toBeGreaterThan(150);
  expect(await allOf(commerce, other.storeId)).toBe(before);
});

it("another store's row inside of one of mine is 404 as well", async () => {
  const answers: Record<string, unknown> = {};
  const tried: string[] = [];
  for (const route of ofStores()) {
    const within = pathWithin(route.path, mine, other.rows);
    if (within === undefined) continue;
    const title = `${route.endpoint.method.toUpperCase()} ${route.path}`;
    tried.push(title);
    const asked = await askWith(route, within);
    if (asked.status !== 404) answers[title] = asked;
  }
  expect(answers).toEqual({});
  expect(tried).toContain('DELETE /api/biolink/{id}/links/{linkId}');
  expect(tried).toContain('DELETE /api/agent/{id}/knowledge/{knowledgeId}');
});

it('every parameter of a path that names a row of a store is among those tried', () => {
  const named = registrationsOf(commerce.app).filter(
    ({ path, guard }) => guard.label === 'token' && path.startsWith('/api/') && path.includes('{'),
  );
  expect(named.map(({ path }) => path).filter((path) => pathWith(path, mine) === undefined)).toEqual([
    '/api/payment/methods/{code}',
    '/api/settings/{group}',
    '/api/settings/{group}',
    // Plans and add-ons are the platform's own
    '/api/package/{id}',
    '/api/addon/{id}/buy',
  ]);
});

/** The same text for both, so that answers can be compared. */
const nameless = (answer: unknown, rows: Rows): string =>
  Object.entries({ ...rows, sku: '<sku>' }).reduce(
    (text, [name, id]) => text.replaceAll(id, `<${name}>`),
    JSON.stringify(answer),
  );

describe("another store's row in a body is answered as one that nobody has, and left as it is:", () => {
  let before: string;
  beforeAll(async () => {
    before = await allOf(commerce, other.storeId);
  });
  afterAll(async () => expect(await allOf(commerce, other.storeId)).toBe(before));

  it.each(
    BODIES.map(
      ([status, what, method, path, body]) =>
        [method, path({} as Rows).replaceAll('undefined', '{id}'), what, status, path, body] as const,
    ),
  )('%s %s with a %s: %i', async (method, _path, _what, status, path, body) => {
    const theirs = await ask<unknown>(method, path(mine), body?.(mine, other.rows));
    const unknown = await ask<unknown>(method, path(mine), body?.(mine, nobodys));
    expect([theirs.status, nameless(theirs, other.rows)]).toEqual([status, nameless(unknown, nobodys)]);
  });
});

it.each(QUERIES)("another store's row in a query is 404, as if nobody had it: GET %s<%s>", async (path, row) => {
  const theirs = await ask<unknown>('GET', path + other.rows[row]);
  expect([theirs.status, nameless(theirs, other.rows)]).toEqual([
    404,
    nameless(await ask<unknown>('GET', path + nobodys[row]), nobodys),
  ]);
});

/** Whoever worked here once is still found by what they did; who works elsewhere did nothing here. */
it.each(['/order?assignee_id=', '/logs?actor_id='])(
  'a member of another store in a query finds nothing: GET %s',
  async (path) => {
    const theirs = await ask<unknown>('GET', path + other.rows.member);
    expect([theirs.status, theirs.body.data]).toEqual([200, []]);
  },
);

it('a store without rows sees none of the others in any list', async () => {
  const fresh = askOf(commerce)(await newStore(commerce));
  const lists = [
    '/order',
    '/payment',
    '/coupon',
    '/contact',
    '/tag',
    '/upload',
    '/shipping/shipments',
    '/checkout/links',
    ...['/device', '/chatbot', '/response-template', '/team_chat'],
  ];
  for (const path of [...lists, '/checkout/abandoned', '/warehouse/transfer', '/products', '/category_product'])
    expect([path, (await fresh<unknown>('GET', path)).body.data]).toEqual([path, []]);
});
