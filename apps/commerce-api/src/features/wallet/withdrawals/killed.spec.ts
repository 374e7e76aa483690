import { until, useRunning } from '@platform/testing';
import { startXenditSandbox } from '@platform/testing/gateways';
import { startCommerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import { startSecondProcess } from '../../../second-process.fixture';
import { auditLedger } from '../../ledger/postings/public';
import { heldBy, knowOwner, walletShop } from '../wallet.fixture';

const ACCOUNT = { key: 'xnd_development_k', callback_token: 'token-of-callbacks' };
const PEPPER = { WALLET_PIN_PEPPER: 'one for both' };
const sandbox = useRunning(async () => {
  const running = await startXenditSandbox({ port: 0, accounts: [ACCOUNT] });
  return { ...running, stop: () => running.close() };
});
const settings = () => ({
  ...{ ...PEPPER, PAY_B_BASE_URL: sandbox.url, PAY_B_KEY: ACCOUNT.key, PAY_B_CALLBACK_TOKEN: ACCOUNT.callback_token },
});
/** In the same clock as processes of its own; it takes no payout itself. */
const commerce = useRunning(() => startCommerce({ ...settings(), SENDS: 'held' }, new Date().toISOString()));
beforeAll(() => knowOwner(commerce));

interface SandboxPayout {
  readonly reference_id: string;
  readonly status: string;
}
const payoutsOf = async (id: string): Promise<SandboxPayout[]> => {
  const answer = await fetch(`${sandbox.url}/v2/payouts?reference_id=${id}`, {
    headers: { authorization: `Basic ${Buffer.from(`${ACCOUNT.key}:`).toString('base64')}` },
  });
  const { data } = (await answer.json()) as { data: SandboxPayout[] };
  return data.filter(({ reference_id }) => reference_id === id);
};
const rowOf = async (id: string) =>
  (
    await commerce.database.query<{ status: string; provider_ref: string | null }>(
      'SELECT status, provider_ref FROM withdrawal WHERE id = $1',
      [id],
    )
  )[0];

it('a process that is killed while the provider works pays out once: the next one asks under the same id', async () => {
  const shop = await walletShop(commerce, 100_000);
  // It is done there, and nobody hears of it
  sandbox.faults.setDown({ mode: 'lost', times: 1, method: 'POST', path: '/v2/payouts' });
  const { id } = (await shop.withdraw()).body.data;
  const first = await startSecondProcess(commerce, settings());
  await until(async () => (await payoutsOf(id)).length === 1);
  await first.stop('SIGKILL');
  expect(await rowOf(id)).toEqual({ status: 'processing', provider_ref: null });
  // Its time comes at once
  await commerce.database.query(`UPDATE withdrawal SET next_try_at = now() - interval '1 minute' WHERE id = $1`, [id]);
  await jobQueue().enqueue(commerce.database, 'withdrawal.payout', { storeId: shop.storeId, id });
  const second = await startSecondProcess(commerce, settings());
  try {
    await until(async () => (await rowOf(id))?.provider_ref !== null);
    expect(await payoutsOf(id)).toHaveLength(1);
    // And the provider's word by its webhook ends it, through the route, twice
    const body = { event: 'payout.succeeded', business_id: 'b', created: new Date().toISOString() };
    const data = {
      id: (await rowOf(id))?.provider_ref,
      reference_id: id,
      amount: 50_000,
      channel_code: 'ID_BCA',
      status: 'SUCCEEDED',
    };
    const tell = (event: string, status: string, token = ACCOUNT.callback_token) =>
      fetch(`${second.url}/api/pay_b/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-callback-token': token },
        body: JSON.stringify({ ...body, event, data: { ...data, status } }),
      });
    expect((await tell('payout.succeeded', 'SUCCEEDED', 'forged')).status).toBe(401);
    expect((await rowOf(id))?.status).toBe('processing');
    await Promise.all(Array.from({ length: 10 }, () => tell('payout.succeeded', 'SUCCEEDED')));
    expect((await rowOf(id))?.status).toBe('paid');
    await Promise.all(Array.from({ length: 10 }, () => tell('payout.reversed', 'REVERSED')));
    expect((await rowOf(id))?.status).toBe('reversed');
    expect(await heldBy(commerce, shop.storeId)).toEqual({ gateway_clearing: 100_000, wallet_available: 100_000 });
    await auditLedger(commerce.database);
    expect(commerce.lines.join('\n')).not.toContain('5210009876');
  } finally {
    await second.stop();
  }
});
