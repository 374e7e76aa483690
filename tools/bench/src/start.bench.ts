import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@platform/postgres';
import { environment } from '@platform/runtime';
import { portsFrom, SERVICES, type ServiceName } from '@platform/stack/ports';
import { loadSecrets } from '@platform/stack/secrets';
import { serviceEnvironment } from '@platform/stack/services';
import type { Bench, Figures, Report } from './bench.types';
import { measureStart, startProcess, type ColdStart } from './cold-start';
import { benchCluster } from './database';
import { builtBundle } from './image';
import { alternate, ratioOf } from './rounds';
import { scratchFolder } from './scratch-folder';
import { stopProcess } from './server-process';
import { workspaceRoot } from './workspace';

const ROUNDS = 2;
const BARE = 'bare Express';
/** Away from the ports of a developer's stack. */
const PORT_BASE = 24_000;

const runFile = promisify(execFile);

/** Builds every bundle, migrates its database and returns how to start each. */
const coldStarts = async (report: Report): Promise<Record<ServiceName, ColdStart>> => {
  const { path } = await scratchFolder(report);
  const cluster = await benchCluster(report);
  const [ports, secrets] = [portsFrom(PORT_BASE), loadSecrets(path)];
  const starts: [ServiceName, ColdStart][] = [];
  for (const name of SERVICES) {
    report.progress(`${name}: building and migrating`);
    const main = await builtBundle(name);
    const databases = { [name]: { DATABASE_URL: await cluster.provision(`start_${name.replace('-', '_')}`) } };
    const given = { PATH: environment.PATH };
    const settings = serviceEnvironment(name, { ports, secrets, databases, folder: path, environment: given });
    await runFile(process.execPath, [main, 'migrate'], { env: settings });
    const log = join(path, `${name}.log`);
    starts.push([name, { args: [main], port: ports.services[name], settings, readyPath: '/ready', log }]);
  }
  return Object.fromEntries(starts) as Record<ServiceName, ColdStart>;
};

const bareStart = async (report: Report): Promise<ColdStart> => {
  const { path } = await scratchFolder(report);
  const port = await freePort();
  const args = [join(workspaceRoot, 'tools/bench/src/bare-express.cjs'), String(port)];
  return { args, port, settings: { PATH: environment.PATH }, readyPath: '/ready', log: join(path, 'bare.log') };
};

/** The others fetch store-auth's keys before they are ready, so it runs beside them, but not while it is measured itself. */
const besideStoreAuth = async (storeAuth: ColdStart, measured: ColdStart): Promise<Figures> => {
  if (measured === storeAuth) return measureStart(measured);
  const beside = await startProcess(storeAuth);
  return measureStart(measured).finally(() => stopProcess(beside));
};

const compare = (report: Report, name: ServiceName, own: Figures, bare: Figures): void => {
  report.ratio(`${name}.ms`, own['first 200, ms'] ?? NaN, `milliseconds to the first 200, ${name}`);
  report.ratio(`${name}.rss`, own['idle RSS, MB'] ?? NaN, `MB when idle, ${name}`);
  report.ratio(`${name}.cpu`, ratioOf(own, bare, 'CPU until then, ms'), `CPU to the first 200, ${name} : ${BARE}`);
};

/** What a service costs before it does anything: the time until it is ready, and its idle memory. */
export const bench: Bench = {
  name: 'start',
  run: async (report) => {
    const [starts, bare] = [await coldStarts(report), await bareStart(report)];
    report.progress(`six services, ${ROUNDS} rounds`);
    const ways = Object.fromEntries(
      SERVICES.map((name) => [name, () => besideStoreAuth(starts['store-auth'], starts[name])]),
    ) as Record<ServiceName, () => Promise<Figures>>;
    const found = await alternate({ [BARE]: () => measureStart(bare), ...ways }, ROUNDS);
    report.table('From the start of the process to its first 200 of /ready, then 6 s later', found);
    for (const name of SERVICES) compare(report, name, found[name], found[BARE]);
    report.note('Bundles as they go into a container, with their code caches, a migrated database and no Redis.');
    report.note('Wall time is meaningful on an idle machine only; CPU time and its ratio also on a busy one.');
    report.note('Without a core: the service was runnable while other processes had the cores.');
  },
};
