import { randomUUID } from 'node:crypto';
import { silentLogger } from '@platform/runtime';
import { GraphRefused } from '../../clients/graph.failures';
import { jobQueue } from '../../jobs';
import { failed, NOW } from '../../ads.fixture';
import { reconcileJobs, type ReconcileParts } from './reconcile.jobs';
import { dataOf, useSpending } from './spending.fixture';

const world = useSpending();
const { ads, post, account, inBooks } = world;

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly delta: number;
}
const ledger = async (id: string) => dataOf<Entry[]>(await post('ledger', { account_id: id }));

describe('syncing (POST /api/account/sync)', () => {
  it('reads the account, and books what somebody else changed once', async () => {
    const id = account();
    expect(dataOf(await post('sync', { account_id: id }))).toEqual({
      ...{ id: `act_${id}`, account_id: id, currency: 'USD', account_status: 1, is_active: true, disable_reason: 0 },
      ...{ name: expect.any(String) as string, default_name: expect.any(String) as string },
      ...{ balance: 100, amount_spent: 400, spend_cap: 1_000, remaining: 600, is_imported: false },
      ...{ funding_source: expect.any(String) as string, business_id: null },
      ...{ rental: { status: 'none', expires_at: null }, synced_at: NOW },
      drift: { expected_spend_cap: 1_000, observed_spend_cap: 1_000, difference: 0, ledger_entry_id: null },
    });
    ads.graph.ads.setCap(id, 120_000);
    const { drift, spend_cap } = dataOf<{ drift: object; spend_cap: number }>(await post('sync', { account_id: id }));
    const [newest] = await ledger(id);
    expect([spend_cap, drift]).toEqual([
      1_200,
      { expected_spend_cap: 1_000, observed_spend_cap: 1_200, difference: 200, ledger_entry_id: newest?.id },
    ]);
    expect(newest).toMatchObject({ kind: 'external_adjustment', delta: 200 });
    expect(dataOf(await post('sync', { account_id: id }))).toMatchObject({
      drift: { difference: 0, ledger_entry_id: null },
    });
    expect(await inBooks(id)).toEqual([120_000, 120_000, 120_000]);
  });
});

describe('the ledger (POST /api/account/ledger)', () => {
  it('has every change, newest first, in pages', async () => {
    const id = account();
    const { operation_id } = dataOf(await post('topup', { account_id: id, amount: 10 }));
    await post('withdraw', { account_id: id, amount: 5.5 });
    const all = await ledger(id);
    expect(all).toEqual([
      expect.objectContaining({ kind: 'withdraw', delta: -5.5, cap_before: 1_010, cap_after: 1_004.5 }),
      {
        ...{ id: expect.any(String) as string, kind: 'topup', delta: 10, cap_before: 1_000, cap_after: 1_010 },
        ...{ operation_id, actor: `application:${world.who.client.id}`, created_at: NOW },
      },
      expect.objectContaining({ kind: 'opening', delta: 1_000, operation_id: null }),
    ]);
    const first = await post('ledger', { account_id: id, limit: 2 });
    expect(first.body).toEqual({
      status: true,
      message: 'success',
      data: all.slice(0, 2),
      paging: { after: all[1]?.id },
    });
    const second = await post('ledger', { account_id: id, limit: 2, after: all[1]?.id });
    expect(second.body).toEqual({ status: true, message: 'success', data: all.slice(2) });
  });

  it('of an account that this application never had is not found', async () =>
    expect(await post('ledger', { account_id: account() })).toMatchObject({
      status: 404,
      body: failed('Account not found'),
    }));

  it('cannot be changed', async () => {
    const id = account();
    await post('sync', { account_id: id });
    for (const statement of ['UPDATE cap_ledger SET delta = 0', 'DELETE FROM cap_ledger'])
      await expect(ads.database.query(statement)).rejects.toThrow('append-only');
  });
});

describe('an operation (POST /api/account/operation)', () => {
  it('tells what became of it, refused ones too, to its application alone', async () => {
    const id = account();
    const { operation_id } = dataOf(await post('topup', { account_id: id, amount: 10 }));
    const operation = { operation_id, account_id: id, kind: 'topup', amount: 10, spend_cap: null };
    expect(dataOf(await post('operation', { operation_id }))).toEqual({
      ...{ ...operation, state: 'applied', new_spend_cap: 1_010, message: null, created_at: NOW, finished_at: NOW },
    });
    const { body } = await post('withdraw', { account_id: id, amount: 5_000 });
    const refused = (body as { error: { operation_id: string } }).error.operation_id;
    expect(dataOf(await post('operation', { operation_id: refused }))).toMatchObject({
      ...{ state: 'rejected', message: 'Insufficient remaining spend cap', new_spend_cap: null },
    });
    const missing = { status: 404, body: failed('Operation not found') };
    expect(await post('operation', { operation_id }, {}, { by: await ads.connected() })).toMatchObject(missing);
    expect(await post('operation', { operation_id: randomUUID() })).toMatchObject(missing);
  });
});

describe('the hourly comparison', () => {
  const caps = { reconcile: jest.fn() };
  const partsWith = (usage: number): ReconcileParts => ({
    ...{ sql: ads.database, queue: jobQueue(), logger: silentLogger },
    ...{ caps: caps as unknown as ReconcileParts['caps'], graph: { usage: () => usage } },
  });
  const job = { id: '1', attempt: 1, maxAttempts: 3, signal: new AbortController().signal, logger: silentLogger };
  const due = async () =>
    ads.database.query<{ key: string; next: boolean }>(
      `SELECT key, run_at BETWEEN now() - interval '1 minute' AND now() + interval '1 hour' AS next FROM ads_api_jobs._private_jobs WHERE key LIKE 'caps.reconcile:%' ORDER BY key`,
    );

  it('gives every account its own time of the hour, once', async () => {
    const [one, two] = [account(), account()];
    for (const account_id of [one, two]) await post('sync', { account_id });
    const jobs = reconcileJobs(partsWith(0));
    await jobs['caps.reconcile-due'].run({}, job);
    await jobs['caps.reconcile-due'].run({}, job);
    const times = (await due()).filter(({ key }) => [one, two].some((id) => key === `caps.reconcile:${id}`));
    expect(times.map(({ next }) => next)).toEqual([true, true]);
  });

  it('leaves an account alone whose limits are near', async () => {
    const of = { applicationId: world.who.client.id, accountId: '1' };
    await reconcileJobs(partsWith(80))['caps.reconcile'].run(of, job);
    expect(caps.reconcile).not.toHaveBeenCalled();
    await reconcileJobs(partsWith(79))['caps.reconcile'].run(of, job);
    expect(caps.reconcile).toHaveBeenCalledWith(of.applicationId, '1');
  });

  it('takes what upstream refuses for this hour’s end, and what is wrong with us for a failure', async () => {
    const of = { applicationId: world.who.client.id, accountId: '1' };
    const { run } = reconcileJobs(partsWith(0))['caps.reconcile'];
    caps.reconcile.mockRejectedValueOnce(new GraphRefused('Social returned an error: (#10) no access'));
    await run(of, job);
    caps.reconcile.mockRejectedValueOnce(new Error('a bug'));
    await expect(run(of, job)).rejects.toThrow('a bug');
  });
});
