import { environment, silentLogger as logger } from '@platform/runtime';
import { startPgBouncer, testDatabase, until, useOpened, type TestDatabase } from '@platform/testing';
import { randomBytes } from 'node:crypto';
import { openDatabase } from './database';
import type { Database, DatabaseOptions } from './database.types';
import { ForwardMigration } from './migrations';
import { provision } from './provision';
import { roleSettings } from './role.settings';

class CreateNotes1760000000000 extends ForwardMigration {
  readonly steps = ['CREATE TABLE notes (text text)'];
}

// Roles belong to the whole cluster, which other suites share.
const role = `notes_${randomBytes(6).toString('hex')}`;
const ended = useOpened();
let host: TestDatabase;
let url: string;
let database: string;

const open = (more: Partial<DatabaseOptions> = {}): Database =>
  ended(openDatabase({ url, schema: 'notes', migrations: [CreateNotes1760000000000], logger, ...more }));
const forget = (setting: string) => host.query(`ALTER ROLE ${role} IN DATABASE ${database} RESET ${setting}`);

beforeAll(async () => {
  host = await testDatabase({ schema: 'host' });
  database = new URL(host.url).pathname.slice(1);
  url = await provision(host.url, { role, password: 'p', schema: 'notes' });
  await open().migrate();
});
beforeEach(() => host.query(roleSettings({ role, database, schema: 'notes' })));
afterAll(async () => {
  await host.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await host.stop?.();
});

describe('a service whose role lacks its settings', () => {
  it('a service whose role lacks its settings does not start, and names role, settings and the SQL that sets them', async () => {
    await forget('ALL');
    await expect(open().start?.()).rejects.toThrow(
      `The role "${role}" lacks settings in the database "${database}": search_path is "$user", public instead of notes, public; ` +
        'statement_timeout is 0 (none) instead of 15s. Run the migrate command of this service, which sets them, or as an administrator:\n' +
        `ALTER ROLE "${role}" IN DATABASE "${database}" SET search_path = "notes", public;\n` +
        `ALTER ROLE "${role}" IN DATABASE "${database}" SET statement_timeout = '15s';\n` +
        `ALTER ROLE "${role}" IN DATABASE "${database}" SET idle_in_transaction_session_timeout = '60s';`,
    );
    await host.query(roleSettings({ role, database, schema: 'notes' }));
    await expect(open().start?.()).resolves.toBeUndefined();
  });

  it.each(['search_path', 'statement_timeout'])('a service does not start when only %s is missing', async (setting) => {
    await forget(setting);
    await expect(open().start?.()).rejects.toThrow(`"${database}": ${setting} is `);
  });

  it("a service does not start on another service's search path", async () => {
    await host.query(`ALTER ROLE ${role} IN DATABASE ${database} SET search_path = other, notes, public`);
    await expect(open().start?.()).rejects.toThrow('search_path is other, notes, public instead of notes, public');
  });

  it('the migrate command sets missing role settings, and uses them at once', async () => {
    await forget('ALL');
    const fresh = open();
    expect(await fresh.query('SHOW search_path')).toEqual([{ search_path: '"$user", public' }]);
    await fresh.migrate();
    await fresh.start?.();
    expect(await fresh.query('SHOW search_path')).toEqual([{ search_path: 'notes, public' }]);
  });

  it('the migrate command bounds how long a transaction may be idle, but a service also starts without that', async () => {
    const limit = 'SHOW idle_in_transaction_session_timeout';
    await forget('idle_in_transaction_session_timeout');
    const fresh = open();
    await fresh.start?.();
    expect(await fresh.query(limit)).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
    await fresh.migrate();
    expect(await fresh.query(limit)).toEqual([{ idle_in_transaction_session_timeout: '1min' }]);
  });

  it('locks of a frozen process are released, and its transaction fails as a lost connection', async () => {
    const [still, other] = [open({ poolSize: 1 }), open()];
    await other.query('DELETE FROM notes');
    await other.query(`INSERT INTO notes VALUES ('kept')`);
    const limit = `SET LOCAL idle_in_transaction_session_timeout = '50ms'`;
    const frozen = still.tx(async (tx) => {
      await tx.query(limit);
      await tx.query(`UPDATE notes SET text = 'lost'`);
      await other.query(`UPDATE notes SET text = 'mine'`);
      await tx.query('SELECT 1');
    });
    await expect(frozen).rejects.toThrow('The database cannot be reached');
    expect(await other.query('SELECT text FROM notes')).toEqual([{ text: 'mine' }]);
  });

  it('the migrate command keeps a statement timeout that an administrator chose', async () => {
    await host.query(`ALTER ROLE ${role} IN DATABASE ${database} SET statement_timeout = '9s'`);
    const fresh = open();
    await fresh.migrate();
    await fresh.start?.();
    expect(await fresh.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '9s' }]);
  });
});

