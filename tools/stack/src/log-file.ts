import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

const LAST_LINES = 15;

/** The output of one process: a separate file that can be read while it runs and afterwards. */
export interface LogFile {
  readonly path: string;
  /** Returns an open file, which the child process inherits. */
  use<T>(work: (descriptor: number) => T): T;
  /** Its last lines, indented, for people. */
  tail(): string;
}

/** Begins a new file; that of the previous run is kept beside it as `.previous`. */
export const logFile = (path: string): LogFile => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) renameSync(path, `${path}.previous`);
  return {
    path,
    use: (work) => {
      const descriptor = openSync(path, 'a', 0o600);
      try {
        return work(descriptor);
      } finally {
        closeSync(descriptor);
      }
    },
    tail: () => {
      const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').slice(-LAST_LINES) : [];
      return lines.map((line) => `    ${line}`).join('\n');
    },
  };
};
