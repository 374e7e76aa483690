import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const asShown = (pid: number): string => {
  if (existsSync('/proc/self/cmdline'))
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
};

/** The command line of a live process; undefined when there is none (a zombie has none either). */
export const commandOf = (pid: number): string | undefined => {
  try {
    return asShown(pid) || undefined;
  } catch {
    return undefined;
  }
};

export const isAlive = (pid: number): boolean => commandOf(pid) !== undefined;

const POLL_MS = 50;

/** True as soon as the process has ended, false when it still lives after the limit. */
export const whenGone = async (pid: number, limitMs: number): Promise<boolean> => {
  for (const end = Date.now() + limitMs; isAlive(pid);) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
};

/** Sends `signal`, then SIGKILL. A process that has already ended is no error. */
export const endProcess = async (pid: number, signal: NodeJS.Signals, limitMs: number): Promise<void> => {
  try {
    process.kill(pid, signal);
    if (await whenGone(pid, limitMs)) return;
    process.kill(pid, 'SIGKILL');
    await whenGone(pid, limitMs);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};
