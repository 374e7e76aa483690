// A process whose clock is wrong beside a database whose clock is right.
import { row, rowsOf, send, useOutbox } from './outbox.fixture';
import { until } from '@platform/testing';

const DAY_MS = 86_400_000;
const clockOff = (milliseconds: number) => ({ now: () => new Date(Date.now() + milliseconds) });
const { database, receiver, outbox, reopen } = useOutbox();

const settled = () =>
  until(
    () => outbox.backlog(),
    ({ queued }) => queued === 0,
  );

beforeEach(() => outbox.stop?.());

it('a row that failed a moment ago is not given up by a clock that is days ahead', async () => {
  reopen({ clock: clockOff(3 * DAY_MS), sweepSeconds: 0.05 });
  receiver.answer = ({ failures }) =>
    failures < 3
      ? { verdict: 'retry', reason: 'away', spend: false, afterSeconds: 0, maxAgeSeconds: 86_400 }
      : { verdict: 'done' };
  await outbox.start?.();
  await send(database, outbox, row('a', 1));
  await settled();
  expect(receiver.payloads()).toEqual([1]);
});

it('a row that failed for days is given up also by a clock that is as far behind', async () => {
  reopen({ clock: clockOff(-3 * DAY_MS) });
  receiver.answer = () => ({ verdict: 'retry', reason: 'away', spend: false, maxAgeSeconds: 86_400 });
  await send(database, outbox, row('a', 1));
  await database.query(`UPDATE outbox_row SET first_try_at = now() - interval '2 days'`);
  await outbox.start?.();
  const [only] = await until(
    () => rowsOf(database),
    ([tried]) => tried?.last_error !== null,
  );
  expect(only).toMatchObject({ state: 'dead', last_error: 'given up after 86400 s: away' });
});
