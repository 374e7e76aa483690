import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { sourceFiles, workspaceRoot } from './source-files';

interface Settings {
  readonly namedInputs: { readonly workspace: readonly string[] };
}

const shared = (JSON.parse(readFileSync(join(workspaceRoot, 'nx.json'), 'utf8')) as Settings).namedInputs.workspace.map(
  (pattern) => pattern.replace('{workspaceRoot}/', '').replace(/\*\*\/\*$/, ''),
);
const isShared = (path: string): boolean =>
  shared.some((one) => path === one || (one.endsWith('/') && path.startsWith(one)));

/** Files that a file imports by their path, from the root of the workspace. */
const importedBy = (path: string): string[] =>
  ts
    .preProcessFile(readFileSync(join(workspaceRoot, path), 'utf8'), true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => relative(workspaceRoot, join(workspaceRoot, dirname(path), fileName)))
    .flatMap((file) => [file, `${file}.ts`, `${file}.cjs`].find((one) => existsSync(join(workspaceRoot, one))) ?? []);

describe('a result that Nx restores', () => {
  it('is of the same runner of tests: whatever that loads counts for every project', () => {
    const loaded = readdirSync(join(workspaceRoot, 'tools/jest'))
      .map((name) => `tools/jest/${name}`)
      .flatMap(importedBy);
    expect(loaded).toContain('libs/testing/src/unforeseen.ts');
    expect([...new Set(loaded)].filter((path) => !isShared(path))).toEqual([]);
  });

  it('is of the same settings: every variable that a spec reads counts for its target', () => {
    const plugin = readFileSync(join(workspaceRoot, 'tools/nx-plugin.cjs'), 'utf8');
    const counted = [...plugin.matchAll(/env: '(\w+)'/g)].map(([, name]) => name);
    const read = sourceFiles()
      .filter(({ path }) => /\.(spec|fixture|contract)\.tsx?$|^(libs\/testing|tools\/jest)\//.test(path))
      .flatMap(({ text }) => [...text.matchAll(/\benvironment\.([A-Z][A-Z_]+)\b/g)].map(([, name]) => name));
    // PATH is only passed on, and which worker ran a file says nothing of its result
    expect([...new Set(read)].filter((name) => !counted.includes(name)).toSorted()).toEqual(['JEST_WORKER_ID', 'PATH']);
  });
});
