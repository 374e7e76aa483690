import { until } from '@platform/testing';
import { asked, useCaps, type CapProcess } from './caps.fixture';
import type { AccountKey } from './operation.rows';

const { database, upstream, start, account, ledger, states, batches, expectBalanced } = useCaps();

let process: CapProcess;
beforeEach(async () => {
  process = await start();
});

const topup = (key: AccountKey, more: Parameters<typeof asked>[2] = {}) =>
  process.caps.submit(asked(key, 'topup', { amount: 500, ...more }));

const kinds = async (key: AccountKey): Promise<[string, number][]> =>
  (await ledger(key)).map(({ kind, delta }) => [kind, delta]);

describe('a write without an answer', () => {
  it('that was applied is found and is not sent again', async () => {
    const key = await account();
    upstream.misbehave('apply_then_drop');
    expect(await topup(key)).toMatchObject({ state: 'applied', capAfter: 10_500 });
    expect(upstream.written(key.accountId)).toEqual([10_500]);
    expect(await batches(key)).toEqual([{ state: 'applied', sends: 1 }]);
    await expectBalanced(key);
  });

  it('that was not applied is sent again, with one effect', async () => {
    const key = await account();
    upstream.misbehave('drop_before_apply');
    expect(await topup(key)).toMatchObject({ state: 'applied', capAfter: 10_500 });
    expect(upstream.written(key.accountId)).toEqual([10_500, 10_500]);
    await expectBalanced(key);
  });

  it('that is never applied fails after the fourth, and its key and credit hear so', async () => {
    const key = await account();
    upstream.misbehave('drop_before_apply', 4);
    await expect(topup(key)).rejects.toMatchObject({ kind: 'unavailable', message: 'Social is not reachable' });
    expect(upstream.written(key.accountId)).toEqual([10_500, 10_500, 10_500, 10_500]);
    expect(process.ended.map(({ state }) => state)).toEqual(['failed']);
    expect(await topup(key)).toMatchObject({ capAfter: 10_500 });
    await expectBalanced(key);
  });

  it('is found at once although the clock of the database was set back by an hour since it was sent', async () => {
    const key = await account();
    const sending = upstream.stop('write', key.accountId);
    const done = topup(key);
    await sending.arrived;
    const inAnHour = `jsonb_set(attempts, '{0,sent_at}', to_jsonb(clock_timestamp() + interval '1 hour'))`;
    await database.query(`UPDATE cap_batches SET attempts = ${inAnHour} WHERE account_id = $1`, [key.accountId]);
    upstream.misbehave('apply_then_drop');
    sending.release();
    expect(await done).toMatchObject({ state: 'applied', capAfter: 10_500 });
    await expectBalanced(key);
  });

  it('that changed a name only is told by the name', async () => {
    const key = await account();
    upstream.misbehave('drop_before_apply');
    const done = await process.caps.submit(asked(key, 'set', { target: 10_000, name: 'Toko Lain' }));
    expect([done.capAfter, upstream.of(key.accountId).name]).toEqual([10_000, 'Toko Lain']);
    expect(upstream.written(key.accountId)).toEqual([undefined, undefined]);
    await expectBalanced(key);
  });
});

describe('a write that is said to be done', () => {
  it('and was not is sent again', async () => {
    const key = await account();
    upstream.misbehave('pretend');
    expect(await topup(key)).toMatchObject({ state: 'applied', capAfter: 10_500 });
    expect(upstream.written(key.accountId)).toEqual([10_500, 10_500]);
    await expectBalanced(key);
  });

  it('and is not shown yet by the next read is not sent again', async () => {
    const key = await account();
    const stopped = upstream.stop('write');
    const done = topup(key);
    await stopped.arrived;
    upstream.misbehave('stale');
    stopped.release();
    expect(await done).toMatchObject({ state: 'applied', capAfter: 10_500 });
    expect(upstream.written(key.accountId)).toEqual([10_500]);
    await expectBalanced(key);
  });

  it('but cannot be read back stays in progress until it can', async () => {
    const key = await account();
    const stopped = upstream.stop('write');
    const done = topup(key);
    await stopped.arrived;
    upstream.misbehave('limited', 1, 'read');
    stopped.release();
    expect(await done).toMatchObject({ state: 'applied', capAfter: 10_500 });
    expect(upstream.written(key.accountId)).toEqual([10_500]);
    await expectBalanced(key);
  });
});

