import { silentLogger, systemClock } from '@platform/runtime';
import { until, untilWaiting } from '@platform/testing';
import { CapMeters } from './cap.meters';
import { Ends } from './ends';
import type { StoredOperation } from './operation.row';
import { operationRows } from './operation.rows';
import { Waiters } from './waiters';
import { asked, useCaps, type CapProcess } from './caps.fixture';
import type { AccountKey } from './operation.rows';

const { database, upstream, start, account, ledger, states, batches, expectBalanced } = useCaps();

const BUSY = { kind: 'unavailable', message: 'Account is busy, please try again', retryAfterSeconds: 1 };

const submit = ({ caps }: CapProcess, key: AccountKey, more: Parameters<typeof asked>[2] = {}) =>
  caps.submit(asked(key, 'topup', { amount: 500, ...more }));

/** Somebody holds the account, for so long. */
const holdElsewhere = async ({ accountId }: AccountKey, milliseconds: number): Promise<void> => {
  await database.query(
    `INSERT INTO account_leases (account_id, until, fence) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond', 1)
     ON CONFLICT (account_id) DO UPDATE SET until = excluded.until, fence = account_leases.fence + 1`,
    [accountId, milliseconds],
  );
};

/** As a process leaves it that was killed: nobody waits, nobody holds the account. */
const orphan = async ({ accountId }: AccountKey): Promise<void> => {
  await database.query(`UPDATE cap_operations SET waiter_until = '-infinity' WHERE account_id = $1`, [accountId]);
  await database.query(`UPDATE account_leases SET until = '-infinity', fence = fence + 1 WHERE account_id = $1`, [
    accountId,
  ]);
};

/** A process that dies at a call of its upstream: it hears nothing any more, and its operation is what is left of it. */
const dieAt = async (
  key: AccountKey,
  call: 'read' | 'write',
  more: Parameters<typeof asked>[2] = {},
): Promise<void> => {
  const process = await start();
  const stopped = upstream.stop(call);
  void submit(process, key, more).catch(() => undefined);
  await stopped.arrived;
  const killed = process.kill();
  stopped.lose();
  await killed;
  await orphan(key);
};

describe('an account that another process holds', () => {
  it('is worked on as soon as that lets go, also when it died', async () => {
    const [process, key] = [await start(), await account()];
    await holdElsewhere(key, 400);
    expect(await submit(process, key)).toMatchObject({ capAfter: 10_500 });
  });

  it('for too long makes an operation busy, which never takes effect later', async () => {
    const [hasty, patient] = [await start({ settings: { CAP_WAIT_MS: 300 } }), await start()];
    const key = await account();
    await holdElsewhere(key, 60_000);
    await expect(submit(hasty, key)).rejects.toMatchObject(BUSY);
    await orphan(key);
    expect(await submit(patient, key, { amount: 1 })).toMatchObject({ capBefore: 10_000, capAfter: 10_001 });
    expect(await states(key)).toEqual(['cancelled', 'applied']);
    await expectBalanced(key);
  });

  it('takes 500 operations to wait and no more', async () => {
    const process = await start();
    const key = await account();
    await database.query(
      `INSERT INTO cap_operations (id, application_id, account_id, kind, amount, currency, actor, has_key, created_at)
       SELECT gen_random_uuid(), $1, $2, 'topup', 1, 'USD', 'test', true, now() FROM generate_series(1, 500)`,
      [key.applicationId, key.accountId],
    );
    await expect(submit(process, key)).rejects.toMatchObject(BUSY);
    await database.query('DELETE FROM cap_operations WHERE account_id = $1', [key.accountId]);
  });

  it('is not changed any more by a holder that was paused: its successor’s state stands', async () => {
    const [paused, next] = [await start(), await start()];
    const key = await account();
    const stopped = upstream.stop('write');
    const first = submit(paused, key);
    await stopped.arrived;
    await database.query(`UPDATE account_leases SET until = '-infinity' WHERE account_id = $1`, [key.accountId]);
    expect(await submit(next, key, { amount: 300 })).toMatchObject({ capBefore: 10_500, capAfter: 10_800 });
    expect(await first).toMatchObject({ state: 'applied', capAfter: 10_500 });
    stopped.release();
    await until(() => paused.lines.some((line) => line.includes('an account has passed to another holder')));
    expect((await ledger(key)).map(({ kind }) => kind)).toEqual(['opening', 'topup', 'topup']);
    expect(await batches(key)).toMatchObject([{ state: 'applied' }, { state: 'applied' }]);
    await next.caps.reconcile(key.applicationId, key.accountId);
    expect((await ledger(key)).map(({ kind }) => kind)).toEqual(['opening', 'topup', 'topup', 'late_write', 'repair']);
    expect(upstream.of(key.accountId).spendCap).toBe(10_800);
    await expectBalanced(key);
  });
});

