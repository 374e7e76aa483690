// The folder of kept bundles, which several starts may change at once, each of which may be killed at any moment.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from './loader';

const KEPT = 3;

/** Removes all but the newest: running stacks may still need theirs to restart a service. */
export const removeOld = (folder: string): void => {
  // Another start may have renamed or removed it since
  const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const all = readdirSync(folder).map((name) => ({ name, made: age(name) }));
  all.sort((one, other) => other.made - one.made);
  for (const { name } of all.slice(KEPT)) rmSync(join(folder, name), { recursive: true, force: true });
};

/** Whether there is a complete bundle. */
export const isBundle = (directory: string): boolean => existsSync(join(directory, FILES.code));

/** Makes `fresh` the bundle in `directory`, unless another start was faster; removes what a killed start left there. */
export const putInPlace = (fresh: string, directory: string): void => {
  if (!isBundle(directory)) rmSync(directory, { recursive: true, force: true });
  try {
    renameSync(fresh, directory);
  } catch (error) {
    if (!isBundle(directory)) throw error;
  }
};

/** Sources that change this often are written by a tool, and no bundle would match them. */
const MOST_BUILDS = 5;

/**
 * The bundle in `folder` of the current sources. One that was built while a source was saved matches neither state: it is
 * discarded and rebuilt, so that a key never names other content. Throws what `build` throws.
 */
export const keptBundle = async (
  folder: string,
  keyOf: () => string,
  build: (directory: string) => Promise<void>,
): Promise<{ readonly directory: string; readonly isNew: boolean }> => {
  for (let builds = 0; builds < MOST_BUILDS; builds++) {
    const key = keyOf();
    const directory = join(folder, key);
    if (isBundle(directory)) return { directory, isNew: false };
    const fresh = `${directory}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    try {
      await build(fresh);
      if (keyOf() !== key) continue;
      putInPlace(fresh, directory);
      return { directory, isNew: true };
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  throw new Error(
    `the sources changed while each of ${MOST_BUILDS} bundles was made: start again when they stay as they are`,
  );
};
