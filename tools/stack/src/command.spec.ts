import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { runCommand } from './command';
import { SERVICES } from './ports';
import { workspaceRoot } from './workspace';

const folder = mkdtempSync(join(tmpdir(), 'stack-command-'));
const nowhere = join(folder, 'nowhere');
afterAll(() => rmSync(folder, { recursive: true }));
Object.assign(environment, { DATA_DIR: nowhere, PORT_BASE: '9000' });

/** A command of the workspace where no stack runs. */
const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/run.mjs', ...args], {
    cwd: workspaceRoot,
    env: environment,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const NO_STACK = `No stack is ready in ${nowhere}. Run npm start in another terminal, wait for its addresses, and try again (the same PORT_BASE and DATA_DIR, if you set them).\n`;

/** The same in this process: each of its own would load a service of its sources. */
const runHere = async (...args: string[]) => {
  const printed = { stdout: '', stderr: '' };
  const print = (to: keyof typeof printed) => (text: string) => void (printed[to] += `${text}\n`);
  const code = await runCommand(args, { log: print('stdout'), error: print('stderr') });
  return { status: code ?? 0, ...printed };
};

it.each(SERVICES)('the commands of %s are listed with what they do, without a stack', async (app) => {
  const { status, stdout, stderr } = await runHere(app);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`usage: npm run -s command -- ${app} <command> ...\n\n  migrate       brings the database`);
  expect(stdout).toMatch(/\n {2}seed '<shop as JSON>'\n {16}\w/);
  expect(await runHere(app, '--help')).toEqual({ status, stdout, stderr });
});

it('the commands of a service are listed by a process as they are within one', async () => {
  expect(run('command', 'store-auth')).toEqual(await runHere('store-auth'));
});

it('an unknown app or command is answered with the known ones, as wrong usage', async () => {
  const unknown = {
    status: 2,
    stdout: '',
    stderr: `unknown app "shop": use one of ${SERVICES.join(', ')}\n`,
  };
  expect([run('command', 'shop'), await runHere('shop')]).toEqual([unknown, unknown]);
  const { status, stdout, stderr } = await runHere('ads-api', 'constructor');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^unknown command "constructor": use one of\n {2}migrate [^]*\n {2}applications create/);
  const apps = expect.stringContaining('apps: store-auth,') as unknown;
  expect([await runHere(), await runHere('--help')]).toEqual([
    { status: 2, stdout: '', stderr: apps },
    { status: 0, stdout: apps, stderr: '' },
  ]);
});

it('a command and a token without a stack say what to do, and leave nothing on disk', () => {
  expect(run('command', 'store-auth', 'ops', 'rotate-keys')).toEqual({ status: 1, stdout: '', stderr: NO_STACK });
  expect(run('token', 'rina@toko-nusa.example')).toEqual({ status: 1, stdout: '', stderr: NO_STACK });
  expect(existsSync(nowhere)).toBe(false);
});
