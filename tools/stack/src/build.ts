// `node tools/run.mjs build <app>`: one file with everything an app runs, and next to it what cannot be in that file.
//   dist/apps/<app>/main.cjs starts app.cjs from app.cache; app.lines is for stack traces    package.json, package-lock.json (packages
//   left outside)    assets/ (files read at run time)
import type { Message } from 'esbuild';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declared, prunedLock, type Lock, type Manifest } from './build-lock';
import { bundle, type Bundled } from './bundle/bundle';
import { makeCodeCache } from './bundle/code-cache';
import { FILES } from './bundle/loader';
import { writePageAssets } from './bundle/page-assets';
import { SERVICES } from './ports';

const root = join(__dirname, '../../..');

/** Files that libraries read at run time: target folder under assets/ -> package and the files wanted of it. */
const ASSETS: Record<string, { from: string; files: string[] }> = {
  'swagger-ui': {
    from: 'swagger-ui-dist',
    files: ['swagger-ui.css', 'swagger-ui-bundle.js'],
  },
};

const copyAssets = (directory: string): string[] =>
  Object.entries(ASSETS).map(([name, { from, files }]) => {
    const source = dirname(require.resolve(`${from}/package.json`, { paths: [join(root, 'libs/http')] }));
    const target = join(directory, 'assets', name);
    mkdirSync(target, { recursive: true });
    for (const file of files) cpSync(join(source, file), join(target, file));
    return `assets/${name}`;
  });

const megabytes = (path: string): string => (statSync(path).size / 1e6).toFixed(1);

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

const SANDBOX = 'sandbox-';

/** A sandbox is built as `sandbox-<name>`: where no workspace is, it is an image like those of the services. */
const entryOf = (app: string): string => {
  const entry = app.startsWith(SANDBOX)
    ? `tools/sandboxes/${app.slice(SANDBOX.length)}/src/main.ts`
    : `apps/${app}/src/main.ts`;
  if (existsSync(join(root, entry))) return entry;
  throw new Error(`There is no ${entry}. Apps that can be built: ${readdirSync(join(root, 'apps')).join(', ')}.`);
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
  const entry = entryOf(app);
  const directory = join(root, 'dist/apps', app);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  say(`${app}: bundling ${entry} ...`);
  const bundled = await bundle(entry, directory);
  say(
    `  ${FILES.code} ${megabytes(join(directory, FILES.code))} MB${bundled.missing.length ? `; its dependencies could also use, when installed: ${bundled.missing.join(', ')}` : ''}`,
  );
  const { dependencies } = writeManifest(app, directory, bundled, extra);
  const versions = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  say(`  package.json: ${versions.join(', ') || 'nothing'} to be installed next to it`);
  const pages = writePageAssets([app], directory);
  say(`  ${[...copyAssets(directory), ...(pages ? [`assets/web (${pages.join(', ')})`] : [])].join(', ')}`);
  const service = SERVICES.find((name) => name === app);
  if (service) {
    await makeCodeCache(service, directory);
    say(`  ${FILES.cache} ${megabytes(join(directory, FILES.cache))} MB, for Node ${process.versions.node}`);
  }
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
