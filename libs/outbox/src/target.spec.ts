import { until } from '@platform/testing';
import { endHolds, row, rowsOf, send, useOutbox } from './outbox.fixture';

const { database, receiver, outbox, reopen } = useOutbox({ breaker: { failures: 3, probeSeconds: 600 } });

const phone = { target: 'phone' };
const calls = (count: number) =>
  until(
    () => receiver.calls.length,
    (seen) => seen >= count,
  );
const settled = () =>
  until(
    () => outbox.backlog(),
    ({ queued }) => queued === 0,
  );
/** Waits until nothing that may be sent is due, and no call is in flight. */
const quiet = () =>
  until(
    () =>
      database.query(`SELECT lane FROM outbox_lane l LEFT JOIN outbox_target t USING (target)
        WHERE fence IS NOT NULL OR (next_at <= now() AND (held_until IS NULL OR held_until <= now()))`),
    (busy) => busy.length === 0,
  );
const away = { verdict: 'retry', reason: 'ECONNREFUSED', spend: false, transport: true, afterSeconds: 3_600 } as const;
const lanesTo = (target: string, count: number) =>
  Array.from({ length: count }, (_, n) => row(`${target} ${n}`, n, { target }));

describe('a hold of a target', () => {
  beforeEach(async () => {
    receiver.answer = ({ target }) =>
      target === 'phone' ? { verdict: 'hold', reason: 'not linked', seconds: 600 } : { verdict: 'done' };
    await send(database, outbox, row('a', 1, phone));
    await calls(1);
    await quiet();
  });

  it('a hold keeps back every lane of its target and no other', async () => {
    await send(database, outbox, row('a', 2, phone), row('b', 3, phone), row('c', 4, { target: 'other' }));
    await until(
      () => receiver.payloads(),
      (seen) => seen.length === 1,
    );
    await quiet();
    expect(receiver.calls.map(({ payload }) => payload)).toEqual([1, 4]);
    expect((await rowsOf(database))[0]).toEqual({
      payload: 1,
      state: 'queued',
      attempts: 0,
      outcome: null,
      last_error: 'not linked',
    });
  });

  it('when a hold ends one lane probes, and its success releases the others', async () => {
    await send(database, outbox, ...lanesTo('phone', 20));
    await quiet();
    await endHolds(database);
    await calls(2);
    await quiet();
    expect(receiver.calls).toHaveLength(2);

    receiver.answer = () => ({ verdict: 'done' });
    await endHolds(database);
    await settled();
    expect(receiver.accepted).toHaveLength(21);
    expect(await database.query('SELECT * FROM outbox_target')).toEqual([]);
  });

  it('a hold ends at once when its target is released', async () => {
    receiver.answer = () => ({ verdict: 'done' });
    await send(database, outbox, row('b', 2, phone));
    await quiet();
    await outbox.release('phone');
    await settled();
    expect(receiver.payloads().sort()).toEqual([1, 2]);
  });
});

it('a target can be held manually', async () => {
  await outbox.hold('phone', 600);
  await send(database, outbox, row('a', 1, phone), row('b', 2, { target: 'other' }));
  await until(
    () => receiver.payloads(),
    (seen) => seen.length === 1,
  );
  await quiet();
  expect(receiver.payloads()).toEqual([2]);
});

it('a hold ends with a probe, whoever set it and however many lanes have nothing to send', async () => {
  await outbox.hold('phone', 600);
  await send(database, outbox, ...lanesTo('phone', 5));
  await database.query(`DELETE FROM outbox_row WHERE lane <> 'phone 4'`);
  await quiet();
  await endHolds(database);
  await settled();
  expect(receiver.payloads()).toEqual([4]);
});

it('lanes of a held target are not touched, however often others are served', async () => {
  const lanes = () => database.query(`SELECT ctid, * FROM outbox_lane WHERE target = 'phone' ORDER BY lane`);
  await outbox.hold('phone', 600);
  await send(database, outbox, ...lanesTo('phone', 500));
  const before = await lanes();
  await send(database, outbox, ...lanesTo('other', 50));
  await calls(50);
  await quiet();
  await outbox.tidy();
  expect(await lanes()).toEqual(before);
  expect(receiver.payloads('phone 1')).toEqual([]);
});

it('a lane that moves to a new target does not wait for the old one', async () => {
  await outbox.hold('phone', 600);
  await send(database, outbox, row('a', 1, phone));
  await quiet();
  await send(database, outbox, row('a', 2, { target: 'new phone' }));
  await settled();
  expect(receiver.accepted.map(({ payload, target }) => [payload, target])).toEqual([
    [1, 'new phone'],
    [2, 'new phone'],
  ]);
});

describe('the breaker of a target', () => {
  /** This many lanes to one target, through an outbox that tries one at a time. */
  const oneByOne = async (lanes: number) => {
    await outbox.stop?.();
    reopen({ lanes: 1, breaker: { failures: 3, probeSeconds: 600 } });
    await send(database, outbox, ...lanesTo('hook', lanes));
    await outbox.start?.();
  };

  it('the breaker opens after the configured consecutive transport failures and lets one lane probe', async () => {
    receiver.answer = () => away;
    await oneByOne(10);
    await calls(3);
    await quiet();
    expect(receiver.calls).toHaveLength(3);

    await endHolds(database);
    await calls(4);
    await quiet();
    expect(receiver.calls).toHaveLength(4);
  });

  it('the breaker closes with the first success, which wakes the lanes that failed or waited', async () => {
    receiver.answer = () => away;
    await send(database, outbox, ...lanesTo('hook', 10));
    await calls(3);
    await quiet();
    receiver.answer = () => ({ verdict: 'done' });
    await endHolds(database);
    await settled();
    expect(receiver.payloads().sort()).toEqual([...Array(10).keys()]);
  });

  it('the breaker counts consecutive failures: an answer of the target, even a refusal, resets it', async () => {
    receiver.answer = () => (receiver.calls.length === 3 ? { verdict: 'dead', reason: 'no' } : away);
    await oneByOne(20);
    await calls(6);
    await quiet();
    expect(receiver.calls).toHaveLength(6);
  });

  it('the breaker of one target leaves the others alone', async () => {
    receiver.answer = ({ target }) => (target === 'hook' ? away : { verdict: 'done' });
    await send(database, outbox, ...lanesTo('hook', 40), ...lanesTo('other', 40));
    await until(
      () => receiver.payloads(),
      (seen) => seen.length === 40,
    );
    expect(receiver.accepted.every(({ target }) => target === 'other')).toBe(true);
  });
});
