import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isatty } from 'node:tty';

const PARENT_CHECK_MS = 1_000;

/** Closing a terminal ends what was started in it. A start whose streams all lead elsewhere is meant to go on. */
const onTerminal = [0, 1, 2].some((stream) => isatty(stream));

const REASONS = {
  SIGINT: 'Ctrl-C',
  SIGTERM: 'SIGTERM',
  SIGHUP: 'the terminal closed',
} as const;

/** Called with the reason and the exit code at each request to end the program. */
export type StopRequested = (reason: string, code: number) => void;

/**
 * Listens for everything that may end a long-running command: the keyboard, `kill`, the terminal, and the death of the process that
 * started it and would otherwise have passed a signal on. `nohup` does not reach here, because Node puts ignored signals back:
 * that nothing of the command is tied to a terminal is how such a start is known.
 */
export const onStopRequest = (stop: StopRequested): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(REASONS[signal], 0));
  process.on('SIGHUP', () => onTerminal && stop(REASONS.SIGHUP, 0));
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop('the process that started it is gone', 1), PARENT_CHECK_MS).unref();
};

/** Keeps the reason where it can be read when the terminal is gone: one line in `logs/stack.log` for each stop. */
export const noteStop = (folder: string, reason: string): void => {
  mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
  appendFileSync(join(folder, 'logs/stack.log'), `${new Date().toISOString()} stopped: ${reason}\n`, { mode: 0o600 });
};
