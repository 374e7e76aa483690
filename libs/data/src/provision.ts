import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { roleSettings } from './role.settings';
import { refuseOldServer } from './server.version';

export interface Provision {
  role: string;
  password: string;
  schema: string;
  /** Created when missing; by default the database of the address. */
  database?: string;
}

/** They live in `public`, which every service's search_path ends with. */
const EXTENSIONS = ['pg_trgm', 'btree_gin', 'citext'];

const withAdmin = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await refuseOldServer(async (sql) => (await client.query(sql)).rows);
    // Several services are provisioned at once, and CREATE EXTENSION IF NOT EXISTS is not safe against itself.
    await client.query(`SELECT pg_advisory_lock(hashtextextended('provision', 0))`);
    return await work(client);
  } finally {
    await client.end();
  }
};

const exists = async (client: Client, sql: string, name: string): Promise<boolean> =>
  (await client.query(sql, [name])).rows.length > 0;

/** Creates the extensions in the database of `adminUrl`, an administrator's address. Safe to repeat. */
export const installExtensions = (adminUrl: string): Promise<void> =>
  withAdmin(adminUrl, async (client) => {
    for (const extension of EXTENSIONS) await client.query(`CREATE EXTENSION IF NOT EXISTS ${extension} SCHEMA public`);
  });

const databaseUrl = (adminUrl: string, database: string | undefined): string => {
  const url = new URL(adminUrl);
  if (database !== undefined) url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
};

const createRole = (adminUrl: string, { role, password, database }: Provision): Promise<void> =>
  withAdmin(adminUrl, async (client) => {
    const verb = (await exists(client, 'SELECT 1 FROM pg_roles WHERE rolname = $1', role)) ? 'ALTER' : 'CREATE';
    await client.query(`${verb} ROLE ${escapeIdentifier(role)} LOGIN PASSWORD ${escapeLiteral(password)}`);
    if (database !== undefined && !(await exists(client, 'SELECT 1 FROM pg_database WHERE datname = $1', database)))
      await client.query(`CREATE DATABASE ${escapeIdentifier(database)}`);
  });

const createSchema = (url: string, { role, schema }: Provision): Promise<void> =>
  withAdmin(url, async (client) => {
    const owner = escapeIdentifier(role);
    const { rows } = await client.query<{ database: string; superuser: boolean }>(
      'SELECT current_database() AS database, rolsuper AS superuser FROM pg_roles WHERE rolname = current_user',
    );
    const { database = '', superuser = false } = rows[0] ?? {};
    // The administrator of a managed server is no superuser: only members of a role may create objects for it.
    if (!superuser) await client.query(`GRANT ${owner} TO CURRENT_USER`);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${escapeIdentifier(schema)} AUTHORIZATION ${owner}`);
    // graphile-worker keeps its tables in its own schema, which it creates itself.
    await client.query(`GRANT CREATE ON DATABASE ${escapeIdentifier(database)} TO ${owner}`);
    await client.query(roleSettings({ role, database, schema }));
  });

/**
 * Creates one service's role with its settings, the schema owned by that role and the extensions; resolves to the service's
 * own address. Needs the address of a superuser, or of an administrator who owns the database and may create roles, as
 * on managed servers. Safe to repeat: a known role only gets the password and the settings again.
 */
export const provision = async (adminUrl: string, wanted: Provision): Promise<string> => {
  const url = databaseUrl(adminUrl, wanted.database);
  await createRole(adminUrl, wanted);
  await installExtensions(url);
  await createSchema(url, wanted);
  const own = new URL(url);
  own.username = encodeURIComponent(wanted.role);
  own.password = encodeURIComponent(wanted.password);
  return own.href;
};
