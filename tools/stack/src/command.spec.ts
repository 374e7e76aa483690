import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { SERVICES } from './ports';
import { workspaceRoot } from './workspace';

const folder = mkdtempSync(join(tmpdir(), 'stack-command-'));
const nowhere = join(folder, 'nowhere');
afterAll(() => rmSync(folder, { recursive: true }));

/** A command of the workspace where no stack runs. */
const run = (...args: string[]) => {
  const env = { ...environment, DATA_DIR: nowhere, PORT_BASE: '9000' };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/run.mjs', ...args], {
    cwd: workspaceRoot,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const NO_STACK = `No stack is ready in ${nowhere}. Run npm start in another terminal, wait for its addresses, and try again (the same PORT_BASE and DATA_DIR, if you set them).\n`;

it.each(SERVICES)('the commands of %s are listed with what they do, without a stack', (app) => {
  const { status, stdout, stderr } = run('command', app);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`usage: npm run -s command -- ${app} <command> ...\n\n  migrate       brings the database`);
  expect(stdout).toMatch(/\n {2}seed '<shop as JSON>'\n {16}\w/);
  expect(run('command', app, '--help')).toEqual({ status, stdout, stderr });
});

it('an unknown app or command is answered with the known ones, as wrong usage', () => {
  expect(run('command', 'shop')).toEqual({
    status: 2,
    stdout: '',
    stderr: `unknown app "shop": use one of ${SERVICES.join(', ')}\n`,
  });
  const unknown = run('command', 'ads-api', 'constructor');
  expect([unknown.status, unknown.stdout]).toEqual([2, '']);
  expect(unknown.stderr).toMatch(
    /^unknown command "constructor": use one of\n {2}migrate [^]*\n {2}applications create/,
  );
  expect(run('command')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('apps: store-auth,') });
  expect(run('command', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('apps: store-auth,') });
});

it('a command and a token without a stack say what to do, and leave nothing on disk', () => {
  expect(run('command', 'store-auth', 'ops', 'rotate-keys')).toEqual({ status: 1, stdout: '', stderr: NO_STACK });
  expect(run('token', 'rina@toko-nusa.example')).toEqual({ status: 1, stdout: '', stderr: NO_STACK });
  expect(existsSync(nowhere)).toBe(false);
});
