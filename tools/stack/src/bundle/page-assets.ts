import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace';

const load = createRequire(__filename);

/** Where an app that has pages makes their files, and under `assets/` of its bundle finds them. */
const MAKER = 'src/web/assets/made.assets';
const FOLDER = 'web';

/**
 * Writes the files of the pages of these apps next to their bundle, because what makes them is not in it. Returns
 * their names; undefined when no app has pages.
 */
export const writePageAssets = (apps: readonly string[], directory: string): string[] | undefined => {
  const makers = apps
    .map((app) => join(workspaceRoot, 'apps', app, MAKER))
    .filter((maker) => existsSync(`${maker}.ts`));
  if (makers.length === 0) return undefined;
  const folder = join(directory, 'assets', FOLDER);
  mkdirSync(folder, { recursive: true });
  for (const maker of makers) {
    const { makeAssets } = load(maker) as { makeAssets(): Readonly<Record<string, Buffer | string>> };
    for (const [name, content] of Object.entries(makeAssets())) writeFileSync(join(folder, name), content);
  }
  return readdirSync(folder);
};
