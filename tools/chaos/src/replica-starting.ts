import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, scratchFolder, startCluster } from '@platform/postgres';
import { environment } from '@platform/runtime';
import type { DevelopmentBundle } from '@platform/stack/bundle';
import { provisionServices } from '@platform/stack/database';
import { logFile } from '@platform/stack/log-file';
import { runNode, startNode } from '@platform/stack/node-process';
import { pgBouncerUnit } from '@platform/stack/pgbouncer';
import { localUrl, SERVICES, type ServiceName } from '@platform/stack/ports';
import type { Preparation } from '@platform/stack/prepare';
import { redisUnit } from '@platform/stack/redis';
import { SANDBOXES } from '@platform/stack/sandboxes';
import type { Secrets } from '@platform/stack/secrets';
import { answersOk, watchProcess } from '@platform/stack/unit';
import { startBalancer, type Balancer, type BalancerOptions } from './balancer';
import type { Undo } from './chaos-stack';
import { shippedIngress } from './ingress';
import {
  ONCE,
  settingsOf,
  TWICE,
  type Addresses,
  type ReplicaPorts,
  type Surroundings,
  type Twice,
} from './replica-settings';
import { Victim } from './victim';

const STOP_LIMIT_MS = 1_000;
/** Two processes of every service have more than the usual ones. */
const SESSIONS = 'max_connections=550';

/** The serving processes of each service: two at first; a roll-out changes them. */
export type Replicas = Readonly<Record<Twice, Victim[]>>;

export interface StackOptions {
  readonly signal: AbortSignal;
  /** The replicas change at run time. */
  readonly changes?: boolean;
  /** The program of a PgBouncer through which the services reach their database. */
  readonly pgbouncer?: string | undefined;
}

export interface RestartableRedis {
  /** kill -9, and started again after so long, with what it has kept. */
  restart(awayMs: number): Promise<void>;
  /** SIGSTOP, and SIGCONT after so long. */
  hang(ms: number): Promise<void>;
}

/** What a run of replicas starts, with how to undo it. */
export class Starting {
  readonly undo: Undo[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), 'platform-replicas-'));

  get signal(): AbortSignal {
    return this.options.signal;
  }

  constructor(
    readonly addresses: Addresses,
    readonly options: StackOptions,
    private readonly bundle: DevelopmentBundle,
  ) {
    this.undo.push(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async database(): Promise<string> {
    const data = mkdtempSync(join(scratchFolder(), 'platform-replicas-'));
    this.undo.push(() => rmSync(data, { recursive: true, force: true }));
    const cluster = await startCluster({ directory: join(data, 'postgres'), throwaway: true, settings: [SESSIONS] });
    this.undo.push(() => cluster.stop());
    this.signal.throwIfAborted();
    return cluster.url;
  }

  async redis(binary: string): Promise<RestartableRedis> {
    const [folder, log] = [join(this.folder, 'redis'), logFile(join(this.folder, 'redis.log'))];
    const unit = redisUnit({ binary, port: this.addresses.redis, folder, log });
    let running = await unit.start();
    this.undo.push(() => running.stop());
    await running.ready;
    const restart = async (awayMs: number): Promise<void> => {
      process.kill(running.pid, 'SIGKILL');
      await running.gone;
      await pause(awayMs, undefined, this);
      running = await unit.start();
      await running.ready;
    };
    const hang = async (ms: number): Promise<void> => {
      process.kill(running.pid, 'SIGSTOP');
      await pause(ms, undefined, this);
      process.kill(running.pid, 'SIGCONT');
    };
    return { restart, hang };
  }

  /** The services' addresses in the server at `url`: through a PgBouncer in transaction mode where the run has one. */
  async addressesIn(url: string, secrets: Secrets): Promise<Surroundings['databases']> {
    const { pgbouncer: binary } = this.options;
    const pooler = binary ? { binary, port: await freePort() } : undefined;
    const databases = await provisionServices(url, secrets, SERVICES, pooler);
    if (!pooler) return databases;
    const roles = Object.values(databases).map(({ DATABASE_URL }) => DATABASE_URL);
    const log = logFile(join(this.folder, 'pgbouncer.log'));
    const directory = join(this.folder, 'pgbouncer');
    const running = await pgBouncerUnit({ ...pooler, roles, directory }, log).start();
    this.undo.push(() => running.stop());
    await running.ready;
    return databases;
  }

  async model(): Promise<void> {
    const [sandbox] = SANDBOXES.filter(({ name }) => name === 'llm');
    if (!sandbox) throw new Error('there is no sandbox of a language model');
    const port = this.addresses.llm;
    const log = logFile(join(this.folder, 'llm.log'));
    const settings = { PATH: environment.PATH, APP_ENV: 'development', PORT: String(port) };
    const child = startNode({ script: sandbox.script, environment: settings, log });
    const isReady = () => answersOk(`${localUrl(port)}${sandbox.readyPath}`);
    const running = watchProcess(child, { isReady, stopWithinMs: STOP_LIMIT_MS });
    this.undo.push(() => running.stop());
    await running.ready;
  }

  async prepare(around: Surroundings, names: readonly ServiceName[], shop: object): Promise<void> {
    const services = names.map((name) => ({ name, environment: settingsOf(name, around, { port: 1 }) }));
    const input: Preparation = { services, shop: JSON.stringify(shop) };
    const log = logFile(join(this.folder, 'prepare.log'));
    const started = { ...this.bundle.preparing(), environment, log, signal: this.signal };
    await runNode(started, JSON.stringify(input));
  }

  victim(name: ServiceName, around: Surroundings, ports: ReplicaPorts, directory = this.bundle.directory): Victim {
    const victim = new Victim({
      ...{ name, ...ports, settings: settingsOf(name, around, ports) },
      ...{ bundle: join(directory, 'main.cjs'), log: join(this.folder, `${name}-${ports.port}.log`) },
    });
    this.undo.push(() => victim.kill());
    return victim;
  }

  async service(name: ServiceName, around: Surroundings, at: readonly ReplicaPorts[]): Promise<Victim[]> {
    const victims = at.map((ports) => this.victim(name, around, ports));
    await Promise.all(victims.map((victim) => victim.start()));
    this.signal.throwIfAborted();
    return victims;
  }

  balancer(binary: string, replicas: Replicas): Promise<Balancer> {
    return startBalancer(binary, {
      folder: join(this.folder, 'nginx'),
      ingress: shippedIngress(),
      hosts: this.addresses.hosts,
      reloads: this.options.changes ?? false,
      ...this.routes(replicas),
    });
  }

  routes(replicas: Replicas): Pick<BalancerOptions, 'public' | 'inside'> {
    const listening = (port: number): string => `127.0.0.1:${port}`;
    const { single, inside } = this.addresses;
    const twice = TWICE.map((name) => ({ name, ports: replicas[name].map(({ ports }) => ports) }));
    return {
      public: Object.fromEntries([
        ...twice.map(({ name, ports }) => [name, ports.map(({ port }) => listening(port))] as const),
        ...ONCE.map((name) => [name, [listening(single[name].port)]] as const),
      ]),
      inside: Object.fromEntries(
        twice.map(({ name, ports }) => [
          name,
          { port: inside[name], replicas: ports.map(({ internalPort }) => listening(internalPort)) },
        ]),
      ),
    };
  }
}
