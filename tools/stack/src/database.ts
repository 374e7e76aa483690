import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { provision } from '@platform/data';
import { startCluster, type Cluster } from '@platform/postgres';
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

/** The memory of a server that was killed is free only when its last worker has noticed. */
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

/** A role, a schema and an address for every service, all in one database. Safe to repeat. */
export const provisionServices = async (
  adminUrl: string,
  secrets: Secrets,
  services: readonly ServiceName[] = SERVICES,
): Promise<Record<ServiceName, string>> => {
  const urls = await Promise.all(
    services.map(async (service) => {
      const schema = schemaOf(service);
      const password = secrets[databaseSecret(service)];
      return [service, await provision(adminUrl, { role: schema, schema, password, database: 'platform' })];
    }),
  );
  return Object.fromEntries(urls) as Record<ServiceName, string>;
};
