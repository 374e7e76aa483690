import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { environment } from '@platform/runtime';
import type { ServiceName } from '@platform/stack/ports';

const workspaceRoot = join(__dirname, '../../..');
const SOURCES = ['-r', './tools/swc-hook.cjs'];
const FOLLOW = ['-r', './tools/stack/follow-parent.cjs'];
const START_LIMIT_MS = 60_000;
/** A process that hangs takes connections and does not answer. */
const READY_ANSWER_MS = 5_000;
/** The rest of the termination grace period after the five seconds of preStop. */
const STOP_LIMIT_MS = 25_000;

export interface VictimOptions {
  readonly name: ServiceName;
  /** The `main.cjs` of a bundle, which starts faster; without it, the sources run. */
  readonly bundle?: string;
  readonly port: number;
  /** A second port, for siblings and other replicas. */
  readonly internalPort?: number | undefined;
  readonly settings: Readonly<Record<string, string>>;
  /** File for its output. */
  readonly log: string;
}

/** A service in a separate process that can be killed and restarted on the same port. */
export class Victim {
  private child: ChildProcess | undefined;

  constructor(private readonly options: VictimOptions) {}

  get name(): string {
    return this.options.name;
  }

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  get ports(): { readonly port: number; readonly internalPort: number } {
    const { port, internalPort = port } = this.options;
    return { port, internalPort };
  }

  /** Everything that it has printed so far. */
  get printed(): string {
    return readFileSync(this.options.log, 'utf8');
  }

  /** Runs a command of the service to its end; rejects unless it exits with `code`. */
  async command(command: string, argument?: string, code = 0): Promise<void> {
    const args = argument === undefined ? [command] : [command, argument];
    const [ended] = (await once(this.spawn(args), 'exit')) as [number | null];
    if (ended !== code) throw this.failure(`${command} ended with ${ended}`);
  }

  /** Starts it without waiting. */
  begin(): void {
    this.child = this.spawn([]);
  }

  /** Resolves when it is ready to serve. */
  async start(): Promise<void> {
    this.begin();
    await this.untilReady();
  }

  async untilReady(): Promise<void> {
    const end = Date.now() + START_LIMIT_MS;
    while (!(await this.isReady())) {
      if (this.child?.exitCode !== null || Date.now() > end) throw this.failure('did not start');
      await pause(50);
    }
  }

  /** The reason that /ready gives when it is not ready, where no strangers ask; undefined while nothing listens. */
  async reason(): Promise<string | undefined> {
    const answer = await fetch(`http://127.0.0.1:${this.ports.internalPort}/ready`).catch(() => undefined);
    return answer?.status === 503 ? ((await answer.json()) as { reason?: string }).reason : undefined;
  }

  /** Sends SIGTERM; resolves to the exit code, or null when it had to be killed. */
  async stop(): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    const [code] = await ended;
    clearTimeout(limit);
    return code;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    appendFileSync(this.options.log, `\n--- killed, process ${child.pid}\n`);
  }

  /** SIGSTOP, and SIGCONT after this time: a process that hangs, and then goes on with what it had in hand as if nothing had been. */
  async hang(ms: number, signal: AbortSignal): Promise<void> {
    const { child } = this;
    if (!child) throw this.failure('is not running');
    child.kill('SIGSTOP');
    appendFileSync(this.options.log, `\n--- hangs, process ${child.pid}\n`);
    await pause(ms, undefined, { signal });
    child.kill('SIGCONT');
    await this.untilReady();
  }

  isReady(): Promise<boolean> {
    return fetch(`${this.url}/ready`, { signal: AbortSignal.timeout(READY_ANSWER_MS) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  private failure(what: string): Error {
    return new Error(`${this.options.name} ${what}; its last lines:\n${this.printed.slice(-2000)}`);
  }

  private spawn(args: readonly string[]): ChildProcess {
    const { name, bundle, port, settings, log } = this.options;
    const output = openSync(log, 'a');
    const program = bundle === undefined ? [...SOURCES, `./apps/${name}/src/main.ts`] : [bundle, name];
    try {
      return spawn(process.execPath, [...FOLLOW, ...program, ...args], {
        cwd: workspaceRoot,
        detached: true, // a terminal's Ctrl-C must reach the chaos run only
        env: { PATH: environment.PATH, APP_ENV: 'development', HOST: '127.0.0.1', PORT: String(port), ...settings },
        stdio: ['ignore', output, output, 'ipc'],
      });
    } finally {
      closeSync(output);
    }
  }
}
