import { Sends } from '@platform/runtime';
import { until, useForEach } from '@platform/testing';
import { MESSAGE, NOTE, outboxOf, Receiver, row, rowsOf, send, useOutbox } from './outbox.fixture';
import type { OutboxKind } from './outbox.types';

const sends = useForEach(() => new Sends('held'));
const { database, receiver, outbox, reopen } = useOutbox({ sends });

const inside = { kind: NOTE };
const accepted = (count: number) =>
  until(
    () => receiver.payloads(),
    (seen) => seen.length >= count,
  );
const lanes = () => database.query('SELECT lane, next_at, fence FROM outbox_lane ORDER BY lane');
const asleep = (count: number) =>
  until(
    () => database.query(`SELECT lane FROM outbox_lane WHERE next_at = 'infinity'`),
    (sleeping) => sleeping.length === count,
  );
const untouched = (payload: unknown) => ({ payload, state: 'queued', attempts: 0, outcome: null, last_error: null });

describe('rows while sends are held', () => {
  it('while held, rows with an outside effect wait untouched and the others are sent', async () => {
    await send(database, outbox, row('a', 1), row('b', 2, inside), row('a', 3), row('c', 4, inside));
    expect((await accepted(2)).sort()).toEqual([2, 4]);
    await asleep(3);
    const waiting = (await rowsOf(database)).filter(({ state }) => state === 'queued');
    expect(waiting).toEqual([untouched(1), untouched(3)]);
    expect(await outbox.held?.()).toBe(2);
    expect(receiver.calls.map(({ payload }) => payload).sort()).toEqual([2, 4]);
  });

  it('a held lane that mixes both effects keeps its order: rows after an outward row wait with it', async () => {
    await send(database, outbox, row('a', 1, inside), row('a', 2), row('a', 3, inside));
    await accepted(1);
    await asleep(1);
    sends.release();
    expect(await accepted(3)).toEqual([1, 2, 3]);
  });

  it('a row of an undeclared kind is held as outward', async () => {
    const stray: OutboxKind = { name: 'of another release', effect: 'inside' };
    await send(database, outbox, row('a', 1, { kind: stray }), row('b', 2, inside));
    await asleep(2);
    expect(receiver.payloads()).toEqual([2]);
    expect(await outbox.held?.()).toBe(1);
  });

  it('while held, lanes sleep: neither polling nor tidying wakes them', async () => {
    await send(database, outbox, row('a', 1), row('b', 2));
    await asleep(2);
    const before = await lanes();
    await outbox.tidy();
    await send(database, outbox, row('c', 3, inside));
    await accepted(1);
    expect((await lanes()).filter(({ lane }) => lane !== 'c')).toEqual(before);
    expect(before.map(({ fence }) => fence)).toEqual([null, null]);
  });

  it('a held outbox with only outward rows claims nothing and is healthy', async () => {
    await outbox.stop?.();
    reopen({ sends, kinds: [MESSAGE], sweepSeconds: 0.01 });
    await outbox.start?.();
    await send(database, outbox, row('a', 1));
    const before = await lanes();
    await send(database, outbox, row('b', 2));
    await expect(outbox.check?.()).resolves.toBeUndefined();
    expect((await lanes()).filter(({ lane }) => lane === 'a')).toEqual(before);
    sends.release();
    expect((await accepted(2)).sort()).toEqual([1, 2]);
  });
});

describe('the release of held rows', () => {
  it('the release sends everything once and in the order of the lanes', async () => {
    const rows = Array.from({ length: 200 }, (_, n) => row(`lane ${n % 20}`, n));
    for (let from = 0; from < rows.length; from += 50) await send(database, outbox, ...rows.slice(from, from + 50));
    await asleep(20);
    expect(receiver.calls).toEqual([]);
    sends.release();
    await accepted(200);
    for (let lane = 0; lane < 20; lane++)
      expect(receiver.payloads(`lane ${lane}`)).toEqual(Array.from({ length: 10 }, (_, n) => n * 20 + lane));
    expect(receiver.calls.map(({ attempt }) => attempt)).toEqual(Array(200).fill(1));
    expect(await outbox.held?.()).toBeUndefined();
  });

  it('a release by restart wakes the lanes that an earlier process left asleep', async () => {
    await send(database, outbox, row('a', 1), row('a', 2));
    await asleep(1);
    await outbox.stop?.();
    reopen();
    await outbox.start?.();
    expect(await accepted(2)).toEqual([1, 2]);
  });

  it('the release can be revoked: the row in flight ends, later rows wait', async () => {
    sends.release();
    let finish: () => void = () => undefined;
    receiver.answer = () => new Promise((resolve) => (finish = () => resolve({ verdict: 'done' })));
    await send(database, outbox, row('a', 1), row('a', 2));
    await until(
      () => receiver.calls.length,
      (count) => count === 1,
    );
    sends.hold();
    finish();
    await asleep(1);
    expect(receiver.payloads()).toEqual([1]);
    expect(await outbox.held?.()).toBe(1);
    receiver.answer = () => ({ verdict: 'done' });
    sends.release();
    expect(await accepted(2)).toEqual([1, 2]);
  });
});

describe('two processes on one outbox', () => {
  const write = async (): Promise<void> => {
    for (let n = 0; n < 20; n++)
      await send(database, outbox, ...Array.from({ length: 10 }, (_, lane) => row(`lane ${lane}`, n)));
  };
  const settled = () =>
    until(
      () => outbox.tidy().then(() => outbox.backlog()),
      ({ queued }) => queued === 0,
    );
  const inOrder = (): unknown[] => Array.from({ length: 10 }, (_, lane) => receiver.payloads(`lane ${lane}`));

  it.each([
    ['claims nothing, having nothing that may leave', [MESSAGE]],
    ['puts lanes to sleep that the other wakes when it tidies up', [MESSAGE, NOTE]],
  ])('two processes, one held and one released, send each row once and in order: the held one %s', async (_, kinds) => {
    await outbox.stop?.();
    const other = new Receiver();
    const second = outboxOf(database, other, { sends, kinds });
    reopen({ sweepSeconds: 0.05 });
    await second.start?.();
    await outbox.start?.();
    await write();
    await settled();
    await second.stop?.();
    expect(inOrder()).toEqual(Array(10).fill([...Array(20).keys()]));
    expect(receiver.calls).toHaveLength(200);
    expect(other.calls).toEqual([]);
  });
});
