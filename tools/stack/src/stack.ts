import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { developmentBundle, type DevelopmentBundle } from './bundle/development';
import { databaseUnit, endLeftoverServer, provisionServices } from './database';
import { placesOf } from './demo-places';
import { demoShop, type DemoShop } from './demo-shop';
import { linkDevice } from './device';
import { refuseTakenPorts } from './free-ports';
import { endLeftoverPgBouncer, endLeftoverRedis } from './leftover';
import { logFile, type LogFile } from './log-file';
import { runNode } from './node-process';
import { pgBouncerUnit } from './pgbouncer';
import { localUrl, portBase, portsFrom, SERVICES, type Ports, type ServiceName } from './ports';
import type { Preparation } from './prepare';
import { redisUnit } from './redis';
import { SANDBOXES } from './sandboxes';
import { loadAdsKeys, loadSecrets, type KeyFiles, type Secrets } from './secrets';
import { sandboxUnit, serviceUnit } from './service-units';
import { serviceEnvironment, type Surroundings } from './services';
import { describeStack, writeStackFile, type DemoPlaces } from './stack-file';
import { secondsSince, Steps, type Say } from './steps';
import { Supervisor } from './supervisor';
import { dataFolder, onPath, shown, type Environment } from './workspace';

export interface StackOptions {
  readonly environment: Environment;
  readonly say: Say;
  /** Called when a process died too often: the stack cannot go on. */
  readonly gaveUp: () => void;
}

const STEPS = 7;
const NAMES = {
  services: SERVICES,
  around: [...SANDBOXES.map(({ name }) => name), 'redis'],
  last: ['pgbouncer', 'postgres'],
};

const describeBundle = ({ isNew, directory }: DevelopmentBundle): string =>
  `${isNew ? 'bundled into' : 'unchanged since'} ${directory}`;

/** The whole platform on this machine: every process, its settings and its order. */
export class Stack {
  readonly folder: string;
  readonly ports: Ports;
  readonly shop: DemoShop;
  readonly steps: Steps;
  private readonly secrets: Secrets;
  private readonly keys: KeyFiles;
  private readonly supervisor: Supervisor;
  private readonly logs = new Map<string, LogFile>();
  private readonly redisBinary: string | undefined;
  private databases: Surroundings['databases'] = {};
  private readonly stopped = new AbortController();
  private bundle: Promise<DevelopmentBundle> | undefined;
  private places: DemoPlaces | undefined;
  private ready = false;

  constructor(private readonly options: StackOptions) {
    const { environment, say } = options;
    this.folder = dataFolder(environment);
    this.ports = portsFrom(portBase(environment.PORT_BASE));
    this.secrets = loadSecrets(this.folder);
    this.keys = loadAdsKeys(this.folder);
    this.shop = demoShop(this.secrets, this.keys);
    this.steps = new Steps(STEPS, say);
    this.redisBinary = environment.REDIS_URL ? undefined : onPath('redis-server', environment);
    this.supervisor = new Supervisor({
      died: (name, reason, lines) =>
        this.steps.line(`! ${name} ended (${reason}) and is started again. Its last lines:\n${lines}`),
      restarted: (name, pid) => this.steps.line(`! ${name} is back, as process ${pid}`),
      gaveUp: (name) => {
        this.steps.line(`! ${name} ended five times within a minute: giving up. See ${shown(this.log(name).path)}`);
        options.gaveUp();
      },
      changed: () => this.publish(),
    });
  }

  /** Resolves when everything is ready and `stack.json` is written; rejects with a text that says what to do. */
  async start(): Promise<void> {
    await endLeftoverServer(join(this.folder, 'postgres'));
    await endLeftoverRedis(join(this.folder, 'redis'));
    await endLeftoverPgBouncer(join(this.folder, 'pgbouncer'));
    await refuseTakenPorts(this.ports, this.redisBinary !== undefined, Boolean(this.options.environment.PGBOUNCER));
    const [code, sandboxes] = [this.code(), this.startSandboxes()];
    for (const early of [code, sandboxes]) early.catch(() => undefined); // reported by the step that waits for it
    await this.steps.run('database', () => this.startDatabase());
    await this.steps.run('cache', () => this.startRedis());
    await this.steps.run('code', async () => describeBundle(await code));
    await this.steps.run('demo shop', (progress) => this.prepare(progress));
    await this.steps.run('sandboxes', () => sandboxes);
    await this.steps.run('services', (progress) => this.startServices(progress));
    await this.steps.run('phone', () => linkDevice(localUrl(this.ports.services['wa-gateway']), this.shop));
    this.places = await placesOf(localUrl(this.ports.services['commerce-api']), this.shop);
    this.ready = true;
    this.publish();
  }

