// One busy device beside many quiet ones, and one long chat on it: what is read for one message does not grow with them.
import { expectFewRead, fill, useDatabase, vacuumed, type Asking } from '@platform/testing';
import { migrations, schema } from './data-source';
import { CampaignsRepository } from './features/campaigns/campaigns.repository';
import {
  ACCEPTING,
  CALLED,
  CATCH_UP,
  FAIL,
  IS_SEEN,
  MARK_HANDED_OVER,
  MARK_SENDING,
  RAISE,
  STORING,
  UNSENT,
  WAITING,
  WITH_FORGOTTEN,
  WITH_UNACKNOWLEDGED,
  WITH_UNSENT,
} from './features/messages/messages.sql';
import { MessagesRepository } from './features/messages/messages.repository';

const database = useDatabase({ schema, migrations });

/** Fewer than the messages, chats or recipients of the busy device, more than the devices. */
const FEW = 1000;
const CHAT = '62000002000@s.whatsapp.net';
const OTHER = '62000000077@s.whatsapp.net';

/** Chat n of the busy device, L, has an own message n.1 that arrived and one that came in, n.2; chat 2000 has two thousand. In its campaign ten wait. */
const SCENE = [
  `INSERT INTO device (instance_id, engine, webhook_url) SELECT 'S' || n, 'simulator', 'http://chat.example' FROM generate_series(0, 299) n UNION ALL SELECT 'L', 'simulator', 'http://chat.example'`,
  `CREATE TEMPORARY TABLE seeded AS SELECT n, CASE WHEN n <= 2000 THEN 'L' ELSE 'S' || n % 300 END AS device, '62' || lpad(n::text, 9, '0') || '@s.whatsapp.net' AS chat
     FROM generate_series(1, 20000) n ORDER BY n * 7919 % 20000`,
  `INSERT INTO message (instance_id, chat, from_me, id, direction, type, pesan_id, payload, wa_id, send_state, at, read_at)
     SELECT device, chat, m % 2 = 1, 'I' || n || '.' || m, CASE m % 2 WHEN 1 THEN 'out' ELSE 'in' END, 'chat', CASE m % 2 WHEN 1 THEN 'P' || n || '.' || m END, '{}',
       CASE m % 2 WHEN 1 THEN 'W' || n || '.' || m END, CASE m % 2 WHEN 1 THEN 'acked' END, now(), CASE m % 2 WHEN 0 THEN now() END
     FROM seeded CROSS JOIN LATERAL generate_series(1, CASE n WHEN 2000 THEN 2000 ELSE 2 END) m`,
  `UPDATE message SET send_state = 'queued' WHERE id IN ('I2000.77', 'I77.1')`,
  `INSERT INTO status (instance_id, id, level, at) SELECT instance_id, id, 3, now() FROM message WHERE from_me`,
  `INSERT INTO chat_identity (instance_id, lid, pn) SELECT device, n || '@lid', chat FROM seeded`,
  `INSERT INTO opt_out (instance_id, number) SELECT device, chat FROM seeded`,
  `INSERT INTO broadcast (broadcast_id, instance_id, content, pace, check_number, echo, start_at, total, answer) SELECT 'B' || instance_id, instance_id, '{}', '{}', false, false, now(), 1, '{}' FROM device`,
  `INSERT INTO campaign_item (instance_id, message_id, broadcast_id, chat, state) SELECT device, 'C' || n, 'B' || device, chat, CASE WHEN n % 200 = 0 THEN 'waiting' ELSE 'sent' END FROM seeded`,
  `INSERT INTO campaign_lane (instance_id) SELECT instance_id FROM device`,
  `INSERT INTO lease (instance_id, owner, address, expires_at) SELECT instance_id, 'me', '', now() + interval '1 day' FROM device`,
];

const NOW = new Date('2026-11-30T12:00:00Z');
const rows = [['lane'], ['callback'], ['key'], ['{}'], [false]];
const prepared =
  (text: string, values: readonly unknown[]): Asking =>
  (sql) =>
    sql.prepared('measured', text, values);
const came = (chat: string) => ['L', chat, '', false, 'new', 'chat', '{}', 1, ...rows];

beforeAll(async () => {
  await fill(database, SCENE);
  await vacuumed(database);
});

it.each<[string, Asking]>([
  [
    'to accept a send to a long chat',
    prepared(ACCEPTING.single[1], ['L', CHAT, 'new', 'new', 'agent', '{}', 'h', NOW, ...rows, 'chat']),
  ],
  [
    'to accept a send of a campaign',
    prepared(ACCEPTING.bulk[1], ['L', CHAT, 'new', 'new', 'agent', '{}', 'h', NOW, ...rows, 'chat']),
  ],
  ['to find what was accepted', (sql) => new MessagesRepository(sql).accepted('L', 'P2000.77')],
  ['to store what came in', prepared(STORING.none[1], came(CHAT))],
  ['to store a STOP', prepared(STORING.out[1], came(OTHER))],
  ['to store a START', prepared(STORING.in[1], came(OTHER))],
  ['to know a message', (sql) => new MessagesRepository(sql).knows('L', 'I2000.77')],
  ['to know a number by its hidden id', (sql) => new MessagesRepository(sql).numberOf('L', '77@lid')],
  ['to know a chat', prepared(IS_SEEN, ['L', CHAT])],
  ['to find what was not sent', prepared(UNSENT, ['L', true])],
  ['to find on which devices any was not sent', prepared(WITH_UNSENT, [['L', 'S1']])],
  ['to find on which devices any was forgotten', prepared(WITH_FORGOTTEN, [['L', 'S1']])],
  ['to find on which devices any was not acknowledged', prepared(WITH_UNACKNOWLEDGED, [['L', 'S1'], 60])],
  ['to count what waits', prepared(WAITING, [['L', 'S1']])],
  ['to find what another process accepted', prepared(CALLED, ['L', ['I2000.77', 'I77.1']])],
  ['to take a send of a long chat to the line', prepared(MARK_SENDING, ['L', 'I2000.77', [], 'me'])],
  ['to hand it over', prepared(MARK_HANDED_OVER, ['L', 'I2000.77', 'W'])],
  ['to raise a status', prepared(RAISE, ['L', 'I2000.79', '', 4, 1_800_000_000])],
  ['to catch up with statuses', prepared(CATCH_UP, ['L', 'I2000.79'])],
  ['to fail one', prepared(FAIL.one[1], ['L', 'x', 'I2000.77', true])],
  ['to fail all that waits', prepared(FAIL.all[1], ['L', 'x'])],
  ['to look at a lane', (sql) => new CampaignsRepository(sql).lane('L', NOW)],
  [
    'to find the next of a campaign',
    (sql) => new CampaignsRepository(sql).next('L', { now: NOW, sentToday: 0, lastSingle: false }),
  ],
  ['to admit a send of a campaign', (sql) => new CampaignsRepository(sql).admission('L', CHAT)],
  ['to see what is ahead', (sql) => new CampaignsRepository(sql).ahead('L')],
])('%s takes not all that the device has', (_, work) => expectFewRead(database, FEW, work));
