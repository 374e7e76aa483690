// What `npm start` runs: all services in one bundle, kept in dist/stack between starts. One build and one code cache serve six
// processes and the one that prepares their databases.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { SERVICES } from '../ports';
import { workspaceRoot } from '../workspace';
import type { bundle as Bundle } from './bundle';
import { keptBundle, removeOld } from './kept-bundles';
import { FILES } from './loader';
import { writePageAssets } from './page-assets';
import { filesBelow } from './source-files';

/** Loads the compilers, which are only needed after a change. */
const load = createRequire(__filename);

/** The inputs of a bundle: sources and tools. */
const MADE_OF = ['apps', 'libs', 'tools/stack/src', '.swcrc', 'package-lock.json'];
/** Another one whenever a source, a dependency or Node is another; `also` names a further folder of sources. */
export const sourcesKey = (also?: string): string => {
  const hash = createHash('sha256').update(process.version);
  for (const path of [...MADE_OF, ...(also === undefined ? [] : [also])].flatMap((each) =>
    filesBelow(workspaceRoot, each),
  ))
    hash.update(`\n${path}\n`).update(readFileSync(join(workspaceRoot, path)));
  return hash.digest('hex').slice(0, 16);
};

/** Hands the data source of every service to the module that is to change them. */
const plantingText = (planting: string): string => `require('./${planting}/planted').plant({
${SERVICES.map((name) => `  '${name}': () => require('./apps/${name}/src/data-source'),`).join('\n')}
});`;

/** `main.cjs <service> [command]` is the service's own command line; `main.cjs prepare` is prepare.ts. */
const entryText = (planting: string | undefined): string => `
require('reflect-metadata');
${planting === undefined ? '' : plantingText(planting)}
const apps = {
${SERVICES.map((name) => `  '${name}': () => require('./apps/${name}/src/app').program,`).join('\n')}
};
const [name] = process.argv.splice(2, 1);
if (name === 'prepare') require('./tools/stack/src/prepare').prepareFromInput((service) => apps[service]());
else require('./libs/http/src').runProgram(apps[name]());
`;

const build = async (directory: string, planting: string | undefined): Promise<void> => {
  const { bundle } = load('./bundle') as { bundle: typeof Bundle };
  await bundle({ text: entryText(planting) }, directory);
  writePageAssets(SERVICES, directory);
  writeFileSync(join(directory, 'package.json'), '{ "name": "stack", "private": true }\n');
};

export interface DevelopmentBundle {
  /** From the root of the workspace. */
  readonly directory: string;
  readonly isNew: boolean;
  /** Arguments for preparing databases. The first run of a new bundle leaves the code cache from which the services start. */
  readonly preparing: () => { readonly script: string; readonly args: readonly string[] };
}

/**
 * The bundle of the sources as they are now; made when there is none. With `planting`, a folder whose module `planted` exports
 * `plant`, it is that of a later release, which has what `plant` adds to the data sources. Throws esbuild's failure.
 */
export const developmentBundle = async (planting?: string): Promise<DevelopmentBundle> => {
  const folder = join(workspaceRoot, planting === undefined ? 'dist/stack' : 'dist/stack-planted');
  const { directory, isNew } = await keptBundle(
    folder,
    () => sourcesKey(planting),
    (fresh) => build(fresh, planting),
  );
  const now = new Date();
  utimesSync(directory, now, now);
  removeOld(folder);
  return {
    directory: relative(workspaceRoot, directory),
    isNew,
    preparing: () =>
      existsSync(join(directory, FILES.cache))
        ? { script: join(relative(workspaceRoot, directory), 'main.cjs'), args: ['prepare'] }
        : { script: 'tools/stack/src/bundle/record.ts', args: [directory, 'prepare'] },
  };
};
