import { asked, useCaps, type CapProcess } from './caps.fixture';
import type { AccountKey } from './operation.rows';

const { database, upstream, start, account, ledger, expectBalanced } = useCaps();

let process: CapProcess;
beforeEach(async () => {
  process = await start();
});

const kinds = async (key: AccountKey): Promise<[string, number][]> =>
  (await ledger(key)).map(({ kind, delta }) => [kind, delta]);

it('somebody outside who takes back a top-up is not overruled: its write was confirmed and cannot come late', async () => {
  const key = await account();
  await process.caps.submit(asked(key, 'topup', { amount: 500 }));
  await process.caps.submit(asked(key, 'topup', { amount: 500 }));
  upstream.change(key.accountId, { spendCap: 10_500 });
  await process.caps.reconcile(key.applicationId, key.accountId);
  expect(upstream.written(key.accountId)).toEqual([10_500, 11_000]);
  expect((await kinds(key)).at(-1)).toEqual(['external_adjustment', -500]);
});

it('somebody outside who sets what upstream had refused us is not overruled', async () => {
  const key = await account();
  upstream.misbehave('refused');
  await expect(process.caps.submit(asked(key, 'topup', { amount: 500 }))).rejects.toMatchObject({
    code: 'upstream_refused',
  });
  upstream.change(key.accountId, { spendCap: 10_500 });
  await process.caps.reconcile(key.applicationId, key.accountId);
  expect(upstream.written(key.accountId)).toEqual([10_500]);
  expect((await kinds(key)).at(-1)).toEqual(['external_adjustment', 500]);
});

it.each([0, 10])(
  'a read that shows what was before a write of %d minutes ago that was just read back is read again, and takes nothing from a top-up',
  async (minutes) => {
    const key = await account();
    const topup = () => process.caps.submit(asked(key, 'topup', { amount: 500 }));
    await topup();
    await database.query(
      `UPDATE cap_batches SET created_at = created_at - $2 * interval '1 minute' WHERE account_id = $1`,
      [key.accountId, minutes],
    );
    upstream.misbehave('stale');
    expect(await topup()).toMatchObject({ capBefore: 10_500, capAfter: 11_000 });
    expect(await kinds(key)).toEqual([
      ['opening', 10_000],
      ['topup', 500],
      ['topup', 500],
    ]);
    await expectBalanced(key);
  },
);
