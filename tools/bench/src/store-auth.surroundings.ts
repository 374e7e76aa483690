import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster } from '@platform/postgres';
import { provision } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { Report, Started } from './bench.types';
import { scratchFolder } from './scratch-folder';
import { forkScript, startServer, type MeasuredServer } from './server-process';

export const PASSWORD = 'correct horse battery';
/** Logins are spread over them, so that they do not contend for one row. */
export const USERS = 50;
export const KEY_WIDTH = 2;

const MAIN = 'apps/store-auth/src/main.ts';
const person = (name: string) => ({
  user_id: uuidv7(),
  email: `${name}@bench.example`,
  password: PASSWORD,
  nama: name,
  teams: ['3'],
});

const SHOP = {
  store: { store_id: 'S1', nama: 'Toko Bench' },
  owner: person('owner'),
  agents: Array.from({ length: USERS }, (_, n) => person(`user${String(n).padStart(KEY_WIDTH, '0')}`)),
};

const command = async (args: readonly string[], settings: Record<string, string>, log: string): Promise<void> => {
  const output = openSync(log, 'a');
  const child = forkScript([MAIN, ...args], settings, output);
  closeSync(output);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`store-auth ${args[0]} ended with ${code}; its output is in ${log}`);
};

const database = async (folder: string): Promise<Started & { readonly url: string }> => {
  const cluster = await startCluster({ directory: join(folder, 'store-auth-postgres') });
  const password = randomBytes(12).toString('hex');
  const url = await provision(cluster.url, { role: 'store_auth', password, schema: 'store_auth' });
  return { url, stop: () => cluster.stop() };
};

/** Starts the real store-auth, configured as in production but for its throttle, with users to log in. */
export const startStoreAuth = async (report: Report): Promise<MeasuredServer> => {
  const { path } = await scratchFolder(report);
  const log = join(path, 'store-auth.log');
  const { url } = await report.shared('store-auth database', () => database(path));
  const settings = {
    ...{ APP_ENV: 'production', TRUST_PROXY: 'none', REDIS_URL: 'none' },
    DATABASE_URL: url,
    SIGNING_KEY_SECRET: randomBytes(32).toString('base64'),
    THROTTLE_EMAIL: '999999/1m',
    THROTTLE_IP: '999999/1m',
    THROTTLE_LOGINS: '999999/1m',
  };
  return report.shared('store-auth', async () => {
    await command(['migrate'], settings, log);
    await command(['seed', JSON.stringify(SHOP)], settings, log);
    return startServer({ script: MAIN, settings, readyPath: '/ready', log });
  });
};

/** A bare Express route with the same crypto and nothing else; `cured`: on the server of libs/http. */
export const startBare = async (report: Report, cure: 'plain' | 'cured'): Promise<MeasuredServer> => {
  const { path } = await scratchFolder(report);
  const log = join(path, 'bare-auth.log');
  return report.shared(`bare authentication, ${cure}`, () =>
    startServer({ script: 'tools/bench/src/bare-auth.server.ts', args: ['{port}', cure], readyPath: '/ready', log }),
  );
};
