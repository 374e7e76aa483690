import { expectNoSeqScan, explain, until } from '@platform/testing';
import { fixedClock } from '@platform/runtime';
import { makeDue, outboxOf, Receiver, row, rowsOf, send, untilAborted, useOutbox } from './outbox.fixture';
import { busyTargets, dueLanes, headOf } from './send.sql';
import type { Verdict } from './verdict';

const { database, receiver, outbox, reopen } = useOutbox({ lanes: 1 });

const settled = () =>
  until(
    () => outbox.backlog(),
    ({ queued }) => queued === 0,
  );
/** A call that the test answers. */
const openCall = () => {
  let answer: (verdict: Verdict) => void = () => undefined;
  receiver.answer = () => new Promise((resolve) => (answer = resolve));
  return async () => {
    await until(
      () => receiver.calls.length,
      (count) => count > 0,
    );
    return answer;
  };
};

describe('an expired lease', () => {
  it('after a lease has expired another process sends the head again, with the same event id', async () => {
    const called = openCall();
    const other = new Receiver();
    const second = outboxOf(database, other);
    const [sent] = await send(database, outbox, row('a', 1), row('a', 2));
    const answer = await called();
    await second.start?.();
    await makeDue(database);
    await settled();
    answer({ verdict: 'done' });
    await second.stop?.();
    expect(other.payloads()).toEqual([1, 2]);
    expect(other.accepted[0]?.eventId).toBe(sent?.eventId);
  });

  it.each<Verdict>([
    {
      verdict: 'done',
      outcome: 'late',
      settle: async (tx) =>
        void (await tx.query(`INSERT INTO sent VALUES ('00000000-0000-7000-8000-000000000001', 'late')`)),
    },
    { verdict: 'retry', reason: 'late', spend: true },
    { verdict: 'hold', reason: 'late', seconds: 600 },
    { verdict: 'dead', reason: 'late' },
  ])('does not let its former holder change anything: $verdict', async (late) => {
    const called = openCall();
    const other = new Receiver();
    other.answer = (_, signal) => untilAborted(signal);
    const second = outboxOf(database, other);
    await send(database, outbox, row('a', 1));
    const answer = await called();
    await second.start?.();
    await makeDue(database);
    await until(
      () => other.calls.length,
      (count) => count === 1,
    );
    const before = await database.query('SELECT * FROM outbox_lane');
    answer(late);
    await outbox.stop?.();
    expect(await database.query('SELECT * FROM outbox_lane')).toEqual(before);
    expect(await rowsOf(database)).toEqual([
      { payload: 1, state: 'queued', attempts: 0, outcome: null, last_error: null },
    ]);
    expect(await database.query('SELECT * FROM sent UNION ALL SELECT NULL, target FROM outbox_target')).toEqual([]);
    await second.stop?.();
  });

  it('an expired lease keeps a process that was paused before the call from sending at all', async () => {
    await outbox.stop?.();
    const clock = fixedClock('2026-03-01T12:00:00Z');
    reopen({ clock });
    receiver.answer = () => {
      clock.advance(28_000); // the pause between the first row and the second
      return { verdict: 'done', settle: async () => clock.advance(28_000) };
    };
    await send(database, outbox, row('a', 1), row('a', 2));
    await outbox.start?.();
    await until(
      () => rowsOf(database),
      ([first]) => first?.state === 'done',
    );
    await outbox.stop?.();
    expect(receiver.payloads()).toEqual([1]);
  });

  it('a call is aborted when it exceeds its time limit', async () => {
    await outbox.stop?.();
    reopen({ callSeconds: 0.09 });
    receiver.answer = (_, signal) => untilAborted(signal);
    await outbox.start?.();
    await send(database, outbox, row('a', 1));
    const [only] = await until(
      () => rowsOf(database),
      ([first]) => first?.last_error !== null,
    );
    expect(only).toEqual({
      payload: 1,
      state: 'queued',
      attempts: 1,
      outcome: null,
      last_error: 'no answer within 90 ms',
    });
  });

  it('a call may take nine tenths of its lease, which names its holder', async () => {
    await outbox.stop?.();
    reopen({ leaseSeconds: 1 });
    const holders: unknown[] = [];
    receiver.answer = async (_, signal) => {
      holders.push(...(await database.query('SELECT leased_by FROM outbox_lane')));
      return untilAborted(signal);
    };
    await outbox.start?.();
    await send(database, outbox, row('a', 1));
    const [only] = await until(
      () => rowsOf(database),
      ([first]) => first?.last_error !== null,
    );
    expect(only).toMatchObject({ attempts: 1, last_error: 'no answer within 900 ms' });
    expect(holders).toEqual([{ leased_by: expect.stringMatching(/^spec [0-9a-f-]{36}$/) }]);
  });
});

