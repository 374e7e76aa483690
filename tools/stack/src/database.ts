import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { provision } from '@platform/data';
import { keepsNamedStatements, startCluster, throughPgBouncer, type Cluster } from '@platform/postgres';
import { SERVICES, type ServiceName } from './ports';
import { commandOf, endProcess } from './process-table';
import { databaseSecret, type Secrets } from './secrets';
import type { Unit } from './unit';

const STOP_LIMIT_MS = 3_000;
const RESTART_TRIES = 20;
const RESTART_PAUSE_MS = 250;

/**
 * A stack that was killed leaves its database running. Stops it, if the process is really the server of this directory, and
 * removes its note otherwise: after a restart of the machine the number may belong to anybody.
 */
export const endLeftoverServer = async (directory: string): Promise<number | undefined> => {
  const note = join(directory, 'postmaster.pid');
  if (!existsSync(note)) return undefined;
  const pid = Number(readFileSync(note, 'utf8').split('\n')[0]);
  const ours = commandOf(pid)?.includes(`-D ${directory} `);
  if (ours) await endProcess(pid, 'SIGINT', STOP_LIMIT_MS);
  rmSync(note, { force: true });
  return ours ? pid : undefined;
};

/** The shared memory of a killed server is released only when its last worker has noticed. */
const startAgain = async (directory: string, port: number | undefined): Promise<Cluster> => {
  for (let left = RESTART_TRIES; ; left--) {
    try {
      await endLeftoverServer(directory);
      return await startCluster({ directory, port });
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS));
    }
  }
};

export interface DatabaseUnit extends Unit {
  /** Superuser address; known after the first start. */
  readonly url: string;
}

/** The embedded PostgreSQL as a unit: its data stays in `directory`. */
export const databaseUnit = (directory: string, port: number | undefined): DatabaseUnit => {
  let url = '';
  let lives = 0;
  return {
    name: 'postgres',
    get url() {
      return url;
    },
    lastLines: () => '    (PostgreSQL keeps no log here)',
    start: async () => {
      const cluster = await (lives++ === 0 ? startCluster({ directory, port }) : startAgain(directory, port));
      url = cluster.url;
      let ended = false;
      const gone = cluster.gone.then(() => ((ended = true), 'the server process ended'));
      return {
        pid: cluster.pid,
        ready: Promise.resolve(),
        gone,
        stop: async () => {
          if (!ended) await endProcess(cluster.pid, 'SIGINT', STOP_LIMIT_MS);
        },
      };
    },
  };
};

export const schemaOf = (service: ServiceName): string => service.replaceAll('-', '_');

/** The one database that the schemas of all services share. */
const DATABASE = 'platform';

/** The settings by which a service reaches its database. */
export interface DatabaseAddresses {
  readonly DATABASE_URL: string;
  readonly DATABASE_POOL_URL?: string;
  readonly DB_PREPARED?: 'on' | 'off';
}

/** A PgBouncer before the database, where a stack has one. */
export interface Pooler {
  readonly binary: string;
  readonly port: number;
}

const addressesOf = (url: string, pooler: Pooler | undefined): DatabaseAddresses =>
  pooler
    ? {
        DATABASE_URL: url,
        DATABASE_POOL_URL: throughPgBouncer(url, pooler.port),
        DB_PREPARED: keepsNamedStatements(pooler.binary) ? 'on' : 'off',
      }
    : { DATABASE_URL: url };

/** A service's address in a cluster that is already provisioned: the server itself. */
export const knownAddressesOf = (service: ServiceName, port: number, secrets: Secrets): DatabaseAddresses => ({
  DATABASE_URL: `postgres://${schemaOf(service)}:${secrets[databaseSecret(service)]}@127.0.0.1:${port}/${DATABASE}`,
});

/** A role, a schema and addresses for every service, all in one database. Safe to repeat. */
export const provisionServices = async (
  adminUrl: string,
  secrets: Secrets,
  services: readonly ServiceName[] = SERVICES,
  pooler?: Pooler,
): Promise<Record<ServiceName, DatabaseAddresses>> => {
  const addresses = await Promise.all(
    services.map(async (service) => {
      const schema = schemaOf(service);
      const password = secrets[databaseSecret(service)];
      const url = await provision(adminUrl, { role: schema, schema, password, database: DATABASE });
      return [service, addressesOf(url, pooler)];
    }),
  );
  return Object.fromEntries(addresses) as Record<ServiceName, DatabaseAddresses>;
};
