// `npx nx serve <app>`: one service, restarted when a file it uses changes. Its database is its own unless DATABASE_URL names one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { claim, refuseSecond, release } from './claim';
import { databaseUnit, endLeftoverServer, provisionServices } from './database';
import { demoShop } from './demo-shop';
import { logFile } from './log-file';
import { runNode } from './node-process';
import type { Preparation } from './prepare';
import { localUrl, portBase, portsFrom, SERVICES, type ServiceName } from './ports';
import { loadAdsKeys, loadSecrets } from './secrets';
import { entryOf } from './service-units';
import { DOCS_PATHS, serviceEnvironment } from './services';
import { dataFolder, shown, workspaceRoot, type Environment } from './workspace';
import type { Running } from './unit';

const serviceNamed = (name: string | undefined): ServiceName => {
  const service = SERVICES.find((each) => each === name);
  if (!service) throw new Error(`usage: npx nx serve <app>, where <app> is one of ${SERVICES.join(', ')}`);
  return service;
};

interface Database {
  readonly url: string;
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
  const urls = await provisionServices(unit.url, loadSecrets(folder), [service]);
  return {
    url: urls[service],
    running,
    directory,
    note: `${kept ? 'data of last time' : 'a new database'} in ${shown(directory)}`,
  };
};

/** Tables and demo shop; what is printed meanwhile is kept in a file and shown when it fails. */
const prepare = async (name: ServiceName, settings: Environment, folder: string): Promise<void> => {
  const shop = JSON.stringify(demoShop(loadSecrets(folder), loadAdsKeys(folder)));
  const input: Preparation = { services: [{ name, environment: settings }], shop };
  const log = logFile(join(folder, 'serve', `${name}.log`));
  await runNode({ script: 'tools/stack/src/prepare.ts', environment, log }, JSON.stringify(input));
};

/** Runs until it is stopped; resolves with its exit code. */
const watch = (service: ServiceName, settings: Environment): Promise<number> =>
  new Promise((resolve) => {
    const args = ['--watch', '--watch-preserve-output', '-r', './tools/swc-hook.cjs', entryOf(service)];
    const child = spawn(process.execPath, args, {
      cwd: workspaceRoot,
      env: settings,
      stdio: 'inherit',
      detached: true,
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGTERM'));
    child.once('exit', (code) => resolve(code ?? 0));
  });

const main = async (): Promise<void> => {
  const service = serviceNamed(process.argv[2]);
  const [folder, ports] = [dataFolder(environment), portsFrom(portBase(environment.PORT_BASE))];
  const database: Database = environment.DATABASE_URL
    ? { url: environment.DATABASE_URL, note: 'the database of DATABASE_URL' }
    : await openOwnDatabase(folder, service);
  try {
    const settings = serviceEnvironment(service, {
      ports,
      secrets: loadSecrets(folder),
      databases: { [service]: database.url },
      redisUrl: environment.REDIS_URL,
      folder: join(folder, 'serve', 'files'),
      environment,
    });
    await prepare(service, settings, folder);
    const url = localUrl(ports.services[service]);
    console.log(
      `${service} on ${url}, docs ${url}${DOCS_PATHS[service] ?? '/docs'}, ${database.note}; Ctrl-C stops it\n`,
    );
    process.exitCode = await watch(service, settings);
  } finally {
    await database.running?.stop();
    if (database.directory) release(database.directory);
  }
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
