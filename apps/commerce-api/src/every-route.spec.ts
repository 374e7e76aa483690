import { examplesOf, registrationsOf, type Registration } from '@platform/http';
import { loadConfig, silentLogger, uuidv7 } from '@platform/runtime';
import { hostileCalls, hostileTexts, textFieldsOf, type GoodRequest } from '@platform/testing';
import { forPeopleOnly, forServicesOnly, type Need } from './abilities';
import { createApp } from './app';
import { newApiToken, newMember, newStore, NOW, useCommerce } from './commerce.fixture';
import { settings } from './config';
import { conversationIdOf } from './features/inbox/conversations/public';

const LANES = 8;
const commerce = useCommerce();
let storeId: string;
/** A member whose role allows nothing, and an API token that may do everything an API token can. */
let powerless: string;
let apiToken: string;

beforeAll(async () => {
  commerce.storeAuth.users.set('owner@toko-nusa.example', { password: 'a good passphrase' });
  await commerce.seed();
  storeId = await newStore(commerce);
  const roleId = uuidv7();
  await commerce.database.query(
    `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, 'Tamu', '{}', $3, $3)`,
    [storeId, roleId, NOW],
  );
  const member = await newMember(commerce, storeId, 'cs');
  powerless = member.token;
  await commerce.database.query(
    'UPDATE membership SET system_role = NULL, role_id = $3 WHERE store_id = $1 AND user_id = $2',
    [storeId, member.userId, roleId],
  );
  const everything = { abilities: [...forPeopleOnly] };
  apiToken = (await newApiToken(commerce, storeId, everything)).token;
});

/** The routes as they are composed, connected to nothing. */
const routes = registrationsOf(
  createApp(
    loadConfig(settings, {
      DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
      STORE_AUTH_URL: 'http://127.0.0.1:1',
      SERVICE_CLIENT_SECRET: 's',
    }),
    { logger: silentLogger },
  ),
).filter(({ path }) => path.startsWith('/api/'));
const titled = (wanted: (route: Registration) => boolean) =>
  routes.filter(wanted).map((route) => [`${route.endpoint.method.toUpperCase()} ${route.path}`, route] as const);
const guarded = titled(({ guard }) => guard.label === 'token' || guard.label === 'jwt');
const needs = titled(({ guard, endpoint }) => guard.label === 'token' && endpoint.guard.includes('.'));
const forPeople = titled(
  ({ endpoint: { guard } }) =>
    ['login', 'person'].includes(guard) || guard.startsWith('person:') || forPeopleOnly.has(guard as Need),
);
/** That of the bot is read once its signature was proved: `door.spec` misspells it. */
const withBody = titled(({ endpoint }) => endpoint.body !== undefined && endpoint.guard !== 'engine');

/** What the documentation shows as a good request. */
const goodBody = ({ endpoint }: Registration): Record<string, unknown> =>
  (examplesOf(commerce.app, endpoint).find(({ status, request }) => status < 300 && request)?.request ?? {}) as Record<
    string,
    unknown
  >;
/** The form of a buyer's token; it opens nothing. */
const LINK = `S1.${uuidv7()}.${'x'.repeat(43)}`;
/** Names of what chat-backend owns: well-formed, and of nothing that is there. */
const CONVERSATION = conversationIdOf({ instance: 'dev-1', nohp: '6281234567890', team: '3', chatId: uuidv7() });
const TICKET = `S1.${uuidv7()}`;
const filled = (path: string): string =>
  path
    .replace('{group}', 'order')
    .replace('/session/{token}', `/session/${LINK}`)
    .replace('/conversations/{id}', `/conversations/${CONVERSATION}`)
    .replace('/ticketing-feedback/{id}', `/ticketing-feedback/${TICKET}`)
    .replaceAll(/\{\w+\}/g, uuidv7());
const ask = async ({ endpoint, path }: Registration, token: string | undefined, body?: unknown) => {
  const sent = endpoint.method === 'get' ? undefined : body;
  const answer = await commerce.call(endpoint.method.toUpperCase(), filled(path), token, sent);
  return { status: answer.status, body: answer.body };
};

describe('without a token nobody gets past the guard of', () => {
  it.each(guarded)('%s', async (_, route) =>
    expect(await ask(route, undefined, goodBody(route))).toEqual({
      status: 401,
      body: { status: 'error', message: 'Unauthenticated', code: 'unauthenticated' },
    }),
  );
});

describe('a member without the ability is refused at', () => {
  it.each(needs)('%s', async (_, route) => {
    const ability = route.endpoint.guard.replace('person:', '');
    expect(await ask(route, powerless, goodBody(route))).toEqual({
      status: 403,
      body: { status: 'error', message: `This needs the ability ${ability}`, code: 'forbidden', ability },
    });
  });
});

