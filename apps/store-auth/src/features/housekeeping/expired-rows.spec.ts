import { Housekeeping } from '@platform/data';
import { useApp } from '../../app.fixture';
import { expiredRows } from './expired-rows';

const { app, database } = useApp();

const sweep = (auditDays = 365) => {
  const { database: own, clock, logger } = app.parts;
  return new Housekeeping(own, { clock, logger, expired: expiredRows(auditDays) }).sweep();
};
const count = async (table: string) => (await database.query(`SELECT 1 FROM ${table}`)).length;

it('housekeeping deletes what has expired and nothing else', async () => {
  await app.login();
  const before = await count('auth_sessions');
  await database.query(
    `INSERT INTO throttle VALUES ('old', now() - interval '3 days', 1, 0, NULL, true), ('new', now(), 1, 0, NULL, true)`,
  );
  await database.query(
    `INSERT INTO events (type, payload, created_at) VALUES ('revoke', '{}', now() - interval '26 hours')`,
  );
  await sweep();
  expect(await count('auth_sessions')).toBe(before);
  expect(await database.query(`SELECT key FROM throttle WHERE key IN ('old', 'new')`)).toEqual([{ key: 'new' }]);
  expect(await database.query(`SELECT * FROM events WHERE payload = '{}'`)).toEqual([]);
});

it('housekeeping empties what a refresh token, or an access token, was exchanged for once nobody can ask for it again', async () => {
  const { token, refresh_token } = await app.login();
  const again = async () => (await app.post('/api/refresh-token', { refresh_token })).status;
  expect(await again()).toBe(200);
  await sweep();
  expect(await again()).toBe(200);
  for (const aged of [
    `refresh_tokens SET used_at = used_at - interval '5 minutes'`,
    `auth_sessions SET prev_until = prev_until - interval '5 minutes'`,
  ])
    await database.query(`UPDATE ${aged}`);
  await sweep();
  for (const table of ['refresh_tokens', 'auth_sessions'])
    expect(await database.query(`SELECT 1 FROM ${table} WHERE successor_enc IS NOT NULL`)).toEqual([]);
  expect((await app.post('/api/check-validate-token', { token })).status).toBe(200);
  // A thief is still told by the row
  expect([await again(), (await app.post('/api/check-validate-token', { token })).status]).toEqual([401, 401]);
});

it('housekeeping deletes browser sessions as soon as they end: a day after their last use', async () => {
  await database.query(
    `INSERT INTO http_sessions SELECT n::text, '{}', now() - interval '2 days', now() - n * interval '1 hour'
     FROM (VALUES (23), (25)) AS ages (n)`,
  );
  await sweep();
  expect(await database.query('SELECT id_hash FROM http_sessions')).toEqual([{ id_hash: '23' }]);
});

it('housekeeping keeps the login history for the configured days, by the time in its ids', async () => {
  await database.query('TRUNCATE auth_events');
  await database.query(
    `INSERT INTO auth_events (id, type, at)
     SELECT (lpad(to_hex((extract(epoch FROM t) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid, 'login', t
     FROM (SELECT now() - n * interval '1 day' AS t FROM (VALUES (1), (364), (366)) AS ages (n)) times`,
  );
  await sweep();
  expect(await count('auth_events')).toBe(2);
  await sweep(30);
  expect(await count('auth_events')).toBe(1);
});
