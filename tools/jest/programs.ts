// What specs start as processes is the bundle that `npm start` runs: of its sources, each start would load two thousand files,
// which takes four times the CPU. Prints the folder of the bundle of the services' sources as they are now, with its code cache;
// run by ./global-setup.ts, with the address of the cluster in TEST_DATABASE_URL.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '../../libs/runtime/src/environment';
import { developmentBundle, type DevelopmentBundle } from '../stack/src/bundle/development';
import { FILES } from '../stack/src/bundle/loader';
import { provisionServices } from '../stack/src/database';
import { demoShop } from '../stack/src/demo-shop';
import { logFile } from '../stack/src/log-file';
import { runNode } from '../stack/src/node-process';
import { DEFAULT_PORT_BASE, portsFrom, SERVICES } from '../stack/src/ports';
import type { Preparation } from '../stack/src/prepare';
import { loadAdsKeys, loadSecrets } from '../stack/src/secrets';
import { serviceEnvironment } from '../stack/src/services';
import { workspaceRoot } from '../stack/src/workspace';

/** As the first stack of these sources does, with databases of its own: what runs then is what is compiled. */
const makeCodeCache = async (bundle: DevelopmentBundle, folder: string): Promise<void> => {
  const secrets = loadSecrets(folder);
  const databases = await provisionServices(environment.TEST_DATABASE_URL ?? '', secrets);
  const around = {
    ports: portsFrom(DEFAULT_PORT_BASE),
    secrets,
    databases,
    folder,
    environment: { PATH: environment.PATH },
  };
  const services = SERVICES.map((name) => ({ name, environment: serviceEnvironment(name, around) }));
  const input: Preparation = { services, shop: JSON.stringify(demoShop(secrets, loadAdsKeys(folder))) };
  const started = { ...bundle.preparing(), environment, log: logFile(join(folder, 'prepare.log')) };
  await runNode(started, JSON.stringify(input));
};

const main = async (): Promise<void> => {
  const bundle = await developmentBundle();
  const directory = join(workspaceRoot, bundle.directory);
  const folder = mkdtempSync(join(tmpdir(), 'platform-programs-'));
  try {
    if (!existsSync(join(directory, FILES.cache))) await makeCodeCache(bundle, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(directory);
};

void main();