describe('a call whose limit is longer than its lease', () => {
  const leaseUntil = async (): Promise<number> => {
    const [lane] = await database.query<{ next_at: Date }>('SELECT next_at FROM outbox_lane');
    return lane?.next_at.getTime() ?? 0;
  };

  it('renews the lease, so that no other process sends the row meanwhile', async () => {
    await outbox.stop?.();
    reopen({ leaseSeconds: 3, callSeconds: 600 });
    await outbox.start?.();
    const called = openCall();
    await send(database, outbox, row('a', 1));
    const answer = await called();
    const claimed = await leaseUntil();
    await until(leaseUntil, (renewed) => renewed > claimed);
    answer({ verdict: 'done' });
    await settled();
    expect(receiver.calls).toHaveLength(1);
    expect(await rowsOf(database)).toEqual([
      { payload: 1, state: 'done', attempts: 1, outcome: null, last_error: null },
    ]);
  });

  it('is aborted when another process has the lane, and changes nothing', async () => {
    await outbox.stop?.();
    reopen({ leaseSeconds: 3, callSeconds: 600 });
    await outbox.start?.();
    let reason: unknown;
    receiver.answer = (_, signal) => untilAborted(signal).catch((cause) => Promise.reject((reason = cause)));
    await send(database, outbox, row('a', 1));
    await until(
      () => receiver.calls.length,
      (count) => count === 1,
    );
    await database.query(`UPDATE outbox_lane SET fence = fence + 1, next_at = now() + interval '1 hour'`);
    await until(() => reason, Boolean);
    await outbox.stop?.();
    expect(reason).toEqual(new Error('the lease of the lane a has run out; its head is sent again by the new holder'));
    expect(await rowsOf(database)).toEqual([
      { payload: 1, state: 'queued', attempts: 0, outcome: null, last_error: null },
    ]);
  });
});

describe('a lane that empties', () => {
  it('an emptying lane does not miss a row whose transaction is still open when the last row ends', async () => {
    const called = openCall();
    await send(database, outbox, row('a', 1));
    const answer = await called();
    await database.tx(async (tx) => {
      await outbox.enqueue(tx, [row('a', 2)]); // holds the lane's lock
      receiver.answer = () => ({ verdict: 'done' });
      answer({ verdict: 'done' });
      await until(
        () =>
          database.query(
            `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%outbox_finish%' AND datname = current_database()`,
          ),
        (waiting) => waiting.length === 1,
      );
    });
    await settled();
    expect(receiver.payloads()).toEqual([1, 2]);
  });
});

describe('the stop of an outbox', () => {
  it('stop waits for calls in flight and claims nothing new', async () => {
    const called = openCall();
    await send(database, outbox, row('a', 1), row('a', 2));
    const answer = await called();
    const stopped = outbox.stop?.();
    answer({ verdict: 'done' });
    await stopped;
    expect((await rowsOf(database)).map(({ state }) => state)).toEqual(['done', 'queued']);
    expect(await database.query('SELECT fence, next_at <= now() AS due FROM outbox_lane')).toEqual([
      { fence: null, due: true },
    ]);
  });

  it('stop aborts calls that last too long and releases their lanes without counting an attempt', async () => {
    await outbox.stop?.();
    reopen({ stopSeconds: 0 });
    await outbox.start?.();
    receiver.answer = (_, signal) => untilAborted(signal);
    await send(database, outbox, row('a', 1));
    await until(
      () => receiver.calls.length,
      (count) => count === 1,
    );
    await outbox.stop?.();
    expect(await rowsOf(database)).toEqual([
      { payload: 1, state: 'queued', attempts: 0, outcome: null, last_error: null },
    ]);
    expect(await database.query('SELECT fence, failures, next_at <= now() AS due FROM outbox_lane')).toEqual([
      { fence: null, failures: 0, due: true },
    ]);
  });
});

