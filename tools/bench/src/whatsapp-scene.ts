import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { SubjectMethods, SubjectOptions, Way } from './baileys-subject.child';
import type { Bench, Report } from './bench.types';
import { benchCluster } from './database';
import { Remote } from './remote';
import { scratchFolder } from './scratch-folder';
import { forkScript, stopProcess } from './server-process';
import type { NetworkMethods } from './whatsapp-network.child';

const CUSTOMERS = 8;
const PATIENCE_MS = 120_000;

export interface Subject {
  readonly remote: Remote<SubjectMethods>;
  stop(): Promise<void>;
}

export const until = async (what: string, holds: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> => {
  for (const end = performance.now() + patienceMs; performance.now() < end;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${what} did not come true in ${patienceMs / 1000} s`);
};

/** A fake WhatsApp with customers, and processes with devices on it. */
export class Scene {
  private constructor(
    readonly network: Remote<NetworkMethods>,
    readonly customers: readonly string[],
    private readonly options: Omit<SubjectOptions, 'way'>,
    private readonly children: ChildProcess[],
  ) {}

  static async start(report: Report): Promise<Scene> {
    const { path } = await scratchFolder(report);
    const cluster = await benchCluster(report);
    const databaseUrl = await cluster.provision('wa_gateway');
    const child = forkScript(['tools/bench/src/whatsapp-network.child.ts'], {}, 'inherit');
    const network = new Remote<NetworkMethods>(child);
    const { customers, ...address } = await network.call('start', CUSTOMERS);
    return new Scene(network, customers, { ...address, databaseUrl, folder: mkdtempSync(join(path, 'keys-')) }, [
      child,
    ]);
  }

  async subject(way: Way, more: Partial<SubjectOptions> = {}): Promise<Subject> {
    const child = forkScript(['--expose-gc', 'tools/bench/src/baileys-subject.child.ts'], {}, 'inherit');
    const remote = new Remote<SubjectMethods>(child);
    this.children.push(child);
    await remote.call('prepare', { ...this.options, ...more, way });
    return { remote, stop: () => stopProcess(child) };
  }

  /** Stops all processes, including those that a failure left running. */
  async stop(): Promise<void> {
    await Promise.all(this.children.map(stopProcess));
  }

  /** Links a device to that number and waits until it is online. */
  async link({ remote }: Subject, name: string, number: string): Promise<void> {
    const before = await remote.call('openLines');
    await remote.call('open', name);
    await until('a code', async () => (await remote.call('qr', name)) !== undefined);
    await this.network.call('scan', (await remote.call('qr', name)) ?? '', number);
    await until('an open line', async () => (await remote.call('openLines')) > before);
  }
}

/** A bench with its own scene, which is stopped at the end. */
export const sceneBench = (name: string, measure: (report: Report, scene: Scene) => Promise<void>): Bench => ({
  name,
  onlyNamed: 'it needs the optional package baileys and takes some minutes',
  run: async (report) => {
    const scene = await Scene.start(report);
    try {
      await measure(report, scene);
    } finally {
      await scene.stop();
    }
  },
});
