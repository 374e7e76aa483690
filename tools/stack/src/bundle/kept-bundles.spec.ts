import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putInPlace, removeOld } from './kept-bundles';
import { FILES } from './loader';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const made = (name: string, files: Record<string, string> = { [FILES.code]: name }): string => {
  const directory = join(folder, name);
  mkdirSync(directory);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
  return directory;
};
const codeOf = (directory: string) => readFileSync(join(directory, FILES.code), 'utf8');

it('the three newest bundles stay', () => {
  for (const [at, name] of ['a', 'b', 'c', 'd', 'e'].entries()) utimesSync(made(name), at, at);
  removeOld(folder);
  expect(readdirSync(folder).sort()).toEqual(['c', 'd', 'e']);
});

it('an entry that another start takes away meanwhile does not stop this one', () => {
  for (const name of ['a', 'b', 'c']) made(name);
  symlinkSync(join(folder, 'nowhere'), join(folder, 'gone'));
  removeOld(folder);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c']);
});

it('a fresh bundle takes its place', () => {
  const fresh = made('fresh');
  putInPlace(fresh, join(folder, 'key'));
  expect([codeOf(join(folder, 'key')), existsSync(fresh)]).toEqual(['fresh', false]);
});

it('a fresh bundle takes the place of one that a killed start left half removed', () => {
  const directory = made('key', { [FILES.lines]: '' });
  putInPlace(made('fresh'), directory);
  expect(readdirSync(directory)).toEqual([FILES.code]);
});

it('a fresh bundle leaves the place to one that was faster', () => {
  const directory = made('key', { [FILES.code]: 'first', [FILES.cache]: '' });
  putInPlace(made('fresh'), directory);
  expect(codeOf(directory)).toBe('first');
});
