import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolders } from './test-results';
import type { Environment } from './workspace';

/** Suites that need something not every machine has; they run when its address is set. */
const NEEDS = {
  REDIS_URL: 'a Redis (REDIS_URL=redis://127.0.0.1:6379)',
  PGBOUNCER: 'a pooler (PGBOUNCER=/usr/sbin/pgbouncer)',
  CHROMIUM_PATH: 'a browser (CHROMIUM_PATH=/usr/bin/chromium)',
} as const;

const specsOf = (root: string): string[] =>
  projectFolders(root).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.startsWith('src/') && /\.spec\.tsx?$/.test(path))
      .map((path) => `${folder}/${path}`),
  );

/** Lines that name the suites which this environment leaves out; none when nothing is. */
export const leftOut = (root: string, environment: Environment): string[] => {
  const missing = Object.entries(NEEDS).filter(([name]) => !environment[name]);
  if (missing.length === 0) return [];
  const specs = specsOf(root).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  return missing.flatMap(([name, what]) => {
    const concerned = specs.filter(({ text }) => text.includes(`environment.${name}`)).map(({ path }) => `    ${path}`);
    return concerned.length > 0 ? [`  without ${what}, parts of:`, ...concerned] : [];
  });
};
