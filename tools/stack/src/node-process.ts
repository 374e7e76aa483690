import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { LogFile } from './log-file';
import { workspaceRoot, type Environment } from './workspace';

export interface NodeProcess {
  /** TypeScript file, or JavaScript of a bundle, from the root of the workspace. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly environment: Environment;
  readonly log: LogFile;
  /** Ends the process with SIGTERM. */
  readonly signal?: AbortSignal;
}

const preloaded = (script: string): string[] => [
  ...(script.endsWith('.ts') ? ['-r', './tools/swc-hook.cjs'] : []),
  ...['-r', './tools/stack/follow-parent.cjs'],
];

const spawnNode = (
  { script, args = [], environment, log, signal }: NodeProcess,
  input: 'ignore' | 'pipe',
): ChildProcess =>
  log.use((output) =>
    spawn(process.execPath, [...preloaded(script), join('.', script), ...args], {
      cwd: workspaceRoot,
      env: environment,
      detached: true,
      signal,
      stdio: [input, output, output, 'ipc'],
    }),
  );

/**
 * Starts a script in its own process group, so that a terminal's Ctrl-C only reaches the stack; it ends by itself when the
 * stack is killed.
 */
export const startNode = (options: NodeProcess): ChildProcess => spawnNode(options, 'ignore');

/**
 * Runs a script to its end, with `input` as its standard input; `progress` receives its messages. Rejects with the end of
 * its output when it failed.
 */
export const runNode = (
  options: NodeProcess,
  input: string,
  progress: (message: unknown) => void = () => undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawnNode(options, 'pipe');
    child.on('message', progress);
    child.once('error', reject);
    child.stdin?.once('error', reject).end(input);
    child.once('exit', (code, signal) =>
      code === 0
        ? resolve()
        : reject(
            new Error(`${options.script} failed (${signal ?? `exit ${code}`}). Its last lines:\n${options.log.tail()}`),
          ),
    );
  });

/** The same work for every item, a few at a time. Stops taking new ones after the first failure, which it throws. */
export const eachBounded = async <T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  const stopAtFailure = (error: unknown) => {
    waiting.length = 0;
    throw error;
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, () => lane().catch(stopAtFailure)));
};