describe('the health check of an outbox', () => {
  it('check rejects before the start and after the stop', async () => {
    await expect(outbox.check?.()).resolves.toBeUndefined();
    await outbox.stop?.();
    await expect(outbox.check?.()).rejects.toThrow('The outbox spec is not started.');
  });

  it('check rejects when the lanes have not been polled for a while', async () => {
    await outbox.stop?.();
    const clock = fixedClock('2026-03-01T12:00:00Z');
    reopen({ clock });
    await outbox.start?.();
    clock.advance(60_000);
    await expect(outbox.check?.()).rejects.toThrow('has not reached its lanes for 60 s');
  });
});

describe('tidying an outbox', () => {
  it('tidy deletes done rows and idle lanes of yesterday and keeps the rest', async () => {
    receiver.answer = ({ payload }) => (payload === 'bad' ? { verdict: 'dead', reason: 'no' } : { verdict: 'done' });
    await send(
      database,
      outbox,
      row('Old', 'old'),
      row('Old', 'bad'),
      row('new', 'new'),
      row('blocked', 'b', { blocked: true }),
    );
    await until(
      () => outbox.backlog(),
      ({ queued }) => queued === 1,
    );
    await database.query(`UPDATE outbox_row SET finished_at = finished_at - interval '25 hours' WHERE lane = 'Old'`);
    await database.query(`UPDATE outbox_lane SET used_at = used_at - interval '25 hours' WHERE lane <> 'new'`);
    await outbox.tidy();
    expect((await rowsOf(database)).map(({ payload }) => payload).sort()).toEqual(['b', 'bad', 'new']);
    expect(await database.query('SELECT lane FROM outbox_lane ORDER BY lane')).toEqual([
      { lane: 'blocked' },
      { lane: 'new' },
    ]);
    const [bad] = await outbox.dead();
    receiver.answer = () => ({ verdict: 'done' });
    await outbox.replay(bad?.id ?? '');
    await until(
      () => outbox.backlog(),
      ({ queued }) => queued === 1,
    );
    expect(receiver.accepted.at(-1)).toMatchObject({ lane: 'Old', target: 'target of Old', payload: 'bad' });
  });

  it('tidy deletes dead rows of last month and keeps the younger ones', async () => {
    receiver.answer = () => ({ verdict: 'dead', reason: 'no' });
    await send(database, outbox, row('a', 'old'), row('a', 'young'));
    await settled();
    await database.query(`UPDATE outbox_row SET finished_at = now() - interval '31 days' WHERE payload = '"old"'`);
    await outbox.tidy();
    expect((await outbox.dead()).map(({ payload }) => payload)).toEqual(['young']);
  });

  it('tidy wakes a lane that a manual repair has forgotten', async () => {
    await outbox.stop?.();
    await send(database, outbox, row('a', 1));
    await database.query(`UPDATE outbox_lane SET next_at = 'infinity'`);
    await outbox.tidy();
    await outbox.start?.();
    await settled();
    expect(receiver.payloads()).toEqual([1]);
  });
});

describe('plans of the outbox', () => {
  it('busy targets, their due lanes and the head of a lane come from their indexes, without a sort', async () => {
    const targets = await explain(database, `WITH RECURSIVE busy AS (${busyTargets}) SELECT * FROM busy`);
    const due = await explain(database, `${dueLanes(`'hook'`)} LIMIT 32 FOR UPDATE SKIP LOCKED`);
    const head = await explain(database, headOf(`'a'`));
    for (const plan of [targets, due, head]) expectNoSeqScan(plan);
    expect(JSON.stringify([targets, due, head])).not.toContain('"Sort"');
    expect(JSON.stringify(targets)).toContain('"Index Name":"outbox_lane_due"');
    expect(JSON.stringify(due)).toContain('"Index Name":"outbox_lane_due"');
    expect(JSON.stringify(head)).toContain('"Index Name":"outbox_row_head"');
  });
});
