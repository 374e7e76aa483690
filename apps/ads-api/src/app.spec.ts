import { generateKeyPairSync } from 'node:crypto';
import { openapi, routeLines } from '@platform/http';
import { runProgramCommand, startProgram, useDatabase } from '@platform/testing';
import { bareBody, handshakeHeaders, useAds, type Client } from './ads.fixture';
import { schema } from './data-source';

const main = 'apps/ads-api/src/main.ts';
/** The contract's routes; features beyond it are mounted beside them. */
const ROUTES = ['/api/application/token', '/api/application/token/check', '/api/social/accounts'];
const DEMO = '0199f7a0-0000-7000-8000-000000000001';

describe('the documentation', () => {
  const ads = useAds();

  it('shows both layers of authentication', () => {
    const document = openapi(ads.app) as unknown as {
      paths: Record<string, { get: { security: unknown } }>;
      components: { securitySchemes: object };
    };
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(ROUTES));
    expect(document.paths['/api/social/accounts']?.get.security).toEqual([{ opaque: [], 'public-key': [] }]);
    expect(document.components.securitySchemes).toEqual({
      opaque: { type: 'http', scheme: 'bearer' },
      signature: { type: 'apiKey', in: 'header', name: 'x-signature' },
      'public-key': { type: 'apiKey', in: 'header', name: 'public-key' },
    });
  });

  it('is one by which the handshake can be tried: it names all of its headers', () => {
    const { paths } = openapi(ads.app) as unknown as {
      paths: Record<string, { post: { parameters: { in: string; name: string }[] } }>;
    };
    expect(paths['/api/application/token']?.post.parameters.map((one) => `${one.in} ${one.name}`)).toEqual([
      'header x-client-key',
      'header x-timestamp',
      'header x-signature',
    ]);
  });

  it("shows routes guarded as the contract's lists say", () =>
    expect(routeLines(ads.app)).toEqual(
      expect.arrayContaining([
        'ads-api,POST,/api/application/token,public (signed)',
        'ads-api,GET,/api/application/token/check,bearer+public-key',
        'ads-api,GET,/api/social/accounts,bearer+public-key',
        'ads-api,GET,/health,public',
        'ads-api,GET,/ready,public',
        'ads-api,GET,/metrics,public',
        'ads-api,GET,/docs/api,public',
        'ads-api,GET,/docs/api.json,public',
      ]),
    ));
});

describe('the program of ads-api', () => {
  const database = useDatabase({ schema });
  const env = (more: Record<string, string> = {}) => ({
    DATABASE_URL: database.url,
    PORT: '0',
    HOST: '127.0.0.1',
    ADS_BEARER_SECRET: 'canary-bearer-secret',
    ...more,
  });

  it('lists every problem of its configuration, without values, and exits 1', async () => {
    const { code, output } = await runProgramCommand({ main, env: { APP_ENV: 'production', PORT: 'canary-port' } });
    expect({ code, output }).toEqual({
      code: 1,
      output: [
        'ads-api: The configuration is not usable:',
        '  - PORT must be a port number',
        '  - REDIS_URL is missing: set it to a Redis address (redis://host:port), or none where each service is one process',
        '  - DATABASE_URL is missing: set it to a PostgreSQL address (postgres://user:password@host:port/database)',
        '  - TRUST_PROXY is missing: set it to the addresses or networks of the proxies in front, comma separated, or none',
        '  - ADS_BEARER_SECRET is missing: set it to a secret text',
        '  - ADS_TOKEN_KEYS is missing: set it to 32 bytes in base64, or several such keys with commas, the newest first',
        '  - GRAPH_BASE_URL is missing: set it to an http(s) address',
        '  - SOCIAL_DIALOG_URL is missing: set it to an http(s) address',
        '  - SOCIAL_APP_ID is missing: set it to a text',
        '  - SOCIAL_APP_SECRET is missing: set it to a secret text',
        '  - OAUTH_REDIRECT_URI is missing: set it to an http(s) address',
        '',
      ].join('\n'),
    });
  });

  it('migrates, seeds, serves, prints no secret and stops cleanly', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const publicPem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const privatePem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const client: Client = { id: DEMO, name: 'Demo client', privateKey, publicPem, fingerprint: '' };
    const ads = { client_key: DEMO, name: client.name, public_key: publicPem };
    expect((await runProgramCommand({ main, args: ['migrate'], env: env() })).code).toBe(0);
    const seed = { main, args: ['seed', JSON.stringify({ ads })], env: env() };
    expect([(await runProgramCommand(seed)).code, (await runProgramCommand(seed)).code]).toEqual([0, 0]);

    const program = await startProgram({ main, env: env({ LOG_LEVEL: 'debug' }) });
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(program.url + path, { headers });
      return { status: answer.status, text: await answer.text() };
    };
    const headers = handshakeHeaders(client, new Date().toISOString());
    const minted = await fetch(`${program.url}/api/application/token`, { method: 'POST', headers });
    const { access_token } = ((await minted.json()) as { data: { access_token: string } }).data;
    const authorization = `Bearer ${access_token}`;
    const layers = { authorization, 'public-key': bareBody(publicPem) };
    expect(await get('/api/social/accounts', layers)).toEqual({
      status: 200,
      text: '{"status":true,"message":"success","data":[]}',
    });
    const canaries = { authorization: 'Bearer canary-bearer', 'public-key': bareBody(privatePem) };
    expect((await get('/api/social/accounts?secret=canary-query', canaries)).status).toBe(401);
    expect((await get('/api/social/accounts', { authorization, 'public-key': bareBody(privatePem) })).status).toBe(401);

    expect(await get('/health')).toMatchObject({ status: 200, text: expect.stringContaining('"ads_api":"up"') });
    expect(await get('/ready')).toEqual({ status: 200, text: '{"ready":true}' });
    expect(await get('/metrics')).toMatchObject({ status: 200, text: expect.stringContaining('/api/social/accounts') });
    expect(await get('/docs/api')).toMatchObject({ status: 200, text: expect.stringContaining('swagger-ui') });
    expect(await get('/docs/api.json')).toMatchObject({
      status: 200,
      text: expect.stringContaining('"openapi":"3.1.0"'),
    });
    expect(await program.stop()).toBe(0);
    const secrets = ['canary', access_token, headers['x-signature'] ?? '', bareBody(privatePem), bareBody(publicPem)];
    expect(secrets.filter((secret) => program.output().includes(secret))).toEqual([]);
    expect(program.output()).toContain('"message":"upstream","upstream":"sandbox","address":"http://127.0.0.1:3101"');
    expect(program.output()).toContain('"route":"/api/social/accounts","status":401');
  });
});
