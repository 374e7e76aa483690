import { testDatabase, type TestDatabase } from '@platform/testing';
import { AGENT, OWNER, PASSWORD, shop, startApp, type RunningApp } from './app.fixture';
import { startFakeCommerce } from './clients/commerce.fake';
import { migrations, SCHEMA } from './data-source';
import { CANARY, closeConnections, fuzzer, random, statusOf, type FuzzRequest, type Ingredients } from './fuzz.fixture';

const REQUESTS = 10_000;
const AT_ONCE = 16;
const ROUND = 500;
/** Another one finds other requests; a failure names it. */
const SEED = 20_261_120;
let database: TestDatabase;
let commerce: Awaited<ReturnType<typeof startFakeCommerce>>;
let app: RunningApp;

beforeAll(async () => {
  database = await testDatabase({ schema: SCHEMA, migrations });
  commerce = await startFakeCommerce({ S1: [{ product_id: 'P1', variant_id: 'V1', sku: 'A', stock: 1 }] });
  app = await startApp(database.url, { environment: { COMMERCE_URL: commerce.url, TRUST_PROXY: '127.0.0.1' } });
});
afterAll(async () => {
  closeConnections();
  await app.stop();
  await commerce.stop();
  await database.stop?.();
});

/** Puts right what the requests before may have changed, and takes tokens that are good. */
const prepare = async (): Promise<Ingredients> => {
  await database.query(`UPDATE users SET status = 'active', totp_enc = NULL; UPDATE stores SET status = 'open'`);
  await database.query(`UPDATE users SET email = id::text || '@elsewhere.example'; DELETE FROM memberships`);
  await app.seed(shop);
  const owner = await app.login();
  const agent = await app.login({ email: AGENT.email, password: PASSWORD });
  const services = [await app.serviceToken('commerce-api'), await app.serviceToken('bot-engine')];
  return {
    tokens: [owner.token, agent.token, ...services],
    service: services[0] ?? '',
    texts: [
      OWNER.user_id,
      AGENT.user_id,
      OWNER.email,
      PASSWORD,
      'S1',
      owner.token,
      owner.refresh_token,
      'agent',
      'phone',
    ],
  };
};

it('ten thousand strange requests over every route: no 500, no crash, nothing of them in the log', async () => {
  const next = fuzzer(app.service, random(SEED));
  const broken: string[] = [];
  const statuses = new Map<number, number>();
  const one = async (request: FuzzRequest) => {
    const status = await statusOf(app.url, request);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const { method, path, headers, body } = request;
    const tooLarge = (body?.length ?? 0) > 100_000;
    if (status >= 500 || (status === 0 && !tooLarge))
      broken.push(`${status} ${method} ${path} ${JSON.stringify(headers)} ${body?.subarray(0, 400).toString()}`);
  };
  for (let sent = 0; sent < REQUESTS; sent += ROUND) {
    const good = await prepare();
    const waiting = Array.from({ length: ROUND }, () => next(good));
    const worker = async () => {
      for (let request = waiting.pop(); request; request = waiting.pop()) await one(request);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }
  expect({ seed: SEED, broken: broken.slice(0, 5) }).toEqual({ seed: SEED, broken: [] });
  expect((await app.get('/ready')).status).toBe(200);
  // Requests of every fate, or the generator would prove little
  process.stderr.write(JSON.stringify([...statuses]) + '\n');
  for (const status of [200, 201, 400, 401, 403, 404, 409, 413, 422]) expect([...statuses.keys()]).toContain(status);
  const log = app.lines.join('\n');
  expect(app.lines.length).toBeGreaterThan(REQUESTS * 0.9);
  expect([CANARY, PASSWORD].filter((secret) => log.includes(secret))).toEqual([]);
}, 120_000);
