// What specs start as processes is the bundle that `npm start` runs: of its sources, each start would load two thousand files,
// which takes four times the CPU. Prints as JSON the folders of the bundles of the sources as they are now, with their code caches;
// run by ./global-setup.ts, with the address of the cluster in TEST_DATABASE_URL.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { environment } from '../../libs/runtime/src/environment';
import { BUNDLED_SCRIPTS } from '../../libs/testing/src/bundled-scripts';
import { bundle } from '../stack/src/bundle/bundle';
import { developmentBundle, sourcesKey, type DevelopmentBundle } from '../stack/src/bundle/development';
import { keptBundle, removeOld } from '../stack/src/bundle/kept-bundles';
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

const without = (script: string): string => script.replace(/\.ts$/, '');
/** `main.cjs <script>` runs one of them; without a name it loads what they are made of, for the code cache. */
const scriptsText = `
require('reflect-metadata');
const scripts = {
${BUNDLED_SCRIPTS.map((script) => `  '${script}': () => require('./${without(script)}'),`).join('\n')}
};
const [name] = process.argv.splice(2, 1);
if (name) scripts[name]();
else for (const library of [() => require('./libs/http/src'), () => require('./libs/jobs/src'), () => require('./libs/outbox/src')]) library();
`;

/** The folder of the bundle of the scripts. */
const scriptsBundle = async (): Promise<string> => {
  const { directory } = await keptBundle(
    join(workspaceRoot, 'dist/scripts'),
    () => sourcesKey('tools/chaos/src'),
    async (fresh) => {
      await bundle({ text: scriptsText }, fresh);
      writeFileSync(join(fresh, 'package.json'), '{ "name": "scripts", "private": true }\n');
      const args = ['-r', './tools/swc-hook.cjs', 'tools/stack/src/bundle/record.ts', fresh];
      await promisify(execFile)(process.execPath, args, { cwd: workspaceRoot });
    },
  );
  removeOld(dirname(directory));
  return directory;
};

const main = async (): Promise<void> => {
  const services = await developmentBundle();
  const directory = join(workspaceRoot, services.directory);
  const folder = mkdtempSync(join(tmpdir(), 'platform-programs-'));
  try {
    if (!existsSync(join(directory, FILES.cache))) await makeCodeCache(services, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(JSON.stringify({ TEST_PROGRAMS: directory, TEST_SCRIPTS: await scriptsBundle() }));
};

void main();
