import { requestContext, runInContext } from '@platform/runtime';
import { until } from '@platform/testing';
import { row, rowsOf, send, untilAborted, useOutbox } from './outbox.fixture';

const { database, receiver, outbox, reopen } = useOutbox();

const settled = () =>
  until(
    () => outbox.backlog(),
    ({ queued }) => queued === 0,
  );

describe('order of delivery', () => {
  it('the rows of a lane are delivered in the order of their commits, each with its own event id', async () => {
    const ids = [];
    for (let n = 0; n < 30; n++) ids.push(...(await send(database, outbox, row('a', n))));
    await settled();
    expect(receiver.payloads()).toEqual([...Array(30).keys()]);
    expect(receiver.accepted.map(({ id, eventId }) => ({ id, eventId }))).toEqual(ids);
  });

  it('a row is delivered in the trace of the request that wrote it, under its event id', async () => {
    const traceId = 'a'.repeat(32);
    const seen: unknown[] = [];
    receiver.answer = async () => {
      seen.push(requestContext());
      return { verdict: 'done' };
    };
    const [sent] = await runInContext({ requestId: 'r', traceId }, () =>
      send(database, outbox, row('a', { text: 'traced' })),
    );
    await settled();
    expect(seen).toEqual([{ requestId: sent?.eventId, traceId }]);
  });

  it('a lane has one call at a time, and many lanes are served concurrently', async () => {
    let underWay: string[] = [];
    const doubles: string[] = [];
    let most = 0;
    receiver.answer = async ({ lane }) => {
      if (underWay.includes(lane)) doubles.push(lane);
      underWay.push(lane);
      most = Math.max(most, underWay.length);
      await new Promise(setImmediate);
      underWay = underWay.filter((other) => other !== lane);
      return { verdict: 'done' };
    };
    await send(database, outbox, ...Array.from({ length: 200 }, (_, n) => row(`lane ${n % 20}`, n)));
    await settled();
    expect(doubles).toEqual([]);
    expect(most).toBeGreaterThan(1);
    for (let lane = 0; lane < 20; lane++)
      expect(receiver.payloads(`lane ${lane}`)).toEqual(Array.from({ length: 10 }, (_, n) => n * 20 + lane));
  });

  it('a stuck lane delays no other', async () => {
    receiver.answer = ({ lane }, signal) => (lane === 'stuck' ? untilAborted(signal) : { verdict: 'done' });
    await send(database, outbox, row('stuck', 1), row('b', 2), row('c', 3));
    await until(
      () => receiver.payloads().length,
      (count) => count === 2,
    );
    expect(receiver.payloads().sort()).toEqual([2, 3]);
  });

  it('a lane that never empties yields to other lanes', async () => {
    await outbox.stop?.();
    reopen({ lanes: 1 });
    await send(database, outbox, ...Array.from({ length: 250 }, (_, n) => row('long', n)), row('short', 'me too'));
    await outbox.start?.();
    await settled();
    expect(receiver.accepted.findIndex(({ lane }) => lane === 'short')).toBeLessThanOrEqual(100);
    expect(receiver.payloads('long')).toEqual([...Array(250).keys()]);
  });
});

