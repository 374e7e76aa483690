import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '@platform/data';
import { scratchFolder, startCluster } from '@platform/postgres';
import { environment, silentLogger } from '@platform/runtime';
import { developmentBundle, type DevelopmentBundle } from '@platform/stack/bundle';
import { provisionServices } from '@platform/stack/database';
import { signIn } from '@platform/stack/demo-calls';
import { demoShop, type DemoShop } from '@platform/stack/demo-shop';
import { logFile } from '@platform/stack/log-file';
import { runNode, startNode } from '@platform/stack/node-process';
import { localUrl, type ServiceName } from '@platform/stack/ports';
import type { Preparation } from '@platform/stack/prepare';
import { redisUnit } from '@platform/stack/redis';
import { SANDBOXES } from '@platform/stack/sandboxes';
import { loadAdsKeys, loadSecrets } from '@platform/stack/secrets';
import { describeStack, writeStackFile } from '@platform/stack/stack-file';
import { answersOk, watchProcess } from '@platform/stack/unit';
import { workspaceRoot } from '@platform/stack/workspace';
import { startBalancer, type Balancer, type BalancerOptions } from './balancer';
import type { Undo } from './chaos-stack';
import { shippedIngress } from './ingress';
import {
  AGENTS_DEVICE,
  freeAddresses,
  ONCE,
  portsOf,
  publicUrl,
  replicaPorts,
  settingsOf,
  TWICE,
  type Addresses,
  type ReplicaPorts,
  type Surroundings,
  type Twice,
} from './replica-settings';
import { DEBIAN_PATH, programsOn, type Programs } from './programs';
import { Victim } from './victim';

const AGENTS = 4;
const STOP_LIMIT_MS = 1_000;
type Say = (text: string) => void;

/** The serving processes of each service: two at first; a roll-out changes them. */
export type Replicas = Readonly<Record<Twice, Victim[]>>;

export interface StackOptions {
  readonly signal: AbortSignal;
  /** The replicas change at run time. */
  readonly changes?: boolean;
}

/** Two processes of each service on the message path behind a balancer, as the production overlay runs them. */
export interface ReplicaStack {
  readonly shop: DemoShop;
  readonly folder: string;
  readonly addresses: Addresses;
  readonly replicas: Replicas;
  /** One more process of a service, not yet started; from another bundle when one is named. */
  another(service: Twice, bundle?: string): Promise<Victim>;
  /** Tells the balancer the current replicas. */
  route(): void;
  /** chat-backend as clients reach it, through the ingress. */
  readonly chat: { readonly url: string };
  /** The customers' network, through the gateway's Service. */
  readonly gateway: { readonly url: string; isReady(): Promise<boolean> };
  /** Superuser. */
  readonly database: Database;
  readonly signal: AbortSignal;
  /** Is told how each call of a customer or agent ends. */
  readonly told?: (outcome: string) => void;
  /** Tokens of the agents, who signed in through the ingress. */
  readonly tokens: readonly string[];
  stop(): Promise<void>;
}

const shopOf = (folder: string): DemoShop => {
  const shop = demoShop(loadSecrets(folder), loadAdsKeys(folder));
  const [rina] = shop.agents;
  if (!rina) throw new Error('the demo shop has no agent');
  const more = Array.from({ length: AGENTS - 1 }, (_, n) => ({
    ...rina,
    user_id: rina.user_id.replace(/.$/, String(n + 3)),
    email: `agent${n + 2}@toko-nusa.example`,
    nama: `Agent ${n + 2}`,
  }));
  return { ...shop, agents: [rina, ...more] };
};

/** The same shop with the device on which agents answer instead of the bot. */
const withAgentsDevice = ({ ai_agent: _bot, ...shop }: DemoShop) => ({
  ...shop,
  instance: AGENTS_DEVICE,
  device: { nama: 'Toko Nusa WA 2', nohp: '628110000002' },
});

