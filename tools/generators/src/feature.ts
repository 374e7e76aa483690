// `npm run generate -- <app> [<area>/]<feature>`: a resource per tenant as in architecture sections 4 and 5, mounted, with its
// table and its tests. The app-specific parts are in the app's feature.template.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { environment } from '@platform/runtime';
import { featureFiles } from './feature-files';
import { featureNames, type FeatureNames } from './feature-names';
import { refusalOf } from './feature-refusals';
import { filledFor, templateOf, type FeatureTemplate, type ListAddition } from './feature-template';
import { withElements, withImport } from './list-edit';

const workspaceRoot = join(__dirname, '../../..');
/** Most lines of an `app.ts`, as enforced by lint. */
const APP_LINES = 80;

/** Later than every migration of the app: TypeORM runs them in the order of the numbers in their names. */
const stampFor = (folder: string): number => {
  const stamps = readdirSync(join(folder, 'migrations')).map((file) => Number.parseInt(file, 10) || 0);
  return Math.max(Date.now(), ...stamps.map((stamp) => stamp + 1));
};

interface Edit extends ListAddition {
  /** Imports that the elements need in their file. */
  readonly import?: { readonly name: string; readonly from: string };
}

/** New texts of the files that refer to the feature, by their path below `src/`. */
const edited = (folder: string, edits: readonly Edit[]): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const { file, list, elements, import: needed } of edits) {
    if (!existsSync(join(folder, file)))
      throw new Error(`${file} is missing: make it as its siblings are, then again.`);
    const text = texts.get(file) ?? readFileSync(join(folder, file), 'utf8');
    try {
      const known = needed ? withImport(text, needed.name, needed.from) : text;
      texts.set(file, withElements(known, list, elements));
    } catch (error) {
      throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
    }
    if (file === 'app.ts' && (texts.get(file) ?? '').split('\n').length > APP_LINES)
      throw new Error(
        `app.ts has no room left below its ${APP_LINES} lines: move an area into a composition of its own`,
      );
  }
  return texts;
};

export interface Generated {
  /** Paths in the workspace of all new and changed files. */
  readonly files: readonly string[];
  /** A shell command that calls the new route. */
  readonly curl: string;
}

/** The app's own files with the feature: its endpoints, its migration and the additions of the template. */
const connected = (
  folder: string,
  names: FeatureNames,
  template: FeatureTemplate,
  stamp: number,
): ReadonlyMap<string, string> => {
  const { folder: feature, kebab, all, All } = names;
  const migration = `Create${All}${stamp}`;
  const fill = (text: string): string => filledFor(names, template, text);
  const { composition, additions = [] } = template;
  const from = relative(dirname(fill(composition.file)), `features/${feature}/${kebab}.endpoints`);
  const edits: Edit[] = [
    { ...composition, import: { name: `${all}Endpoints`, from: `./${from}` } },
    {
      file: 'data-source.ts',
      list: 'migrations',
      elements: migration,
      import: { name: migration, from: `./migrations/${stamp}-create-${kebab}` },
    },
    ...additions,
  ];
  return edited(
    folder,
    edits.map((edit) => ({ ...edit, file: fill(edit.file), list: fill(edit.list), elements: fill(edit.elements) })),
  );
};

/** Writes the feature below `root` and mounts it. Throws for an impossible name, without writing anything. */
export const generateFeature = (app: string, path: string, root = workspaceRoot): Generated => {
  const template = templateOf(app, root);
  const names = featureNames(path);
  if (template.areas && !path.includes('/'))
    throw new Error(`${app} groups its features by area: generate ${app} <area>/${path}.`);
  if (!template.areas && path.includes('/')) throw new Error(`${app} has no areas: generate ${app} ${names.kebab}.`);
  const folder = join(root, 'apps', app, 'src');
  const refusal = refusalOf(folder, names, template);
  if (refusal) throw new Error(`Nothing was written, because ${refusal}: choose another name.`);
  const stamp = stampFor(folder);
  const changed = connected(folder, names, template, stamp);
  const files = {
    ...featureFiles(app, names, template, stamp),
    ...Object.fromEntries([...changed].map(([file, text]) => [`apps/${app}/src/${file}`, text])),
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const { address, data } = placeOf(app, template, root);
  const curl = filledFor(names, template, '{{curl}}').replaceAll('ADDRESS', address).replaceAll('DATA', data);
  return { files: Object.keys(files), curl };
};

interface Place {
  readonly address: string;
  /** Folder of the stack's state, relative to the workspace. */
  readonly data: string;
}

/** Where the app is reachable: in the running stack, or otherwise after `npm start`. */
const placeOf = (app: string, { port }: FeatureTemplate, root: string): Place => {
  const { DATA_DIR, PORT_BASE = '3000' } = environment;
  const data = DATA_DIR || (PORT_BASE === '3000' ? '.data' : `.data-${PORT_BASE}`);
  const usual = { address: `http://127.0.0.1:${Number(PORT_BASE) + port}`, data };
  const file = resolve(root, data, 'stack.json');
  if (!existsSync(file)) return usual;
  const { services } = JSON.parse(readFileSync(file, 'utf8')) as { services: Readonly<Record<string, string>> };
  return { ...usual, address: services[app] ?? usual.address };
};

/** Formats the files with prettier. */
export const format = (files: readonly string[], root = workspaceRoot): void =>
  void spawnSync(
    process.execPath,
    [require.resolve('prettier/bin/prettier.cjs'), '--write', '--log-level=warn', ...files],
    { cwd: root, stdio: 'inherit' },
  );
