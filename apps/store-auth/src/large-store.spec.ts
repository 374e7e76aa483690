// One large store beside many small ones, and one user with very many logins: what is read for one login does not grow with them.
import { systemClock } from '@platform/runtime';
import { expectFewRead, fill, useDatabase, vacuumed, type Asking } from '@platform/testing';
import { entities, migrations, SCHEMA } from './data-source';
import { UserRepository } from './features/accounts/users.repository';
import { AuditRepository } from './features/audit/audit.repository';
import { RefreshRepository } from './features/sessions/refresh.repository';
import { SessionRepository } from './features/sessions/session.repository';

const database = useDatabase({ schema: SCHEMA, entities, migrations });

/** Fewer than the members or logins of the large store, more than the stores. */
const FEW = 1000;
const id = (n: string): string => `('00000000-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
const USER = '00000000-0000-7000-8000-000000000077';
const BUSY = '00000000-0000-7000-8000-000000002000';

/** The store L has users 1 to 2000, of whom the last has two thousand logins; each login has a used token and one that is not. */
const SCENE = [
  `INSERT INTO stores (store_id, nama) SELECT 'S' || n, 'Toko' FROM generate_series(0, 299) n UNION ALL SELECT 'L', 'Besar'`,
  `CREATE TEMPORARY TABLE seeded AS SELECT n, CASE WHEN n <= 2000 THEN 'L' ELSE 'S' || n % 300 END AS store FROM generate_series(1, 20000) n ORDER BY n * 7919 % 20000`,
  `CREATE TEMPORARY TABLE logins AS SELECT s.*, 'H' || n || '.' || login AS hash, n * 10000 + login AS entry
     FROM seeded s CROSS JOIN LATERAL generate_series(1, CASE n WHEN 2000 THEN 2000 ELSE 1 END) login`,
  `INSERT INTO users (id, email, nama, password_hash) SELECT ${id('n')}, 'u' || n || '@shop.example', 'N', 'h' FROM seeded`,
  `INSERT INTO memberships (store_id, user_id, role) SELECT store, ${id('n')}, CASE n WHEN 1 THEN 'owner' ELSE 'agent' END FROM seeded`,
  `INSERT INTO auth_sessions (sid_hash, user_id, store_id, kind, current_jti, created_at, last_seen_at, expires_at)
     SELECT hash, ${id('n')}, store, 'web', 'j', now(), now(), now() + interval '1 day' FROM logins`,
  `INSERT INTO refresh_tokens (hash, sid_hash, used_at, expires_at)
     SELECT hash || t, hash, CASE t WHEN 1 THEN now() END, now() + interval '1 day' FROM logins CROSS JOIN generate_series(1, 2) t`,
  `INSERT INTO auth_events (id, user_id, store_id, sid_hash, type, at) SELECT ${id('entry')}, ${id('n')}, store, hash, 'login', now() FROM logins`,
];

const NOW = new Date('2026-11-30T12:00:00Z');
const [sessions, refresh, audit] = [new SessionRepository(), new RefreshRepository(), new AuditRepository(systemClock)];
const login = {
  sidHash: 'new',
  refreshHash: 'new',
  userId: USER,
  storeId: 'L',
  kind: 'web' as const,
  ip: '::1',
  userAgent: undefined,
  jti: 'j',
  now: NOW,
  expiresAt: NOW,
};

beforeAll(async () => {
  await fill(database, SCENE);
  await vacuumed(database);
});

it.each<[string, Asking]>([
  ['to find who logs in', (sql) => new UserRepository(sql).byEmail('u77@shop.example')],
  ['to find their stores', (sql) => new UserRepository(sql).memberships(USER)],
  ['to hold their stores', (sql) => sql.tx((tx) => new UserRepository(sql).heldMemberships(tx, USER))],
  ['to begin a login', (sql) => sessions.insert(sql, login)],
  ['to check a token', (sql) => sessions.live(sql, 'H77.1', 'L')],
  ['to check a token of who has very many logins', (sql) => sessions.live(sql, 'H2000.7', 'L')],
  ['to hold a login', (sql) => sessions.hold(sql, 'H77.1', NOW)],
  ['to renew a login', (sql) => sessions.renew(sql, { sidHash: 'H77.1', jti: 'k', sealed: 's', now: NOW })],
  ['to enter another store', (sql) => sessions.enter(sql, 'H77.1', 'S1')],
  ['to end a login', (sql) => sessions.revoke(sql, NOW, { sidHash: 'H77.1' })],
  ['to end the logins of a user', (sql) => sessions.revoke(sql, NOW, { userId: USER })],
  ['to end the logins of a small store', (sql) => sessions.revoke(sql, NOW, { storeId: 'S7' })],
  ['to take a refresh token', (sql) => refresh.take(sql, 'H2000.72', NOW)],
  ['to look how often a login was refreshed', (sql) => refresh.usedBefore(sql, 'H2000.7', { count: 30, since: NOW })],
  ['to give a refresh token', (sql) => refresh.insert(sql, 'new', 'H2000.7', NOW)],
  ['a page of the history of a store', (sql) => audit.page(sql, { storeId: 'L' })],
  ['a page of the history of a user', (sql) => audit.page(sql, { userId: BUSY })],
  [
    'to look for an entry of a user',
    (sql) => audit.entryBefore(sql, { userId: BUSY, type: 'login' }, { count: 3, since: new Date(0) }),
  ],
])('%s takes not all that the store or the user has', (_, work) => expectFewRead(database, FEW, work));
