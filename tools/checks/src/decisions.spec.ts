import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles, workspaceRoot } from './source-files';

const folder = join(workspaceRoot, 'docs/adr');
const sources = sourceFiles().map(({ path }) => path);
const pages = readdirSync(folder)
  .filter((name) => /^\d{4}-/.test(name))
  .sort()
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

const PATH = /`([\w.-]+(?:\/[\w.-]+)+|[\w.-]+\.(?:tsx?|mjs|json))`/g;

/** The files and folders that a text names, without patterns and commands. */
const named = (text: string): string[] => [...text.matchAll(PATH)].map(([, path = '']) => path);

const holders = (text: string): string[] => named(/\*\*Held by\*\*([\s\S]*)/.exec(text)?.[1] ?? '');

/** Paths start at the root of the workspace; a file that several projects have may be named without its folder. */
const missing = (paths: string[]): string[] =>
  paths.filter(
    (path) => !existsSync(join(workspaceRoot, path)) && !sources.some((source) => source.endsWith(`/${path}`)),
  );

describe('decisions in docs/adr', () => {
  it.each(pages)('$name names at least one file that enforces it, and only files that exist', ({ text }) => {
    expect(holders(text)).not.toEqual([]);
    expect(missing(holders(text))).toEqual([]);
  });

  it('are listed in docs/adr/README.md, each under its title', () => {
    const titled = pages.map(({ name, text }) => `- [${/^# (.*)$/m.exec(text)?.[1]}](${name})`);
    const listed = readFileSync(join(folder, 'README.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('- '));
    expect(listed).toEqual(titled);
  });

  it('are reported when they name a file that does not exist', () => {
    const text = '**Held by** `libs/http/src/gone.spec.ts`, `gone.spec.ts`, `libs/http/src`, `kill -9`';
    expect(missing(holders(text))).toEqual(['libs/http/src/gone.spec.ts', 'gone.spec.ts']);
  });
});

it('the glossary names only files and folders that exist', () => {
  const glossary = readFileSync(join(workspaceRoot, 'docs/glossary.md'), 'utf8');
  expect(named(glossary)).not.toEqual([]);
  expect(missing(named(glossary))).toEqual([]);
});
