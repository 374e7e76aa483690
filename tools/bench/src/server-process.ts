import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { freePort } from '@platform/postgres';
import { environment } from '@platform/runtime';
import type { Started } from './bench.types';
import { workspaceRoot } from './workspace';

const HOOK = ['-r', './tools/swc-hook.cjs'];
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 12_000;

export interface ServerOptions {
  /** TypeScript file, from the root of the workspace. */
  readonly script: string;
  /** `{port}` is replaced by the port to listen on. */
  readonly args?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  /** A free one, unless somebody must know it before the start. */
  readonly port?: number;
  /** Answers 200 when the server can be used. */
  readonly readyPath: string;
  /** File for its output: writing the access log is part of what is measured. */
  readonly log: string;
}

/** A prepared statement as a service sent it; parameters in PostgreSQL's text form. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** A server in a separate process, on 127.0.0.1. */
export interface MeasuredServer extends Started {
  readonly port: number;
  /** CPU time of the process so far, all threads, in microseconds. */
  cpuMicroseconds(): Promise<number>;
  /** Resident memory of the process in bytes. */
  residentBytes(): Promise<number>;
  /** The named statements that the server executes while `work` runs. */
  record(work: () => Promise<unknown>): Promise<readonly RecordedStatement[]>;
  /** Every statement of the requests that are answered while `work` runs, BEGIN and COMMIT among them, none of jobs. */
  recordRequests(work: () => Promise<unknown>): Promise<readonly RecordedStatement[]>;
}

/** Runs a TypeScript file in a child process with an IPC channel. */
export const forkScript = (
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  output: number | 'inherit',
): ChildProcess =>
  spawn(process.execPath, [...HOOK, ...args], {
    cwd: workspaceRoot,
    env: { PATH: environment.PATH, ...settings },
    stdio: ['ignore', output, output === 'inherit' ? 'inherit' : output, 'ipc'],
  });

/** Sends one message to a process that answers with one and ends. */
export const askChild = async <Answer>(child: ChildProcess, question: object): Promise<Answer> => {
  const answer = once(child, 'message');
  const gone = once(child, 'exit').then(([code]) => Promise.reject(new Error(`a load generator ended with ${code}`)));
  child.send(question);
  const [result] = (await Promise.race([answer, gone])) as [Answer];
  await gone.catch(() => undefined);
  return result;
};

const whenReady = async (child: ChildProcess, url: string, log: string): Promise<void> => {
  const end = Date.now() + START_LIMIT_MS;
  for (;;) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > end)
      throw new Error(`A server did not start; its last lines:\n${readFileSync(log, 'utf8').slice(-2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

export const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(force);
};

/** Runs a command of a service to its end; rejects when it fails. */
export const runScript = async (
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  log: string,
): Promise<void> => {
  const output = openSync(log, 'a');
  const child = forkScript(args, settings, output);
  closeSync(output);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0)
    throw new Error(`${args.join(' ')} failed; its last lines:\n${readFileSync(log, 'utf8').slice(-2000)}`);
};

/** Starts a server and waits until it answers. */
export const startServer = async (options: ServerOptions): Promise<MeasuredServer> => {
  const { script, args = [], settings = {}, readyPath, log } = options;
  const port = options.port ?? (await freePort());
  const output = openSync(log, 'a');
  const child = forkScript(
    ['-r', './tools/bench/src/probe.ts', script, ...args.map((arg) => arg.replace('{port}', String(port)))],
    { HOST: '127.0.0.1', PORT: String(port), ...settings },
    output,
  );
  closeSync(output);
  const stop = () => stopProcess(child);
  try {
    await whenReady(child, `http://127.0.0.1:${port}${readyPath}`, log);
  } catch (failure) {
    await stop();
    throw failure;
  }
  const ask = async <Answer>(question: string): Promise<Answer> => {
    const answer = once(child, 'message');
    child.send(question);
    return ((await answer) as [Answer])[0];
  };
  const recorded = async (question: string, work: () => Promise<unknown>): Promise<RecordedStatement[]> => {
    await ask(question);
    await work();
    return ask<RecordedStatement[]>('recorded');
  };
  return {
    port,
    stop,
    cpuMicroseconds: () => ask<number>('cpu'),
    residentBytes: () => ask<number>('memory'),
    record: (work) => recorded('record', work),
    recordRequests: (work) => recorded('record requests', work),
  };
};
