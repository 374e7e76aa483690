import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, relative, resolve } from 'node:path';
import { environment } from '@platform/runtime';
import { BUNDLED_SCRIPTS } from './bundled-scripts';

const root = resolve(__dirname, '../../..');

/** A service's `main.ts` as a separate process. */
export interface RunningProgram {
  /** Address that the program printed when it was ready. */
  readonly url: string;
  readonly pid: number;
  /** Everything printed so far, standard output and error. */
  output(): string;
  /** Sends the signal and resolves to the exit code, null when the signal itself ended the process; all output is there then. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ProgramOptions {
  /** From the workspace root: `apps/ads-api/src/main.ts`, or the `main.cjs` of a bundle. */
  readonly main: string;
  readonly args?: readonly string[];
  /** The only settings that the program sees. */
  readonly env: Readonly<Record<string, string>>;
}

const SERVICE = /^apps\/([\w-]+)\/src\/main\.ts$/;

/** What Node is to run for it: a bundle, where the run has one (tools/jest/programs.ts), or its sources. */
const commandOf = (main: string): string[] => {
  if (main.endsWith('.cjs')) return [main];
  const { TEST_PROGRAMS, TEST_SCRIPTS } = environment;
  const service = SERVICE.exec(main)?.[1];
  if (service && TEST_PROGRAMS) return [join(TEST_PROGRAMS, 'main.cjs'), service];
  const script = relative(root, resolve(root, main));
  if (TEST_SCRIPTS && BUNDLED_SCRIPTS.includes(script)) return [join(TEST_SCRIPTS, 'main.cjs'), script];
  return ['-r', './tools/swc-hook.cjs', main];
};

/** Starts it without waiting for anything. */
export const spawnProgram = ({ main, args = [], env }: ProgramOptions): ChildProcess =>
  spawn(process.execPath, [...commandOf(main), ...args], {
    cwd: root,
    env: { PATH: environment.PATH, ...env },
  });

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** It has ended, and all that it printed has been read. */
  readonly closed: Promise<unknown>;
}

const start = (options: ProgramOptions): Started => {
  const child = spawnProgram(options);
  const closed = new Promise((resolve) => child.once('close', resolve));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return { child, output: () => printed, closed };
};

export interface RunningScript {
  /** `kill -9`; resolves when the process has ended. */
  stop(): Promise<void>;
}

/** A library's script as a separate process, in the environment of the tests, for a test that kills it. */
export const startScript = (script: string, env: Readonly<Record<string, string>>): RunningScript => {
  const child = spawn(process.execPath, commandOf(script), {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment, ...env },
  });
  return {
    stop: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
};

/** Runs a command of a service, such as `migrate`, to its end. */
export const runProgramCommand = async (options: ProgramOptions): Promise<{ code: number | null; output: string }> => {
  const { child, output, closed } = start(options);
  await closed;
  return { code: child.exitCode, output: output() };
};

const READY = /"message":"ready","url":"([^"]+)"/;

/** Starts a service and resolves when it is ready; rejects with what it printed when it ends before. Give it PORT=0. */
export const startProgram = (options: ProgramOptions): Promise<RunningProgram> =>
  new Promise((ready, reject) => {
    const { child, output, closed } = start(options);
    const ended = () => reject(new Error(`${options.main} ended before it was ready:\n${output()}`));
    child.once('close', ended);
    const look = () => {
      const url = READY.exec(output())?.[1];
      if (!url) return;
      child.off('close', ended).stdout?.off('data', look);
      const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
        child.kill(signal);
        return closed.then(() => child.exitCode);
      };
      ready({ url, pid: child.pid as number, output, stop });
    };
    child.stdout?.on('data', look);
  });
