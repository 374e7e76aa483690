import { FUZZ_CANARY, fuzz, useRunning, type FuzzIngredients } from '@platform/testing';
import { AGENT, OWNER, PASSWORD, shop, useApp } from './app.fixture';
import { startFakeCommerce } from './clients/commerce.fake';

const REQUESTS = 10_000;
/** Another seed gives other requests; a failure names it. */
const SEED = 20_261_120;
const commerce = useRunning(() =>
  startFakeCommerce({ S1: [{ product_id: 'P1', variant_id: 'V1', sku: 'A', stock: 1 }] }),
);
const { app, database } = useApp(() => ({
  environment: { COMMERCE_URL: commerce.url, TRUST_PROXY: '127.0.0.1' },
  empty: true,
}));

/** Undoes what earlier requests may have changed, and gets fresh tokens. */
const prepare = async (): Promise<FuzzIngredients> => {
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

it('ten thousand random requests over every route cause no 500 and no crash, and leave nothing in the log', async () => {
  const { broken, statuses } = await fuzz({
    url: app.url,
    service: app.service,
    seed: SEED,
    requests: REQUESTS,
    prepare,
  });
  expect({ seed: SEED, broken }).toEqual({ seed: SEED, broken: [] });
  expect((await app.get('/ready')).status).toBe(200);
  // Requests with every outcome, or the generator would prove little
  for (const status of [200, 201, 400, 401, 403, 404, 409, 413, 422]) expect([...statuses]).toContain(status);
  const log = app.lines.join('\n');
  expect(app.lines.length).toBeGreaterThan(REQUESTS * 0.9);
  expect([FUZZ_CANARY, PASSWORD].filter((secret) => log.includes(secret))).toEqual([]);
});
