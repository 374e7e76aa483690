import { openDatabase } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import { testDatabase } from '@platform/testing';
import { migrations, SCHEMA } from '../data-source';

const USER = '0190b5a0-0000-7000-8000-000000000001';

it('the second migration keeps logins and memberships of the first', async () => {
  const before = await testDatabase({ schema: SCHEMA, migrations: migrations.slice(0, 1) });
  await before.query(`INSERT INTO stores (store_id, nama) VALUES ('S1', 'One')`);
  await before.query(`INSERT INTO users (id, email, nama, password_hash) VALUES ($1, 'a@b.example', 'A', 'x')`, [USER]);
  await before.query(
    `INSERT INTO memberships (store_id, user_id, role, status) VALUES ('S1', $1, 'owner', 'disabled')`,
    [USER],
  );
  await before.query(
    `INSERT INTO auth_sessions (sid_hash, user_id, store_id, kind, current_jti, created_at, last_seen_at, expires_at)
     VALUES ('h', $1, 'S1', 'jwt', 'j', now(), now(), now())`,
    [USER],
  );
  const after = openDatabase({ url: before.url, schema: SCHEMA, migrations, logger: silentLogger });
  await after.migrate();
  expect(await after.query('SELECT store_id, past_stores, successor_enc FROM auth_sessions')).toEqual([
    { store_id: 'S1', past_stores: [], successor_enc: null },
  ]);
  expect(await after.query('SELECT status FROM memberships')).toEqual([{ status: 'disabled' }]);
  await after.query(`UPDATE memberships SET status = 'removed'`);
  await expect(after.query(`UPDATE memberships SET status = 'other'`)).rejects.toThrow('memberships_status_check');
  await after.stop?.();
  await before.stop?.();
});
