import { build, type BuildOptions, type Metafile } from 'esbuild';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageName } from '../build-lock';
import { workspaceRoot } from '../workspace';
import { FILES } from './loader';
import { namedSparingly } from './names';
import { asciiPackages, oneCopy, optionalRequests, postgresOnly, swc } from './plugins';
import { redisClient } from './redis-client';
import { writeLineIndex } from './stack-traces.index';

/** Packages with native code, or that are loaded on demand only: they stay packages, installed next to the bundle. */
const OUTSIDE = [
  '@node-rs/argon2',
  'baileys',
  'bufferutil',
  'utf-8-validate',
  'pg-native',
  '@anthropic-ai/sdk',
  'pdfkit',
  'sharp',
  'unpdf',
];

/** Imported by a dependency's command line or configuration loader, which no app uses: neither bundled nor installed. */
const NEVER_ASKED = ['typescript'];

/** Long enough for the file to be small, short enough for what Node prints of a line that threw. */
const LINE_LIMIT = 240;

export interface Bundled {
  /** Packages of OUTSIDE that the bundle imports. */
  outside: string[];
  /** Those that our own sources import, not a dependency's optional try. */
  ours: string[];
  /** Packages that dependencies would use if they were installed. */
  missing: string[];
}

const outsideOf = (imports: { path: string; external?: boolean }[]): string[] => {
  const requested = new Set(imports.filter(({ external }) => external).map(({ path }) => packageName(path)));
  return OUTSIDE.filter((name) => requested.has(name));
};

const common = {
  absWorkingDir: workspaceRoot,
  bundle: true,
  platform: 'node',
  target: 'node20.20',
  format: 'cjs',
  legalComments: 'none',
  metafile: true,
  tsconfigRaw: '{}',
  logLevel: 'silent',
} as const;

/** As a function of what Node gives every module, so that the loader can compile it from a cache. */
const WRAPPER = {
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
};

/** A file, or the text of one in the root of the workspace. */
export type Entry = string | { readonly text: string };

const entryOptions = (entry: Entry): Pick<BuildOptions, 'entryPoints' | 'stdin'> =>
  typeof entry === 'string'
    ? { entryPoints: [entry] }
    : { stdin: { contents: entry.text, resolveDir: workspaceRoot, sourcefile: 'entry.js' } };

const bundleCode = async (entry: Entry, outfile: string, missing: Set<string>): Promise<Metafile> => {
  const { metafile } = await build({
    ...common,
    ...WRAPPER,
    ...entryOptions(entry),
    outfile,
    sourcemap: 'external',
    sourcesContent: false,
    keepNames: true, // entities and failures are known by their class names
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: LINE_LIMIT,
    charset: 'ascii',
    external: [...OUTSIDE, ...NEVER_ASKED],
    plugins: [
      swc(workspaceRoot),
      asciiPackages(),
      redisClient(workspaceRoot),
      postgresOnly(),
      optionalRequests(missing),
      oneCopy(workspaceRoot),
    ],
  });
  return metafile;
};

/** With one character beyond ASCII, V8 keeps the whole text at two bytes per character: twice the memory, in every replica. */
const refuseBeyondAscii = (path: string): void => {
  const at = readFileSync(path).findIndex((byte) => byte > 0x7f);
  if (at < 0) return;
  const around = readFileSync(path)
    .subarray(Math.max(0, at - 60), at + 20)
    .toString('utf8');
  throw new Error(`${path} holds a character beyond ASCII, which inAscii should have escaped: ...${around}...`);
};

/**
 * Everything that `entry` loads as a bundle in `directory`: `main.cjs` starts it. Throws esbuild's failure when our own sources
 * name something that is not there.
 */
export const bundle = async (entry: Entry, directory: string): Promise<Bundled> => {
  const missing = new Set<string>();
  const code = join(directory, FILES.code);
  const [{ inputs }] = await Promise.all([
    bundleCode(entry, code, missing),
    build({
      ...common,
      entryPoints: [join(__dirname, 'main.ts')],
      outfile: join(directory, 'main.cjs'),
      plugins: [swc(workspaceRoot)],
    }),
  ]);
  refuseBeyondAscii(code);
  writeFileSync(code, namedSparingly(readFileSync(code, 'latin1')), 'latin1');
  const map = `${code}.map`;
  writeLineIndex(map, join(directory, FILES.lines), workspaceRoot);
  rmSync(map);
  const imports = (own: boolean) =>
    Object.entries(inputs)
      .filter(([path]) => own !== path.includes('node_modules/'))
      .flatMap(([, input]) => input.imports);
  const ours = outsideOf(imports(true));
  return { outside: outsideOf([...imports(true), ...imports(false)]), ours, missing: [...missing].sort() };
};
