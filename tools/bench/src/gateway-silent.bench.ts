import { join } from 'node:path';
import { secretBox } from '@platform/auth';
import { openDatabase, type Database } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import type { Bench, Figures, Report } from './bench.types';
import { gatewayDatabase } from './gateway.surroundings';
import { Remote } from './remote';
import { scratchFolder } from './scratch-folder';
import { forkScript, startServer, stopProcess, type MeasuredServer } from './server-process';
import type { NetworkMethods } from './whatsapp-network.child';
import { until } from './whatsapp-scene';
import { loadModule } from './workspace';

const DEVICES = 500;
const CALLERS = 32;
const CONNECTING = 4;
/** While WhatsApp is silent one device tries so often. */
const PACE_MS = 5_000;
const GOAL_MS = 500;
/** Generous: two cores run the gateway, WhatsApp and the database. */
const PATIENCE_MS = 600_000;
/** The client library gives up an attempt after 20 s: long enough for some rounds of that. */
const SILENT_MS = 60_000;
/** An account, or the gateway would not take it while WhatsApp can be asked. */
const CUSTOMER = '6281234567890';
const ROUTES = ['send-message', 'device-info', 'qrcode', 'ready'] as const;
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
  await database.query('TRUNCATE device');
  await database.query(
    `INSERT INTO device (instance_id, engine, status, webhook_url)
     SELECT id, 'baileys', 'connected', 'http://127.0.0.1:9/v1' FROM unnest($1::text[]) id`,
    [names],
  );
};

/** As a gateway leaves them that is killed while it connects them. */
const forgotten = async (database: Database): Promise<void> => {
  await database.query('TRUNCATE lease, gateway_process, message, outbox_row, outbox_lane, outbox_target');
  await database.query(`UPDATE device SET status = 'connecting'`);
};

/** Every device is asked once, by so many callers at a time. */
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
      data: { instanceID, number: CUSTOMER, text: 'halo' },
    }),
  });

/** A linked device has no code to show: that is a 409. */
const askedAll = async (url: string): Promise<Record<(typeof ROUTES)[number], Figures>> => {
  const one = (path: string) => (id: string) => fetch(`${url}${path}?instanceID=${id}`);
  return {
    'send-message': await asked(200, send(url)),
    'device-info': await asked(200, one('/api/device-info')),
    qrcode: await asked(409, one('/api/qrcode')),
    ready: await asked(200, () => fetch(`${url}/ready`)),
  };
};

interface Scene {
  readonly report: Report;
  readonly network: Remote<NetworkMethods>;
  readonly database: Database;
  start(socketUrl: string): Promise<MeasuredServer>;
}

/** Seconds until every device is connected. */
const allConnected = async (database: Database): Promise<number> => {
  const begun = performance.now();
  const connected = `SELECT count(*)::int AS count FROM device WHERE status = 'connected'`;
  const areUp = async (): Promise<boolean> => {
    const [row] = await database.query<{ count: number }>(connected);
    return row?.count === DEVICES;
  };
  await until('all devices', areUp, PATIENCE_MS);
  return (performance.now() - begun) / 1000;
};

/** What the same gateway does with the same devices while WhatsApp answers. */
const answering = async ({ report, network, database, start }: Scene, socketUrl: string) => {
  report.progress('a start while WhatsApp answers');
  await forgotten(database);
  const server = await start(socketUrl);
  try {
    const cpu = await server.cpuMicroseconds();
    const seconds = await allConnected(database);
    const cpuMs = ((await server.cpuMicroseconds()) - cpu) / 1000 / DEVICES;
    report.progress(`all are connected after ${seconds.toFixed(1)} s`);
    const rows = await askedAll(`http://127.0.0.1:${server.port}`);
    return { seconds, cpuMs, logins: await network.call('logins'), rows };
  } finally {
    await server.stop();
  }
};

const silent = async ({ report, network, database, start }: Scene) => {
  report.progress('a start while WhatsApp is silent');
  await forgotten(database);
  const before = await network.call('logins');
  const server = await start(await network.call('silence'));
  try {
    const begun = performance.now();
    const rows = await askedAll(`http://127.0.0.1:${server.port}`);
    await new Promise((resolve) => setTimeout(resolve, begun + SILENT_MS - performance.now()));
    const attempts = await network.call('entered');
    report.progress('WhatsApp speaks');
    const cpu = await server.cpuMicroseconds();
    await network.call('speak');
    const seconds = await allConnected(database);
    const cpuMs = ((await server.cpuMicroseconds()) - cpu) / 1000 / DEVICES;
    const most = await network.call('mostConnecting');
    return { seconds, cpuMs, attempts, most, logins: (await network.call('logins')) - before, rows };
  } finally {
    await server.stop();
  }
};

