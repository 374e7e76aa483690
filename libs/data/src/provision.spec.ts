import { randomBytes } from 'node:crypto';
import { silentLogger } from '@platform/runtime';
import { testDatabase, type TestDatabase } from '@platform/testing';
import { openDatabase } from './database';
import { ForwardMigration } from './migrations';
import { provision } from './provision';

class CreateNames1760000000000 extends ForwardMigration {
  readonly steps = [
    'CREATE TABLE names (name citext)',
    'CREATE INDEX names_trigram ON names USING gin (name gin_trgm_ops)',
  ];
}

// Roles and databases belong to the whole cluster, which other suites share.
const unique = randomBytes(6).toString('hex');
const [role, database] = [`shop-${unique}`, `platform_${unique}`];
let host: TestDatabase;

beforeAll(async () => {
  host = await testDatabase({ schema: 'host' });
});
afterAll(async () => {
  await host.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await host.query(`DROP ROLE IF EXISTS "${role}"`);
  await host.stop?.();
});

describe('provisioning a service', () => {
  it('creates a role that can migrate its own schema with the extensions, however often and concurrently it runs', async () => {
    const ask = (password: string) => provision(host.url, { role, password, schema: 'shop', database });
    await ask('first');
    const [url] = await Promise.all([ask(`it's "new" @/`), ask(`it's "new" @/`)]);
    const shop = openDatabase({ url, schema: 'shop', migrations: [CreateNames1760000000000], logger: silentLogger });
    const owners = `SELECT nspowner::regrole::text AS owner FROM pg_namespace WHERE nspname = 'shop'`;
    expect(await shop.query(owners)).toEqual([{ owner: `"${role}"` }]);
    await shop.migrate();
    await shop.start?.();
    await shop.query(`INSERT INTO names VALUES ('Ani')`);
    expect(
      await shop.query(
        `SELECT name, current_user AS role, current_database() AS database FROM names WHERE name = 'ANI' AND name % 'ani'`,
      ),
    ).toEqual([{ name: 'Ani', role, database }]);
    await expect(shop.query('CREATE TABLE public.elsewhere (id int)')).rejects.toThrow(
      'permission denied for schema public',
    );
    // graphile-worker creates its own schema
    await shop.query('CREATE SCHEMA shop_jobs');
    await shop.stop?.();
  });

  it('works without a superuser, for an administrator who may create roles and databases', async () => {
    const admin = `admin_${unique}`;
    await host.query(`CREATE ROLE ${admin} LOGIN CREATEROLE CREATEDB PASSWORD 'p'`);
    const address = new URL(host.url);
    [address.username, address.password] = [admin, 'p'];
    const [owned, tenant] = [`${database}_owned`, `${role}_owned`];
    const url = await provision(address.href, { role: tenant, password: 'p', schema: 'shop', database: owned });
    const shop = openDatabase({ url, schema: 'shop', migrations: [CreateNames1760000000000], logger: silentLogger });
    await shop.migrate();
    await shop.start?.();
    expect(await shop.query('SELECT current_user AS role FROM names')).toEqual([]);
    await shop.stop?.();
    await host.query(`DROP DATABASE ${owned} WITH (FORCE)`);
    await host.query(`DROP ROLE "${tenant}"`);
    await host.query(`DROP ROLE ${admin}`);
  });
});