class Starting {
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
    const cluster = await startCluster({ directory: join(data, 'postgres'), throwaway: true });
    this.undo.push(() => cluster.stop());
    this.signal.throwIfAborted();
    return cluster.url;
  }

  async redis(binary: string): Promise<void> {
    const [folder, log] = [join(this.folder, 'redis'), logFile(join(this.folder, 'redis.log'))];
    const running = await redisUnit({ binary, port: this.addresses.redis, folder, log }).start();
    this.undo.push(() => running.stop());
    await running.ready;
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

const startServices = async (starting: Starting, around: Surroundings, say: Say): Promise<Replicas> => {
  const { addresses } = starting;
  await Promise.all([
    starting.model(),
    ...ONCE.map((name) => starting.service(name, around, [addresses.single[name]])),
  ]);
  say(`${ONCE.join(' and ')} are ready`);
  const two = async (name: Twice) => starting.service(name, around, addresses.replicas[name]);
  const replicas = {
    'bot-engine': await two('bot-engine'),
    'chat-backend': await two('chat-backend'),
    'wa-gateway': await two('wa-gateway'),
  };
  say(`two processes each of ${TWICE.join(', ')} are ready`);
  return replicas;
};

const startAll = async (
  starting: Starting,
  { nginx, redis }: Programs,
  say: Say,
): Promise<Omit<ReplicaStack, 'stop'>> => {
  const { addresses, folder, signal } = starting;
  const [url] = await Promise.all([starting.database(), starting.redis(redis)]);
  const [secrets, shop] = [loadSecrets(folder), shopOf(folder)];
  const databases = await provisionServices(url, secrets);
  const around: Surroundings = { addresses, secrets, databases, folder };
  await starting.prepare(around, [...ONCE, ...TWICE], shop);
  await starting.prepare(around, ['chat-backend', 'wa-gateway'], withAgentsDevice(shop));
  say('PostgreSQL and Redis are ready, the shop is seeded');
  const replicas = await startServices(starting, around, say);
  const balancer = await starting.balancer(nginx, replicas);
  starting.undo.push(() => balancer.stop());
  say('nginx balances each request round robin, without affinity');
  const database = openDatabase({
    url: url.replace(/\/[^/]*$/, '/platform'),
    schema: 'public',
    poolSize: 4,
    logger: silentLogger,
  });
  starting.undo.push(() => database.stop?.());
  const areReady = async () => (await Promise.all(replicas['wa-gateway'].map((one) => one.isReady()))).every(Boolean);
  return {
    ...{ shop, folder, addresses, replicas, database, signal },
    another: async (service, directory) =>
      starting.victim(service, around, await replicaPorts(service !== 'wa-gateway'), directory),
    route: () => balancer.route(starting.routes(replicas)),
    chat: { url: publicUrl(addresses, 'chat-backend') },
    gateway: { url: localUrl(addresses.inside['wa-gateway']), isReady: areReady },
    tokens: await Promise.all(shop.agents.map((agent) => signIn(publicUrl(addresses, 'store-auth'), agent))),
  };
};

/** Starts everything; after a failure, stops what it has started. */
export const startReplicas = async (options: StackOptions, say: Say): Promise<ReplicaStack> => {
  const found = programsOn(`${environment.PATH ?? ''}:${DEBIAN_PATH}`);
  const bundle = await developmentBundle();
  say(bundle.isNew ? 'services bundled' : 'services were already bundled');
  const starting = new Starting(await freeAddresses(), options, bundle);
  const stop = async (): Promise<void> => {
    for (const step of starting.undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await startAll(starting, found, say)), stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
};

/** Runs `npm run demo` as a client of the ingress. Resolves with its output; rejects with it when the demo fails. */
export const playDemo = async ({ folder, addresses, gateway, shop, signal }: ReplicaStack): Promise<string> => {
  const described = describeStack(portsOf(addresses), shop, loadAdsKeys(folder));
  const services = {
    ...described.services,
    'store-auth': publicUrl(addresses, 'store-auth'),
    'chat-backend': publicUrl(addresses, 'chat-backend'),
    'wa-gateway': gateway.url,
  };
  writeStackFile(folder, { ...described, services, pids: { stack: process.pid } });
  const env = { ...environment, DATA_DIR: folder, GATEWAY_API_KEY: loadSecrets(folder)['gateway api key'] };
  const child = spawn(process.execPath, ['tools/run.mjs', 'demo'], { cwd: workspaceRoot, env, signal, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`npm run demo failed:\n${output}`);
  return output;
};
