import { expectNoSeqScan, explain, testDatabase, type TestDatabase } from '@platform/testing';
import { migrations, schema } from '../../data-source';
import { ACT, ADD_SINGLE, ADMISSION, AHEAD, BOOK, CLAIM, FIND, HALT, LANE, NEXT, USED } from './campaigns.sql';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema, migrations });
});
afterAll(() => database.stop?.());

const now = new Date();
const pace = [now, now, '2026-11-20', 1, 1];

it.each<[string, string, unknown[]]>([
  ['looking at a lane', LANE, ['d', now]],
  ['finding which lanes are used', USED, [['d']]],
  ['finding the next item', NEXT, ['d', now, 0, false]],
  ['claiming it', CLAIM, ['d', 'i', 'b', 'sent', null, ...pace, now, now]],
  ['booking a pause', BOOK, ['d', ...pace]],
  ['adding a single send', ADD_SINGLE, ['d', 'i', 'c', '{}']],
  ['admitting one', ADMISSION, ['d', 'c']],
  ['seeing what is ahead', AHEAD, ['d']],
  ['finding a broadcast', FIND, ['b']],
  ['pausing one', ACT.pause, ['b']],
  ['halting a device', HALT, ['d', 'WA_463']],
])('%s reads no table from end to end', async (_, sql, values) => {
  expectNoSeqScan(await explain(database, sql, values));
});
