import { secretBox, secretBoxKeys } from '@platform/auth';
import { UpstreamFailed, type Outcome } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { until, untilWaiting, useRunning } from '@platform/testing';
import { FakeGateway } from '../../../clients/gateway.fake';
import { startCommerce } from '../../../commerce.fixture';
import type { Payout, PayoutState } from '../../gateways/port';
import { heldBy, knowOwner, walletShop, type WalletShop } from '../wallet.fixture';
import { overdueWithdrawals, payoutClientOf, Payouts } from './payouts';
import { settlePayout } from './settle-payout';

/** Its own jobs rest, so that a provider is asked by nobody else. */
const commerce = useRunning(() => startCommerce({ SENDS: 'held' }));
beforeAll(() => knowOwner(commerce));
const MINUTE = 60_000;

/** Its answers can be kept back, after it has done what it was asked. */
class SlowGateway extends FakeGateway {
  answering: Promise<void> | undefined;

  override async payout(payout: Payout, signal?: AbortSignal): Promise<PayoutState> {
    try {
      return await super.payout(payout, signal);
    } finally {
      await this.answering;
    }
  }
}

interface Scene {
  readonly shop: WalletShop;
  readonly id: string;
  readonly bank: SlowGateway;
  readonly payouts: Payouts;
  readonly queued: string[];
  step(): Promise<void>;
  row(): Promise<Record<string, unknown>>;
}

const scene = async (client: (bank: SlowGateway) => SlowGateway | undefined = (bank) => bank): Promise<Scene> => {
  const shop = await walletShop(commerce, 100_000);
  const { id } = (await shop.withdraw()).body.data;
  const bank = new SlowGateway('b');
  const { app, clock } = commerce;
  const queued: string[] = [];
  const enqueue = async (_tx: unknown, _job: string, { id: each }: { id: string }) => void queued.push(each);
  const payouts = new Payouts({
    ...{ database: app.database, clock, logger: silentLogger, client: payoutClientOf(client(bank)) },
    ...{ box: secretBox(secretBoxKeys.fallback ?? ''), queue: { enqueue } as never },
  });
  const { signal } = new AbortController();
  const step = () => payouts.step({ storeId: shop.storeId, id }, { signal });
  const columns = 'SELECT status, provider_ref, tries, asked, alert FROM withdrawal WHERE store_id = $1 AND id = $2';
  const row = async () =>
    (await commerce.database.query<Record<string, unknown>>(columns, [shop.storeId, id]))[0] ?? {};
  return { shop, id, bank, payouts, queued, step, row };
};
const BACK = { gateway_clearing: 100_000, wallet_available: 100_000 };
const refOf = ({ bank, id }: Scene) => bank.payouts.get(id)?.answer.ref;

