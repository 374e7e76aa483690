import { openCache } from '@platform/data';
import { registrationsOf, type Registration } from '@platform/http';
import { environment, silentLogger, uuidv7 } from '@platform/runtime';
import { startGate, until } from '@platform/testing';
import { newCustomer, tokenFor, useBot } from './app.fixture';
import { bodyOf, nobodysRows } from './whole-store.fixture';

const { bot, database } = useBot();

type Body = object | string;

/** How each route writes a failure (design 2.7); a route that is missing fails the suite. */
const statusCode = (status: number, message: string, more: object = {}): Body => ({
  statusCode: status,
  message,
  ...more,
});
const status = (code: number, message: string, more: object = {}): Body => ({ status: code, message, ...more });
const text = (_: number, message: string): Body => message;
const SHAPES: Readonly<Record<string, (status: number, message: string, more?: object) => Body>> = {
  '/api/chatbot-api': statusCode,
  '/api/ai-agent-testing': statusCode,
  '/api/generate_welcome': status,
  '/api/webhook/payment-notification': status,
  '/api/notify-new-message': text,
};

/** What an empty body lacks. */
const REQUIRED: Readonly<Record<string, readonly (readonly [field: string, tag?: string])[]>> = {
  '/api/chatbot-api': [['idUser'], ['idAgent'], ['idStore'], ['message', 'required_without']],
  '/api/ai-agent-testing': [['store_id'], ['agent_id'], ['prompt'], ['question']],
  '/api/generate_welcome': [['store_id'], ['agent_id']],
  '/api/webhook/payment-notification': [['idEvent'], ['event'], ['orderNumber'], ['idStore']],
  '/api/notify-new-message': [['idStore'], ['idUser'], ['idMessage']],
};

const api = () => registrationsOf(bot.service).filter(({ path }) => path.startsWith('/api/'));
const posts = (): string[] => api().flatMap(({ path, endpoint }) => (endpoint.method === 'post' ? [path] : []));
const brief = ({ status: code, body }: { status: number; body: unknown }) => ({ status: code, body });
const failure = (path: string, code: number, message: string, more?: object) => ({
  ...{ status: code, body: SHAPES[path]?.(code, message, more) },
});
/** Of the demo shop, about a new customer. */
const good = (path: string, more: object = {}) => ({
  ...bodyOf(`POST ${path}`, { ...nobodysRows(), agent: 'A1' }),
  ...{ idStore: 'S1', store_id: 'S1', idUser: newCustomer(), ...more },
});
/** One answer of each route. */
const each = async (ask: (path: string) => Promise<{ status: number; body: unknown }>) =>
  Object.fromEntries(await Promise.all(posts().map(async (path) => [path, brief(await ask(path))] as const)));
const all = (told: (path: string) => object) => Object.fromEntries(posts().map((path) => [path, told(path)]));

const UNAUTHENTICATED = { status: 401, body: { status: 'error', message: 'Unauthenticated' } };

it('this suite knows every route under /api that takes a body', () => {
  expect(posts().sort()).toEqual(Object.keys(SHAPES).sort());
  expect(posts().sort()).toEqual(Object.keys(REQUIRED).sort());
});

describe('every route under /api', () => {
  it.each<[string, () => Promise<Record<string, string>>]>([
    ['without a token', async () => ({})],
    [
      'with a token for another service',
      async () => ({ authorization: `Bearer ${await tokenFor({ aud: 'ads-api' })}` }),
    ],
    ['with an expired token', async () => ({ authorization: `Bearer ${await tokenFor({ ttlSeconds: -120 })}` })],
  ])('%s is a 401, before its body is read', async (_, headers) => {
    const answers = await each(async (path) => bot.post(path, '{broken', await headers()));
    expect(answers).toEqual(all(() => UNAUTHENTICATED));
    const reads = api().filter(({ endpoint }: Registration) => endpoint.method === 'get');
    for (const { path } of reads) expect(brief(await bot.get(path))).toEqual(UNAUTHENTICATED);
  });

  it('refuses a body that is no JSON, in its own shape', async () => {
    expect(await each((path) => bot.post(path, '{broken'))).toEqual(all((path) => failure(path, 400, 'invalid json')));
  });

  it('refuses a form', async () => {
    const authorization = `Bearer ${await tokenFor()}`;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    expect(await each((path) => bot.post(path, 'message=hi', headers))).toEqual(
      all((path) => failure(path, 400, 'invalid json')),
    );
  });

  it('refuses 300 kB', async () => {
    const body = { message: 'x'.repeat(300_000) };
    expect(await each((path) => bot.post(path, body))).toEqual(all((path) => failure(path, 413, 'request too large')));
  });

  it('names every field that is missing', async () => {
    const errorsOf = (path: string) =>
      (REQUIRED[path] ?? []).map(([field, tag = 'required']) => ({
        ...{ field, tag, message: `${field} is a required field` },
      }));
    expect(await each((path) => bot.post(path, {}))).toEqual(
      all((path) => failure(path, 422, 'validation error', { errors: errorsOf(path) })),
    );
  });

  it('ignores fields that there are not', async () => {
    const more = { foreign: 'x', __proto__: { admin: true }, constructor: 'y' };
    const answers = await each((path) => bot.post(path, good(path, more)));
    const { '/api/webhook/payment-notification': payment, '/api/notify-new-message': notice, ...rest } = answers;
    expect(Object.values(rest).map((answer) => answer.status)).toEqual([201, 201, 201]);
    expect(notice).toEqual({ status: 200, body: 'Notification send to client' });
    // Nobody tells of its order here
    expect(payment?.status).not.toBe(422);
    expect(JSON.stringify(answers)).not.toMatch(/foreign|admin/);
  });
});

