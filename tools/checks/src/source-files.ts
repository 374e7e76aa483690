import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

export const workspaceRoot = join(__dirname, '../../..');

export interface SourceFile {
  /** Path from the workspace root, with forward slashes. */
  path: string;
  text: string;
}

const FOLDERS = ['apps', 'libs', 'tools'];

/** Every TypeScript file of the apps, libraries and tools, in path order; generated and installed files left out. */
export const sourceFiles = (): SourceFile[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(workspaceRoot, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('/node_modules/')),
  )
    .sort()
    .map((path) => ({ path, text: readFileSync(join(workspaceRoot, path), 'utf8') }));

export const isSpec = (path: string): boolean => /\.spec\.tsx?$/.test(path);

const VALUE_IMPORT = /^\s*(?:import|export)\s+(?!type\b)[^;'"]*?from\s+['"]([^'"]+)['"]/gm;

const candidates = (base: string): string[] => [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`];

/** The files that `file` loads when it is loaded: relative imports and @platform libraries, `import type` left out. */
const loadedBy = ({ path, text }: SourceFile, known: ReadonlySet<string>): string[] =>
  [...text.matchAll(VALUE_IMPORT)].flatMap(([, name = '']) => {
    const library = /^@platform\/([\w-]+)$/.exec(name)?.[1];
    const base = name.startsWith('.')
      ? normalize(join(dirname(path), name))
      : library && `libs/${library}/src/index.ts`;
    const target = base && candidates(base).find((each) => known.has(each));
    return target ? [target] : [];
  });

/** Circles of value imports, each as the paths on it; empty when the sources can be loaded in one order. */
export const importCycles = (files: SourceFile[]): string[][] => {
  const known = new Set(files.map(({ path }) => path));
  const graph = new Map(files.map((file) => [file.path, loadedBy(file, known)]));
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') return void cycles.push([...trail.slice(trail.indexOf(path)), path]);
    state.set(path, 'open');
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of known) visit(path, []);
  return cycles;
};

/** Folders between `src/` and the file. */
export const depth = (path: string): number => relative(`${path.split('/src/')[0]}/src`, path).split('/').length - 1;
