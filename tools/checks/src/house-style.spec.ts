import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { depth, importCycles, isSpec, sourceFiles, workspaceRoot } from './source-files';

const files = sourceFiles();
const lines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
const offenders = (breaks: (file: { path: string; text: string }) => boolean): string[] =>
  files.filter(breaks).map(({ path }) => path);

describe('sources keep the limits of architecture section 11', () => {
  it('has no file over 300 lines, no spec over 400', () => {
    expect(offenders(({ path, text }) => lines(text) > (isSpec(path) ? 400 : 300))).toEqual([]);
  });

  it('names files in kebab case after what they hold', () => {
    expect(
      offenders(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*\.tsx?$/.test(path.split('/').at(-1) ?? '')),
    ).toEqual([]);
  });

  it('has no place for leftovers: no utils, helpers, common or misc', () => {
    expect(offenders(({ path }) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.)/.test(path))).toEqual([]);
  });

  it('keeps folders shallow: 3 below src, 4 in commerce-api', () => {
    expect(
      offenders(({ path }) => path.includes('/src/') && depth(path) > (path.startsWith('apps/commerce-api/') ? 4 : 3)),
    ).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(importCycles(files)).toEqual([]);
  });

  it('reads the environment in one file', () => {
    const reads = offenders(({ path, text }) => !path.startsWith('tools/checks/') && /\bprocess\.env\b/.test(text));
    expect(reads).toEqual(['libs/runtime/src/environment.ts']);
  });

  it('switches no check off in a comment', () => {
    const suppression = new RegExp(
      ['@ts-(ignore|expect-error|nocheck)', 'eslint-' + 'disable', '\\b(TO' + 'DO|FIX' + 'ME)\\b'].join('|'),
    );
    expect(offenders(({ path, text }) => !path.startsWith('tools/checks/') && suppression.test(text))).toEqual([]);
  });
});

describe('importCycles', () => {
  const file = (path: string, text: string) => ({ path, text });

  it('finds a circle through a library entry', () => {
    const circle = importCycles([
      file('libs/a/src/index.ts', "export { one } from './one';\n"),
      file('libs/a/src/one.ts', "import { two } from '../../b/src/index';\n"),
      file('libs/b/src/index.ts', "import { one } from '@platform/a';\n"),
    ]);
    expect(circle).toEqual([
      ['libs/a/src/index.ts', 'libs/a/src/one.ts', 'libs/b/src/index.ts', 'libs/a/src/index.ts'],
    ]);
  });

  it('does not count types, which load nothing', () => {
    expect(
      importCycles([
        file('libs/a/src/x.ts', "import type { Y } from './y';\n"),
        file('libs/a/src/y.ts', "import { x } from './x';\n"),
      ]),
    ).toEqual([]);
  });
});

describe('projects', () => {
  const TYPES = [
    'type:app',
    'type:platform',
    'type:platform-on-data',
    'type:contract',
    'type:util',
    'type:testing',
    'type:tool',
  ];
  const folders = [...new Set(files.map(({ path }) => path.split('/src/')[0] ?? ''))].filter((folder) =>
    existsSync(join(workspaceRoot, folder, 'package.json')),
  );

  it.each(folders)('%s carries exactly one type, so that its boundaries are checked', (folder) => {
    const { nx } = JSON.parse(readFileSync(join(workspaceRoot, folder, 'package.json'), 'utf8')) as {
      nx?: { tags?: string[] };
    };
    expect(nx?.tags?.filter((tag) => TYPES.includes(tag))).toHaveLength(1);
  });
});
