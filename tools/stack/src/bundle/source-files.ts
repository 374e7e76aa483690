import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that are not part of the running code. */
const LEFT_OUT = /(^|\/)(node_modules$|[^/]+\.(spec|md|csv)(\.|$))/;

/** Files at and below `path`, seen from `root`, in the same order on every machine. */
export const filesBelow = (root: string, path: string): string[] => {
  if (LEFT_OUT.test(path)) return [];
  const full = join(root, path);
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesBelow(root, join(path, name)));
};
