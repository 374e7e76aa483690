import { until } from '@platform/testing';
import { row, send, untilAborted, useOutbox } from './outbox.fixture';

const { database, receiver, outbox, reopen } = useOutbox({ stopSeconds: 0.05 });
const lanes = () => database.query('SELECT lane, leased_by FROM outbox_lane ORDER BY lane');

it('an outbox begins to end while its service still answers: a call that hangs is given back, and no other begins', async () => {
  receiver.answer = (_, signal) => untilAborted(signal);
  await send(database, outbox, row('a', 1));
  await until(() => receiver.calls.length === 1);
  outbox.drain?.();
  await until(lanes, ([lane]) => lane?.leased_by === null);
  await send(database, outbox, row('b', 2));
  await outbox.stop?.();
  expect(await lanes()).toEqual([
    { lane: 'a', leased_by: null },
    { lane: 'b', leased_by: null },
  ]);
  expect(receiver.calls.map(({ payload }) => payload)).toEqual([1]);
  receiver.answer = () => ({ verdict: 'done' });
  reopen();
  await outbox.start?.();
  await until(() => receiver.payloads().length === 2);
});
