import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '../../libs/runtime/src/environment';
import { scratchFolder, startCluster, type Cluster } from '../postgres/src/cluster';

declare global {
  var testCluster: { cluster: Cluster; directory: string } | undefined;
}

/** Projects that test against PostgreSQL depend on @platform/testing; they share one throwaway cluster per run. */
const needsDatabase = (rootDir: string): boolean => {
  const file = join(rootDir, 'package.json');
  return existsSync(file) && /"@platform\/(testing|data)"|"name": "@platform\/data"/.test(readFileSync(file, 'utf8'));
};

export default async function setup(_: unknown, { rootDir }: { rootDir: string }): Promise<void> {
  if (environment.TEST_DATABASE_URL || !needsDatabase(rootDir)) return;
  const directory = join(mkdtempSync(join(scratchFolder(), 'platform-test-')), 'postgres');
  const cluster = await startCluster({ directory, throwaway: true });
  environment.TEST_DATABASE_URL = cluster.url;
  globalThis.testCluster = { cluster, directory };
}