describe('a payout', () => {
  it('is asked for with the whole number under the id of its withdrawal, and taken is not paid', async () => {
    const it = await scene();
    await it.step();
    expect([...it.bank.payouts.values()].map(({ payout }) => payout)).toEqual([
      {
        ...{ id: it.id, amount: 50_000, currency: 'IDR', bankCode: 'BCA', number: '5210009876', holder: 'Sari Nusa' },
        description: `Withdrawal ${it.id}`,
      },
    ]);
    expect(await it.row()).toMatchObject({ status: 'processing', provider_ref: refOf(it), tries: 1 });
    expect(await heldBy(commerce, it.shop.storeId)).toMatchObject({ wallet_locked: 52_500 });
  });

  it('that was taken while the connection was cut is asked for under the same id, and is one payout', async () => {
    const it = await scene();
    it.bank.next.push('lost');
    await it.step();
    expect(await it.row()).toMatchObject({ status: 'processing', provider_ref: null });
    await it.step();
    expect([it.bank.calls, it.bank.payouts.size]).toEqual([['payout', 'payout'], 1]);
    expect(await it.row()).toMatchObject({ status: 'processing', provider_ref: refOf(it) });
  });

  it('is asked about afterwards until the provider has decided', async () => {
    const it = await scene();
    await it.step();
    await it.step();
    it.bank.settle(it.id, 'succeeded');
    await it.step();
    await it.step();
    expect(it.bank.calls).toEqual(['payout', 'payoutStatus', 'payoutStatus']);
    expect(await it.row()).toMatchObject({ status: 'paid' });
    expect(await heldBy(commerce, it.shop.storeId)).toEqual({
      ...{ gateway_clearing: 50_000, wallet_available: 47_500, fee_revenue: 2_500 },
    });
  });

  it('that is refused at the first word has failed, and the money is back', async () => {
    const it = await scene();
    it.bank.next.push('no');
    await it.step();
    expect(await it.row()).toMatchObject({ status: 'failed' });
    expect(await heldBy(commerce, it.shop.storeId)).toEqual(BACK);
  });

  it('that was never taken may be refused later all the same', async () => {
    const it = await scene();
    it.bank.next.push('refuse', 'no');
    await it.step();
    expect(await it.row()).toMatchObject({ status: 'processing', asked: false });
    await it.step();
    expect(await it.row()).toMatchObject({ status: 'failed' });
  });

  it('that may have been taken is not given back when it is refused: somebody looks at it', async () => {
    const it = await scene();
    it.bank.next.push('lost', 'no');
    await it.step();
    await it.step();
    const alert = 'The provider refuses what it may have taken before';
    expect(await it.row()).toMatchObject({ status: 'processing', alert });
    expect(await heldBy(commerce, it.shop.storeId)).toMatchObject({ wallet_locked: 52_500 });
    expect(await overdueWithdrawals(commerce.database, it.shop.storeId, commerce.clock.now())).toEqual([it.id]);
  });

  it('whose refusal is heard only after another process has asked and was taken is not given back', async () => {
    const it = await scene();
    let hear = (): void => undefined;
    it.bank.answering = new Promise((resolve) => (hear = resolve));
    it.bank.next.push('no');
    const hung = it.step();
    await until(() => it.bank.calls.length === 1);
    it.bank.answering = undefined;
    await it.step();
    hear();
    await hung;
    expect(await it.row()).toMatchObject({ status: 'processing', provider_ref: refOf(it) });
    expect(await heldBy(commerce, it.shop.storeId)).toMatchObject({ wallet_locked: 52_500 });
  });

  it('waits for its provider without a lock: it is paid by a notice meanwhile', async () => {
    const it = await scene();
    let answer: (() => void) | undefined;
    it.bank.answering = new Promise((resolve) => (answer = resolve));
    const stepping = it.step();
    while (it.bank.payouts.size === 0) await new Promise(setImmediate);
    const notice = { referenceId: it.id, ref: refOf(it) ?? '', state: 'succeeded' as const };
    await commerce.database.tx((tx) => settlePayout(tx, commerce.clock.now(), notice));
    answer?.();
    await stepping;
    expect(await it.row()).toMatchObject({ status: 'paid' });
  });

  it('is stepped twenty times at once and is one payout', async () => {
    const it = await scene();
    await Promise.all(Array.from({ length: 20 }, it.step));
    expect(it.bank.payouts.size).toBe(1);
    expect(await it.row()).toMatchObject({ status: 'processing', provider_ref: refOf(it) });
  });

  it('waits where there is nobody to pay it out, and is an alert after two hours', async () => {
    const it = await scene(() => undefined);
    await it.step();
    expect(await it.row()).toMatchObject({ status: 'processing', provider_ref: null });
    const overdue = () => overdueWithdrawals(commerce.database, it.shop.storeId, commerce.clock.now());
    expect(await overdue()).toEqual([]);
    commerce.clock.advance(121 * MINUTE);
    expect(await overdue()).toEqual([it.id]);
  });

  it('of a store that is suspended waits until it is open again; one that is under way goes on', async () => {
    const [it, other] = [await scene(), await scene()];
    await other.step();
    const stand = (status: string) =>
      commerce.database.query('UPDATE store SET status = $1 WHERE store_id = ANY ($2)', [
        status,
        [it.shop.storeId, other.shop.storeId],
      ]);
    await stand('suspended');
    await it.step();
    expect([it.bank.calls, await it.row()]).toMatchObject([[], { status: 'approved', asked: false, tries: 0 }]);
    commerce.clock.advance(2 * MINUTE);
    await it.payouts.poll();
    expect([it.queued.includes(it.id), it.queued.includes(other.id)]).toEqual([false, true]);
    other.bank.settle(other.id, 'succeeded');
    await other.step();
    expect(await other.row()).toMatchObject({ status: 'paid' });
    await stand('open');
    await it.payouts.poll();
    expect(it.queued).toContain(it.id);
    await it.step();
    expect(it.bank.payouts.size).toBe(1);
  });

  it('of which one try was not taken while another may have been is not given back when it is refused', async () => {
    const outcomes: Outcome[] = ['undone', 'unknown', 'refused'];
    let calls = 0;
    let together: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (together = resolve));
    const it = await scene((bank) => {
      bank.payout = async () => {
        calls += 1;
        const outcome = outcomes[calls - 1] ?? 'unknown';
        // The first two are under way at once
        if (calls === 2) together();
        await both;
        throw new UpstreamFailed('no answer', { outcome });
      };
      return bank;
    });
    await Promise.all([it.step(), it.step()]);
    expect(await it.row()).toMatchObject({ status: 'processing', asked: true });
    await it.step();
    expect([calls, await it.row()]).toMatchObject([3, { status: 'processing', alert: expect.any(String) as string }]);
  });

  it('of which its provider says that it has it is not given back by a refusal that is heard after that', async () => {
    const it = await scene((bank) => {
      bank.payout = async ({ id }) => {
        const notice = { referenceId: id, state: 'accepted', ref: 'po-1' } as const;
        await commerce.database.tx((tx) => settlePayout(tx, commerce.clock.now(), notice));
        throw new UpstreamFailed('no', { outcome: 'refused' });
      };
      return bank;
    });
    await it.step();
    expect(await it.row()).toMatchObject({ status: 'processing', provider_ref: 'po-1' });
  });

  it('that its provider takes after it was given back as never taken is for somebody to look at', async () => {
    const it = await scene((bank) => {
      bank.payout = async ({ id }) => {
        const notice = { referenceId: id, state: 'failed', ref: '' } as const;
        await commerce.database.tx((tx) => settlePayout(tx, commerce.clock.now(), notice, 'operator'));
        return { ref: 'po-1', state: 'accepted' };
      };
      return bank;
    });
    await it.step();
    const alert = 'The provider says accepted, it is failed';
    expect(await it.row()).toMatchObject({ status: 'failed', provider_ref: 'po-1', alert });
  });

  it('that comes back locks the books in the order in which everybody does', async () => {
    const it = await scene();
    const { database, clock } = commerce;
    const tell = (state: 'succeeded' | 'reversed') => {
      const notice = { referenceId: it.id, state, ref: 'po-1' };
      return database.tx((tx) => settlePayout(tx, clock.now(), notice));
    };
    await tell('succeeded');
    const account = (code: string, more = '') =>
      `SELECT FROM ledger_account WHERE store_id = '${it.shop.storeId}' AND code = '${code}' FOR UPDATE ${more}`;
    const { coming } = await database.tx(async (tx) => {
      await tx.query(account('wallet_available'));
      const back = tell('reversed');
      await untilWaiting(tx, back);
      expect(await tx.query(account('wallet_locked', 'NOWAIT'))).toHaveLength(1);
      return { coming: back };
    });
    await coming;
    expect(await heldBy(commerce, it.shop.storeId)).toEqual(BACK);
  });

  it('of what was cancelled is not asked for', async () => {
    const it = await scene();
    const cancel = `UPDATE withdrawal SET status = 'cancelled' WHERE store_id = $1 AND id = $2`;
    await commerce.database.query(cancel, [it.shop.storeId, it.id]);
    await it.step();
    expect(it.bank.calls).toEqual([]);
  });
});

it('the poll takes what is due, and nothing before its time', async () => {
  const it = await scene();
  await it.step();
  await it.payouts.poll();
  expect(it.queued).not.toContain(it.id);
  commerce.clock.advance(2 * MINUTE);
  await it.payouts.poll();
  expect(it.queued).toContain(it.id);
});

it('that waits longest comes first, whichever store it is of', async () => {
  const [early, late] = [await scene(), await scene()];
  const wait = 'UPDATE withdrawal SET next_try_at = $3 WHERE store_id = $1 AND id = $2';
  const ago = (minutes: number) => new Date(commerce.clock.now().getTime() - minutes * MINUTE);
  await commerce.database.query(wait, [early.shop.storeId, early.id, ago(1)]);
  await commerce.database.query(wait, [late.shop.storeId, late.id, ago(600)]);
  await early.payouts.poll();
  expect(early.queued.filter((id) => [early.id, late.id].includes(id))).toEqual([late.id, early.id]);
});
