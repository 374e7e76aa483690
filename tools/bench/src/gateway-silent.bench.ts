import { join } from 'node:path';
import { secretBox } from '@platform/auth';
import { openDatabase, type Database } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import type { Bench, Figures, Report } from './bench.types';
import { gatewayDatabase } from './gateway.surroundings';
import { Remote } from './remote';
import { scratchFolder } from './scratch-folder';
import { forkScript, startServer, stopProcess } from './server-process';
import type { NetworkMethods } from './whatsapp-network.child';
import { until } from './whatsapp-scene';
import { loadModule } from './workspace';

const DEVICES = 500;
const CALLERS = 32;
const CONNECTING = 4;
const GOAL_MS = 500;
/** Generous: two cores run the gateway, WhatsApp and the database. */
const PATIENCE_MS = 600_000;
const KEY = Buffer.alloc(32, 7).toString('base64');
const MAIN = 'apps/wa-gateway/src/main.ts';

type LinkOnPaper = (paper: object, instanceId: string, number: string) => Promise<void>;

const names = Array.from({ length: DEVICES }, (_, n) => `silent${n}`);
const numberOf = (n: number): string => `62816${String(n).padStart(6, '0')}`;

/** Stores 500 devices in the state that a gateway leaves behind when it ends while they are connected. */
const linked = async (database: Database, network: Remote<NetworkMethods>, rootKey: string): Promise<void> => {
  const { linkOnPaper } = loadModule<{ linkOnPaper: LinkOnPaper }>(
    'apps/wa-gateway/src/engines/baileys/paper-link.fixture.ts',
  );
  const link = (number: string, key: Uint8Array) => network.call('link', number, Buffer.from(key).toString('hex'));
  const paper = { database, box: secretBox(KEY), rootKey, link };
  for (const [n, name] of names.entries()) await linkOnPaper(paper, name, numberOf(n));
  await database.query('TRUNCATE device, lease, gateway_process, message');
  await database.query(
    `INSERT INTO device (instance_id, engine, status, webhook_url)
     SELECT id, 'baileys', 'connected', 'http://127.0.0.1:9/v1' FROM unnest($1::text[]) id`,
    [names],
  );
};

/** Asks every device once, with `CALLERS` requests in flight. */
const asked = async (good: number, ask: (instanceId: string) => Promise<Response>): Promise<Figures> => {
  const waiting = [...names];
  const took: number[] = [];
  let refused = 0;
  const caller = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const begun = performance.now();
      const answer = await ask(name);
      await answer.text();
      took.push(performance.now() - begun);
      if (answer.status !== good) refused += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  took.sort((one, other) => one - other);
  const at = (part: number): number => took[Math.ceil(took.length * part) - 1] ?? NaN;
  return {
    requests: took.length,
    'other answers': refused,
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'longest ms': at(1),
  };
};

const send = (url: string) => (instanceID: string) =>
  fetch(`${url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      pesan_id: `P-${instanceID}`,
      role: 'agent',
      data: { instanceID, number: '6281234567890', text: 'halo' },
    }),
  });

/** Measures while WhatsApp is silent. A linked device has no QR code to show, so `qrcode` answers 409. */
const whileSilent = async (report: Report, url: string): Promise<void> => {
  const one = (path: string) => (id: string) => fetch(`${url}${path}?instanceID=${id}`);
  const ready = () => fetch(`${url}/ready`);
  const rows = {
    'send-message': await asked(200, send(url)),
    'device-info': await asked(200, one('/api/device-info')),
    qrcode: await asked(409, one('/api/qrcode')),
    ready: await asked(200, ready),
  };
  report.table(`${DEVICES} devices, ${CALLERS} callers at a time, WhatsApp silent since the start`, rows);
  const worst = (figure: string) => Math.max(...Object.values(rows).map((row) => row[figure] ?? NaN));
  report.ratio('p99', worst('p99 ms') / GOAL_MS, `the slowest p99 : ${GOAL_MS} ms`);
  report.ratio('refused', worst('other answers'), 'answers with another status than expected');
};

const whenItSpeaks = async (report: Report, network: Remote<NetworkMethods>, database: Database): Promise<void> => {
  const begun = performance.now();
  await network.call('speak');
  const connected = `SELECT count(*) AS count FROM device WHERE status = 'connected'`;
  const areUp = async (): Promise<boolean> => {
    const [row] = await database.query<{ count: string }>(connected);
    return Number(row?.count) === DEVICES;
  };
  await until('all devices', areUp, PATIENCE_MS);
  const seconds = (performance.now() - begun) / 1000;
  const [most, logins] = [await network.call('mostConnecting'), await network.call('logins')];
  const row = { devices: DEVICES, 's until all are connected': seconds, logins, 'most connecting at once': most };
  report.table('When it speaks again', { 'wa-gateway': row });
  report.ratio('connecting', most / CONNECTING, `most connections under way at a time : ${CONNECTING}`);
  report.ratio('logins', logins / DEVICES, 'logins : devices');
};

const measure = async (report: Report, network: Remote<NetworkMethods>, database: Database): Promise<void> => {
  const { path } = await scratchFolder(report);
  const { url: databaseUrl } = await gatewayDatabase(report);
  const { rootKey } = await network.call('start', 0, true);
  report.progress(`${DEVICES} devices are linked`);
  await linked(database, network, rootKey);
  const whatsapp = { WA_SOCKET_URL: await network.call('silence'), WA_ROOT_KEY: rootKey, WA_AUTH_KEY: KEY };
  const own = { DATABASE_URL: databaseUrl, FILES_DIR: join(path, 'silent-files'), LOG_LEVEL: 'warn' };
  const callbacks = { WEBHOOK_URL: 'http://127.0.0.1:9/v1', WEBHOOK_SEND_PENDING: 'false' };
  const settings = { ...whatsapp, ...own, ...callbacks };
  const server = await startServer({ script: MAIN, settings, readyPath: '/ready', log: join(path, 'silent.log') });
  try {
    report.progress('asked while WhatsApp is silent');
    await whileSilent(report, `http://127.0.0.1:${server.port}`);
    report.progress('WhatsApp speaks');
    await whenItSpeaks(report, network, database);
  } finally {
    await server.stop();
  }
};

/** A gateway with 500 linked devices starts while WhatsApp accepts connections but sends nothing. */
export const bench: Bench = {
  name: 'gateway-silent',
  onlyNamed: 'it needs the optional package baileys and takes some minutes',
  run: async (report) => {
    const { url } = await gatewayDatabase(report);
    const database = openDatabase({ url, schema: 'wa_gateway', poolSize: 2, logger: silentLogger });
    const child = forkScript(['tools/bench/src/whatsapp-network.child.ts'], {}, 'inherit');
    try {
      await measure(report, new Remote<NetworkMethods>(child), database);
    } finally {
      await stopProcess(child);
      await database.stop?.();
    }
  },
};
