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
import { keptBundle, putInPlace, removeOld } from './kept-bundles';
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

it('the three newest bundles are kept', () => {
  for (const [at, name] of ['a', 'b', 'c', 'd', 'e'].entries()) utimesSync(made(name), at, at);
  removeOld(folder);
  expect(readdirSync(folder).sort()).toEqual(['c', 'd', 'e']);
});

it('an entry that another start removes meanwhile does not fail this one', () => {
  for (const name of ['a', 'b', 'c']) made(name);
  symlinkSync(join(folder, 'nowhere'), join(folder, 'gone'));
  removeOld(folder);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c']);
});

it('a fresh bundle is moved to its place', () => {
  const fresh = made('fresh');
  putInPlace(fresh, join(folder, 'key'));
  expect([codeOf(join(folder, 'key')), existsSync(fresh)]).toEqual(['fresh', false]);
});

it('a fresh bundle takes the place of one that a killed start left half removed', () => {
  const directory = made('key', { [FILES.lines]: '' });
  putInPlace(made('fresh'), directory);
  expect(readdirSync(directory)).toEqual([FILES.code]);
});

it('a fresh bundle yields to one that was there first', () => {
  const directory = made('key', { [FILES.code]: 'first', [FILES.cache]: '' });
  putInPlace(made('fresh'), directory);
  expect(codeOf(directory)).toBe('first');
});

describe('the bundle of the current sources', () => {
  let source: string;
  let builds: number;
  const key = () => `key-${source}`;
  /** A build that reads the source when it begins, while another version is saved before it ends, this many times. */
  const build = (saved: readonly string[]) => async (directory: string) => {
    const read = source;
    source = saved[builds] ?? source;
    builds += 1;
    await Promise.resolve();
    writeFileSync(join(directory, FILES.code), read);
  };
  beforeEach(() => {
    source = 'one';
    builds = 0;
  });

  it('a bundle is built once and kept under its key', async () => {
    const directory = join(folder, 'key-one');
    expect(await keptBundle(folder, key, build([]))).toEqual({ directory, isNew: true });
    expect(await keptBundle(folder, key, build([]))).toEqual({ directory, isNew: false });
    expect([codeOf(directory), builds, readdirSync(folder)]).toEqual(['one', 1, ['key-one']]);
  });

  it('a bundle is rebuilt when a source was saved meanwhile, so that no key names other content', async () => {
    const directory = join(folder, 'key-three');
    expect(await keptBundle(folder, key, build(['two', 'three']))).toEqual({ directory, isNew: true });
    expect([codeOf(directory), builds, readdirSync(folder)]).toEqual(['three', 3, ['key-three']]);
  });

  it('sources that keep changing fail the build with an explanation', async () => {
    await expect(keptBundle(folder, key, build(['2', '3', '4', '5', '6', '7']))).rejects.toThrow(
      'the sources changed while each of 5 bundles was made',
    );
    expect([builds, readdirSync(folder)]).toEqual([5, []]);
  });

  it('a bundle that cannot be built leaves nothing behind', async () => {
    const failing = () => Promise.reject(new Error('a syntax error'));
    await expect(keptBundle(folder, key, failing)).rejects.toThrow('a syntax error');
    expect(readdirSync(folder)).toEqual([]);
  });
});
