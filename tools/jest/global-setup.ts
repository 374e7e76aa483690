import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

/** A process of its own: what it loads is not to stay with this one. */
const bundlesOfPrograms = async (): Promise<Record<string, string>> => {
  const cwd = join(__dirname, '../..');
  const script = ['-r', './tools/swc-hook.cjs', 'tools/jest/programs.ts'];
  return JSON.parse((await promisify(execFile)(process.execPath, script, { cwd })).stdout) as Record<string, string>;
};

interface Folder {
  readonly rootDir: string;
}

/** A run of several projects (./suites.cjs) names them all, another one only itself. */
export default async function setup(
  { projects }: { projects: readonly (Folder | string)[] },
  alone: Folder,
): Promise<void> {
  const folders = projects.map((project) => (typeof project === 'string' ? project : project.rootDir));
  if (environment.TEST_DATABASE_URL || ![alone.rootDir, ...folders].some(needsDatabase)) return;
  const directory = join(mkdtempSync(join(scratchFolder(), 'platform-test-')), 'postgres');
  const cluster = await startCluster({ directory, throwaway: true, socket: true });
  environment.TEST_DATABASE_URL = cluster.url;
  globalThis.testCluster = { cluster, directory };
  // One project alone, where somebody changes sources between two runs, has few programs to start: they run from the sources
  if (folders.length > 1) Object.assign(environment, await bundlesOfPrograms());
}