const measure = async (scene: Scene, socketUrl: string): Promise<void> => {
  const { report } = scene;
  const before = await answering(scene, socketUrl);
  const then = await silent(scene);
  const title = `${DEVICES} devices, ${CALLERS} callers at a time`;
  report.table(`${title}, WhatsApp silent since the start`, then.rows);
  report.table(`${title}, all devices connected`, before.rows);
  const connecting = ({ seconds, cpuMs, logins }: typeof before | typeof then): Figures => ({
    ...{ 's until all are connected': seconds, 'CPU ms/device': cpuMs, logins },
  });
  report.table(`Until ${DEVICES} devices are connected`, {
    'a start while WhatsApp answers': connecting(before),
    'when it speaks after a silence': { ...connecting(then), 'most at once': then.most },
  });
  const worst = (figure: (route: (typeof ROUTES)[number]) => number): number => Math.max(...ROUTES.map(figure));
  const p99 = (rows: typeof then.rows) => (route: (typeof ROUTES)[number]) => rows[route]['p99 ms'] ?? NaN;
  report.ratio('p99', worst(p99(then.rows)) / GOAL_MS, `the slowest p99 in the silence : ${GOAL_MS} ms`);
  const slower = worst((route) => p99(then.rows)(route) / p99(before.rows)(route));
  report.ratio('slower', slower, 'p99 in the silence : p99 of the same route with all devices connected');
  const refused = worst((route) => then.rows[route]['other answers'] ?? NaN);
  report.ratio('refused', refused, 'answers in the silence that were not the right one');
  // Those that begin before the silence is noticed
  const allowed = 2 * CONNECTING - 1 + SILENT_MS / PACE_MS;
  report.ratio('attempts', then.attempts / allowed, `attempts in ${SILENT_MS / 1000} s of silence : ${allowed}`);
  report.ratio('connecting', then.most / CONNECTING, `most connections under way at a time : ${CONNECTING}`);
  report.ratio('logins', then.logins / DEVICES, 'logins after the silence : devices');
  report.ratio(
    'back',
    then.seconds / before.seconds,
    'seconds until all are connected, after the silence : at a start',
  );
};

const prepared = async (report: Report, network: Remote<NetworkMethods>, database: Database): Promise<void> => {
  const { path } = await scratchFolder(report);
  const { url: databaseUrl } = await gatewayDatabase(report);
  const { rootKey, socketUrl } = await network.call('start', 0, true);
  await network.call('account', CUSTOMER);
  report.progress(`${DEVICES} devices are linked`);
  await linked(database, network, rootKey);
  const own = { DATABASE_URL: databaseUrl, FILES_DIR: join(path, 'silent-files'), LOG_LEVEL: 'warn' };
  const callbacks = { WEBHOOK_URL: 'http://127.0.0.1:9/v1', WEBHOOK_SEND_PENDING: 'false' };
  const start = (url: string): Promise<MeasuredServer> => {
    const whatsapp = { WA_SOCKET_URL: url, WA_ROOT_KEY: rootKey, WA_AUTH_KEY: KEY };
    const settings = { ...whatsapp, ...own, ...callbacks };
    return startServer({ script: MAIN, settings, readyPath: '/ready', log: join(path, 'silent.log') });
  };
  await measure({ report, network, database, start }, socketUrl);
};

/** A gateway with 500 linked devices starts while WhatsApp takes connections and says nothing. */
export const bench: Bench = {
  name: 'gateway-silent',
  onlyNamed: 'it needs the optional package baileys and takes some minutes',
  run: async (report) => {
    const { url } = await gatewayDatabase(report);
    const database = openDatabase({ url, schema: 'wa_gateway', poolSize: 2, logger: silentLogger });
    const child = forkScript(['tools/bench/src/whatsapp-network.child.ts'], {}, 'inherit');
    try {
      await prepared(report, new Remote<NetworkMethods>(child), database);
    } finally {
      await stopProcess(child);
      await database.stop?.();
    }
  },
};
