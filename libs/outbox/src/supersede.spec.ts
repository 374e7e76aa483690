import { until } from '@platform/testing';
import { makeDue, row, useOutbox } from './outbox.fixture';

const { database, receiver, outbox } = useOutbox();

const LEVELS = ['sent', 'delivered', 'viewed'];
/** Writes a level of message `id`, which supersedes the lower ones; resolves to the number that were dropped. */
const say = (id: string, level: string): Promise<number> =>
  database.tx(async (tx) => {
    await outbox.enqueue(tx, [row('a', `${id} ${level}`, { dedupeKey: `${id} ${level}` })]);
    const lower = LEVELS.slice(0, LEVELS.indexOf(level)).map((each) => `${id} ${each}`);
    const [answer] = await tx.query<{ dropped: number }>('SELECT outbox_supersede($1, $2) AS dropped', ['a', lower]);
    return answer?.dropped ?? 0;
  });
const settled = () =>
  until(
    () => outbox.backlog(),
    ({ queued }) => queued === 0,
  );

it('a newer row drops untried rows of its key while the lane waits after a failure, and none of other keys', async () => {
  receiver.answer = () => ({ verdict: 'retry', reason: 'away', spend: true, afterSeconds: 600 });
  await say('m1', 'sent');
  await until(
    () => database.query('SELECT 1 FROM outbox_lane WHERE failures = 1 AND fence IS NULL'),
    (failed) => failed.length === 1,
  );
  expect(await say('m2', 'sent')).toBe(0);
  expect(await say('m1', 'delivered')).toBe(0); // its lower level has been tried: the receiver may have it
  expect(await say('m1', 'viewed')).toBe(1);
  receiver.answer = () => ({ verdict: 'done' });
  await makeDue(database);
  await settled();
  expect(receiver.payloads()).toEqual(['m1 sent', 'm2 sent', 'm1 viewed']);
});

it('a newer row drops nothing while its lane is being served', async () => {
  for (const level of LEVELS) expect(await say('m1', level)).toBe(0);
  await settled();
  expect(receiver.payloads()).toEqual(LEVELS.map((level) => `m1 ${level}`));
});
