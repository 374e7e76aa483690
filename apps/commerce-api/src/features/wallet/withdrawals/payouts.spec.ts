import { secretBox, secretBoxKeys } from '@platform/auth';
import { UpstreamFailed, UpstreamTimedOut, type Outcome } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import type { Payout, PayoutState } from '../../gateways/port';
import { heldBy, knowOwner, walletShop, type WalletShop } from '../wallet.fixture';
import { overdueWithdrawals, Payouts, type PayoutClient } from './payouts';
import { settlePayout } from './settle-payout';

/** Its own jobs rest, so that a provider is asked by nobody else. */
const commerce = useRunning(() => startCommerce({ SENDS: 'held' }));
beforeAll(() => knowOwner(commerce));
const MINUTE = 60_000;

/** A provider that knows every payout by its id, as the real one does. */
class FakeBank implements PayoutClient {
  readonly taken = new Map<string, { readonly payout: Payout; state: PayoutState['state'] }>();
  readonly asked: string[] = [];
  /** What happens to the next calls: after it was taken, or before. */
  readonly faults: { readonly outcome: Outcome; readonly taken: boolean }[] = [];
  hanging: Promise<void> | undefined;

  async payout(payout: Payout, signal?: AbortSignal): Promise<PayoutState> {
    this.asked.push(payout.id);
    const fault = this.faults.shift();
    if (!fault || fault.taken) this.taken.set(payout.id, this.taken.get(payout.id) ?? { payout, state: 'accepted' });
    if (fault) throw new UpstreamFailed('the connection was cut', { outcome: fault.outcome });
    if (this.hanging) {
      await Promise.race([this.hanging, new Promise((resolve) => signal?.addEventListener('abort', resolve))]);
      if (signal?.aborted) throw new UpstreamTimedOut('too slow');
    }
    return { ref: `po-${payout.id}`, state: this.taken.get(payout.id)?.state ?? 'accepted' };
  }

  async payoutStatus(ref: string): Promise<PayoutState | null> {
    this.asked.push(ref);
    const known = this.taken.get(ref.slice(3));
    return known ? { ref, state: known.state } : null;
  }
}

interface Scene {
  readonly shop: WalletShop;
  readonly id: string;
  readonly bank: FakeBank;
  readonly payouts: Payouts;
  step(): Promise<void>;
  row(): Promise<Record<string, unknown>>;
}

const scene = async (client?: (bank: FakeBank) => PayoutClient | undefined): Promise<Scene> => {
  const shop = await walletShop(commerce, 100_000);
  const { id } = (await shop.withdraw()).body.data;
  const bank = new FakeBank();
  const { app, clock } = commerce;
  const payouts = new Payouts({
    ...{ database: app.database, clock, logger: silentLogger, client: client ? client(bank) : bank },
    box: secretBox(secretBoxKeys.fallback ?? ''),
    queue: { enqueue: async () => '1' } as never,
  });
  const { signal } = new AbortController();
  const step = () => payouts.step({ storeId: shop.storeId, id }, { signal });
  const row = async () =>
    (
      await commerce.database.query<Record<string, unknown>>(
        'SELECT status, provider_ref, tries, asked, alert FROM withdrawal WHERE store_id = $1 AND id = $2',
        [shop.storeId, id],
      )
    )[0] ?? {};
  return { shop, id, bank, payouts, step, row };
};

