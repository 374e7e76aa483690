import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openDatabase, type Database } from '@platform/data';
import { Unavailable } from '@platform/errors';
import { environment, silentLogger } from '@platform/runtime';
import { developmentBundle } from '@platform/stack/bundle';
import { signIn } from '@platform/stack/demo-calls';
import { demoShop, type DemoShop } from '@platform/stack/demo-shop';
import { localUrl } from '@platform/stack/ports';
import { loadAdsKeys, loadSecrets } from '@platform/stack/secrets';
import { describeStack, writeStackFile } from '@platform/stack/stack-file';
import { workspaceRoot } from '@platform/stack/workspace';
import { startTills, type Counter } from './money/stack';
import { GOODS } from './replica-goods';
import { startMerchant, type Merchant } from './replica-merchant';
import {
  AGENTS_DEVICE,
  freeAddresses,
  ONCE,
  portsOf,
  publicUrl,
  replicaPorts,
  TWICE,
  type Addresses,
  type Surroundings,
  type Twice,
} from './replica-settings';
import { Starting, type Replicas, type RestartableRedis, type StackOptions } from './replica-starting';
import { DEBIAN_PATH, programsOn, type Programs } from './programs';
import type { Victim } from './victim';

const AGENTS = 4;
type Say = (text: string) => void;

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
  /** The shop as buyers and its owner reach it, through the ingress, and the providers of its payments. */
  readonly counter: Counter;
  readonly merchant: Merchant;
  readonly redis: RestartableRedis;
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

const startServices = async (starting: Starting, around: Surroundings, say: Say): Promise<Replicas> => {
  const { addresses } = starting;
  await Promise.all([
    starting.model(),
    ...ONCE.map((name) => starting.service(name, around, [addresses.single[name]])),
  ]);
  say(`${ONCE.join(' and ')} is ready`);
  const two = async (name: Twice) => starting.service(name, around, addresses.replicas[name]);
  const replicas = {
    'commerce-api': await two('commerce-api'),
    'bot-engine': await two('bot-engine'),
    'chat-backend': await two('chat-backend'),
    'wa-gateway': await two('wa-gateway'),
  };
  say(`two processes each of ${TWICE.join(', ')} are ready`);
  return replicas;
};

/** A new session may take longer than is waited for one, while processes start on the same cores. */
const TRIES = 6;

/** Of all services, as superuser, for what may be asked again. */
const openPlatform = (url: string, { undo }: Starting): Database => {
  const address = url.replace(/\/[^/]*$/, '/platform');
  const database = openDatabase({ url: address, schema: 'public', poolSize: 8, logger: silentLogger });
  undo.push(() => database.stop?.());
  const query: Database['query'] = async (...asked) => {
    for (let left = TRIES; ; left -= 1)
      try {
        return await database.query(...asked);
      } catch (failure) {
        if (!(failure instanceof Unavailable) || left === 1) throw failure;
      }
  };
  return { ...database, query };
};

const startAll = async (
  starting: Starting,
  { nginx, redis }: Programs,
  say: Say,
): Promise<Omit<ReplicaStack, 'stop'>> => {
  const { addresses, folder, signal } = starting;
  const [url, restartable] = await Promise.all([starting.database(), starting.redis(redis)]);
  const [secrets, shop] = [loadSecrets(folder), shopOf(folder)];
  const { tills, settings: pay } = await startTills(publicUrl(addresses, 'commerce-api'), starting.undo);
  const merchant = await startMerchant();
  starting.undo.push(() => merchant.stop());
  const around: Surroundings = {
    ...{ addresses, secrets, folder, pay, merchant: new URL(merchant.url).host },
    databases: await starting.addressesIn(url, secrets),
  };
  await starting.prepare(around, [...ONCE, ...TWICE], shop);
  // A shop that is there gets the goods without a past of them
  await starting.prepare(around, ['chat-backend', 'wa-gateway', 'commerce-api'], {
    ...withAgentsDevice(shop),
    products: GOODS,
  });
  say(`PostgreSQL${starting.options.pgbouncer ? ', PgBouncer' : ''} and Redis are ready, the shop is seeded`);
  const replicas = await startServices(starting, around, say);
  const balancer = await starting.balancer(nginx, replicas);
  starting.undo.push(() => balancer.stop());
  say('nginx balances each request round robin, without affinity');
  const database = openPlatform(url, starting);
  const areReady = async () => (await Promise.all(replicas['wa-gateway'].map((one) => one.isReady()))).every(Boolean);
  const token = await signIn(publicUrl(addresses, 'store-auth'), shop.owner);
  return {
    ...{ shop, folder, addresses, replicas, database, signal, merchant, redis: restartable },
    another: async (service, directory) =>
      starting.victim(service, around, await replicaPorts(service !== 'wa-gateway'), directory),
    route: () => balancer.route(starting.routes(replicas)),
    chat: { url: publicUrl(addresses, 'chat-backend') },
    gateway: { url: localUrl(addresses.inside['wa-gateway']), isReady: areReady },
    tokens: await Promise.all(shop.agents.map((agent) => signIn(publicUrl(addresses, 'store-auth'), agent))),
    counter: { commerce: { url: publicUrl(addresses, 'commerce-api') }, tills, token, database, signal },
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
