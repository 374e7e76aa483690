// Real npm processes, terminals and signals, as people and scripts use them; what runs below npm is a stand-in for the stack.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { endProcess, isAlive } from './process-table';
import { until } from './stack.fixture';
import { workspaceRoot } from './workspace';

const LAUNCHER = `import { runScript } from ${JSON.stringify(join(workspaceRoot, 'tools/run-script.mjs'))};
runScript('tools/stack/src/stop-request.child.ts', [import.meta.dirname, String(process.ppid), String(process.pid)]);
`;

let folder: string;
/** npm, the launcher and the stand-in. */
let pids: number[];
let shell: ChildProcess;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stack-stop-'));
  pids = [];
  writeFileSync(join(folder, 'start.mjs'), LAUNCHER);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'exec node start.mjs' } }));
});
afterEach(async () => {
  for (const pid of [...pids, shell.pid!]) await endProcess(pid, 'SIGKILL', 5_000);
  rmSync(folder, { recursive: true });
});

const kept = (file: string): string => {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};
const reasons = (): string[] =>
  [...kept('logs/stack.log').matchAll(/ stopped: (.*)\n/g)].map(([, reason = '']) => reason);

/** Types the line into a shell, and waits until npm, the launcher and the stand-in are there. */
const start = async (line: string, file = 'sh', args = ['-c', line]): Promise<void> => {
  // What npm told this test run is not for the npm that the line starts
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(npm_|NX_|INIT_CWD)/.test(name)));
  shell = spawn(file, args, { cwd: folder, env, stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  await until('the start', () => kept('ready').endsWith(' '));
  const written = kept('ready').trim().split(' ').map(Number);
  if (!written.every((pid) => pid > 1)) throw new Error(`npm ended before its launcher began: ${written.join(' ')}`);
  pids = written;
};
/** The same in a terminal of its own. */
const startInTerminal = (line: string): Promise<void> =>
  start(
    line,
    'script',
    process.platform === 'linux' ? ['-qfc', line, '/dev/null'] : ['-q', '/dev/null', 'sh', '-c', line],
  );
const closeTerminal = (): boolean => shell.kill('SIGKILL');

const expectEnd = async (...why: string[]): Promise<void> => {
  await until('the end of every process', () => !pids.some(isAlive));
  expect(reasons()).toEqual(why);
};

/** It keeps running, for longer than the check for a lost parent takes. */
const expectToGoOn = async (): Promise<void> => {
  const before = kept('beats').length;
  await until('further work', () => kept('beats').length > before + 20);
  expect(reasons()).toEqual([]);
};

const endStandIn = async (): Promise<void> => {
  process.kill(pids[2]!, 'SIGTERM');
  await expectEnd('SIGTERM');
};

describe('a command that runs in a terminal', () => {
  it('ends at Ctrl-C', async () => {
    await startInTerminal('npm start');
    shell.stdin!.write('\u0003');
    await expectEnd('Ctrl-C');
  });

  it('ends with the terminal', async () => {
    await startInTerminal('npm start');
    closeTerminal();
    await expectEnd('the terminal closed');
  });

  it('ends when its npm is killed, and leaves nothing behind', async () => {
    await startInTerminal('npm start; sleep 60');
    process.kill(pids[0]!, 'SIGKILL');
    await expectEnd('SIGTERM');
  });

  it('outlives the terminal when it was started with nohup', async () => {
    await startInTerminal('nohup npm start > out 2>&1 & wait');
    closeTerminal();
    await until("the terminal's end", () => !isAlive(shell.pid!));
    await expectToGoOn();
    await endStandIn();
  });
});

describe('a command that a script starts', () => {
  it.each([
    ['in the background', 'npm start > out 2>&1 &'],
    ['with nohup', 'nohup npm start > out 2>&1 &'],
    ['in a session of its own', 'setsid npm start > out 2>&1 < /dev/null &'],
  ])('%s outlives the script', async (_, line) => {
    await start(line);
    if (shell.exitCode === null) await once(shell, 'exit');
    await expectToGoOn();
    await endStandIn();
  });

  it('goes on when its streams are closed at the other end', async () => {
    await start('npm start --silent <&- 2>&1 | head -c 1 > out');
    await expectToGoOn();
    await endStandIn();
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)('ends when its npm gets %s, and leaves nothing behind', async (signal) => {
    await start('npm start > out 2>&1 &');
    process.kill(pids[0]!, signal);
    await expectEnd('SIGTERM');
    if (signal === 'SIGKILL')
      expect(kept('out')).toContain(`The process that started this command (${pids[0]}) was killed.`);
    expect(kept('out')).toContain('stopped: SIGTERM');
  });

  it('ends when the launcher between npm and it is killed', async () => {
    await start('npm start > out 2>&1 &');
    process.kill(pids[1]!, 'SIGKILL');
    await expectEnd('the process that started it is gone');
  });
});
