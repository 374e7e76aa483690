// `npx nx serve <app>`: one service, restarted when a file it uses changes. Its database is its own unless DATABASE_URL names one;
// then store-auth, which gives out the tokens, is started beside it on the same database, unless one is there.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { claim, refuseSecond, release } from './claim';
import { databaseUnit, endLeftoverServer, provisionServices, type DatabaseAddresses } from './database';
import { DEMO_AGENT, demoShop } from './demo-shop';
import { takenPorts } from './free-ports';
import { logFile } from './log-file';
import { runNode } from './node-process';
import type { Preparation } from './prepare';
import { localUrl, portBase, portsFrom, serviceNamed, SERVICES, type Ports, type ServiceName } from './ports';
import { loadAdsKeys, loadSecrets } from './secrets';
import { entryOf, serviceUnit } from './service-units';
import { DOCS_PATHS, serviceEnvironment } from './services';
import { Steps } from './steps';
import { noteStop, onStopRequest } from './stop-request';
import { answersOk, type Running } from './unit';
import { dataFolder, shown, workspaceRoot, type Environment } from './workspace';

const STEPS = 3;
const USAGE = `usage: npx nx serve <app>, where <app> is one of ${SERVICES.join(', ')}`;

interface Serving {
  readonly service: ServiceName;
  readonly folder: string;
  readonly ports: Ports;
}

interface Database {
  readonly addresses: Readonly<Partial<Record<ServiceName, DatabaseAddresses>>>;
  readonly running?: Running;
  readonly directory?: string;
  readonly note: string;
}

const openOwnDatabase = async (folder: string, service: ServiceName): Promise<Database> => {
  const directory = join(folder, 'serve', service);
  const kept = existsSync(directory);
  refuseSecond(directory, `nx serve ${service}`);
  claim(directory);
  await endLeftoverServer(directory);
  const unit = databaseUnit(directory, undefined);
  const running = await unit.start();
  const addresses = await provisionServices(unit.url, loadSecrets(folder), [service, 'store-auth']);
  return {
    addresses,
    running,
    directory,
    note: `${kept ? 'data of last time' : 'a new database'} in ${shown(directory)}`,
  };
};

/** Creates tables and demo shop; the output is kept in a file and shown on failure. */
const prepare = async (services: Preparation['services'], folder: string): Promise<string> => {
  const shop = JSON.stringify(demoShop(loadSecrets(folder), loadAdsKeys(folder)));
  const log = logFile(join(folder, 'serve', `${services[0]?.name}.log`));
  await runNode({ script: 'tools/stack/src/prepare.ts', environment, log }, JSON.stringify({ services, shop }));
  return 'made, where they were not';
};

/** Starts store-auth, which issues the tokens. */
const startStoreAuth = async (place: Serving, settings: Environment): Promise<Running> => {
  const log = logFile(join(place.folder, 'serve', `${place.service}.store-auth.log`));
  const unit = serviceUnit('store-auth', { ports: place.ports, environment: settings, log });
  const running = await unit.start();
  await running.ready.catch((cause: unknown) => {
    throw new Error(`store-auth ${String((cause as Error).message)}. Its last lines:\n${log.tail()}`, { cause });
  });
  return running;
};

/** Runs until it is stopped; resolves with its exit code. */
const watch = ({ service, folder }: Serving, settings: Environment): Promise<number> =>
  new Promise((resolve) => {
    const args = ['--watch', '--watch-preserve-output', '-r', './tools/swc-hook.cjs', entryOf(service)];
    const child = spawn(process.execPath, args, {
      cwd: workspaceRoot,
      env: settings,
      stdio: 'inherit',
      detached: true,
    });
    let why = 'its process ended'; // which is also how Nx stops it, from the leaves up
    onStopRequest((reason) => {
      why = reason;
      console.log(`\nStopping (${reason}) ...`);
      child.kill('SIGTERM');
    });
    child.once('exit', () => noteStop(folder, `${service}: ${why}`));
    child.once('exit', (code) => resolve(code ?? 0));
  });

const refuseTaken = async ({ service, ports }: Serving): Promise<void> => {
  const taken = await takenPorts(ports, false);
  if (taken.some(([name]) => name === service))
    throw new Error(
      `Port ${ports.services[service]} is taken${taken.length > 1 ? ' (a stack runs?)' : ''}: end what listens there, or serve on other ports: PORT_BASE=${ports.base + 1000} npx nx serve ${service}`,
    );
};

/** The sibling that the service needs for its tokens: store-auth, unless it already runs or would have no database. */
const besides = async ({ service, ports }: Serving, { addresses }: Database): Promise<ServiceName[]> =>
  service === 'store-auth' ||
  !addresses['store-auth'] ||
  (await answersOk(`${localUrl(ports.services['store-auth'])}/ready`))
    ? []
    : ['store-auth'];

const tokensOf = async ({ ports }: Serving): Promise<string> => {
  const url = localUrl(ports.services['store-auth']);
  return (await answersOk(`${url}/ready`))
    ? `store-auth on ${url}; a token: npm run -s token -- ${DEMO_AGENT}`
    : `no store-auth on ${url}, so routes with a token answer 503: npx nx serve store-auth, or npm start`;
};

const openDatabaseOf = async ({ folder, service }: Serving): Promise<Database> => {
  const { DATABASE_URL, DATABASE_POOL_URL = '' } = environment;
  return DATABASE_URL
    ? { addresses: { [service]: { DATABASE_URL, DATABASE_POOL_URL } }, note: 'the database of DATABASE_URL' }
    : openOwnDatabase(folder, service);
};

const serve = async (place: Serving, steps: Steps): Promise<number> => {
  const { service, folder, ports } = place;
  const around: { database: Database; storeAuth?: Running } = { database: { addresses: {}, note: '' } };
  try {
    await steps.run('database', async () => (around.database = await openDatabaseOf(place)).note);
    const { addresses: databases } = around.database;
    const secrets = loadSecrets(folder);
    const files = join(folder, 'serve', 'files');
    const surroundings = {
      ports,
      secrets,
      databases,
      redisUrl: environment.REDIS_URL,
      folder: files,
      environment,
    };
    const names = [service, ...(await besides(place, around.database))];
    const services = names.map((name) => ({ name, environment: serviceEnvironment(name, surroundings) }));
    await steps.run('demo shop', () => prepare(services, folder));
    await steps.run('tokens', async () => {
      const [, storeAuth] = services;
      if (storeAuth) around.storeAuth = await startStoreAuth(place, storeAuth.environment);
      return tokensOf(place);
    });
    const url = localUrl(ports.services[service]);
    console.log(`\n${service} on ${url}, docs ${url}${DOCS_PATHS[service] ?? '/docs'}; Ctrl-C stops it`);
    console.log('Its other siblings are away unless they run: it says so once. npm start runs all of them.\n');
    return await watch(place, services[0]?.environment ?? {});
  } finally {
    await around.storeAuth?.stop();
    await around.database.running?.stop();
    if (around.database.directory) release(around.database.directory);
  }
};

const main = async (): Promise<void> => {
  const [name] = process.argv.slice(2);
  if (name === undefined) throw new Error(USAGE);
  const place = {
    service: serviceNamed(name),
    folder: dataFolder(environment),
    ports: portsFrom(portBase(environment.PORT_BASE)),
  };
  await refuseTaken(place);
  process.exitCode = await serve(place, new Steps(STEPS, (text) => void process.stdout.write(text)));
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