  /** In stop order: first the processes that accept work, last those that store it. */
  async stop(): Promise<void> {
    this.ready = false;
    this.stopped.abort();
    this.supervisor.retire();
    await this.supervisor.stop(NAMES.services);
    await this.supervisor.stop(NAMES.around);
    await this.supervisor.stop(NAMES.last);
  }

  private publish(): void {
    if (!this.ready) return;
    const pids = { stack: process.pid, ...this.supervisor.pids() };
    writeStackFile(this.folder, { ...describeStack(this.ports, this.shop, this.keys, this.places), pids });
  }

  private log(name: string): LogFile {
    const known = this.logs.get(name) ?? logFile(join(this.folder, 'logs', `${name}.log`));
    this.logs.set(name, known);
    return known;
  }

  private environmentOf(service: ServiceName): Environment {
    const { environment } = this.options;
    const redisUrl = this.redisBinary ? `redis://127.0.0.1:${this.ports.redis}` : environment.REDIS_URL;
    const { ports, secrets, databases, folder } = this;
    return serviceEnvironment(service, { ports, secrets, databases, folder, environment, redisUrl });
  }

  private async startDatabase(): Promise<string> {
    const directory = join(this.folder, 'postgres');
    const kept = existsSync(directory);
    mkdirSync(this.folder, { recursive: true });
    const unit = databaseUnit(directory, this.ports.postgres);
    await this.supervisor.start(unit);
    const pooled = await this.startPooler(unit.url);
    return `PostgreSQL on port ${this.ports.postgres}${pooled}, ${kept ? 'data of last time' : 'new data'} in ${shown(directory)}`;
  }

  /** With PGBOUNCER set to its program, one runs between the services and the database. */
  private async startPooler(adminUrl: string): Promise<string> {
    const [binary, port] = [this.options.environment.PGBOUNCER, this.ports.pgbouncer];
    const pooler = binary ? { binary, port } : undefined;
    this.databases = await provisionServices(adminUrl, this.secrets, SERVICES, pooler);
    if (!pooler) return '';
    const roles = Object.values(this.databases).map(({ DATABASE_URL }) => DATABASE_URL);
    const directory = join(this.folder, 'pgbouncer');
    await this.supervisor.start(pgBouncerUnit({ ...pooler, roles, directory }, this.log('pgbouncer')));
    return `, PgBouncer on port ${port}`;
  }

  private async startRedis(): Promise<string> {
    const { REDIS_URL } = this.options.environment;
    if (REDIS_URL === 'none') return 'in process (REDIS_URL=none)';
    if (REDIS_URL) return 'the Redis of REDIS_URL';
    if (!this.redisBinary) return 'in process (no redis-server on the PATH)';
    const [binary, folder] = [this.redisBinary, join(this.folder, 'redis')];
    await this.supervisor.start(redisUnit({ binary, port: this.ports.redis, folder, log: this.log('redis') }));
    return `Redis on port ${this.ports.redis}`;
  }

  private async prepare(progress: Say): Promise<undefined> {
    const services = SERVICES.map((name) => ({ name, environment: this.environmentOf(name) }));
    const input: Preparation = { services, shop: JSON.stringify(this.shop) };
    const [log, { signal }, { environment }] = [this.log('prepare'), this.stopped, this.options];
    const { preparing } = await this.code();
    const started = { ...preparing(), environment, log, signal };
    await runNode(started, JSON.stringify(input), (done) => progress(String(done)));
    return undefined;
  }

  private code(): Promise<DevelopmentBundle> {
    return (this.bundle ??= developmentBundle());
  }

  private async startSandboxes(): Promise<string> {
    const { ports, secrets, folder } = this;
    const around = { ports, secrets, folder, environment: this.options.environment };
    const names = SANDBOXES.map(async (sandbox) => {
      await this.supervisor.start(sandboxUnit(sandbox, around, this.log(sandbox.name)));
      return sandbox.name;
    });
    return (await Promise.all(names)).join(' ');
  }

  private async startServices(progress: Say): Promise<undefined> {
    const since = performance.now();
    const { directory: bundle } = await this.code();
    await Promise.all(
      SERVICES.map(async (name) => {
        const [ports, environment, log] = [this.ports, this.environmentOf(name), this.log(name)];
        await this.supervisor.start(serviceUnit(name, { ports, environment, log, bundle }));
        progress(`${name} (${secondsSince(since)})`);
      }),
    );
    return undefined;
  }
}
