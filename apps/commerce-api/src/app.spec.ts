import { openapi, routeLines } from '@platform/http';
import { loadConfig, systemClock } from '@platform/runtime';
import { runProgramCommand, startProgram, testSigningKey, useDatabase, useRunning } from '@platform/testing';
import { startFakeStoreAuth } from './clients/store-auth.fake';
import { bearer, demoShop, useCommerce } from './commerce.fixture';
import { settings } from './config';
import { schema } from './data-source';

const main = 'apps/commerce-api/src/main.ts';
/** The contract's routes; features beyond it are mounted beside them. */
const ROUTES = [
  '/api/products/check-stock',
  '/api/products',
  '/api/auth/login',
  '/api/auth/two-factor',
  '/api/refresh',
  '/api/test',
  '/api/logout',
  '/api/auth/logout',
  '/api/auth/switch-store',
];

describe('the routes of commerce-api', () => {
  const commerce = useCommerce();

  it("are guarded as the contract's lists say, in a document that names the guards", () => {
    expect(routeLines(commerce.app)).toEqual(
      expect.arrayContaining([
        'commerce-api,POST,/api/products/check-stock,token',
        'commerce-api,GET,/api/products,token',
        'commerce-api,POST,/api/auth/login,none',
        'commerce-api,POST,/api/auth/two-factor,none',
        'commerce-api,POST,/api/refresh,jwt*',
        'commerce-api,GET,/api/test,jwt',
        'commerce-api,POST,/api/logout,jwt',
        'commerce-api,POST,/api/auth/logout,jwt',
        'commerce-api,POST,/api/auth/switch-store,jwt',
        'commerce-api,GET,/health,public',
        'commerce-api,GET,/ready,public',
        'commerce-api,GET,/metrics,public',
        'commerce-api,GET,/docs,public',
        'commerce-api,GET,/docs.json,public',
      ]),
    );
    const { paths } = openapi(commerce.app) as { paths: object };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(ROUTES));
  });

  it('an unknown route of commerce-api is a 404 in its envelope', async () => {
    const { status, body } = await commerce.get('/api/nothing');
    expect({ status, body }).toEqual({
      status: 404,
      body: { status: 'error', message: 'Not found', code: 'not_found' },
    });
  });
});

describe('in production commerce-api does not start', () => {
  const production = {
    APP_ENV: 'production',
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
    SERVICE_CLIENT_SECRET: 's',
  };
  it.each([
    ['PUBLIC_URL', 'the http(s) address of the shop pages, to which links in mails lead'],
    ['MAIL_FROM', 'a text'],
  ])('without %s, and says what it is', (name, what) =>
    expect(() => loadConfig(settings, production)).toThrow(`${name} is missing: set it to ${what}`),
  );
});

describe('the seed of commerce-api', () => {
  const commerce = useCommerce();

  it('leaves existing rows alone, a sold-down stock included', async () => {
    const everything = async () => {
      const tables = [
        'store',
        'global_key',
        'warehouse',
        'category',
        'product',
        'variant',
        'stock_level',
        'stock_movement',
      ];
      return Promise.all(tables.map((table) => commerce.database.query(`SELECT * FROM ${table}`)));
    };
    await commerce.seed();
    await commerce.database.query('UPDATE stock_level SET on_hand = 3');
    const before = await everything();
    commerce.clock.advance(60_000);
    await commerce.seed();
    expect(await everything()).toEqual(before);
    expect(before.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    const thief = { ...demoShop, store: { ...demoShop.store, store_id: 'S2' } };
    await expect(commerce.seed(thief)).rejects.toThrow('The slug "toko-nusa" belongs to the store S1');
  });
});

describe('the program of commerce-api', () => {
  const database = useDatabase({ schema });
  const storeAuth = useRunning(async () => startFakeStoreAuth(systemClock, await testSigningKey()));
  beforeAll(() => {
    storeAuth.users.set('owner@toko-nusa.example', { password: 'canary-password' });
  });
  const env = () => ({
    DATABASE_URL: database.url,
    STORE_AUTH_URL: storeAuth.url,
    SERVICE_CLIENT_SECRET: storeAuth.client.secret,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'debug',
  });

  it('lists every problem of its configuration and exits 1', async () => {
    const { code, output } = await runProgramCommand({ main, env: { STORE_AUTH_URL: 'canary' } });
    expect({ code, output }).toEqual({
      code: 1,
      output: [
        'commerce-api: The configuration is not usable:',
        '  - DATABASE_URL is missing: set it to a PostgreSQL address (postgres://user:password@host:port/database)',
        '  - STORE_AUTH_URL must be an http(s) address',
        '  - SERVICE_CLIENT_SECRET is missing: set it to a secret text',
        '',
      ].join('\n'),
    });
  });

  it('checks its settings and mounts its routes without connecting to anything', async () => {
    const nowhere = {
      DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/none',
      STORE_AUTH_URL: 'http://127.0.0.1:1',
      PORT: '3005',
    };
    const { code, output } = await runProgramCommand({ main, args: ['check'], env: { ...env(), ...nowhere } });
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^commerce-api: the settings are in order, \d+ endpoints for port 3005, at most 17 connections to PostgreSQL\n$/,
      ),
    });
  });

  it('migrates, seeds, serves, prints no secret and stops cleanly', async () => {
    expect((await runProgramCommand({ main, args: ['migrate'], env: env() })).code).toBe(0);
    expect((await runProgramCommand({ main, args: ['seed', JSON.stringify(demoShop)], env: env() })).code).toBe(0);
    const program = await startProgram({ main, env: env() });
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(program.url + path, { headers });
      return { status: answer.status, text: await answer.text() };
    };
    const login = (body: object) =>
      fetch(`${program.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(({ status }) => status);
    const email = 'owner@toko-nusa.example';
    expect(await login({ email, password: 'canary-password' })).toBe(200);
    expect(await login({ email, password: 'canary-wrong-password' })).toBe(401);
    expect(await login({ email, password: 'canary-password', otp: 'canary-otp' })).toBe(422);
    const token = storeAuth.userToken({});
    expect((await get('/api/products?q=sepatu', bearer(token))).status).toBe(200);
    expect((await get('/api/products?q=sepatu', bearer(`${token}x`))).status).toBe(401);

    const health =
      '{"status":"ok","commerce_api":"up","commerce-api cache":"up","token keys":"up","jobs commerce-api":"up"}';
    expect(await get('/health')).toEqual({ status: 200, text: health });
    expect(await get('/ready')).toEqual({ status: 200, text: '{"ready":true}' });
    expect(await get('/metrics')).toMatchObject({ status: 200, text: expect.stringContaining('/api/products') });
    expect(await get('/docs')).toMatchObject({ status: 200, text: expect.stringContaining('swagger-ui') });
    expect(await get('/docs.json')).toMatchObject({ status: 200, text: expect.stringContaining('"openapi":"3.1.0"') });
    expect(await program.stop()).toBe(0);
    const secrets = ['canary', 'the-access-token', token, token.split('.')[2] ?? ''];
    expect(secrets.filter((secret) => program.output().includes(secret))).toEqual([]);
    expect(program.output()).toContain('"route":"/api/auth/login","status":401');
  });
});
