import { until } from '@platform/testing';
import { asked, useCaps, type CapProcess } from './caps.fixture';

const { upstream, start, account, ledger, states, batches, expectBalanced } = useCaps();

let process: CapProcess;
beforeEach(async () => {
  process = await start();
});

describe('an operation', () => {
  it('raises the cap by its amount with one read, one write and one read back', async () => {
    const key = await account();
    const before = upstream.calls.length;
    const done = await process.caps.submit(asked(key, 'topup', { amount: 2_500 }));
    expect(done).toMatchObject({
      ...{ ...key, kind: 'topup', state: 'applied', amount: 2_500, currency: 'USD', message: null },
      ...{ capBefore: 10_000, capAfter: 12_500, amountSpent: 4_000 },
    });
    expect(upstream.calls.slice(before)).toEqual([
      { call: 'read', accountId: key.accountId },
      { call: 'write', accountId: key.accountId, cap: 12_500, name: undefined },
      { call: 'read', accountId: key.accountId },
    ]);
    expect(await ledger(key)).toEqual([
      { kind: 'opening', delta: 10_000, after: 10_000 },
      { kind: 'topup', delta: 2_500, after: 12_500 },
    ]);
    expect(await batches(key)).toEqual([{ state: 'applied', sends: 1 }]);
    await expectBalanced(key);
  });

  it('that is impossible is refused alone, with its text, and nothing is written', async () => {
    const key = await account();
    const none = await account({ spendCap: 0 });
    const paused = await account({ status: 2 });
    const { caps } = process;
    await expect(caps.submit(asked(key, 'withdraw', { amount: 6_001 }))).rejects.toMatchObject({
      ...{ kind: 'rejected', message: 'Insufficient remaining spend cap' },
    });
    await expect(caps.submit(asked(key, 'set', { target: 4_000 }))).rejects.toMatchObject({
      ...{ kind: 'rejected', message: 'Spend cap must be greater than amount spent' },
    });
    await expect(caps.submit(asked(none, 'topup', { amount: 1 }))).rejects.toMatchObject({
      ...{ kind: 'rejected', message: 'Account has no spend cap' },
    });
    await expect(caps.submit(asked(paused, 'topup', { amount: 1 }))).rejects.toMatchObject({
      ...{ kind: 'rejected', message: 'Account is not active' },
    });
    expect([key, none, paused].flatMap(({ accountId }) => upstream.written(accountId))).toEqual([]);
    expect(await states(key)).toEqual(['rejected', 'rejected']);
  });

  it('on an account that is not active refunds what is left, and once', async () => {
    const key = await account({ status: 2 });
    const first = await process.caps.submit(asked(key, 'refund'));
    const second = await process.caps.submit(asked(key, 'refund'));
    expect([first, second].map(({ capBefore, capAfter }) => [capBefore, capAfter])).toEqual([
      [10_000, 4_000],
      [4_000, 4_000],
    ]);
    expect(upstream.written(key.accountId)).toEqual([4_000]);
    await expectBalanced(key);
  });

  it('at no spend leaves one unit of the cap, since 0 would lift the limit', async () => {
    const key = await account({ amountSpent: 0 });
    expect((await process.caps.submit(asked(key, 'refund'))).capAfter).toBe(1);
    await expect(process.caps.submit(asked(key, 'withdraw', { amount: 1 }))).rejects.toMatchObject({
      message: 'Insufficient remaining spend cap',
    });
    expect(upstream.written(key.accountId)).toEqual([1]);
  });

  it('sets cap and name in one write', async () => {
    const key = await account();
    const done = await process.caps.submit(asked(key, 'set', { target: 9_000, name: 'Toko Baru' }));
    expect([done.capAfter, done.name, upstream.of(key.accountId).name]).toEqual([9_000, 'Toko Baru', 'Toko Baru']);
    expect(upstream.calls.filter(({ accountId }) => accountId === key.accountId).map(({ call }) => call)).toEqual([
      'read',
      'write',
      'read',
    ]);
  });

  it('is refused when its account is not the application’s', async () => {
    const [key, other] = [await account(), await account()];
    await expect(
      process.caps.submit(asked({ ...key, applicationId: other.applicationId }, 'topup', { amount: 1 })),
    ).rejects.toMatchObject({ kind: 'notFound', message: 'Account not found' });
    expect(await states(key)).toEqual([]);
  });
});

describe('many operations of one account', () => {
  it('are written together: 100 top-ups at once are at most 5 writes, each with its own cap after it', async () => {
    const key = await account();
    const stopped = upstream.stop('write', key.accountId);
    const all = Promise.all(
      Array.from({ length: 100 }, () => process.caps.submit(asked(key, 'topup', { amount: 10 }))),
    );
    all.catch(() => undefined); // whoever waits for them hears of it
    await until(
      () => states(key),
      ({ length }) => length === 100,
    );
    stopped.release();
    const done = await all;
    const caps = done.map(({ capAfter }) => capAfter).sort((one, other) => Number(one) - Number(other));
    expect(caps).toEqual(Array.from({ length: 100 }, (_, n) => 10_000 + 10 * (n + 1)));
    expect(upstream.written(key.accountId).length).toBeLessThanOrEqual(5);
    await expectBalanced(key);
  });

  it('of two processes add up exactly, one entry each', async () => {
    const key = await account();
    const other = await start();
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? process : other).caps.submit(asked(key, 'topup', { amount: 100 }))),
    );
    expect(upstream.of(key.accountId).spendCap).toBe(15_000);
    expect((await ledger(key)).filter(({ kind }) => kind === 'topup')).toHaveLength(50);
    await expectBalanced(key);
  });
});
