import { fixedClock, silentLogger, systemClock } from '@platform/runtime';
import { expectNoSeqScan, explain, testDatabase, type TestDatabase } from '@platform/testing';
import { migrations, schema } from '../../data-source';
import { retention, SWEEPS, timelyRetention } from './retention';

const clock = fixedClock('2026-11-20T10:00:00Z');
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema, migrations });
});
afterAll(() => database.stop?.());

const job = { signal: new AbortController().signal, logger: silentLogger };
const ids = (sql: string) => database.query<{ id: string }>(sql).then((rows) => rows.map(({ id }) => id));

it('deletes what is older than 30 days in batches, and leaves what is younger, unsettled or under way', async () => {
  await database.query(`
    INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, send_state, at, created_at)
      SELECT 'd', 'c', true, 'old-' || n, 'out', 'chat', '{}', 'acked', now(), timestamptz '2026-10-21T09:59:00Z' FROM generate_series(1, 7) n;
    INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, send_state, at, created_at) VALUES
      ('d', 'c', true, 'queued', 'out', 'chat', '{}', 'queued', now(), '2026-01-01'),
      ('d', 'c', true, 'young', 'out', 'chat', '{}', 'acked', now(), '2026-10-21T10:01:00Z');
    INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, at, created_at) VALUES
      ('d', 'c', false, 'old-in', 'in', 'chat', '{}', now(), '2026-10-01');
    INSERT INTO status (instance_id, id, level, at) VALUES ('d', 'old-1', 1, '2026-10-20'), ('d', 'young', 1, '2026-10-22');
    INSERT INTO broadcast (broadcast_id, instance_id, state, content, pace, check_number, echo, start_at, total, answer, ended_at)
      SELECT b.id, 'd', b.state, '{}', '{}', true, false, now(), 1, '{}', b.ended_at FROM (VALUES
        ('done', 'done', timestamptz '2026-10-01'), ('late', 'done', timestamptz '2026-11-01'), ('held', 'paused', NULL)) b (id, state, ended_at);
    INSERT INTO campaign_item (instance_id, message_id, broadcast_id, chat, state)
      SELECT 'd', broadcast_id || n, broadcast_id, 'c', 'sent' FROM broadcast, generate_series(1, 3) n;
    INSERT INTO campaign_item (instance_id, message_id, chat, state) VALUES ('d', 'old-1', 'c', 'sent'), ('d', 'queued', 'c', 'waiting');`);
  await retention({ sql: database, clock, batch: 2 })({}, job);
  expect(await ids('SELECT id FROM message ORDER BY id')).toEqual(['queued', 'young']);
  expect(await ids('SELECT id FROM status')).toEqual(['young']);
  expect(await ids('SELECT broadcast_id AS id FROM broadcast ORDER BY 1')).toEqual(['held', 'late']);
  const items = await ids('SELECT message_id AS id FROM campaign_item ORDER BY 1');
  expect(items).toEqual(['held1', 'held2', 'held3', 'late1', 'late2', 'late3', 'queued']);
});

it('deletes nothing by a clock that is 40 days ahead of the database, and its old rows by one that is right', async () => {
  await database.query(`
    INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, at, created_at) VALUES
      ('a', 'c', false, 'new', 'in', 'chat', '{}', now(), now()),
      ('a', 'c', false, 'old', 'in', 'chat', '{}', now(), now() - interval '31 days')`);
  const ahead = { now: () => new Date(Date.now() + 40 * 86_400_000) };
  const left = () => ids(`SELECT id FROM message WHERE instance_id = 'a' ORDER BY id`);
  await timelyRetention({ sql: database, clock: ahead })({}, job);
  expect(await left()).toEqual(['new', 'old']);
  await timelyRetention({ sql: database, clock: systemClock })({}, job);
  expect(await left()).toEqual(['new']);
});

it('ends between two batches when the process stops', async () => {
  const ending = new AbortController();
  const texts: string[] = [];
  const query = async (text: string) => {
    texts.push(text);
    ending.abort();
    return [{ gone: 2 }];
  };
  const sql = { query, prepared: query } as unknown as typeof database;
  await retention({ sql, clock, batch: 2 })({}, { ...job, signal: ending.signal });
  expect(texts).toEqual([SWEEPS.messages]);
});

it.each(Object.entries(SWEEPS))('sweeping %s reads no table from end to end', async (_, text) => {
  expectNoSeqScan(await explain(database, text, [new Date(), 10]));
});
