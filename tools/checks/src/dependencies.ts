import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { workspaceRoot } from './source-files';

/** A folder with a package.json, and the code that uses its dependencies. */
export interface Workspace {
  /** Relative to the root of the workspace; empty for the root itself. */
  readonly folder: string;
  readonly declared: readonly string[];
  /** Projects that it uses otherwise than by importing them. */
  readonly implicit: readonly string[];
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

const GROUPS = ['apps', 'libs', 'tools', 'tools/sandboxes'];
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
const CODE = /\.(tsx?|[cm]?js)$/;
const BUILT_IN: ReadonlySet<string> = new Set(builtinModules);

const entriesOf = (folder: string) => readdirSync(join(workspaceRoot, folder), { withFileTypes: true });
const hasManifest = (folder: string): boolean => existsSync(join(workspaceRoot, folder, 'package.json'));

/** Code below a folder, without that of nested workspaces. */
const codeBelow = (folder: string, deep = true): string[] =>
  entriesOf(folder || '.').flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isFile()) return CODE.test(entry.name) ? [path] : [];
    const isOurs = deep && entry.isDirectory() && entry.name !== 'node_modules' && !hasManifest(path);
    return isOurs ? codeBelow(path) : [];
  });

/** The code that uses the root's dependencies: its configuration, and the scripts that no tool owns. */
const rootCode = (): string[] => [
  ...codeBelow('', false),
  ...codeBelow('tools', false),
  ...codeBelow('tools/jest'),
  ...codeBelow('docker'),
];

const read = (folder: string, paths: readonly string[]): Workspace => {
  const manifest = JSON.parse(readFileSync(join(workspaceRoot, folder, 'package.json'), 'utf8')) as Partial<
    Record<(typeof KINDS)[number], Record<string, string>>
  > & { readonly nx?: { readonly implicitDependencies?: readonly string[] } };
  return {
    folder,
    declared: KINDS.flatMap((kind) => Object.keys(manifest[kind] ?? {})),
    implicit: manifest.nx?.implicitDependencies ?? [],
    files: paths.map((path) => ({ path, text: readFileSync(join(workspaceRoot, path), 'utf8') })),
  };
};

/** Every workspace, the root first. */
export const workspaces = (): Workspace[] => [
  read('', rootCode()),
  ...GROUPS.flatMap((group) => entriesOf(group).map(({ name }) => `${group}/${name}`))
    .filter(hasManifest)
    .map((folder) => read(folder, codeBelow(folder))),
];

const packageOf = (specifier: string): string | undefined => {
  if (/^[./#]|^node:/.test(specifier)) return undefined;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return BUILT_IN.has(name) ? undefined : name;
};

/** Calls that load a module without being an import or `require`. */
const RESOLVED = /\b(?:require\.resolve|requireActual|nativeImport)(?:<[^()]*>)?\(\s*'([^']+)'/g;

/** The packages that a file imports, statically or dynamically, for types or values. */
export const importsOf = (text: string): string[] => {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const named = [
    ...importedFiles.map(({ fileName }) => fileName),
    ...[...text.matchAll(RESOLVED)].map(([, name = '']) => name),
  ];
  return [...new Set(named.flatMap((specifier) => packageOf(specifier) ?? []))];
};

const typed = (types: string): string => types.replace(/^@types\//, '').replace(/^(.+)__(.+)$/, '@$1/$2');

/** Packages imported but not declared, as `file: package`; types of a package count as the package. */
export const undeclared = ({ declared, files }: Workspace): string[] => {
  const known = new Set([...declared, ...declared.map(typed)]);
  return files.flatMap(({ path, text }) =>
    importsOf(text)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
};

/** Packages declared but not imported; types are used with the package that they describe. */
export const unused = ({ declared, files }: Workspace): string[] => {
  const imported = new Set(files.flatMap(({ text }) => importsOf(text)));
  return declared.filter((name) => !imported.has(name) && !(name.startsWith('@types/') && imported.has(typed(name))));
};

/** A service by the path of its program, as `startProgram` takes it. */
const PROGRAM = /'apps\/([\w-]+)\/src\/main\.ts'/g;

/** Services that are started but not depended on, as `file: service`: Nx would restore a result that they had before a change. */
export const startedUnknown = ({ folder, implicit, files }: Workspace): string[] =>
  implicit.includes('*')
    ? []
    : files.flatMap(({ path, text }) =>
        [...text.matchAll(PROGRAM)]
          .map(([, name = '']) => name)
          .filter((name) => folder !== `apps/${name}` && !implicit.includes(name))
          .map((name) => `${path}: ${name}`),
      );
