// The door to every command of the workspace: installs the dependencies when they are missing or stale, then runs the
// command's TypeScript. Plain JavaScript without dependencies, because it is the first thing a fresh clone executes.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const commands = {
  start: ['tools/stack/src/start.ts', 'starts the whole platform on this machine'],
  test: ['tools/stack/src/test.ts', 'lint, types and every test; the last line counts them'],
  demo: ['tools/stack/src/demo.ts', 'plays one conversation on the running platform'],
  reset: ['tools/stack/src/reset.ts', 'deletes the development data in .data/'],
  routes: ['tools/checks/src/routes.ts', 'prints every mounted route as CSV'],
  serve: ['tools/stack/src/serve.ts', 'runs one service with reload: serve <app>'],
  build: ['tools/stack/src/build.ts', 'bundles one service: build <app>'],
  generate: ['tools/generators/src/feature.ts', 'creates a feature: generate <app> <feature>'],
  bench: ['tools/bench/src/bench.ts', 'measures the hot paths side by side'],
  chaos: ['tools/chaos/src/chaos.ts', 'kills processes under load and counts what arrived'],
};

const [name, ...rest] = process.argv.slice(2);
const [script] = commands[name] ?? [];
if (!script) {
  console.error(
    `usage: npm run <command>\n\n${Object.entries(commands)
      .map(([key, [, text]]) => `  ${key.padEnd(9)} ${text}`)
      .join('\n')}`,
  );
  process.exit(2);
}

/** npm leaves a copy of the lock in node_modules; while both name the same packages nothing has to be installed. */
const installed = () => {
  const read = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  if (!existsSync('node_modules/.package-lock.json') || !existsSync('node_modules/.bin/nx')) return false;
  const have = read('node_modules/.package-lock.json');
  return Object.entries(read('package-lock.json')).every(
    ([path, entry]) =>
      !path.startsWith('node_modules/') || entry.optional || entry.peer || have[path]?.version === entry.version,
  );
};

if (!installed()) {
  console.error('Installing dependencies (once, about a minute) ...');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error(
      '\nThe installation failed. Check that the npm registry can be reached (npm ping) and run the command again.',
    );
    process.exit(1);
  }
}

const child = spawn(process.execPath, ['-r', './tools/swc-hook.cjs', script, ...rest], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));

/** npm puts a shell between itself and us that dies of a signal without passing it on: then nobody waits for us any more. */
const ancestors = () => {
  try {
    const [, parentOfParent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8')) ?? [];
    return `${process.ppid} ${parentOfParent}`;
  } catch {
    return String(process.ppid);
  }
};
if (process.env.npm_lifecycle_event) {
  const atStart = ancestors();
  setInterval(() => ancestors() === atStart || child.kill('SIGTERM'), 500).unref();
}
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
