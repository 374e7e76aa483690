// `npm run generate <app> <feature>`: the files of a feature as architecture sections 4 and 5 want them, working and tested,
// and the lines that connect it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { featureNames, type FeatureNames } from './feature-names';
import { featureFiles } from './feature-templates';

const workspaceRoot = join(__dirname, '../../..');

/** Where an app's features are put together: chat-backend does it once per data source. */
const COMPOSITIONS: Readonly<Record<string, string>> = { 'chat-backend': 'source.composition.ts' };

/** What has to be written by hand: one line that mounts the feature, and its table in the data source. */
export const connection = (
  { app, camel, pascal, onePascal, kebab, folder, one }: FeatureNames,
  stamp: number,
): string =>
  `Add to apps/${app}/src/${COMPOSITIONS[app] ?? 'app.ts'}, to the endpoints:
  ...${camel}Endpoints(new ${pascal}Service(new ${pascal}Repository(database))),

and to apps/${app}/src/data-source.ts, to the entities and at the end of the migrations:
  ${onePascal} (./features/${folder}/${one}.entity), Create${pascal}${stamp} (./migrations/${stamp}-create-${kebab})`;

/** Writes the feature below `root` and returns the paths. Throws, and writes nothing, when the app is unknown or a file exists. */
export const generateFeature = (names: FeatureNames, stamp: number, root = workspaceRoot): string[] => {
  if (!existsSync(join(root, 'apps', names.app)))
    throw new Error(`There is no app ${names.app}. Apps: ${readdirSync(join(root, 'apps')).join(', ')}.`);
  if (names.app === 'commerce-api' && !names.folder.includes('/'))
    throw new Error(`commerce-api groups its features by area: generate commerce-api <area>/${names.folder}.`);
  const files = featureFiles(names, stamp);
  const taken = Object.keys(files).filter((path) => existsSync(join(root, path)));
  if (taken.length) throw new Error(`Nothing was written, because this exists: ${taken.join(', ')}.`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return Object.keys(files);
};

if (require.main === module) {
  const [app, path] = process.argv.slice(2);
  if (!app || !path) {
    console.error(
      'usage: npm run generate <app> <feature>     for example: npm run generate chat-backend quick-replies',
    );
    process.exit(2);
  }
  try {
    const [names, stamp] = [featureNames(app, path), Date.now()];
    const written = generateFeature(names, stamp);
    spawnSync(
      process.execPath,
      [require.resolve('prettier/bin/prettier.cjs'), '--write', '--log-level=warn', ...written],
      { stdio: 'inherit' },
    );
    console.log(`${written.join('\n')}\n\n${connection(names, stamp)}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
