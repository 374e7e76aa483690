import { until } from '@platform/testing';
import { outboxOf, Receiver, row, send, untilAborted, useOutbox } from './outbox.fixture';
import { MOST_TARGETS } from './send.sql';

/** A call that hangs does so for as long as its test takes. */
const leaseSeconds = 600;
const { database, receiver, outbox, reopen } = useOutbox({ lanes: 4, share: 3, leaseSeconds });

const lanesTo = (target: string, count: number) =>
  Array.from({ length: count }, (_, n) => row(`${target} ${n}`, n, { target }));
const callsTo = (target: string) => receiver.calls.filter((call) => call.target === target).length;
/** Every call hangs, except those that the test answers. */
const onlyAnswers = (...targets: string[]) => {
  receiver.answer = ({ target }, signal) => (targets.includes(target) ? { verdict: 'done' } : untilAborted(signal));
};
const comesTrue = (holds: () => boolean) => until(holds, (held) => held);

it('hundreds of chats of a hanging receiver take its share of the places and no more', async () => {
  onlyAnswers('quick');
  await send(database, outbox, ...lanesTo('slow', 400));
  await comesTrue(() => callsTo('slow') === 3);
  await send(database, outbox, ...lanesTo('quick', 40));
  await comesTrue(() => callsTo('quick') === 40);
  expect(callsTo('slow')).toBe(3);
});

it('the share of a receiver is half of the places by default', async () => {
  onlyAnswers('quick');
  await outbox.stop?.();
  reopen({ lanes: 5, leaseSeconds });
  await outbox.start?.();
  await send(database, outbox, ...lanesTo('slow', 20));
  await comesTrue(() => callsTo('slow') === 3);
  await send(database, outbox, ...lanesTo('quick', 20));
  await comesTrue(() => callsTo('quick') === 20);
  expect(callsTo('slow')).toBe(3);
});

it('with more hanging receivers than places every other target still has one of its own', async () => {
  onlyAnswers('quick');
  for (let n = 0; n < 30; n++) await send(database, outbox, ...lanesTo(`slow ${n}`, 5));
  await comesTrue(() => receiver.calls.length === 34);
  expect(new Set(receiver.calls.map(({ target }) => target)).size).toBe(30);
  await send(database, outbox, ...lanesTo('quick', 20));
  await comesTrue(() => callsTo('quick') === 20);
  expect(receiver.calls).toHaveLength(54);
});

it('more targets than can be served wait their turn, and each row is sent once', async () => {
  let most = 0;
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  receiver.answer = async () => {
    most = Math.max(most, receiver.calls.length - receiver.accepted.length);
    await gate;
    return { verdict: 'done' };
  };
  await outbox.stop?.();
  const targets = Array.from({ length: MOST_TARGETS + 100 }, (_, n) => row(`lane ${n}`, n));
  await send(database, outbox, ...targets);
  await outbox.start?.();
  await comesTrue(() => receiver.calls.length === MOST_TARGETS);
  letGo();
  await comesTrue(() => receiver.accepted.length >= targets.length);
  await outbox.stop?.();
  expect(most).toBe(MOST_TARGETS);
  expect(receiver.calls).toHaveLength(targets.length);
});

it('places are dealt evenly to the waiting targets', async () => {
  onlyAnswers();
  await outbox.stop?.();
  await send(database, outbox, ...lanesTo('first', 50), ...lanesTo('second', 50));
  await outbox.start?.();
  await comesTrue(() => receiver.calls.length === 6);
  expect([callsTo('first'), callsTo('second')]).toEqual([3, 3]);
});

it('a target whose lanes wait for a place goes on when one of its flights lands', async () => {
  receiver.answer = () => new Promise((resolve) => setImmediate(() => resolve({ verdict: 'done' })));
  await send(database, outbox, ...lanesTo('hook', 200));
  await comesTrue(() => receiver.accepted.length === 200);
  expect(new Set(receiver.accepted.map(({ lane }) => lane)).size).toBe(200);
});

it('lanes that a writer locks for long hold up no other lane', async () => {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  receiver.answer = () => gate.then(() => ({ verdict: 'done' }));
  const all = ['a', 'b', 'c'].map((lane) => row(lane, lane));
  await send(database, outbox, ...all);
  await comesTrue(() => receiver.calls.length === 3);
  await database.tx(async (tx) => {
    await outbox.enqueue(tx, [row('a', 'a 2'), row('b', 'b 2')]);
    letGo();
    await until(
      () => database.query(`SELECT lane FROM outbox_row WHERE state = 'done'`),
      (ended) => ended.length === 1,
    );
  });
  await comesTrue(() => receiver.accepted.length === 5);
  await outbox.stop?.();
  expect(receiver.payloads('a')).toEqual(['a', 'a 2']);
  expect(receiver.calls).toHaveLength(5);
});

it('two processes share the lanes of many targets and send each row once', async () => {
  const other = new Receiver();
  const second = outboxOf(database, other, { lanes: 4, share: 3 });
  await second.start?.();
  for (let n = 0; n < 20; n++) await send(database, outbox, ...lanesTo(`target ${n}`, 10));
  await comesTrue(() => receiver.accepted.length + other.accepted.length >= 200);
  await second.stop?.();
  const sent = [...receiver.calls, ...other.calls].map(({ lane }) => lane);
  expect([sent.length, new Set(sent).size]).toEqual([200, 200]);
});
