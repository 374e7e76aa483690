import { Client, escapeIdentifier, escapeLiteral } from 'pg';

export interface Provision {
  role: string;
  password: string;
  schema: string;
  /** Created when missing; the database of the address when left out. */
  database?: string;
}

/** Only a superuser may create these; they live in `public`, which every service's search_path ends with. */
const EXTENSIONS = ['pg_trgm', 'btree_gin', 'citext'];

const withAdmin = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Several services are provisioned at once, and CREATE EXTENSION IF NOT EXISTS is not safe against itself.
    await client.query(`SELECT pg_advisory_lock(hashtextextended('provision', 0))`);
    return await work(client);
  } finally {
    await client.end();
  }
};

const exists = async (client: Client, sql: string, name: string): Promise<boolean> =>
  (await client.query(sql, [name])).rows.length > 0;

/** Creates the extensions in the database of `adminUrl`, a superuser's address. Safe to repeat. */
export const installExtensions = (adminUrl: string): Promise<void> =>
  withAdmin(adminUrl, async (client) => {
    for (const extension of EXTENSIONS) await client.query(`CREATE EXTENSION IF NOT EXISTS ${extension} SCHEMA public`);
  });

const databaseUrl = (adminUrl: string, database: string | undefined): string => {
  const url = new URL(adminUrl);
  if (database !== undefined) url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
};

/**
 * Gives one service its role, its schema owned by that role and the extensions; returns the service's own address.
 * Needs a superuser's address. Safe to repeat: a known role only gets the password again.
 */
export const provision = async (adminUrl: string, { role, password, schema, database }: Provision): Promise<string> => {
  const url = databaseUrl(adminUrl, database);
  const [owner, space] = [escapeIdentifier(role), escapeIdentifier(schema)];
  await withAdmin(adminUrl, async (client) => {
    const verb = (await exists(client, 'SELECT 1 FROM pg_roles WHERE rolname = $1', role)) ? 'ALTER' : 'CREATE';
    await client.query(`${verb} ROLE ${owner} LOGIN PASSWORD ${escapeLiteral(password)}`);
    if (database !== undefined && !(await exists(client, 'SELECT 1 FROM pg_database WHERE datname = $1', database)))
      await client.query(`CREATE DATABASE ${escapeIdentifier(database)}`);
  });
  await installExtensions(url);
  await withAdmin(url, async (client) => {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${space} AUTHORIZATION ${owner}`);
    // graphile-worker keeps its tables in a schema of its own, which it creates itself.
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    await client.query(`GRANT CREATE ON DATABASE ${escapeIdentifier(rows[0]?.name ?? '')} TO ${owner}`);
  });
  const own = new URL(url);
  own.username = encodeURIComponent(role);
  own.password = encodeURIComponent(password);
  return own.href;
};
