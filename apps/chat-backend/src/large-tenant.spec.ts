import { NEWEST, type Sql } from '@platform/data';
import { expectFewRead, fill, useDatabase, vacuumed } from '@platform/testing';
import { migrations, SCHEMA } from './data-source';
import { BOT_QUESTION } from './features/automation/automation.repository';
import { ADD, RECIPIENTS } from './features/broadcasts/broadcast.sql';
import { ENDED, NEXT } from './features/broadcasts/fill.sql';
import { ChatListRepository, type ListRequest } from './features/chat-list/chat-list.repository';
import { INBOX } from './features/inbox/inbox.repository';
import { AliasRepository } from './features/ingest/alias.repository';
import { ingestStatement, STORED, type IngestJobs } from './features/ingest/ingest.sql';
import { APPLY_STATUS } from './features/ingest/status.repository';
import { NotificationRepository } from './features/notifications/notification.repository';
import { IS_SENDING, QUOTABLE, SEND } from './features/outbound/outbound.sql';
import { TemplateRepository } from './features/outbound/templates';
import { SyncRepository } from './features/sync/sync.repository';
import { FIND_CHAT } from './features/tenancy/chat.finder';
import { DeskRepository } from './features/tickets/desk.repository';
import { OPEN } from './features/tickets/desk.sql';
import type { Searches } from './searches';

const database = useDatabase({ schema: SCHEMA, migrations });