describe('what a dead process left', () => {
  const ends = (key: AccountKey) =>
    until(
      () => states(key),
      (all) => all.every((state) => !['queued', 'planned', 'unknown'].includes(state)),
    );

  it('before its write is cancelled when nobody can ask about it, and nothing is sent', async () => {
    const key = await account();
    await dieAt(key, 'read');
    await start();
    expect([await ends(key), upstream.written(key.accountId)]).toEqual([['cancelled'], []]);
  });

  it('before its write is done when somebody can ask about it', async () => {
    const key = await account();
    await dieAt(key, 'read', { canBeAsked: true });
    await start();
    expect([await ends(key), upstream.written(key.accountId)]).toEqual([['applied'], [10_500]]);
    await expectBalanced(key);
  });

  it('at its write, which did not come, is cancelled when nobody can ask about it', async () => {
    const key = await account();
    await dieAt(key, 'write');
    const before = upstream.written(key.accountId).length;
    await start();
    expect([await ends(key), upstream.written(key.accountId).length - before]).toEqual([['cancelled'], 0]);
    expect(upstream.of(key.accountId).spendCap).toBe(10_000);
  });

  it('at its write, which did not come, is sent again for who can ask about it', async () => {
    const key = await account();
    await dieAt(key, 'write', { canBeAsked: true });
    await start();
    expect([await ends(key), upstream.of(key.accountId).spendCap]).toEqual([['applied'], 10_500]);
    await expectBalanced(key);
  });

  it('after its write is applied once, whoever asks', async () => {
    const [one, other] = [await account(), await account()];
    for (const [key, canBeAsked] of [
      [one, true],
      [other, false],
    ] as const) {
      await dieAt(key, 'write', { canBeAsked });
      upstream.change(key.accountId, { spendCap: 10_500 });
    }
    await start();
    expect([await ends(one), await ends(other)]).toEqual([['applied'], ['applied']]);
    for (const key of [one, other]) await expectBalanced(key);
  });

  it('is left alone while sends are held, as after a restore of the database', async () => {
    const key = await account();
    await dieAt(key, 'read', { canBeAsked: true });
    const held = await start({ settings: { SENDS: 'held' } });
    expect([await states(key), held.lines.filter((line) => line.includes('taken up again'))]).toEqual([['queued'], []]);
    await start();
    expect(await ends(key)).toEqual(['applied']);
  });

  it('is left alone while a process that lives waits for it', async () => {
    const process = await start();
    const key = await account();
    await holdElsewhere(key, 1_500);
    const done = submit(process, key);
    await until(
      () => states(key),
      (all) => all.length === 1,
    );
    const next = await start();
    expect(next.lines.filter((line) => line.includes('taken up again'))).toEqual([]);
    expect(await done).toMatchObject({ capAfter: 10_500 });
  });
});

describe('a caller that goes away', () => {
  it('takes its operation along while nobody has begun it', async () => {
    const process = await start();
    const key = await account();
    await holdElsewhere(key, 60_000);
    const caller = new AbortController();
    const done = process.caps.submit(asked(key, 'topup', { amount: 500 }), caller.signal);
    await until(
      () => states(key),
      (all) => all.length === 1,
    );
    caller.abort();
    await expect(done).rejects.toMatchObject(BUSY);
    expect(await states(key)).toEqual(['cancelled']);
  });

  it('with a key leaves it, and finds its end by asking again', async () => {
    const process = await start();
    const key = await account();
    await holdElsewhere(key, 60_000);
    const caller = new AbortController();
    const ids: string[] = [];
    const alongside = async (_tx: unknown, id: string): Promise<void> => void ids.push(id);
    const first = process.caps.submit(asked(key, 'topup', { amount: 500, canBeAsked: true, alongside }), caller.signal);
    await until(
      () => states(key),
      (all) => all.length === 1,
    );
    caller.abort();
    await expect(first).rejects.toMatchObject({
      message: 'Operation is still in progress',
      details: { operation_id: ids[0] },
    });
    await holdElsewhere(key, 0);
    expect(await (await start()).caps.await(key.applicationId, ids[0] as string)).toMatchObject({
      state: 'applied',
      capAfter: 10_500,
    });
    await expect(process.caps.await((await account()).applicationId, ids[0] as string)).rejects.toMatchObject({
      kind: 'notFound',
    });
  });
});

