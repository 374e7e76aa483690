import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

export const workspaceRoot = join(__dirname, '../../..');

export interface SourceFile {
  /** Path from the workspace root, with forward slashes. */
  path: string;
  text: string;
}

const FOLDERS = ['apps', 'libs', 'tools'];

/** Every TypeScript file of the apps, libraries and tools except installed ones, in path order. */
export const sourceFiles = (): SourceFile[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(workspaceRoot, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('/node_modules/')),
  )
    .sort()
    .map((path) => ({ path, text: readFileSync(join(workspaceRoot, path), 'utf8') }));

export const isSpec = (path: string): boolean => /\.spec\.tsx?$/.test(path);

const IMPORT = /^\s*(?:import|export)\s+[^;'"]*?from\s+['"]([^'"]+)['"]/gm;

const candidates = (base: string): string[] => [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`];

/** The files that `file` imports: relative imports and @platform libraries, including `import type`. */
const importedBy = ({ path, text }: SourceFile, known: ReadonlySet<string>): string[] =>
  [...text.matchAll(IMPORT)].flatMap(([, name = '']) => {
    const library = /^@platform\/([\w-]+)$/.exec(name)?.[1];
    const base = name.startsWith('.')
      ? normalize(join(dirname(path), name))
      : library && `libs/${library}/src/index.ts`;
    const target = base && candidates(base).find((each) => known.has(each));
    return target ? [target] : [];
  });

/** The imports of each file, by path. */
const importGraph = (files: SourceFile[]): Map<string, string[]> => {
  const known = new Set(files.map(({ path }) => path));
  return new Map(files.map((file) => [file.path, importedBy(file, known)]));
};

/** Cycles of imports, including type imports, each as the paths on it. */
export const importCycles = (files: SourceFile[]): string[][] => circles(importGraph(files));

const circles = (graph: ReadonlyMap<string, readonly string[]>): string[][] => {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') return void cycles.push([...trail.slice(trail.indexOf(path)), path]);
    state.set(path, 'open');
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
};

/** The folder of the feature that a file belongs to; in commerce-api, features are in areas. */
const featureOf = (path: string): string | undefined =>
  /^(apps\/commerce-api\/src\/features\/[^/]+\/[^/]+|apps\/(?!commerce-api\/)[^/]+\/src\/features\/[^/]+)\/[^/]+$/.exec(
    path,
  )?.[1];

/** Cycles of features that import each other; specs and fixtures are ignored. */
export const featureCycles = (files: SourceFile[]): string[][] => {
  const graph = new Map<string, string[]>();
  for (const [path, imported] of importGraph(files)) {
    const feature = featureOf(path);
    if (feature === undefined || /\.(spec|fixture|contract|child)\.tsx?$/.test(path)) continue;
    const others = imported.flatMap((each) => featureOf(each) ?? []).filter((other) => other !== feature);
    graph.set(feature, [...(graph.get(feature) ?? []), ...others]);
  }
  return circles(graph);
};

/** Folders between `src/` and the file. */
export const depth = (path: string): number => relative(`${path.split('/src/')[0]}/src`, path).split('/').length - 1;
