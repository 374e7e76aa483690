import { expectNoSeqScan, explain } from '@platform/testing';
import { asked, useCaps, type CapProcess } from './caps.fixture';
import type { AccountKey } from './operation.rows';
import * as operations from './operation.sql';
import { LEFT_BEHIND } from './recovery';

const { database, upstream, start, account, ledger, states, batches, expectBalanced } = useCaps();

let process: CapProcess;
beforeEach(async () => {
  process = await start();
});

/** A write that nobody answered, on an account that somebody else changed and whose history tells nothing. */
const inDoubt = async (key: AccountKey): Promise<unknown> => {
  upstream.misbehave('apply_then_drop');
  const changed = upstream.afterWrite(() => {
    upstream.change(key.accountId, { spendCap: 30_000 });
    upstream.forgetHistory(key.accountId);
  });
  const done = process.caps.submit(asked(key, 'topup', { amount: 500 })).catch((thrown: unknown) => thrown);
  await changed;
  return done;
};

const kinds = async (key: AccountKey) => (await ledger(key)).map(({ kind, delta }) => [kind, delta]);

const reviewOf = async ({ accountId }: AccountKey) =>
  (await process.reviews.list(100)).find((review) => review.accountId === accountId);

describe('a write of which nobody can tell what it did', () => {
  it('goes to review with an alarm; the account goes on', async () => {
    const key = await account();
    expect(await inDoubt(key)).toMatchObject({
      ...{ kind: 'upstreamFailed', message: 'Outcome of the earlier request is unknown' },
      details: { operation_id: expect.any(String) },
    });
    expect(process.ended).toMatchObject([{ state: 'needs_review' }]);
    expect(process.lines.filter((line) => line.includes('"level":"error"'))).toHaveLength(1);
    expect(await kinds(key)).toEqual([
      ['opening', 10_000],
      ['external_adjustment', 20_000],
    ]);
    expect(await process.caps.submit(asked(key, 'topup', { amount: 7 }))).toMatchObject({ capAfter: 30_007 });
    await expectBalanced(key);
  });

  it('that took effect is booked in place of the difference', async () => {
    const key = await account();
    await inDoubt(key);
    const review = await reviewOf(key);
    expect(review).toMatchObject({
      ...key,
      base: 10_000,
      target: 10_500,
      currency: 'USD',
      operations: [{ kind: 'topup', amount: 500 }],
    });
    await process.reviews.resolve(review?.batchId ?? '', 'applied', 'operator:rina');
    expect(await kinds(key)).toEqual([
      ...[
        ['opening', 10_000],
        ['external_adjustment', 20_000],
      ],
      ...[
        ['external_adjustment', -500],
        ['topup', 500],
      ],
    ]);
    expect([await states(key), await batches(key)]).toEqual([['applied'], [{ state: 'applied', sends: 1 }]]);
    expect(process.ended.map(({ state }) => state)).toEqual(['needs_review', 'applied']);
    await expectBalanced(key);
  });

  it('that took none fails, and is resolved once', async () => {
    const key = await account();
    await inDoubt(key);
    const id = (await reviewOf(key))?.batchId ?? '';
    await process.reviews.resolve(id, 'not_applied', 'operator:rina');
    await expect(process.reviews.resolve(id, 'applied', 'operator:rina')).rejects.toMatchObject({ kind: 'notFound' });
    expect([await states(key), await kinds(key)]).toEqual([
      ['failed'],
      [
        ['opening', 10_000],
        ['external_adjustment', 20_000],
      ],
    ]);
    expect(await reviewOf(key)).toBeUndefined();
    await expectBalanced(key);
  });
});