it('a caller hears after its time that its operation is in progress, with its id, and whether to repeat', async () => {
  const ends = new Ends([], new CapMeters());
  const logger = silentLogger;
  const waiters = new Waiters({ database, ends, clock: systemClock, logger, waitMs: 10, longestMs: 30 });
  const planned = async (hasKey: boolean): Promise<StoredOperation> => {
    const { applicationId, accountId } = await account();
    const [{ id } = { id: '' }] = await database.query<{ id: string }>(
      `INSERT INTO cap_operations (id, application_id, account_id, kind, amount, currency, actor, has_key, state, waiter_until, created_at)
       VALUES (gen_random_uuid(), $1, $2, 'topup', 1, 'USD', 'test', $3, 'planned', now() + interval '1 hour', now()) RETURNING id`,
      [applicationId, accountId, hasKey],
    );
    return (await operationRows.find(database, applicationId, id)) as StoredOperation;
  };
  const [keyed, keyless] = [await planned(true), await planned(false)];
  const message = 'Operation is still in progress';
  await expect(waiters.wait(keyed)).rejects.toMatchObject({
    ...{ kind: 'unavailable', message, details: { operation_id: keyed.id } },
  });
  await expect(waiters.wait(keyless)).rejects.toMatchObject({
    ...{ kind: 'upstreamFailed', message, details: { operation_id: keyless.id } },
  });
  await database.query(`DELETE FROM cap_operations WHERE actor = 'test'`);
});

describe('a stop', () => {
  /** A process that writes to one account, and another account that somebody else holds. */
  const scene = async () => {
    const process = await start();
    const [writing, waiting] = [await account(), await account()];
    const stopped = upstream.stop('write');
    const first = submit(process, writing);
    await stopped.arrived;
    await holdElsewhere(waiting, 60_000);
    return { process, writing, waiting, stopped, first };
  };

  it('gives up what nobody has begun, and lets what is being written end', async () => {
    const { process, writing, waiting, stopped, first } = await scene();
    const second = submit(process, waiting);
    await until(
      () => states(waiting),
      (all) => all.length === 1,
    );
    const ending = process.stop();
    await expect(second).rejects.toMatchObject(BUSY);
    await expect(submit(process, writing)).rejects.toMatchObject(BUSY);
    stopped.release();
    expect(await first).toMatchObject({ state: 'applied' });
    await ending;
    await expectBalanced(writing);
  });

  it('gives up what is queued while it has begun', async () => {
    const { process, waiting, stopped, first } = await scene();
    const [second, ending] = await database.tx(async (tx) => {
      await tx.query('SELECT FROM ad_accounts WHERE account_id = $1 FOR UPDATE', [waiting.accountId]);
      const late = submit(process, waiting);
      await untilWaiting(tx, late);
      return [late, process.stop()] as const;
    });
    await expect(second).rejects.toMatchObject(BUSY);
    stopped.release();
    expect(await first).toMatchObject({ state: 'applied' });
    await ending;
    expect(await states(waiting)).toEqual(['cancelled']);
  });
});

it('an application whose accounts all hang leaves places to the others', async () => {
  const process = await start();
  const first = await account();
  const noisy = [first, ...(await Promise.all(Array.from({ length: 39 }, () => account({}, first.applicationId))))];
  const stops = noisy.map(({ accountId }) => upstream.stop('read', accountId));
  const hanging = noisy.map((key) => submit(process, key));
  await until(() => upstream.waiting('read') <= 20);
  const quiet = await account();
  expect(await submit(process, quiet)).toMatchObject({ capAfter: 10_500 });
  expect(upstream.waiting('read')).toBe(20);
  for (const { cancel, release } of stops) {
    cancel();
    release();
  }
  await Promise.all(hanging);
  for (const key of noisy) await expectBalanced(key);
});
