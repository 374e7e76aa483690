import { expectNoSeqScan, explain, testDatabase, type TestDatabase } from '@platform/testing';
import { migrations, schema } from '../../data-source';
import {
  ACCEPTING,
  CALLED,
  FAIL,
  FORGOTTEN,
  IS_CROWDED,
  IS_SEEN,
  MARK_HANDED_OVER,
  MARK_QUEUED,
  MARK_SENDING,
  STORING,
  UNACKNOWLEDGED,
  UNSENT,
  WAITING,
  WITH_FORGOTTEN,
  WITH_UNACKNOWLEDGED,
  WITH_UNSENT,
} from './messages.sql';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema, migrations });
});
afterAll(() => database.stop?.());

const rows = [['lane'], ['callback'], ['key'], ['{}'], [false]];

it.each<[string, string, unknown[]]>([
  ['accepting', ACCEPTING.single[1], ['d', 'c', 'i', 'p', 'r', '{}', 'h', new Date(), ...rows, 'chat']],
  ['accepting for a campaign', ACCEPTING.bulk[1], ['d', 'c', 'i', 'p', 'r', '{}', 'h', new Date(), ...rows, 'chat']],
  ['storing what came in', STORING.none[1], ['d', 'c', '', false, 'i', 'chat', '{}', 1, ...rows]],
  ['storing STOP', STORING.out[1], ['d', 'c', '', false, 'i', 'chat', '{}', 1, ...rows]],
  ['storing START', STORING.in[1], ['d', 'c', '', false, 'i', 'chat', '{}', 1, ...rows]],
  ['knowing a chat', IS_SEEN, ['d', 'c']],
  ['finding what was not sent', UNSENT, ['d', true]],
  ['finding on which devices any was not sent', WITH_UNSENT, [['d']]],
  ['finding what another process accepted', CALLED, ['d', ['i']]],
  ['knowing that too much waits', IS_CROWDED, ['d', 10]],
  ['finding what nobody acknowledged', UNACKNOWLEDGED, ['d', 60, true]],
  ['counting what waits', WAITING, [['d']]],
  ['finding what was forgotten', FORGOTTEN, ['d']],
  ['finding on which devices any was forgotten', WITH_FORGOTTEN, [['d']]],
  ['finding of which devices any is not acknowledged', WITH_UNACKNOWLEDGED, [['d'], 60]],
  ['taking a message to send', MARK_SENDING, ['d', 'i', ['sending'], 'o']],
  ['marking it as handed over', MARK_HANDED_OVER, ['d', 'i', 'w']],
  ['putting a message back', MARK_QUEUED, ['d', 'i']],
  ['failing a send', FAIL.one[1], ['d', 'NO', 'i', true]],
  ['failing what waits', FAIL.all[1], ['d', 'NO']],
])('%s reads no table from end to end', async (_, sql, values) => {
  expectNoSeqScan(await explain(database, sql, values));
});

it.each([
  ['a send is found by its id', FAIL.one[1], 'message_by_id'],
  ['what waits is found without the rest of the device', FAIL.all[1], 'message_unsent'],
])('when it fails %s, whatever plan the connection has', async (_, sql, index) => {
  const plan = await database.tx(async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    return tx.query(`EXPLAIN (GENERIC_PLAN) ${sql}`);
  });
  expect(JSON.stringify(plan)).toContain(index);
});

it('accepting looks once for what waits by a hidden id of the person', async () => {
  const values = ['d', 'c', 'i', 'p', 'r', '{}', 'h', new Date(), ...rows, 'chat'];
  const plan = JSON.stringify(await explain(database, ACCEPTING.single[1], values));
  expect(plan.match(/"Relation Name":"chat_identity"/g)).toHaveLength(1);
});
