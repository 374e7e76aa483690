import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bagsOver } from './bags';
import { depth, featureCycles, importCycles, isSpec, sourceFiles, workspaceRoot } from './source-files';

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

  it('has no catch-all folders: no utils, helpers, common or misc', () => {
    expect(offenders(({ path }) => /(^|\/)(utils?|helpers?|common|misc)(\/|\.)/.test(path))).toEqual([]);
  });

  it('keeps folders shallow: 3 below src, 4 in commerce-api', () => {
    expect(
      offenders(({ path }) => path.includes('/src/') && depth(path) > (path.startsWith('apps/commerce-api/') ? 4 : 3)),
    ).toEqual([]);
  });

  it('has no import cycle, not even through types', () => {
    expect(importCycles(files)).toEqual([]);
  });

  it('has no cycles of features', () => {
    expect(featureCycles(files)).toEqual([]);
  });

  it('passes classes of apps at most 7 dependencies in one bag', () => {
    expect(
      bagsOver(
        7,
        files.filter(({ path }) => path.startsWith('apps/')),
      ),
    ).toEqual({});
  });

  it('ends sessions of the own database alone: suites that run at the same time share a server', () => {
    const ends = /pg_terminate_backend\(pid\) FROM [^`]*/g;
    const isOurs = ([sql]: RegExpMatchArray): boolean => /current_database\(\)|\$\{LOCKS\}/.test(sql);
    expect(offenders(({ text }) => ![...text.matchAll(ends)].every(isOurs))).toEqual([]);
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

describe('finding import cycles (importCycles)', () => {
  const file = (path: string, text: string) => ({ path, text });

  it('finds a cycle through the entry of a library', () => {
    const circle = importCycles([
      file('libs/a/src/index.ts', "export { one } from './one';\n"),
      file('libs/a/src/one.ts', "import { two } from '../../b/src/index';\n"),
      file('libs/b/src/index.ts', "import { one } from '@platform/a';\n"),
    ]);
    expect(circle).toEqual([
      ['libs/a/src/index.ts', 'libs/a/src/one.ts', 'libs/b/src/index.ts', 'libs/a/src/index.ts'],
    ]);
  });

  it('finds a cycle that is closed by a type import', () => {
    expect(
      importCycles([
        file('libs/a/src/x.ts', "import type { Y } from './y';\n"),
        file('libs/a/src/y.ts', "import { x } from './x';\n"),
      ]),
    ).toEqual([['libs/a/src/x.ts', 'libs/a/src/y.ts', 'libs/a/src/x.ts']]);
  });
});

describe('finding cycles of features (featureCycles)', () => {
  const features = 'apps/a/src/features';
  const file = (path: string, text: string) => ({ path: `${features}/${path}`, text });

  it('finds two features that import each other through different files', () => {
    const files = [
      file('one/x.ts', "import { y } from '../two/y';\n"),
      file('two/y.ts', ''),
      file('two/z.ts', "import type { W } from '../one/w';\n"),
      file('one/w.ts', ''),
    ];
    expect(featureCycles(files)).toEqual([[`${features}/one`, `${features}/two`, `${features}/one`]]);
  });

  it('ignores the imports of specs', () => {
    const files = [
      file('one/x.ts', "import { y } from '../two/y';\n"),
      file('two/y.ts', ''),
      file('two/y.spec.ts', "import { x } from '../one/x';\n"),
    ];
    expect(featureCycles(files)).toEqual([]);
  });
});

describe('counting dependencies (bagsOver)', () => {
  const text = (members: string, more = '') =>
    `interface Base { a: 1; b: 2 }\nexport interface Parts extends Base { ${members} }\nclass A { constructor(private readonly parts: ${more || 'Parts'}) {} }\n`;

  it('counts the members of constructor parameters, including inherited and picked ones', () => {
    expect(bagsOver(2, [{ path: 'apps/a/src/x.ts', text: text('c: 3') }])).toEqual({ 'apps/a Parts': 3 });
    expect(
      bagsOver(1, [
        { path: 'apps/a/src/x.ts', text: text('c: 3') },
        {
          path: 'apps/a/src/y.ts',
          text: "type Some = Pick<Parts, 'a' | 'c'> & { readonly d: 4 };\nclass B { constructor(some: Some) {} }\n",
        },
      ]),
    ).toEqual({ 'apps/a Parts': 3, 'apps/a Some': 3 });
  });

  it('does not count a port, whose members are methods', () => {
    const port = 'interface Port { a(): void; b(): void; c(): void }\nclass A { constructor(port: Port) {} }\n';
    expect(bagsOver(2, [{ path: 'apps/a/src/x.ts', text: port }])).toEqual({});
  });
});

describe('projects of the workspace', () => {
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