describe('recovery', () => {
  it('takes up to 20 accounts of an application at a time, so that those of the others are among them', async () => {
    const first = await account();
    const noisy = [first, ...(await Promise.all(Array.from({ length: 24 }, () => account({}, first.applicationId))))];
    const quiet = await account();
    for (const { applicationId, accountId } of [...noisy, quiet])
      await database.query(
        `INSERT INTO cap_operations (id, application_id, account_id, kind, amount, currency, actor, has_key, created_at)
         VALUES (gen_random_uuid(), $1, $2, 'topup', 1, 'USD', 'test', true, now())`,
        [applicationId, accountId],
      );
    const found = await database.query<AccountKey>(LEFT_BEHIND, [20]);
    const of = ({ applicationId }: AccountKey) => found.filter((each) => each.applicationId === applicationId).length;
    expect([of(first), of(quiet)]).toEqual([20, 1]);
    await database.query(`DELETE FROM cap_operations WHERE actor = 'test'`);
  });

  it('and the statements of every operation use indexes', async () => {
    const ids = [['0199f7a0-0000-7000-8000-000000000001']];
    const key = ['0199f7a0-0000-7000-8000-000000000001', '1'];
    expectNoSeqScan(
      await explain(database, LEFT_BEHIND, [20]),
      'cap_operations',
      'cap_batches',
      'cap_ledger',
      'account_leases',
    );
    expectNoSeqScan(await explain(database, operations.TAKE_QUEUED, key));
    expectNoSeqScan(await explain(database, operations.ANY_OPEN, key));
    expectNoSeqScan(await explain(database, operations.STILL_WAITING, ids));
    expectNoSeqScan(await explain(database, operations.AMONG, ids));
  });
});

it('the ledger can only be added to', async () => {
  const key = await account();
  await process.caps.submit(asked(key, 'topup', { amount: 500 }));
  for (const change of [`UPDATE cap_ledger SET delta = 0`, 'DELETE FROM cap_ledger'])
    await expect(database.query(`${change} WHERE account_id = $1`, [key.accountId])).rejects.toThrow('append-only');
});

it('an application that pays for every raise lowers a cap or introduces one by setting it, and raises none', async () => {
  const [key, none] = [await account(), await account({ spendCap: 0 })];
  await database.query(`UPDATE applications SET topup_policy = 'verified_payment' WHERE id = ANY($1)`, [
    [key.applicationId, none.applicationId],
  ]);
  await expect(process.caps.submit(asked(key, 'set', { target: 10_001 }))).rejects.toMatchObject({
    ...{ kind: 'rejected', message: 'Payment is not verified' },
  });
  expect(await process.caps.submit(asked(key, 'set', { target: 9_000 }))).toMatchObject({ capAfter: 9_000 });
  expect(await process.caps.submit(asked(none, 'set', { target: 9_000 }))).toMatchObject({
    capBefore: 0,
    capAfter: 9_000,
  });
});

it('what stands beside an operation is inserted with it or not at all, and ends with it or not at all', async () => {
  const key = await account();
  const refusing = asked(key, 'topup', { amount: 1, alongside: () => Promise.reject(new Error('the key is taken')) });
  await expect(process.caps.submit(refusing)).rejects.toThrow('the key is taken');
  expect(await states(key)).toEqual([]);
  let refuses = true;
  const strict = await start({
    onEnd: async () => {
      if (!refuses) return;
      refuses = false;
      throw new Error('the answer cannot be kept');
    },
  });
  expect(await strict.caps.submit(asked(key, 'topup', { amount: 500 }))).toMatchObject({ capAfter: 10_500 });
  expect(upstream.written(key.accountId)).toEqual([10_500]);
  await expectBalanced(key);
});

it('near the limit of writes operations are gathered for a moment before they are written', async () => {
  const patient = await start({ settings: { CAP_WRITES_SOFT_LIMIT: 2, CAP_BATCH_HOLD_MS: 1_500 } });
  const key = await account();
  const topup = () => patient.caps.submit(asked(key, 'topup', { amount: 1 }));
  await topup();
  await topup();
  const first = topup();
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, topup(), topup()]);
  expect(upstream.written(key.accountId)).toEqual([10_001, 10_002, 10_005]);
});