describe('enqueueing rows (enqueue)', () => {
  it('a row of a transaction that was rolled back is not sent', async () => {
    const failed = database.tx(async (tx) => {
      await outbox.enqueue(tx, [row('a', 'undone')]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await send(database, outbox, row('a', 'done'));
    await settled();
    expect(receiver.payloads()).toEqual(['done']);
  });

  it('enqueue of no rows writes nothing', async () => {
    expect(await send(database, outbox)).toStrictEqual([]);
    expect(await outbox.backlog()).toEqual({ queued: 0, oldestSeconds: 0, dead: 0 });
  });

  it('enqueue drops a row whose dedupe key is taken, and answers null for it', async () => {
    const [first] = await send(database, outbox, row('a', 1, { dedupeKey: 'k' }));
    const again = await send(
      database,
      outbox,
      row('a', 2, { dedupeKey: 'k' }),
      row('a', 3, { dedupeKey: 'l' }),
      row('a', 4, { dedupeKey: 'l' }),
    );
    await settled();
    expect(first?.id).toEqual(expect.any(String));
    expect(again.map(({ id }) => id !== null)).toEqual([false, true, false]);
    expect(receiver.payloads()).toEqual([1, 3]);
  });

  it('enqueue answers in the order of the rows, whatever the order of their lanes', async () => {
    const eventIds = ['b', 'a', 'c'].map((_, n) => `00000000-0000-7000-8000-00000000000${n}`);
    const answer = await send(
      database,
      outbox,
      ...['b', 'a', 'c'].map((lane, n) => row(lane, lane, { eventId: eventIds[n] })),
    );
    const lanes = await database.query<{ id: string; lane: string }>('SELECT id, lane FROM outbox_row');
    expect(answer.map(({ id, eventId }) => [lanes.find((known) => known.id === id)?.lane, eventId])).toEqual([
      ['b', eventIds[0]],
      ['a', eventIds[1]],
      ['c', eventIds[2]],
    ]);
    await settled();
  });

  it("enqueue works inside a statement of the caller, which gets the row's id and event id", async () => {
    const [added] = await database.query<{ id: string }>(
      `WITH written AS (INSERT INTO sent VALUES ('00000000-0000-7000-8000-000000000001', 'x') RETURNING event_id)
       SELECT outbox_enqueue('a', 't', 'message', NULL, jsonb_build_object('for', event_id)) AS id FROM written`,
    );
    await settled();
    expect(receiver.accepted).toEqual([
      {
        id: added?.id,
        eventId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/),
        lane: 'a',
        target: 't',
        kind: 'message',
        payload: { for: '00000000-0000-7000-8000-000000000001' },
        attempt: 1,
        failures: 0,
        triedSeconds: null,
        createdAt: expect.any(Date),
      },
    ]);
  });

  it('two writers of the same lanes never deadlock', async () => {
    const writer = (lanes: string[]) =>
      Promise.all(Array.from({ length: 25 }, () => send(database, outbox, ...lanes.map((lane) => row(lane, lane)))));
    await Promise.all([writer(['a', 'b', 'c']), writer(['c', 'b', 'a'])]);
    await settled();
    expect(receiver.accepted).toHaveLength(150);
  });
});

describe('the settle hook', () => {
  const gatewayIds = () => database.query('SELECT gateway_id FROM sent');
  const insert = 'INSERT INTO sent VALUES ($1, $2)';

  it('settle commits with the mark on the row', async () => {
    receiver.answer = ({ eventId }) => ({
      verdict: 'done',
      outcome: 'sent',
      settle: async (tx) => void (await tx.query(insert, [eventId, 'g-1'])),
    });
    await send(database, outbox, row('a', 1), row('a', 2));
    await settled();
    expect(await gatewayIds()).toEqual([{ gateway_id: 'g-1' }, { gateway_id: 'g-1' }]);
    expect(await rowsOf(database)).toEqual(
      [1, 2].map((payload) => ({ payload, state: 'done', attempts: 1, outcome: 'sent', last_error: null })),
    );
  });

  it('a settle hook that throws is rolled back, and leaves the row undelivered', async () => {
    receiver.answer = ({ eventId }) => ({
      verdict: 'done',
      settle: async (tx) => {
        await tx.query(insert, [eventId, 'half']);
        throw new Error('no room');
      },
    });
    await send(database, outbox, row('a', 1));
    const rows = await until(
      () => rowsOf(database),
      ([only]) => only?.attempts === 1,
    );
    expect(rows).toEqual([
      { payload: 1, state: 'queued', attempts: 1, outcome: null, last_error: 'settle failed: no room' },
    ]);
    expect(await gatewayIds()).toEqual([]);
  });

  it('settle runs for a dead row too, and may write into the outbox itself', async () => {
    receiver.answer = ({ payload }) =>
      payload === 'bad'
        ? {
            verdict: 'dead',
            reason: 'refused',
            settle: async (tx) => void (await outbox.enqueue(tx, [row('a', 'tell them')])),
          }
        : { verdict: 'done' };
    await send(database, outbox, row('a', 'bad'), row('a', 'next'));
    await settled();
    expect(receiver.payloads()).toEqual(['next', 'tell them']);
  });
});

describe('blocked rows', () => {
  it('a blocked row stops its lane only, until it is unblocked with the missing payload', async () => {
    const [held] = await send(
      database,
      outbox,
      row('a', { file: null }, { blocked: true }),
      row('a', 'after'),
      row('b', 'other'),
    );
    await until(
      () => receiver.payloads(),
      (seen) => seen.length === 1,
    );
    expect(receiver.payloads()).toEqual(['other']);
    expect(await outbox.unblock(database, held?.id ?? '', { file: 'x.png' })).toBe(true);
    await settled();
    expect(receiver.payloads('a')).toEqual([{ file: 'x.png' }, 'after']);
    expect(await outbox.unblock(database, held?.id ?? '')).toBe(false);
  });
});

describe('dead rows', () => {
  it('dead rows are listed, do not stop their lane, and are replayed at its end with the same event id and no attempts', async () => {
    receiver.answer = ({ payload }) => (payload === 2 ? { verdict: 'dead', reason: 'refused' } : { verdict: 'done' });
    const [, bad] = await send(database, outbox, row('a', 1), row('a', 2), row('a', 3));
    await settled();
    expect(receiver.payloads()).toEqual([1, 3]);
    expect(await outbox.dead()).toEqual([
      {
        ...bad,
        lane: 'a',
        target: 'target of a',
        kind: 'message',
        payload: 2,
        attempts: 1,
        reason: 'refused',
        createdAt: expect.any(Date),
        diedAt: expect.any(Date),
      },
    ]);
    expect(await outbox.backlog()).toEqual({ queued: 0, oldestSeconds: 0, dead: 1 });

    receiver.answer = () => ({ verdict: 'done' });
    const fresh = await outbox.replay(bad?.id ?? '');
    await settled();
    expect(Number(fresh)).toBeGreaterThan(Number(bad?.id));
    expect(receiver.accepted.at(-1)).toMatchObject({ id: fresh, eventId: bad?.eventId, payload: 2, attempt: 1 });
    expect(await outbox.dead()).toEqual([]);
    expect(await outbox.replay(bad?.id ?? '')).toBeNull();
  });

  it('dead rows are replayed by event id, or by prefix and time in their old order', async () => {
    receiver.answer = () => ({ verdict: 'dead', reason: 'no' });
    const sent = await send(database, outbox, ...['a|1', 'a|2', 'a|1', 'ab|1', 'a|1'].map((lane, n) => row(lane, n)));
    await settled();
    await database.query(`UPDATE outbox_row SET created_at = created_at - interval '1 hour' WHERE payload = '0'`);
    receiver.answer = () => ({ verdict: 'done' });
    const since = new Date(Date.now() - 60_000);
    expect(await outbox.replayAll({ lanePrefix: 'a|', since })).toBe(3);
    expect(await outbox.replayAll({ lanePrefix: 'a|', since })).toBe(0);
    expect(await outbox.replayAll({ eventId: sent[3]?.eventId ?? '' })).toBe(1);
    await settled();
    expect([receiver.payloads('a|1'), receiver.payloads('a|2'), receiver.payloads('ab|1')]).toEqual([[2, 4], [1], [3]]);
    expect((await outbox.dead()).map(({ payload }) => payload)).toEqual([0]);
    expect((await outbox.dead({ lanePrefix: 'a|' })).map(({ payload }) => payload)).toEqual([0]);
    expect(await outbox.dead({ lanePrefix: 'ab|' })).toEqual([]);
  });

  it('dead and waiting rows are counted for all lanes, or for those of each prefix', async () => {
    receiver.answer = ({ payload }) => (payload === 'bad' ? { verdict: 'dead', reason: 'no' } : { verdict: 'done' });
    await send(database, outbox, row('shop|a', 'bad'), row('shop|b', 'bad'), row('shopping|a', 'bad'));
    await settled();
    await send(database, outbox, row('shop|a', 'held', { blocked: true }), row('other', 'held', { blocked: true }));
    expect(await outbox.backlogs(['shop|', 'none|', 'shopping|'])).toEqual([
      { queued: 1, oldestSeconds: expect.any(Number), dead: 2 },
      { queued: 0, oldestSeconds: 0, dead: 0 },
      { queued: 0, oldestSeconds: 0, dead: 1 },
    ]);
    await database.query(`UPDATE outbox_row SET created_at = now() - interval '1 hour' WHERE lane = 'other'`);
    const backlog = await outbox.backlog();
    expect(backlog).toEqual({ queued: 2, oldestSeconds: expect.any(Number), dead: 3 });
    expect(Math.floor(backlog.oldestSeconds / 600)).toBe(6);
  });

  it('dead rows are replayed all together, however many there are', async () => {
    await outbox.stop?.();
    await database.query(
      `INSERT INTO outbox_row (event_id, lane, target, kind, payload, state) SELECT gen_random_uuid(), 'lane ' || n % 7, 't', 'message', '1', 'dead' FROM generate_series(1, 1001) n`,
    );
    expect((await outbox.dead()).length).toBe(100);
    expect(await outbox.replayAll({ lanePrefix: 'lane ' })).toBe(1001);
    expect(await outbox.backlog()).toMatchObject({ queued: 1001, dead: 0 });
  });

  it('dead rows are paged newest first', async () => {
    receiver.answer = () => ({ verdict: 'dead', reason: 'no' });
    await send(database, outbox, row('a', 1), row('a', 2), row('a', 3));
    await settled();
    const first = await outbox.dead({ limit: 2 });
    expect(first.map(({ payload }) => payload)).toEqual([3, 2]);
    expect((await outbox.dead({ before: first[1]?.id })).map(({ payload }) => payload)).toEqual([1]);
  });
});

describe('a retried row', () => {
  it('a retry sends the head before anything behind it and counts spent attempts only', async () => {
    const answers = [true, false, true];
    receiver.answer = () => {
      const spend = answers.shift();
      return spend === undefined ? { verdict: 'done' } : { verdict: 'retry', reason: 'busy', spend, afterSeconds: 0 };
    };
    await outbox.stop?.();
    reopen({ sweepSeconds: 0.01 });
    await outbox.start?.();
    await send(database, outbox, row('a', 1), row('a', 2));
    await settled();
    expect(receiver.calls.map(({ payload, attempt, failures }) => [payload, attempt, failures])).toEqual([
      [1, 1, 0],
      [1, 2, 1],
      [1, 2, 2],
      [1, 3, 3],
      [2, 1, 0],
    ]);
    expect(new Set(receiver.calls.slice(0, 4).map(({ eventId }) => eventId)).size).toBe(1);
  });

  it('a thrown error counts as a spent attempt', async () => {
    receiver.answer = () => Promise.reject(new Error('bug'));
    await send(database, outbox, row('a', 1));
    expect(
      await until(
        () => rowsOf(database),
        ([only]) => only?.attempts === 1,
      ),
    ).toEqual([{ payload: 1, state: 'queued', attempts: 1, outcome: null, last_error: 'bug' }]);
  });
});
