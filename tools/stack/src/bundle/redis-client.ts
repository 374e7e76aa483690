import type { Plugin } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { filesBelow } from './source-files';

const COMMANDS = /[\\/]@redis[\\/]client[\\/]dist[\\/]lib[\\/]commands[\\/]index\.js$/;
const COMMAND = /^ {4}(\w+): \w+\.default,?$/gm;
const REQUEST = /^const (\w+) = __importDefault\(require\("\.\/\w+"\)\);$/gm;
/** There are about eight hundred names; far fewer means that the file has changed its form. */
const FEWEST = 300;

/** Every name that the texts call as a method. */
const calledIn = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(/\.(\w+)\(/g)].map(([, name = '']) => name)));

/** The client's table of commands without unused ones. */
export const withoutUnused = (table: string, called: ReadonlySet<string>): string => {
  if ([...table.matchAll(COMMAND)].length < FEWEST)
    throw new Error(
      '@redis/client lists its commands in another form than tools/stack/src/bundle/redis-client.ts reads.',
    );
  const kept = table.replaceAll(COMMAND, (line, name: string) =>
    called.has(name) ? `${line.replace(/,$/, '')},` : '',
  );
  return kept.replaceAll(REQUEST, (line, name: string) => (kept.split(name).length > 2 ? line : ''));
};

/** Packages besides our own code that use a client. */
const USERS = ['@socket.io/redis-streams-adapter'];

const sources = (root: string): string[] => {
  const ours = ['apps', 'libs'].flatMap((path) => filesBelow(root, path)).filter((path) => /\.tsx?$/.test(path));
  const load = createRequire(join(root, 'libs/realtime/package.json'));
  const theirs = USERS.flatMap((name) => {
    const folder = dirname(load.resolve(name));
    return filesBelow(folder, '.').map((path) => join(folder, path));
  });
  return [...ours.map((path) => join(root, path)), ...theirs.filter((path) => path.endsWith('.js'))];
};

/**
 * `redis` adds four modules of server extensions to its client; no source names one, and the client's API is the same. Each
 * client class then gets a method for each of eight hundred spellings of commands, most of the work of its first connection:
 * those that no source calls stay out.
 */
export const redisClient = (root: string): Plugin => ({
  name: 'redis-client',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^redis$/ }, ({ importer }) => ({
      path: createRequire(createRequire(importer).resolve('redis')).resolve('@redis/client'),
    }));
    onLoad({ filter: COMMANDS }, ({ path }) => {
      const called = calledIn(sources(root).map((each) => readFileSync(each, 'utf8')));
      return { contents: withoutUnused(readFileSync(path, 'utf8'), called), loader: 'js' };
    });
  },
});
