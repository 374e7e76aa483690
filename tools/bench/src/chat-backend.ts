import { join } from 'node:path';
import type { Database } from '@platform/data';
import type { Report, Started } from './bench.types';
import { benchCluster, type BenchCluster } from './database';
import { scratchFolder } from './scratch-folder';
import { runScript, startServer, type MeasuredServer } from './server-process';
import { tokenIssuer } from './token-issuer';

export const SCHEMA = 'chat_backend';
export const MAIN = 'apps/chat-backend/src/main.ts';

/** The real chat-backend, with its own database. */
export interface ChatBackend extends Started {
  readonly server: MeasuredServer;
  readonly cluster: BenchCluster;
  /** The service's own address of its database. */
  readonly url: string;
}

/** Store S1, to which the benches of incoming messages write. */
const SHOP = `
  INSERT INTO stores (store_id, nama) VALUES ('S1', 'Toko Satu');
  INSERT INTO teams (store_id, id, nama) VALUES ('S1', '3', 'CS');
  INSERT INTO devices (store_id, instance, nama, default_team_id) VALUES ('S1', 'dev1', 'Satu', '3');
  INSERT INTO device_route (instance, store_id) VALUES ('dev1', 'S1');`;

const insertShop = async (admin: Database): Promise<void> => {
  await admin.tx(async (tx) => {
    await tx.query(`SET LOCAL search_path = ${SCHEMA}, public`);
    await tx.query(SHOP);
  });
};

export interface Place {
  /** The service's own address of its database. */
  readonly url: string;
  /** Address of the token issuer. */
  readonly issuer: string;
  /** For its files and logs. */
  readonly folder: string;
}

export const serviceSettings = ({ url, issuer, folder }: Place): Record<string, string> => ({
  APP_ENV: 'development',
  DATABASE_URL: url,
  STORE_AUTH_URL: issuer,
  SERVICE_CLIENT_SECRET: 'bench',
  WA_GATEWAY_URL: 'http://127.0.0.1:9',
  MEDIA_DIR: join(folder, 'media'),
  MEDIA_SECRET: 'bench',
  // A limit per user, and each bench is a single user
  RATE_PER_MINUTE: '1000000',
});

/** Starts the real service on a migrated database. */
export const serve = (place: Place): Promise<MeasuredServer> => {
  const log = join(place.folder, 'chat-backend.log');
  return startServer({ script: MAIN, settings: serviceSettings(place), readyPath: '/ready', log });
};

/** Started once per run and shared by the benches that measure it. */
export const chatBackend = async (report: Report): Promise<ChatBackend> => {
  const { path: folder } = await scratchFolder(report);
  const cluster = await benchCluster(report);
  const { url: issuer } = await tokenIssuer(report);
  return report.shared('chat-backend', async () => {
    const url = await cluster.provision(SCHEMA);
    const place = { url, issuer, folder };
    await runScript([MAIN, 'migrate'], serviceSettings(place), join(folder, 'migrate.log'));
    await insertShop(cluster.admin);
    const server = await serve(place);
    return { server, cluster, url, stop: () => server.stop() };
  });
};
