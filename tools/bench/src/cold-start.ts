import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Figures } from './bench.types';
import { stopProcess } from './server-process';

/** A Node program that listens on `port`. */
export interface ColdStart {
  readonly args: readonly string[];
  readonly port: number;
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly readyPath: string;
  readonly log: string;
}

const POLL_MS = 4;
const LIMIT_MS = 30_000;
/** By then the garbage of the start has been collected. */
const IDLE_MS = 6_000;
/** `getconf CLK_TCK` is 100 on every current Linux. */
const TICK_MS = 10;

const statusOf = (port: number, path: string): Promise<number> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }).on('error', () => resolve(0));
  });

/** User and system time of all threads so far. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export const cpuMs = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) * TICK_MS;
};

/** Milliseconds that the main thread was runnable without a core. https://docs.kernel.org/scheduler/sched-stats.html */
const queuedMs = (pid: number): number => {
  const [, nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
};

/** Resident memory. https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
export const rssBytes = (pid: number): number => {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};

const until200 = async (child: ChildProcess, { port, readyPath, log }: ColdStart): Promise<void> => {
  for (const end = Date.now() + LIMIT_MS; (await statusOf(port, readyPath)) !== 200; await delay(POLL_MS))
    if (child.exitCode !== null || Date.now() > end)
      throw new Error(`A server did not start; its last lines:\n${readFileSync(log, 'utf8').slice(-2000)}`);
};

/** Starts a process and waits for its first 200. */
export const startProcess = async (start: ColdStart): Promise<ChildProcess> => {
  const output = openSync(start.log, 'a');
  const child = spawn(process.execPath, start.args, { env: start.settings, stdio: ['ignore', output, output] });
  closeSync(output);
  try {
    await until200(child, start);
    return child;
  } catch (failure) {
    await stopProcess(child);
    throw failure;
  }
};

/** Measures from the spawn to the first 200, then the memory once idle. */
export const measureStart = async (start: ColdStart): Promise<Figures> => {
  const begun = performance.now();
  const child = await startProcess(start);
  const milliseconds = performance.now() - begun;
  const pid = child.pid ?? 0;
  const [cpu, queued] = [cpuMs(pid), queuedMs(pid)];
  await delay(IDLE_MS);
  const idle = rssBytes(pid) / 2 ** 20;
  await stopProcess(child);
  return {
    'first 200, ms': milliseconds,
    'of that without a core, ms': queued,
    'CPU until then, ms': cpu,
    'idle RSS, MB': idle,
  };
};