describe('routes about an agent', () => {
  const ABOUT = ['/api/chatbot-api', '/api/ai-agent-testing', '/api/generate_welcome'];

  it.each([
    ['store', { idStore: 'none', store_id: 'none' }, 'store not found'],
    ['agent', { idAgent: 'none', agent_id: 'none' }, 'agent not found'],
  ])('answer 404 for an unknown %s, in their own shape', async (_, wrong, message) => {
    for (const path of ABOUT)
      expect([path, brief(await bot.post(path, good(path, wrong)))]).toEqual([path, failure(path, 404, message)]);
  });

  it('answer 500 without detail when something unforeseen happens', async () => {
    await database.query('ALTER TABLE bot_agents RENAME TO bot_agents_hidden');
    const answers = await Promise.all(ABOUT.map(async (path) => [path, brief(await bot.post(path, good(path)))]));
    await database.query('ALTER TABLE bot_agents_hidden RENAME TO bot_agents');
    expect(answers).toEqual(ABOUT.map((path) => [path, failure(path, 500, 'internal server error')]));
  });
});

it('an unknown path under /api is a 401, and a 404 with a token', async () => {
  for (const path of ['/api', '/api/nothing', '/api/v1/chatbot-api', '/api/chatbot-api/']) {
    expect(brief(await bot.post(path, {}, {}))).toEqual(UNAUTHENTICATED);
    expect(brief(await bot.post(path, {}))).toEqual({ status: 404, body: { statusCode: 404, message: 'not found' } });
  }
});

describe('a caller from an allowlisted address', () => {
  const open = useBot({ environment: { ALLOWED_IPS: '127.0.0.0/8' } });

  it('needs no token on any route under /api', async () => {
    const answers = await each((path) => open.bot.post(path, {}, {}));
    expect(Object.values(answers).map((answer) => answer.status)).toEqual(posts().map(() => 422));
    expect(brief(await open.bot.get('/api/test'))).toEqual({ status: 200, body: { message: 'berhasil' } });
  });
});

describe('without its database', () => {
  const cut = useBot();

  it('every route that needs it is a 503 that asks for a repeat, in its own shape', async () => {
    await cut.bot.database.stop?.();
    for (const path of posts()) {
      const answer = await cut.bot.post(path, good(path));
      const told = [path, brief(answer), answer.headers.get('retry-after')];
      if (path === '/api/notify-new-message')
        expect(told).toEqual([path, { status: 200, body: 'Notification send to client' }, null]);
      else
        expect(told).toEqual([path, failure(path, 503, 'temporarily unavailable'), expect.stringMatching(/^[1-5]$/)]);
    }
  });
});

const withRedis = (redisUrl: string): void => {
  describe('while its Redis is down', () => {
    const cut = useBot();

    it('every route is a 503 that asks for a repeat, in its own shape: nothing is counted or answered twice', async () => {
      const gate = await startGate(redisUrl);
      const cache = openCache({ url: gate.url, logger: silentLogger, name: uuidv7() });
      const limited = await cut.start({ REDIS_URL: gate.url }, { cache });
      await gate.close();
      for (const path of posts().filter((each) => each !== '/api/webhook/payment-notification')) {
        const answer = await until(
          () => limited.post(path, good(path)),
          ({ status }) => status === 503,
        );
        expect([path, brief(answer), answer.headers.get('retry-after')]).toEqual([
          path,
          failure(path, 503, 'temporarily unavailable'),
          '2',
        ]);
      }
      await limited.stop();
    });
  });
};

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: answers without Redis were not tried.\n');
