import { localKeys } from '@platform/auth';
import { registrationsOf, startService, type Registration } from '@platform/http';
import { loadConfig, silentLogger } from '@platform/runtime';
import { caller, testSigningKey, useDatabase, useRunning } from '@platform/testing';
import { createApp } from './app';
import { internalCalls, internalToken, serviceToken, TABLES, tokenFor, useBot } from './app.fixture';
import { settings } from './config';
import { bodyOf, nobodysRows, pathWith } from './whole-store.fixture';

/** This process calls from an address that needs no token, where that counts. */
const { bot } = useBot({ environment: { ALLOWED_IPS: '127.0.0.0/8' } });

const rows = nobodysRows();
const internal = () => registrationsOf(bot.service).filter(({ path }) => path.startsWith('/internal/'));
const routeOf = ({ path, endpoint }: Registration) => `${endpoint.method.toUpperCase()} ${path}`;
const withBody = () => internal().filter(({ endpoint }) => endpoint.body !== undefined);

const ask = async (url: string, one: Registration, token: string, body = bodyOf(routeOf(one), rows)) => {
  const method = one.endpoint.method.toUpperCase();
  const request = { method, token, headers: { 'x-store-id': 'S1' }, ...(method === 'GET' ? {} : { body }) };
  const answer = await caller(url)(pathWith(one.path, rows) ?? '', request);
  return { status: answer.status, body: answer.body };
};

const UNAUTHENTICATED = { status: 401, body: { status: 'error', message: 'Unauthenticated', code: 'unauthenticated' } };

describe('every internal route, called from an address on the allowlist,', () => {
  it.each<[string, () => Promise<string>]>([
    ['no token', async () => ''],
    ['the token of an owner', () => tokenFor({ role: 'owner' })],
    ['the token of another service', serviceToken],
    [
      'a token of its caller for another service',
      () => tokenFor({ sub: 'svc:commerce-api', store: '', role: 'service', type: 'service+jwt', aud: 'chat-backend' }),
    ],
  ])('with %s is a 401, in its envelope', async (_, tokenOf) => {
    const token = await tokenOf();
    const answers = await Promise.all(internal().map(async (one) => [routeOf(one), await ask(bot.url, one, token)]));
    expect(answers).toEqual(internal().map((one) => [routeOf(one), UNAUTHENTICATED]));
    expect(answers.length).toBeGreaterThan(20);
  });

  it('lets its caller in', async () => {
    const token = await internalToken();
    for (const one of internal()) expect([routeOf(one), (await ask(bot.url, one, token)).status]).not.toContain(401);
  });
});

describe('a body of an internal route', () => {
  it('that is no JSON is a 400, over its limit a 413', async () => {
    const token = await internalToken();
    for (const one of withBody()) {
      const broken = await ask(bot.url, one, token, '{broken' as unknown as object);
      expect([routeOf(one), broken.status, broken.body]).toEqual([
        routeOf(one),
        400,
        { status: 'error', message: expect.any(String), code: 'malformed' },
      ]);
      const huge = await ask(bot.url, one, token, { id: 'x'.repeat(6_000_000) });
      expect([routeOf(one), huge.status, huge.body]).toEqual([
        routeOf(one),
        413,
        { status: 'error', message: expect.any(String), code: 'too_large' },
      ]);
    }
  });

  it('with a field that there is not is a 422 that names it', async () => {
    for (const one of withBody()) {
      const body = { ...bodyOf(routeOf(one), rows), promt: 'x' };
      const path = (pathWith(one.path, rows) ?? '').replace('/internal', '');
      const answer = await internalCalls(bot)(one.endpoint.method.toUpperCase(), path, body);
      expect([routeOf(one), answer]).toEqual([
        routeOf(one),
        {
          status: 422,
          body: {
            ...{ status: 'error', message: expect.any(String), code: 'validation' },
            errors: { promt: [expect.any(String)] },
          },
        },
      ]);
    }
  });
});

describe('with an INTERNAL_PORT', () => {
  const database = useDatabase(TABLES);
  const split = useRunning(async () => {
    const key = await testSigningKey();
    const own = { DATABASE_URL: database.url, STORE_AUTH_URL: 'http://127.0.0.1:9', SERVICE_CLIENT_SECRET: 'test' };
    const config = loadConfig(settings, { APP_ENV: 'test', ...own });
    const { service } = createApp(config, { logger: silentLogger, keys: localKeys(() => [key]) });
    return startService(service, { port: 0, internalPort: 0, host: '127.0.0.1', logger: silentLogger });
  });

  it('internal routes are served there, and do not exist on the public one', async () => {
    const token = await internalToken();
    for (const one of internal()) {
      const hidden = await ask(split.url, one, token);
      expect([routeOf(one), hidden.status, JSON.stringify(hidden.body)]).toEqual([
        routeOf(one),
        404,
        expect.not.stringContaining('"code"'),
      ]);
      const served = await ask(split.internalUrl, one, token);
      expect([routeOf(one), served.body]).toEqual([
        routeOf(one),
        expect.objectContaining({ status: expect.any(String) }),
      ]);
    }
  });
});
