import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, provision, type Database } from '@platform/data';
import { startCluster, type Cluster } from '@platform/postgres';
import { silentLogger } from '@platform/runtime';
import type { Report, Started } from './bench.types';
import { scratchFolder } from './scratch-folder';

/** A separate PostgreSQL cluster with the production settings: every commit is flushed to disk before it is answered. */
export interface BenchCluster extends Started {
  /** Superuser, in the database of the benches. */
  readonly admin: Database;
  readonly adminUrl: string;
  /** Creates a role and a schema for a service; returns its database address. */
  provision(schema: string): Promise<string>;
}

const DATABASE = 'bench';

/** A superuser's connection without timeouts, for statements that may take minutes on a slow machine. */
export const openAdmin = (url: string): Database =>
  openDatabase({ url, schema: 'public', poolSize: 2, silenceMs: 0, logger: silentLogger });

/** Restarts the server: pg_stat_statements must be preloaded. */
const withStatistics = async (cluster: Cluster, directory: string): Promise<Cluster> => {
  const setup = openDatabase({ url: cluster.url, schema: 'public', logger: silentLogger });
  await setup.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'");
  await setup.query(`CREATE DATABASE ${DATABASE}`);
  await setup.stop?.();
  await cluster.stop();
  return startCluster({ directory });
};

export const benchCluster = async (report: Report): Promise<BenchCluster> => {
  // Shared things stop in reverse order: the folder must outlive the server
  const { path } = await scratchFolder(report);
  return report.shared('cluster', async () => {
    const directory = join(path, 'postgres');
    mkdirSync(directory);
    const cluster = await withStatistics(await startCluster({ directory }), directory);
    const address = new URL(cluster.url);
    address.pathname = `/${DATABASE}`;
    const adminUrl = address.href;
    const admin = openAdmin(adminUrl);
    await admin.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    return {
      admin,
      adminUrl,
      provision: (schema) => provision(adminUrl, { role: schema, schema, password: 'bench' }),
      stop: async () => {
        await admin.stop?.();
        await cluster.stop();
      },
    };
  });
};

/** Matches the statements of libraries that poll for work even when no request arrives. */
export const BACKGROUND = '_private|outbox_claim|worker_heartbeat';

/** Statements that `role` executed while `work` ran, as counted by the server, without background statements. */
export const countStatements = async (admin: Database, role: string, work: () => Promise<unknown>): Promise<number> => {
  await admin.query('SELECT pg_stat_statements_reset()');
  await work();
  const [row] = await admin.query<{ calls: string }>(
    'SELECT coalesce(sum(s.calls), 0) AS calls FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid WHERE r.rolname = $1 AND s.query !~ $2',
    [role, BACKGROUND],
  );
  return Number(row?.calls);
};
