import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { freePort, spawnProgram, useDatabase, useRunning } from '@platform/testing';
import { Client, gatewayEnvironment, gatewayTables, until } from './gateway.fixture';
import { useReceiver } from './receiver.fixture';

/** A gateway in a process of its own, started as it is started in earnest, so that it can be killed. */
export class GatewayProcess {
  private child: ChildProcess | undefined;
  private output = '';
  private constructor(
    readonly client: Client,
    private readonly settings: Record<string, string>,
  ) {}

  static async create(settings: Record<string, string>): Promise<GatewayProcess> {
    const port = await freePort();
    const own = { HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn' };
    // What a killed process held is soon the next one's
    return new GatewayProcess(new Client(`http://127.0.0.1:${port}`), { WEBHOOK_LEASE: '2s', ...settings, ...own });
  }

  /** Ready when it resolves; one that runs already goes on. */
  async start(): Promise<void> {
    if (this.isAlive()) return;
    const child = this.run();
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}: ${this.output}`);
        return fetch(`${this.client.url}/ready`).then(
          ({ status }) => status,
          () => 0,
        );
      },
      (status) => status === 200,
    );
  }

  /** Runs a command to its end; resolves to the exit code. */
  async command(...args: string[]): Promise<number | null> {
    const [code] = (await once(this.run(...args), 'exit')) as [number | null];
    return code;
  }

  async kill(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child || !this.isAlive()) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }

  /** It hangs until it is woken. */
  suspend(): void {
    this.child?.kill('SIGSTOP');
  }

  wake(): void {
    this.child?.kill('SIGCONT');
  }

  /** Kills it and removes its files. */
  async stop(): Promise<void> {
    await this.kill('SIGKILL');
    rmSync(this.settings.FILES_DIR ?? '', { recursive: true, force: true });
  }

  /** A second one with the same settings. */
  another(): Promise<GatewayProcess> {
    return GatewayProcess.create(this.settings);
  }

  private isAlive(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  private run(...args: string[]): ChildProcess {
    const child = spawnProgram({ main: 'apps/wa-gateway/src/main.ts', args, env: this.settings });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (this.output += String(text)));
    this.child = child;
    return child;
  }
}

export const useProcess = (settings: () => Record<string, string>): GatewayProcess =>
  useRunning(() => GatewayProcess.create(settings()));

/** A gateway in a process of its own, which is not started yet, its database and who takes its callbacks. */
export const useGatewayProcess = (more: () => Record<string, string> = () => ({})) => {
  const database = useDatabase(gatewayTables);
  const receiver = useReceiver();
  const gateway = useProcess(() => ({ ...gatewayEnvironment(database.url, receiver.url), ...more() }));
  return { database, receiver, gateway };
};