describe('a refusal', () => {
  it('for a limit fails what was sent with its text and its time, and later it works', async () => {
    const key = await account();
    upstream.misbehave('limited');
    const both = await Promise.allSettled([topup(key), topup(key)]);
    const limit = {
      ...{ kind: 'unavailable', message: 'Social returned an error: (#17) User request limit reached' },
      ...{ retryAfterSeconds: 60, details: { code: 17, operation_id: expect.any(String) } },
    };
    expect(both[0]).toMatchObject({ status: 'rejected', reason: limit });
    expect(await topup(key)).toMatchObject({ state: 'applied' });
    await expectBalanced(key);
  });

  it('for certain is told with upstream’s words and is not to be repeated', async () => {
    const key = await account();
    upstream.misbehave('refused');
    await expect(topup(key)).rejects.toMatchObject({
      ...{
        kind: 'upstreamFailed',
        message: 'Social returned an error: (#100) Invalid parameter',
        code: 'upstream_refused',
      },
      details: { code: 100, operation_id: expect.any(String) },
    });
    expect([await states(key), await kinds(key)]).toEqual([['failed'], [['opening', 10_000]]]);
  });

  it('of the read before it fails what waits, and nothing is sent', async () => {
    const key = await account();
    upstream.misbehave('drop_before_apply', 1, 'read');
    upstream.silence(true);
    await expect(topup(key)).rejects.toMatchObject({ kind: 'unavailable', message: 'Social is not reachable' });
    upstream.silence(false);
    expect([await states(key), upstream.written(key.accountId)]).toEqual([['failed'], []]);
  });
});

describe('a change from outside', () => {
  it('before an operation is booked, and the operation comes on top of it', async () => {
    const key = await account();
    await topup(key);
    upstream.change(key.accountId, { spendCap: 20_000 });
    expect(await topup(key)).toMatchObject({ capBefore: 20_000, capAfter: 20_500 });
    expect(await kinds(key)).toEqual([
      ['opening', 10_000],
      ['topup', 500],
      ['external_adjustment', 9_500],
      ['topup', 500],
    ]);
    await expectBalanced(key);
  });

  it('between our read and our write is gone over, found in the history, and booked with its end', async () => {
    const key = await account();
    const stopped = upstream.stop('write');
    const done = topup(key);
    await stopped.arrived;
    upstream.change(key.accountId, { spendCap: 13_000 });
    stopped.release();
    expect(await done).toMatchObject({ capBefore: 10_000, capAfter: 10_500 });
    await process.caps.reconcile(key.applicationId, key.accountId);
    const expected = [
      ['opening', 10_000],
      ['topup', 500],
      ['external_adjustment', 3_000],
      ['external_adjustment', -3_000],
    ];
    await until(
      () => kinds(key),
      (all) => all.length === expected.length,
    );
    await process.caps.reconcile(key.applicationId, key.accountId);
    expect(await kinds(key)).toEqual(expected);
    expect(
      upstream.calls.filter(({ call, accountId }) => call === 'history' && accountId === key.accountId),
    ).toHaveLength(1);
    await expectBalanced(key);
  });

  it('after a lost answer is told from ours by the history: what was applied is booked before it', async () => {
    const key = await account();
    const stopped = upstream.stop('read');
    const done = topup(key);
    await stopped.arrived;
    upstream.misbehave('apply_then_drop');
    const settling = upstream.afterWrite(() => upstream.change(key.accountId, { spendCap: 30_000 }));
    stopped.release();
    await settling;
    expect(await done).toMatchObject({ state: 'applied', capBefore: 10_000, capAfter: 10_500 });
    expect(await kinds(key)).toEqual([
      ['opening', 10_000],
      ['topup', 500],
      ['external_adjustment', 19_500],
    ]);
    expect(upstream.written(key.accountId)).toEqual([10_500]);
    await expectBalanced(key);
  });

  it('after a write that never came is kept: the operation is planned again on top of it', async () => {
    const key = await account();
    upstream.misbehave('drop_before_apply');
    const settling = upstream.afterWrite(() => upstream.change(key.accountId, { spendCap: 30_000 }));
    const done = topup(key);
    await settling;
    expect(await done).toMatchObject({ capBefore: 30_000, capAfter: 30_500 });
    expect(await kinds(key)).toEqual([
      ['opening', 10_000],
      ['external_adjustment', 20_000],
      ['topup', 500],
    ]);
    await expectBalanced(key);
  });
});

/** The account is looked at for the last time for what its sends may have done late: they are as old as they are then. */
const lastLook = async (key: AccountKey): Promise<void> => {
  const aged = await database.query(
    `UPDATE cap_batches b SET attempts = (
       SELECT jsonb_agg(jsonb_set(a, '{sent_at}', to_jsonb((a ->> 'sent_at')::timestamptz - (look.run_at - clock_timestamp()))))
       FROM jsonb_array_elements(b.attempts) a)
     FROM (SELECT max(run_at) AS run_at FROM ads_api_jobs._private_jobs WHERE payload ->> 'accountId' = $1) look
     WHERE b.account_id = $1 AND look.run_at > clock_timestamp() RETURNING 1`,
    [key.accountId],
  );
  expect(aged).not.toEqual([]);
  await process.caps.reconcile(key.applicationId, key.accountId);
};