/** Fewer than the chats, messages or recipients of the large store, more than the stores. */
const FEW = 1000;
const CAMPAIGN = '00000000-0000-7000-8000-000000000001';
const CHAT = '00000000-0000-7000-8000-000000002000';
const id = (n: string): string => `('00000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

/**
 * One large store, L, beside three hundred small ones, each with a device and a campaign of its own: chat n of the large store has customer n, a
 * message Mn, and is the recipient n of its campaign, which has come to the middle. Chat 2000 is a long one.
 */
const SCENE = [
  `INSERT INTO stores (store_id, nama) SELECT 'S' || n, 'Toko' FROM generate_series(1, 300) n UNION ALL SELECT 'L', 'Besar'`,
  `INSERT INTO devices (store_id, instance, nama, default_team_id) SELECT store_id, 'd' || store_id, 'D', '1' FROM stores`,
  `CREATE TEMPORARY TABLE seeded AS SELECT n, CASE WHEN n <= 2000 THEN 'L' ELSE 'S' || n % 300 + 1 END AS store, '62' || lpad(n::text, 9, '0') AS nohp
     FROM generate_series(1, 20000) n ORDER BY n * 7919 % 20000`,
  `INSERT INTO customers (store_id, id, nohp) SELECT store, ${id('n')}, nohp FROM seeded`,
  `INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, last_seq, last_at, status)
     SELECT store, ${id('n')}, 'd' || store, nohp, '1', ${id('n')}, CASE n WHEN 2000 THEN 2000 ELSE 1 END, now(), n % 4 FROM seeded`,
  `INSERT INTO teams (store_id, id, nama) SELECT store_id, '1', 'CS' FROM stores`,
  `INSERT INTO conversation_aliases (store_id, instance, alias, nohp) SELECT store, 'd' || store, n || '@lid', nohp FROM seeded`,
  `INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, wa_id, from_me, role, type, broadcast_id, status_ack, waktu)
     SELECT store, ${id('n')}, seq, 'd' || store, 'M' || n || CASE seq WHEN 1 THEN '' ELSE '.' || seq END, 'W' || n || '.' || seq, true, 'system', 'chat',
       CASE seq WHEN 1 THEN '${CAMPAIGN}' END, 1, now() FROM seeded CROSS JOIN LATERAL generate_series(1, CASE n WHEN 2000 THEN 2000 ELSE 1 END) seq`,
  `INSERT INTO broadcasts (store_id, id, instance, team_id, nama, status, body, actor_type) SELECT store_id, ${id("row_number() OVER (ORDER BY store_id <> 'L', store_id)")}, 'd' || store_id, '1', 'B',
     CASE store_id WHEN 'L' THEN 'sending' ELSE 'done' END, '{}'::jsonb, 'system' FROM stores`,
  `INSERT INTO broadcast_recipients (store_id, broadcast_id, nohp, status, pesan_id)
     SELECT b.store_id, b.id, s.nohp, CASE WHEN n <= 1000 THEN 1 ELSE 0 END, CASE WHEN n <= 1000 THEN 'M' || n END FROM seeded s JOIN broadcasts b ON b.store_id = s.store ORDER BY n`,
  `INSERT INTO tickets (store_id, id, nomor, conversation_id, nohp, judul, isi) SELECT store, ${id('n')}, 'T' || n, ${id('n')}, nohp, 'J', 'I' FROM seeded`,
  `INSERT INTO notifications (store_id, user_id, id, type, judul, conversation_id) SELECT store, 'u', ${id('n')}, 'message', 'J', ${id('n')} FROM seeded`,
  `UPDATE broadcasts SET filled = (SELECT max(ord) FROM broadcast_recipients WHERE store_id = 'L' AND status = 1) WHERE store_id = 'L'`,
];

const campaign = ['L', CAMPAIGN];
const named = ['L', 'dL', '62000002000', null, ['1'], true];
const message = { ord: 0, pesan_id: 'new', role: 'agent', type: 'chat', pesan: 'Halo', preview: 'Halo' };
const AT = '2026-11-30T12:00:00Z';
const known = { store_id: 'L', instance: 'dL', number: '62000000700' };
const inbound = {
  ...known,
  ord: 0,
  is_group: false,
  team_id: '1',
  bot: true,
  pesan_id: 'new',
  from_me: false,
  type: 'chat',
  pesan: 'STOP',
  at: AT,
  ts: 1,
  preview: 'STOP',
  opt_out: true,
  name: 'Budi',
  conversation_id: CHAT,
  customer_id: CHAT,
};
/** What is queued is no matter here. */
const job = () => 'NULL::teams';
const JOBS: IngestJobs = { automation: job, contact: job, event: job, members: job, file: job };
const owner = { storeId: 'L', userId: 'u' };
const notifications = {
  before: NEWEST,
  limit: 20,
  isRead: undefined,
  type: undefined,
  instance: undefined,
  team: undefined,
};
const EVERYTHING: ListRequest = {
  shapes: [],
  storeId: 'L',
  teams: undefined,
  sight: null,
  status: undefined,
  instance: undefined,
  enters: false,
  groups: true,
  after: undefined,
  limit: 20,
  filter: {},
};
const people = [{ ord: 0, nohp: '62000001500', valid: true, times: 1 }];

const prepared =
  (text: string, values: readonly unknown[]) =>
  (sql: Sql): unknown =>
    sql.prepared('measured', text, values);

const list = (request: Partial<ListRequest>) => (sql: Sql) =>
  new ChatListRepository(sql, {} as Searches).page({ ...EVERYTHING, ...request });

describe('of a large store beside many small ones', () => {
  beforeAll(async () => {
    await fill(database, SCENE);
    await vacuumed(database);
  });

  it.each<[string, (sql: Sql) => unknown]>([
    ['to find a chat', prepared(FIND_CHAT, named)],
    ['to open a chat', prepared(INBOX, [...named, 20, 0])],
    ['to open a ticket', prepared(OPEN, ['L', CHAT, '62000001999', 'Judul', 'Isi', null, null, null, null, null])],
    ['to send a message', prepared(SEND, ['L', CHAT, JSON.stringify([message]), null, null, 'trace', null])],
    ['to quote a message of a long chat', prepared(QUOTABLE, ['L', CHAT, 'M2000.77'])],
    ['to ask whether somebody is being written to', prepared(IS_SENDING, ['L', 'dL', ['62000002000']])],
    ['to note a receipt', prepared(APPLY_STATUS, ['L', 'dL', 'M700', 'W700.1', 3, null, '62000000700'])],
    ['to add somebody to a campaign', prepared(ADD, [...campaign, JSON.stringify(people)])],
    ['to find the next recipient of a campaign', prepared(NEXT, campaign)],
    ['a page of recipients', prepared(RECIPIENTS, [...campaign, null, 0, 50])],
    [
      'to note the end of a message of a campaign',
      prepared(ENDED, [...campaign, '62000000700', 'M700', 'dL', 1, null, 1]),
    ],
    ['to store a message', prepared(ingestStatement(JOBS), [JSON.stringify([inbound])])],
    ['to store it again', prepared(STORED, ['L', 'dL', 'M700'])],
    [
      'to learn whose a hidden id is',
      (sql) => new AliasRepository(sql, JOBS).learn('L', ['new@lid', '62000000700'], AT),
    ],
    ['to meet a hidden id', (sql) => new AliasRepository(sql, JOBS).meet({ ...known, at: AT }, 'new@lid')],
    ['to find who is written to', (sql) => new TemplateRepository(sql).customerName('L', '62000000700')],
    [
      'to sync a customer',
      (sql) => new SyncRepository(sql).put('customers', [{ ...known, nohp: known.number, id: null }]),
    ],
    ['to ask who has said STOP', (sql) => new SyncRepository(sql).stopped([{ ...known, nohp: known.number }])],
    [
      'to find the chat of a warehouse',
      (sql) => new SyncRepository(sql).chatsOf([{ ...known, id: 'G', nohp: known.number }]),
    ],
    ['to look for chats of teams that are gone', (sql) => new SyncRepository(sql).adoptChats(['L'])],
    ['a page of chats of a device', list({ shapes: ['byDevice'], instance: 'dL' })],
    ['a page of chats of all devices', list({ shapes: ['byDevice'] })],
    ['a page of chats of a team', list({ shapes: ['byTeam'], teams: ['1'] })],
    ['a page of chats of a team on a device', list({ shapes: ['byTeam'], teams: ['1'], instance: 'dL' })],
    ['a page of open chats of all teams', list({ shapes: ['byTeam'], status: 0 })],
    ['a page of unread chats', list({ shapes: ['unread'], teams: ['1'] })],
    [
      'a page of tickets',
      (sql) => new DeskRepository(sql).list({ storeId: 'L', sight: null }, { store_id: 'L' }, NEWEST, 20),
    ],
    ['to put a question to the bot', prepared(BOT_QUESTION, ['L', CHAT, 2000])],
    ['a page of notifications', (sql) => new NotificationRepository(sql).list(owner, notifications)],
    [
      'a page of unread notifications',
      (sql) => new NotificationRepository(sql).list(owner, { ...notifications, isRead: false }),
    ],
  ])('%s takes not all that the store has', (_, work) => expectFewRead(database, FEW, work));
});
