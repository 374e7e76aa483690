import { join } from 'node:path';
import type { Database } from '@platform/data';
import type { Report, Started } from './bench.types';
import { benchCluster, type BenchCluster } from './database';
import { FaultyReceiver } from './gateway-receiver';
import { scratchFolder } from './scratch-folder';
import { runScript, startServer, type MeasuredServer } from './server-process';

export const SCHEMA = 'wa_gateway';
export const DEVICE = 'bench';
const MAIN = 'apps/wa-gateway/src/main.ts';

export interface GatewayDatabase extends Started {
  readonly cluster: BenchCluster;
  /** The service's own database address. */
  readonly url: string;
}

const inSchema = (admin: Database, sql: string): Promise<unknown> =>
  admin.tx(async (tx) => {
    await tx.query(`SET LOCAL search_path = ${SCHEMA}, public`);
    await tx.query(sql);
  });

/** Empties the tables and inserts one device. */
export const emptied = ({ cluster }: GatewayDatabase): Promise<unknown> =>
  inSchema(
    cluster.admin,
    `TRUNCATE message, status, outbox_row, outbox_lane, outbox_target, device, lease;
     INSERT INTO device (instance_id, engine, status, webhook_url) VALUES ('${DEVICE}', 'cloud', 'created', 'http://127.0.0.1:9/v1');`,
  );

export const gatewayDatabase = async (report: Report): Promise<GatewayDatabase> => {
  const { path } = await scratchFolder(report);
  const cluster = await benchCluster(report);
  return report.shared('gateway database', async () => {
    const url = await cluster.provision(SCHEMA);
    await runScript([MAIN, 'migrate'], { DATABASE_URL: url }, join(path, 'wa-gateway.log'));
    return { cluster, url, stop: () => Promise.resolve() };
  });
};

/** Starts the real gateway at its default pace, with a linked simulator device and phones to write to. */
export const startGateway = async (report: Report, phones: number, keyWidth: number): Promise<MeasuredServer> => {
  const receiver = await report.shared('receiver of callbacks', async () => {
    const server = new FaultyReceiver('none');
    await server.start();
    return server;
  });
  const { path } = await scratchFolder(report);
  const { url, cluster } = await gatewayDatabase(report);
  return report.shared('wa-gateway', async () => {
    await inSchema(
      cluster.admin,
      `TRUNCATE message, status, outbox_row, outbox_lane, outbox_target, device, lease;
       INSERT INTO sim_phone (nohp, name) SELECT '62812' || lpad(n::text, ${keyWidth}, '0'), 'Budi' FROM generate_series(0, ${phones}) n ON CONFLICT DO NOTHING;
       INSERT INTO sim_phone (nohp, name) VALUES ('628110000001', 'Toko') ON CONFLICT DO NOTHING;
       INSERT INTO sim_link VALUES ('${DEVICE}', '628110000001') ON CONFLICT DO NOTHING;
       INSERT INTO device (instance_id, engine, status, webhook_url) VALUES ('${DEVICE}', 'simulator', 'connected', '${receiver.url}');`,
    );
    const settings = { DATABASE_URL: url, FILES_DIR: join(path, 'files'), WEBHOOK_URL: receiver.url };
    return startServer({ script: MAIN, settings, readyPath: '/ready', log: join(path, 'wa-gateway.log') });
  });
};