describe('a payout', () => {
  it('is asked for with the whole number under the id of its withdrawal, and taken is not paid', async () => {
    const { step, bank, id, row, shop } = await scene();
    await step();
    expect([...bank.taken.values()]).toEqual([
      {
        state: 'accepted',
        payout: {
          ...{ id, amount: 50_000, currency: 'IDR', bankCode: 'BCA', number: '5210009876', holder: 'Sari Nusa' },
          description: `Withdrawal ${id}`,
        },
      },
    ]);
    expect(await row()).toMatchObject({ status: 'processing', provider_ref: `po-${id}`, tries: 1 });
    expect(await heldBy(commerce, shop.storeId)).toMatchObject({ wallet_locked: 52_500 });
  });

  it('that was taken while the connection was cut is asked for under the same id, and is one payout', async () => {
    const { step, bank, id, row } = await scene();
    bank.faults.push({ outcome: 'unknown', taken: true });
    await step();
    expect(await row()).toMatchObject({ status: 'processing', provider_ref: null });
    await step();
    expect(bank.asked).toEqual([id, id]);
    expect(bank.taken.size).toBe(1);
    expect(await row()).toMatchObject({ status: 'processing', provider_ref: `po-${id}` });
  });

  it('is asked about afterwards until the provider has decided', async () => {
    const { step, bank, id, shop, row } = await scene();
    await step();
    await step();
    Object.assign(bank.taken.get(id) ?? {}, { state: 'succeeded' });
    await step();
    await step();
    expect(bank.asked).toEqual([id, `po-${id}`, `po-${id}`]);
    expect(await row()).toMatchObject({ status: 'paid' });
    expect(await heldBy(commerce, shop.storeId)).toEqual({
      gateway_clearing: 50_000,
      wallet_available: 47_500,
      fee_revenue: 2_500,
    });
  });

  it('that is refused at the first word has failed, and the money is back', async () => {
    const { step, bank, shop, row } = await scene();
    bank.faults.push({ outcome: 'refused', taken: false });
    await step();
    expect(await row()).toMatchObject({ status: 'failed' });
    expect(await heldBy(commerce, shop.storeId)).toEqual({ gateway_clearing: 100_000, wallet_available: 100_000 });
  });

  it('that was never taken may be refused later all the same', async () => {
    const { step, bank, row } = await scene();
    bank.faults.push({ outcome: 'undone', taken: false }, { outcome: 'refused', taken: false });
    await step();
    expect(await row()).toMatchObject({ status: 'processing', asked: false });
    await step();
    expect(await row()).toMatchObject({ status: 'failed' });
  });

  it('that may have been taken is not given back when it is refused: somebody looks at it', async () => {
    const { step, bank, shop, row } = await scene();
    bank.faults.push({ outcome: 'unknown', taken: true }, { outcome: 'refused', taken: false });
    await step();
    await step();
    const alert = 'The provider refuses what it may have taken before';
    expect(await row()).toMatchObject({ status: 'processing', alert });
    expect(await heldBy(commerce, shop.storeId)).toMatchObject({ wallet_locked: 52_500 });
    expect(await overdueWithdrawals(commerce.database, shop.storeId, commerce.clock.now())).toHaveLength(1);
  });

  it('waits for its provider without a lock: it is paid by a notice meanwhile', async () => {
    const { step, bank, id, row } = await scene();
    let answer: (() => void) | undefined;
    bank.hanging = new Promise((resolve) => (answer = resolve));
    const stepping = step();
    while (bank.taken.size === 0) await new Promise(setImmediate);
    const notice = { referenceId: id, ref: `po-${id}`, state: 'succeeded' as const };
    await commerce.database.tx((tx) => settlePayout(tx, commerce.clock.now(), notice));
    answer?.();
    await stepping;
    expect(await row()).toMatchObject({ status: 'paid' });
  });

  it('is stepped twenty times at once and is one payout', async () => {
    const { step, bank, row } = await scene();
    await Promise.all(Array.from({ length: 20 }, step));
    expect(bank.taken.size).toBe(1);
    expect(await row()).toMatchObject({ status: 'processing' });
  });

  it('waits where there is nobody to pay it out, and is an alert after two hours', async () => {
    const { step, row, shop } = await scene(() => undefined);
    await step();
    expect(await row()).toMatchObject({ status: 'processing', provider_ref: null });
    const overdue = () => overdueWithdrawals(commerce.database, shop.storeId, commerce.clock.now());
    expect(await overdue()).toEqual([]);
    commerce.clock.advance(121 * MINUTE);
    expect(await overdue()).toHaveLength(1);
  });

  it('that was cancelled or paid is not asked for', async () => {
    const { step, bank, shop, id } = await scene();
    await commerce.database.query(`UPDATE withdrawal SET status = 'cancelled' WHERE store_id = $1 AND id = $2`, [
      shop.storeId,
      id,
    ]);
    await step();
    expect(bank.asked).toEqual([]);
  });
});

describe('the poll', () => {
  it('takes what is due of every store in turn, and nothing before its time', async () => {
    const { payouts, id, step } = await scene();
    const taken: string[] = [];
    Object.assign(payouts, {
      parts: {
        ...(payouts as unknown as { parts: object }).parts,
        queue: { enqueue: async (_tx: unknown, _name: string, { id: each }: { id: string }) => void taken.push(each) },
      },
    });
    await step();
    await payouts.poll();
    expect(taken).not.toContain(id);
    commerce.clock.advance(2 * MINUTE);
    await payouts.poll();
    expect(taken).toContain(id);
  });
});
