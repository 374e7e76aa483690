// `node tools/run.mjs build <app>`: one file with everything an app runs, and next to it what cannot be in that file.
//   dist/apps/<app>/main.cjs (+ .map)    package.json, package-lock.json (packages left outside)    assets/ (files read at run time)
import { transform, type Options } from '@swc/core';
import { build, type Message, type Plugin } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { declared, packageName, prunedLock, type Lock, type Manifest } from './build-lock';

const root = join(__dirname, '../../..');

/** Packages with native code, or that are loaded on demand only: they stay packages, installed next to the bundle. */
const OUTSIDE = ['@node-rs/argon2', 'baileys', 'bufferutil', 'utf-8-validate', 'pg-native', '@anthropic-ai/sdk'];

/** Asked for by a dependency's command line or configuration loader, which no app uses: neither bundled nor installed. */
const NEVER_ASKED = ['typescript'];

/** Files that libraries read at run time: target folder under assets/ -> package and the files wanted of it. */
const ASSETS: Record<string, { from: string; files: string[] }> = {
  'swagger-ui': {
    from: 'swagger-ui-dist',
    files: ['swagger-ui.css', 'swagger-ui-bundle.js'],
  },
};

/** The workspace's one swc configuration, so that a bundle behaves as the tests did; esbuild alone would lose decorator metadata. */
const swc = (): Plugin => ({
  name: 'swc',
  setup: ({ onLoad }) => {
    const config = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8')) as Options;
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { ...config, swcrc: false, filename: path });
      return { contents: code, loader: 'js' };
    });
  },
});

/**
 * A package may try to load another one that nobody installed (database drivers, native accelerators); such a request stays
 * in the bundle and fails at run time as it does without a bundle. Our own code gets no such leave.
 */
const optionalRequests = (missing: Set<string>): Plugin => ({
  name: 'optional-requests',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (!importer.includes('node_modules') || kind === 'entry-point' || path.startsWith('node:')) return undefined;
      try {
        createRequire(importer).resolve(path);
        return undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') return undefined;
        missing.add(packageName(path));
        return { path, external: true };
      }
    });
  },
});

interface Bundled {
  /** Packages of OUTSIDE that the bundle asks for. */
  outside: string[];
  /** Those that our own sources name, not a dependency trying its luck. */
  ours: string[];
  /** What dependencies would use if somebody installed it. */
  missing: string[];
}

const outsideOf = (imports: { path: string; external?: boolean }[]): string[] => {
  const requested = new Set(imports.filter(({ external }) => external).map(({ path }) => packageName(path)));
  return OUTSIDE.filter((name) => requested.has(name));
};

/**
 * One file of everything that `entry` loads. Throws esbuild's failure when our own sources name something that is not there.
 * Not minified: a stack trace of production names lines that can be read, without the
 * price of source maps at each error.
 */
export const bundle = async (entry: string, outfile: string): Promise<Bundled> => {
  const missing = new Set<string>();
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.20',
    format: 'cjs',
    sourcemap: true,
    sourcesContent: false,
    keepNames: true, // entities and failures are known by their class names
    legalComments: 'none',
    metafile: true,
    tsconfigRaw: '{}',
    external: [...OUTSIDE, ...NEVER_ASKED],
    plugins: [swc(), optionalRequests(missing)],
    logLevel: 'silent',
  });
  const inputs = Object.entries(metafile.inputs);
  const imports = (own: boolean) =>
    inputs.filter(([path]) => own !== path.includes('node_modules/')).flatMap(([, input]) => input.imports);
  const ours = outsideOf(imports(true));
  return { outside: outsideOf([...imports(true), ...imports(false)]), ours, missing: [...missing].sort() };
};

const copyAssets = (directory: string): string[] =>
  Object.entries(ASSETS).map(([name, { from, files }]) => {
    const source = dirname(require.resolve(`${from}/package.json`, { paths: [join(root, 'libs/http')] }));
    const target = join(directory, 'assets', name);
    mkdirSync(target, { recursive: true });
    for (const file of files) cpSync(join(source, file), join(target, file));
    return `assets/${name}`;
  });

const lines = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const writeManifest = (app: string, directory: string, { outside, ours }: Bundled, extra: string[]): Manifest => {
  const workspace = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const { needed, optional } = declared(workspace, app);
  const undeclared = ours.filter((name) => !needed.has(name) && !optional.has(name));
  if (undeclared.length)
    throw new Error(
      `The sources import ${undeclared.join(', ')}: add it to apps/${app}/package.json and run npm install.`,
    );
  const unknown = extra.filter((name) => !outside.includes(name));
  if (unknown.length)
    throw new Error(
      `--with names ${unknown.join(', ')}, which ${app} does not import. It imports: ${outside.join(', ') || 'nothing optional'}.`,
    );
  const { manifest, lock } = prunedLock(
    workspace,
    app,
    outside.filter((name) => needed.has(name) || extra.includes(name)),
  );
  writeFileSync(join(directory, 'package.json'), lines(manifest));
  writeFileSync(join(directory, 'package-lock.json'), lines(lock));
  return manifest;
};

/**
 * Bundles `apps/<app>` into `dist/apps/<app>` and returns that folder. `extra` names optional packages (a WhatsApp engine, a
 * second model vendor) to be installed with it. Throws with the places in the sources when something does not resolve.
 */
export const buildApp = async (
  app: string,
  extra: string[] = [],
  say: (line: string) => void = console.log,
): Promise<string> => {
  const entry = `apps/${app}/src/main.ts`;
  if (!existsSync(join(root, entry)))
    throw new Error(`There is no ${entry}. Apps that can be built: ${readdirSync(join(root, 'apps')).join(', ')}.`);
  const directory = join(root, 'dist/apps', app);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  say(`${app}: bundling ${entry} ...`);
  const bundled = await bundle(entry, join(directory, 'main.cjs'));
  const size = (statSync(join(directory, 'main.cjs')).size / 1e6).toFixed(1);
  say(
    `  main.cjs ${size} MB${bundled.missing.length ? `; its dependencies could also use, when installed: ${bundled.missing.join(', ')}` : ''}`,
  );
  const { dependencies } = writeManifest(app, directory, bundled, extra);
  const versions = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  say(`  package.json: ${versions.join(', ') || 'nothing'} to be installed next to it`);
  say(`  ${copyAssets(directory).join(', ')}`);
  say(`${app}: built in dist/apps/${app}`);
  return directory;
};

const isBuildFailure = (error: unknown): error is { errors: Message[] } =>
  Array.isArray((error as { errors?: unknown }).errors);

/** What was wrong and where, in lines a person can click. */
export const explain = (error: unknown): string =>
  isBuildFailure(error)
    ? error.errors
        .map(
          ({ text, location }) => `${location ? `${location.file}:${location.line}:${location.column}: ` : ''}${text}`,
        )
        .join('\n')
    : (error as Error).message;

if (require.main === module) {
  const [app, ...options] = process.argv.slice(2);
  const unknown = options.filter((option) => !option.startsWith('--with='));
  if (!app || unknown.length) {
    console.error(
      `${unknown.map((option) => `unknown option ${option}\n`).join('')}usage: node tools/run.mjs build <app> [--with=<optional package>,...]`,
    );
    process.exit(2);
  }
  const extra = options.flatMap((option) => option.slice('--with='.length).split(',')).filter(Boolean);
  buildApp(app, extra).catch((error: unknown) => {
    console.error(`${app} was not built.\n${explain(error)}`);
    process.exit(1);
  });
}
