// The door to every command of the workspace: installs the dependencies when they are missing or stale, then runs the
// command's TypeScript. Plain JavaScript without dependencies, because it is the first thing a fresh clone executes.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runScript } from './run-script.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const commands = {
  start: ['tools/stack/src/start.ts', 'starts the whole platform on this machine'],
  test: ['tools/stack/src/test.ts', 'lint, types and every test; the last line counts them'],
  command: [
    'tools/stack/src/command.ts',
    "runs a service's own command on the running platform: command <app> <command>",
  ],
  token: ['tools/stack/src/token.ts', 'prints a bearer token of a demo user: token <e-mail>'],
  demo: ['tools/stack/src/demo.ts', 'plays a demo on the running platform: demo [chat|shop|ads]'],
  pictures: ['tools/pictures/src/pictures.ts', 'pictures of the main pages of the running platform: pictures [folder]'],
  reset: ['tools/stack/src/reset.ts', 'deletes the development data in .data/'],
  routes: ['tools/checks/src/routes.ts', 'prints every mounted route as CSV'],
  roles: [
    'tools/stack/src/roles.ts',
    'gives every service its role and schema on a server: roles <admin address> <folder>',
  ],
  serve: ['tools/stack/src/serve.ts', 'runs one service with reload: serve <app>'],
  build: ['tools/stack/src/build.ts', 'bundles one service: build <app>'],
  generate: ['tools/generators/src/generate.ts', 'creates a feature: generate <app> <feature>'],
  mutation: ['tools/mutation/src/mutation.ts', 'changes libraries in small ways and lists what no test notices'],
  eval: ['tools/eval/src/eval.ts', 'plays golden dialogues with the bot of the running platform'],
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

// Before anything is compiled: a person who waits wants to see that something happens.
if (name === 'serve' && rest[0]) console.log(`${rest[0]}: preparing to serve it, with a database of its own ...`);

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

runScript(script, rest);
