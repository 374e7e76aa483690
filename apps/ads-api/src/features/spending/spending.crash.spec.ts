import { createPublicKey } from 'node:crypto';
import { caller, startProgram, until, useOpened, type CallResult, type RunningProgram } from '@platform/testing';
import { adsApp } from '@platform/testing/graph';
import { bareBody, handshakeHeaders, useAdsWithGraph, type Client } from '../../ads.fixture';
import { creditText, newIssuer } from '../credits/credits.fixture';

const ads = useAdsWithGraph();
const opened = useOpened();
const issuer = newIssuer();

/** A process of the service of its own, on the database and the sandbox of the test. */
const start = async (): Promise<RunningProgram> => {
  const { key } = await issuer;
  const pem = createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' });
  return startProgram({
    main: 'apps/ads-api/src/main.ts',
    env: {
      ...{ PORT: '0', HOST: '127.0.0.1', DATABASE_URL: ads.database.url, APP_ENV: 'test', ...ads.database.settings },
      ...{ GRAPH_BASE_URL: ads.graph.url, SOCIAL_APP_ID: adsApp.id, SOCIAL_APP_SECRET: adsApp.secret },
      ...{ UPSTREAM_TIMEOUT_MS: '2500', LEASE_MS: '3000', CAP_WAIT_MS: '15000', CAP_SETTLE_MS: '200' },
      ...{ ADS_BEARER_SECRET: 'of the tests', HANDSHAKE_FAIL_LIMIT_PER_MIN: '0' },
      PAYMENT_ISSUERS: `commerce-api=${Buffer.from(pem).toString('base64')}`,
    },
  });
};

let client: Client;
let survivor: RunningProgram;
beforeAll(async () => {
  client = await ads.client();
  await ads.connect(client);
  survivor = await start();
});
afterAll(() => survivor.stop());

const post = async (
  url: string,
  path: string,
  body: object,
  more: Record<string, string> = {},
): Promise<CallResult> => {
  const ask = caller(url);
  const signed = handshakeHeaders(client, new Date().toISOString());
  const { body: token } = await ask('/api/application/token', { method: 'POST', headers: signed });
  const authorization = `Bearer ${(token as { data: { access_token: string } }).data.access_token}`;
  const headers = { authorization, 'public-key': bareBody(client.publicPem), ...more };
  return ask(`/api/account/${path}`, { method: 'POST', headers, body });
};

const writesOf = (id: string) =>
  ads.graph.ads.calls().filter(({ method, path }) => method === 'POST' && path === `/act_${id}`).length;

/** A process dies when upstream has its write and it has not heard of it. */
const killedDuring = async (id: string, more: Record<string, string>): Promise<void> => {
  const victim = await start();
  opened(victim);
  ads.graph.ads.addFault({ kind: 'delay', ms: 2_000, account_id: id });
  const answer = post(victim.url, 'topup', { account_id: id, amount: 10 }, more).catch(() => undefined);
  await until(() => writesOf(id) === 1);
  await victim.stop('SIGKILL');
  expect(await answer).toBeUndefined();
};

it('a top-up whose process was killed is made once, and its key answers at another process', async () => {
  const id = ads.graph.ads.addAccount({ cap: 100_000 }).account_id;
  await post(survivor.url, 'sync', { account_id: id });
  const key = { 'idempotency-key': 'killed' };
  await killedDuring(id, key);
  const repeat = await post(survivor.url, 'topup', { account_id: id, amount: 10 }, key);
  expect([repeat.status, repeat.headers.get('idempotent-replay')]).toEqual([200, 'true']);
  expect(repeat.body).toMatchObject({ data: { previous_spend_cap: 1_000, new_spend_cap: 1_010 } });
  expect((await post(survivor.url, 'topup', { account_id: id, amount: 10 }, key)).body).toEqual(repeat.body);
  expect(ads.graph.ads.account(id).spend_cap).toBe(101_000);
});

it('a credit whose process was killed pays for one top-up', async () => {
  await ads.database.query(`UPDATE applications SET topup_policy = 'verified_payment' WHERE id = $1`, [client.id]);
  const id = ads.graph.ads.addAccount({ cap: 100_000 }).account_id;
  await post(survivor.url, 'sync', { account_id: id });
  const paid = { application_id: client.id, account_id: id, amount: 10, currency: 'USD' };
  const reference = { 'x-payment-reference': creditText((await issuer).key, new Date(), paid) };
  await killedDuring(id, reference);
  const repeat = await post(survivor.url, 'topup', { account_id: id, amount: 10 }, reference);
  expect([repeat.status, (repeat.body as { message: string }).message]).toEqual([400, 'Payment already used']);
  await until(async () => (await post(survivor.url, 'sync', { account_id: id })).status === 200);
  const [credit] = await ads.database.query('SELECT state FROM payment_credits WHERE account_id = $1', [id]);
  expect([credit, ads.graph.ads.account(id).spend_cap]).toEqual([{ state: 'spent' }, 101_000]);
});