describe('a second address of the database', () => {
  it('a second address that leads to another role is refused', async () => {
    await expect(open({ poolUrl: host.url }).start?.()).rejects.toThrow(
      `DATABASE_POOL_URL leads to the role "postgres" in the database "${database}", DATABASE_URL to "${role}" in "${database}" or to another server`,
    );
  });

  it('a second address that leads to another database, or to sessions that lack settings, is refused', async () => {
    const [elsewhere, endless] = [new URL(url), new URL(url)];
    elsewhere.pathname = '/postgres';
    endless.searchParams.set('options', '-c statement_timeout=0');
    await expect(open({ poolUrl: elsewhere.href, migrations: [] }).start?.()).rejects.toThrow(
      `DATABASE_POOL_URL leads to the role "${role}" in the database "postgres", DATABASE_URL to "${role}" in "${database}" or to another server: both must name the same.`,
    );
    await expect(open({ poolUrl: endless.href }).start?.()).rejects.toThrow(
      `The role "${role}" has its settings, but DATABASE_POOL_URL leads to sessions without them: statement_timeout is 0 (none) instead of 15s. They were opened before: RECONNECT on the pooler's console (or restart it), and start again.`,
    );
  });

  it('the second address takes statements and transactions; listening, migrations and asides stay on the first', async () => {
    const poolUrl = new URL(url);
    poolUrl.searchParams.set('application_name', 'pooled');
    const both = open({ poolUrl: poolUrl.href, name: 'notes' });
    await both.migrate();
    await both.start?.();
    const unlisten = await both.listen('news', () => undefined);
    const aside = ended(both.aside({ name: 'searches', poolSize: 1, settings: { statement_timeout: '1s' } }));
    const shown = `SELECT current_setting('application_name') AS name`;
    expect([
      ...(await both.query(shown)),
      ...(await both.tx((tx) => tx.query(shown))),
      ...(await both.entities.query(shown)),
      ...(await aside.query(shown)),
      ...(await both.direct.query(shown)).rows,
    ]).toEqual(['pooled', 'pooled', 'pooled', 'notes searches', 'notes direct'].map((name) => ({ name })));
    expect(
      await host.query(`SELECT 1 FROM pg_stat_activity WHERE usename = $1 AND application_name = 'notes listener'`, [
        role,
      ]),
    ).toHaveLength(1);
    await unlisten();
  });
});

const behindPgBouncer = (binary: string): void => {
  const pooler = async (sessions = 2) => ended(await startPgBouncer(binary, url, sessions));

  describe('a service behind PgBouncer', () => {
    it("receives other processes' notifications", async () => {
      const poolUrl = (await pooler()).urlOf(url);
      const [here, there] = [open({ poolUrl, prepared: false }), open({ poolUrl, prepared: false })];
      await Promise.all([here.start?.(), there.start?.()]);
      const heard: string[] = [];
      for (const one of [here, there]) await one.listen('news', (text) => void heard.push(text));
      await here.tx((tx) => tx.query(`SELECT pg_notify('news', 'hello')`));
      expect(
        await until(
          () => heard,
          ({ length }) => length === 2,
        ),
      ).toEqual(['hello', 'hello']);
    });

    it('does not start on sessions opened before the role had its settings, and says what to do', async () => {
      await forget('ALL');
      const poolUrl = (await pooler(1)).urlOf(url);
      const early = open({ poolUrl, prepared: false });
      await early.query('SELECT 1');
      await early.migrate();
      await expect(early.start?.()).rejects.toThrow(
        `The role "${role}" has its settings, but DATABASE_POOL_URL leads to sessions without them: search_path is "$user", public instead of notes, public; statement_timeout is 0 (none) instead of 15s. They were opened before: RECONNECT`,
      );
    });

    it('neither migrates, listens nor opens an aside when DATABASE_URL itself is the pooler', async () => {
      const mistaken = open({ url: (await pooler()).urlOf(url), prepared: false });
      const aside = ended(mistaken.aside({ name: 'searches', poolSize: 1, settings: { statement_timeout: '1s' } }));
      const calls = [mistaken.migrate(), mistaken.listen('news', () => undefined), aside.query('SELECT 1')];
      for (const outcome of await Promise.allSettled(calls))
        expect(outcome).toMatchObject({
          status: 'rejected',
          reason: {
            message: expect.stringMatching(/Set DATABASE_URL to the server and DATABASE_POOL_URL to the pooler\.$/),
          },
        });
    });

    it('names statements only where the pooler keeps names; elsewhere the failure says what to set', async () => {
      const started = await pooler(1);
      const clients = [1, 2].map(() => open({ poolUrl: started.urlOf(url), poolSize: 1, prepared: true }));
      const calls = Promise.all(clients.map((client) => client.prepared('one', 'SELECT 1 AS one', [])));
      if (started.keepsNamedStatements) expect(await calls).toEqual(Array(2).fill([{ one: 1 }]));
      else await expect(calls).rejects.toThrow('Set DB_PREPARED=off, or max_prepared_statements in PgBouncer 1.21');
    });
  });
};

if (environment.PGBOUNCER) behindPgBouncer(environment.PGBOUNCER);
