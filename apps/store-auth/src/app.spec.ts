import { routeLines } from '@platform/http';
import { loadConfig } from '@platform/runtime';
import { basic, bearer, brief, OWNER, OWNER_LOGIN, useApp } from './app.fixture';
import { settings } from './config';

const { app, database } = useApp();

it('store-auth mounts the routes of the contract and the internal ones, each with its guard', () =>
  expect(routeLines(app.service).filter((line) => /,\/(api|internal|\.well-known)\//.test(line))).toEqual(
    expect.arrayContaining(
      `POST,/api/check-validate-token,public
POST,/api/checktoken,public
POST,/api/validate_token,public
POST,/api/login,public
POST,/api/logout,bearer
POST,/api/logout-all,bearer
POST,/api/create-token,bearer
POST,/api/refresh-token,public
POST,/api/set-email-session,public
POST,/api/remove-referer-session,public
POST,/api/product/check_stock_products,bearer
GET,/.well-known/jwks.json,public
POST,/internal/service-tokens,client
POST,/internal/verify-credentials,service
POST,/internal/verify-otp,service
POST,/internal/tokens,service
POST,/internal/tokens/introspect,service
POST,/internal/tokens/revoke,service
GET,/internal/events,service
GET,/internal/auth-events,service
POST,/internal/users,service
GET,/internal/users,service
PUT,/internal/users/{id},service
PUT,/internal/users/{id}/password,service
POST,/internal/users/{id}/two-factor,service
PUT,/internal/users/{id}/two-factor,service
DELETE,/internal/users/{id}/two-factor,service
POST,/internal/verification-codes,service
POST,/internal/verification-codes/consume,service
PUT,/internal/stores/{store_id},service
PUT,/internal/memberships/{store_id}/{user_id},service
DELETE,/internal/memberships/{store_id}/{user_id},service`
        .split('\n')
        .map((line) => `store-auth,${line}`),
    ),
  ));

it('store-auth answers /health, and serves its documentation', async () => {
  expect(brief(await app.get('/health'))).toEqual({
    status: 200,
    body: { status: 'ok', database: 'up', cache: 'up', keys: 'up' },
  });
  expect(brief(await app.get('/ready'))).toEqual({ status: 200, body: { ready: true } });
  expect((await app.get('/docs.json')).body).toMatchObject({ openapi: '3.1.0', info: { title: 'store-auth' } });
});

it('store-auth is not healthy without its cache, and goes on serving', async () => {
  const away = jest.spyOn(app.parts.cache, 'check').mockRejectedValue(new Error('away'));
  const answers = [brief(await app.get('/health')), brief(await app.get('/ready'))];
  away.mockRestore();
  expect(answers).toEqual([
    { status: 503, body: { status: 'error', database: 'up', cache: 'down', keys: 'up' } },
    { status: 200, body: { ready: true } },
  ]);
});

it('store-auth logs no password, token or secret, whatever happens', async () => {
  const canary = 'canary-4f1d-secret';
  const { token, refresh_token: refresh } = await app.login();
  const service = await app.serviceToken('commerce-api');
  const forged = `${token.slice(0, -8)}${canary.slice(0, 8)}`;
  await app.post('/api/login', { email: OWNER.email, password: canary });
  await app.post('/api/login', { password: canary });
  await app.post('/api/login', `{"email":"x","password":"${canary}"`);
  await app.post('/api/check-validate-token', { token: forged });
  await app.post('/api/check-validate-token', {}, bearer(forged));
  await app.post('/internal/service-tokens', { audience: 'chat-backend' }, basic('commerce-api', canary));
  await app.post(
    '/internal/verify-credentials',
    { email: 'a@b.example', password: canary, ip: '::1' },
    bearer(service),
  );
  await database.query('ALTER TABLE users RENAME TO users_away');
  const failed = await app.post('/api/login', { email: OWNER.email, password: canary });
  await database.query('ALTER TABLE users_away RENAME TO users');
  expect(brief(failed)).toEqual({ status: 500, body: { status: 'error', message: 'terjadi kesalahan, coba lagi' } });
  const log = app.lines.join('\n');
  expect(log).toContain('request failed unexpectedly');
  const secrets = [canary, token, refresh, service, forged, OWNER_LOGIN.password, token.split('.')[2] ?? ''];
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});

describe('the configuration of store-auth', () => {
  const read = (environment: Record<string, string>) =>
    loadConfig(settings, { DATABASE_URL: 'postgres://a:b@localhost/c', ...environment });

  it('needs a sealing key of 32 bytes in production', () => {
    expect(() => read({ APP_ENV: 'production' })).toThrow('SIGNING_KEY_SECRET is missing');
    expect(() => read({ SIGNING_KEY_SECRET: 'short' })).toThrow('SIGNING_KEY_SECRET must be 32 bytes in base64');
  });

  it('must name the proxies in front of it in production', () => {
    const SIGNING_KEY_SECRET = Buffer.alloc(32, 1).toString('base64');
    const production = (more: Record<string, string>) => () =>
      read({ APP_ENV: 'production', SIGNING_KEY_SECRET, REDIS_URL: 'none', ...more });
    expect(production({})).toThrow(
      'TRUST_PROXY is missing: set it to the addresses or networks of the proxies in front, comma separated, or none',
    );
    expect(production({ TRUST_PROXY: 'none' })()).toMatchObject({ TRUST_PROXY: [] });
    expect(production({ TRUST_PROXY: '10.0.0.0/8, 192.0.2.7' })()).toMatchObject({
      TRUST_PROXY: ['10.0.0.0/8', '192.0.2.7'],
    });
  });

  it('accepts for CORS_ORIGINS only origins as browsers write them', () => {
    const origins = 'https://shop.example, http://localhost:8080';
    expect(read({ CORS_ORIGINS: origins }).CORS_ORIGINS).toEqual(['https://shop.example', 'http://localhost:8080']);
    for (const wrong of ['*', 'https://shop.example/', 'shop.example', 'ftp://shop.example'])
      expect(() => read({ CORS_ORIGINS: wrong })).toThrow('CORS_ORIGINS must be a comma separated list of origins');
  });

  it('reads limits such as 5/15m, and refuses argon2 parameters below the floor', () => {
    expect(read({ THROTTLE_EMAIL: '7/2h' }).THROTTLE_EMAIL).toEqual({ attempts: 7, seconds: 7200 });
    for (const limit of ['5', '1/5m', '5/0m', '5/5d'])
      expect(() => read({ THROTTLE_IP: limit })).toThrow('THROTTLE_IP must be a limit such as 5/15m');
    expect(() => read({ ARGON2_M: '1024' })).toThrow('ARGON2_M must be a whole number from 19456');
  });
});
