import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder, startCluster } from '@platform/postgres';
import type { ServerCertificate } from './certificates';

/** A PostgreSQL server for one test alone, which it may restart. */
export interface OwnCluster {
  /** Superuser address of its `postgres` database; the same after a restart. */
  readonly url: string;
  /** Ends every session at once and restarts with everything that was committed. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/**
 * For tests of what a service does when its database restarts, or with a certificate (then it takes no plain text); all others
 * share the run's cluster (`testDatabase`).
 */
export const ownCluster = async (tls?: ServerCertificate): Promise<OwnCluster> => {
  const folder = mkdtempSync(join(scratchFolder(), 'own-cluster-'));
  const directory = join(folder, 'postgres');
  let cluster = await startCluster({ directory, throwaway: true, tls });
  const { url } = cluster;
  return {
    url,
    restart: async () => {
      await cluster.stop();
      cluster = await startCluster({ directory, port: Number(new URL(url).port), throwaway: true, tls });
    },
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