/** What every member may: read what has no read ability of its own, and their own account (design 6). */
const OPEN = [
  ...['DELETE /api/profile/two-factor', 'GET /api/profile', 'GET /api/profile/stores', 'POST /api/profile/avatar'],
  ...['POST /api/profile/two-factor', 'POST /api/profile/two-factor/confirm', 'PUT /api/profile'],
  ...['PUT /api/profile/password', 'GET /api/crm', 'GET /api/store', 'GET /api/upload'],
  ...['GET /api/checkout/links', 'GET /api/coupon', 'GET /api/coupon/{id}', 'GET /api/coupon/{id}/usages'],
  ...[
    'GET /api/shipping/methods',
    'GET /api/package',
    'GET /api/package/{id}',
    'GET /api/addon',
    'GET /api/addon/active',
  ],
  ...['GET /api/subscription', 'GET /api/subscription/usage', 'GET /api/subscription/invoices'],
  'GET /api/subscription/invoices/{id}',
  ...['GET /api/team_chat', 'GET /api/team_chat/{id}', 'GET /api/device', 'GET /api/device/{id}'],
  ...['GET /api/device/{id}/status', 'GET /api/chatbot', 'GET /api/botwelcome', 'GET /api/response-template'],
  ...['GET /api/agent', 'GET /api/agent/{id}', 'GET /api/agent/{id}/usage', 'GET /api/testing/sessions'],
  ...['GET /api/testing/sessions/{id}', 'GET /api/broadcast', 'GET /api/broadcast/{id}', 'GET /api/ticketing-feedback'],
  ...['GET /api/ticketing-feedback/{id}', 'GET /api/dashboard/alerts', 'GET /api/dashboard/sales-chart'],
  ...['GET /api/dashboard/summary', 'GET /api/dashboard/top-products', 'GET /api/notification'],
  ...['GET /api/notification/preferences', 'PUT /api/notification/preferences', 'POST /api/notification/read-all'],
  ...['POST /api/notification/{id}/read', 'GET /api/teamchat/rooms', 'POST /api/teamchat/rooms'],
  ...['GET /api/teamchat/rooms/{id}/messages', 'POST /api/teamchat/rooms/{id}/messages', 'GET /api/tracker'],
  ...['GET /api/tracker/{id}', 'GET /api/tracker/{id}/clicks', 'GET /api/biolink', 'GET /api/biolink/{id}'],
  ...['GET /api/biolink/{id}/statistics', 'GET /api/livechat/conversations', 'GET /api/livechat/widget'],
  ...['GET /api/livechat/conversations/{id}/messages', 'GET /api/wa/groups'],
];

it('every other token route is one that any member may use', () =>
  expect(
    titled(({ guard, endpoint }) => guard.label === 'token' && !endpoint.guard.includes('.'))
      .map(([title]) => title)
      .sort(),
  ).toEqual([...OPEN].sort()));

describe('an API token is refused where a person must sign in:', () => {
  it.each(forPeople)('%s', async (_, route) =>
    expect(await ask(route, apiToken, goodBody(route))).toEqual({
      status: 403,
      body: { status: 'error', message: 'This needs a login of a user', code: 'token_not_allowed' },
    }),
  );
});

describe('a misspelt field is refused at', () => {
  it.each(withBody)('%s', async (_, route) => {
    const isForServices = forServicesOnly.has(route.endpoint.guard as Need);
    const token = isForServices
      ? commerce.storeAuth.serviceToken('ads-client', 'S1')
      : commerce.storeAuth.userToken({});
    const { status, body } = await ask(route, token, { ...goodBody(route), mispelt: 1 });
    expect({ status, body }).toEqual({
      status: 422,
      body: expect.objectContaining({ errors: expect.objectContaining({ mispelt: ['mispelt is not a known field'] }) }),
    });
  });
});

describe('no route of commerce-api breaks on', () => {
  it.each(Object.entries(hostileTexts))('%s in any text', async (_, hostile) => {
    const fieldsOf = textFieldsOf(commerce.app);
    const calls = routes.flatMap((route) => {
      const method = route.endpoint.method.toUpperCase();
      const good: GoodRequest = { method, template: route.path, path: filled(route.path), body: goodBody(route) };
      return hostileCalls(good, fieldsOf, hostile).map((call) => ({ method, ...call }));
    });
    const broken: unknown[] = [];
    const token = commerce.storeAuth.userToken({ store_id: storeId });
    const one = async ({ method, path, body, where }: (typeof calls)[number]) => {
      const answer = await commerce.call(method, path, token, method === 'GET' ? undefined : body);
      const { status } = answer;
      // No owner of what a face shows is here
      if (status >= 500 && (answer.body as { code?: string }).code !== 'provider_error')
        broken.push({ method, path: path.split('?')[0], where, status });
    };
    for (let first = 0; first < calls.length; first += LANES)
      await Promise.all(calls.slice(first, first + LANES).map(one));
    expect(broken).toEqual([]);
    expect(calls.length).toBeGreaterThan(30);
  });
});