describe('a write that is executed late', () => {
  it('is found, booked, and repaired; the operation that was applied since is kept', async () => {
    const key = await account();
    upstream.misbehave('apply_late');
    expect(await topup(key)).toMatchObject({ capAfter: 10_500 });
    await process.caps.submit(asked(key, 'withdraw', { amount: 2_000 }));
    upstream.executeLate();
    expect(upstream.of(key.accountId).spendCap).toBe(10_500);
    expect(await process.caps.reconcile(key.applicationId, key.accountId)).toMatchObject({
      expected: 8_500,
      observed: 10_500,
    });
    expect(upstream.of(key.accountId).spendCap).toBe(8_500);
    expect(await kinds(key)).toEqual([
      ...[
        ['opening', 10_000],
        ['topup', 500],
        ['withdraw', -2_000],
      ],
      ...[
        ['late_write', 2_000],
        ['repair', -2_000],
      ],
    ]);
    await expectBalanced(key);
  });

  it('is repaired by the write of the next operation', async () => {
    const key = await account();
    upstream.misbehave('apply_late', 4);
    await expect(topup(key)).rejects.toMatchObject({ message: 'Social is not reachable' });
    upstream.executeLate();
    expect(await topup(key, { amount: 300 })).toMatchObject({ capBefore: 10_000, capAfter: 10_300 });
    expect(await kinds(key)).toEqual([
      ...[
        ['opening', 10_000],
        ['late_write', 500],
        ['repair', -500],
        ['topup', 300],
      ],
    ]);
    expect(upstream.written(key.accountId).at(-1)).toBe(10_300);
    await expectBalanced(key);
  });

  it('over an operation that is being read back takes nothing from it: it is owed, and repaired', async () => {
    const key = await account();
    upstream.misbehave('apply_late', 4);
    await expect(topup(key)).rejects.toMatchObject({ message: 'Social is not reachable' });
    const late = upstream.afterWrite(() => upstream.executeLate());
    expect(await topup(key, { amount: 2_000 })).toMatchObject({ capBefore: 10_000, capAfter: 12_000 });
    await late;
    expect(upstream.of(key.accountId).spendCap).toBe(10_500);
    await process.caps.reconcile(key.applicationId, key.accountId);
    expect(upstream.of(key.accountId).spendCap).toBe(12_000);
    expect(await kinds(key)).toEqual([
      ['opening', 10_000],
      ['topup', 2_000],
      ['late_write', -1_500],
      ['repair', 1_500],
    ]);
    await expectBalanced(key);
  });

  it('a quarter of an hour after its send is found by the last look, and repaired', async () => {
    const key = await account();
    upstream.misbehave('apply_late', 4);
    await expect(topup(key)).rejects.toMatchObject({ message: 'Social is not reachable' });
    upstream.executeLate();
    await lastLook(key);
    expect(await kinds(key)).toEqual([
      ['opening', 10_000],
      ['late_write', 500],
      ['repair', -500],
    ]);
    await expectBalanced(key);
  });

  it('whose sender died before it heard of it is looked for as any other', async () => {
    const key = await account();
    upstream.misbehave('apply_late');
    const killed = upstream.afterWrite(() => void process.kill());
    const lost = topup(key, { canBeAsked: true }).catch(() => undefined);
    await killed;
    await database.query(`UPDATE account_leases SET until = '-infinity' WHERE account_id = $1`, [key.accountId]);
    process = await start();
    await until(
      () => states(key),
      ([state]) => state === 'applied',
    );
    await lost;
    await process.caps.submit(asked(key, 'withdraw', { amount: 2_000 }));
    upstream.executeLate();
    await lastLook(key);
    expect((await kinds(key)).slice(-2)).toEqual([
      ['late_write', 2_000],
      ['repair', -2_000],
    ]);
    await expectBalanced(key);
  });

  it('whose repair is refused stays owed, and recovery repairs it', async () => {
    const key = await account();
    upstream.misbehave('apply_late', 4);
    await expect(topup(key)).rejects.toMatchObject({ message: 'Social is not reachable' });
    upstream.executeLate();
    upstream.misbehave('limited');
    await process.caps.reconcile(key.applicationId, key.accountId);
    expect(await kinds(key)).toEqual([
      ['opening', 10_000],
      ['late_write', 500],
    ]);
    await expectBalanced(key);
    await start();
    await until(
      () => kinds(key),
      (all) => all.length > 2,
    );
    expect(await kinds(key)).toEqual([
      ['opening', 10_000],
      ['late_write', 500],
      ['repair', -500],
    ]);
    await expectBalanced(key);
  });
});

it('spend that goes on after a cap was lowered is noted once', async () => {
  const key = await account();
  await process.caps.submit(asked(key, 'refund'));
  upstream.change(key.accountId, { amountSpent: 4_200 });
  await process.caps.reconcile(key.applicationId, key.accountId);
  await process.caps.reconcile(key.applicationId, key.accountId);
  expect(await kinds(key)).toEqual([
    ['opening', 10_000],
    ['refund', -6_000],
    ['late_spend', 0],
  ]);
});

it('a difference is booked once, however often it is looked at', async () => {
  const key = await account();
  await topup(key);
  upstream.change(key.accountId, { spendCap: 9_000 });
  const look = () => process.caps.reconcile(key.applicationId, key.accountId);
  expect([await look(), await look()]).toMatchObject([
    { expected: 10_500, observed: 9_000, ledgerEntryId: expect.any(String) },
    { expected: 9_000, observed: 9_000, ledgerEntryId: null },
  ]);
  await expectBalanced(key);
});
