import type { Figures, Report } from './bench.types';
import type { Way } from './baileys-subject.child';
import { alternate, ratioOf } from './rounds';
import { sceneBench, until, type Scene, type Subject } from './whatsapp-scene';

const MESSAGES = 400;
const ROUNDS = 3;
const DEVICES = 100;

const WAYS: Readonly<Record<Way, string>> = {
  memory: 'plain Baileys, keys in memory only',
  files: 'plain Baileys, keys in files (its own example)',
  postgres: 'plain Baileys, keys sealed in PostgreSQL by our store',
  engine: 'our engine, keys sealed in PostgreSQL',
};

const measured = async ({ remote }: Subject, count: number, work: () => Promise<unknown>): Promise<Figures> => {
  const before = await remote.call('usage');
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1000;
  const { cpuMicroseconds } = await remote.call('usage');
  return { 'messages/s': count / seconds, 'CPU ms/message': (cpuMicroseconds - before.cpuMicroseconds) / count / 1000 };
};

const numberOf = (way: Way): string => `62811${Object.keys(WAYS).indexOf(way)}000000`;

const inbound = (scene: Scene, subject: Subject, way: Way) => async (): Promise<Figures> => {
  const before = await subject.remote.call('received');
  return measured(subject, MESSAGES, async () => {
    const sent = await scene.network.call('write', numberOf(way), MESSAGES);
    await until('every message', async () => (await subject.remote.call('received')) - before >= sent);
    await until('every receipt', async () => (await scene.network.call('held')) === 0);
  });
};

let marks = 0;
const outbound = (scene: Scene, subject: Subject, way: Way) => async (): Promise<Figures> => {
  const before = await scene.network.call('received');
  return measured(subject, MESSAGES, async () => {
    const sent = await subject.remote.call('write', way, [...scene.customers], MESSAGES, `${++marks}`);
    await until('every message', async () => (await scene.network.call('received')) - before >= sent);
  });
};

const traffic = async (report: Report, scene: Scene): Promise<void> => {
  const subjects: Partial<Record<Way, Subject>> = {};
  const ways = Object.keys(WAYS) as Way[];
  for (const way of ways) {
    const subject = await scene.subject(way);
    subjects[way] = subject;
    await scene.link(subject, way, numberOf(way));
  }
  const directions = { inbound, outbound };
  for (const [name, direction] of Object.entries(directions)) {
    report.progress(`${name}: ${MESSAGES} messages, ${ROUNDS} rounds`);
    const work = Object.fromEntries(
      ways.flatMap((way) => {
        const subject = subjects[way];
        return subject ? [[WAYS[way], direction(scene, subject, way)]] : [];
      }),
    );
    const rows = await alternate(work, ROUNDS);
    report.table(`${name}: ${MESSAGES} texts over ${scene.customers.length} chats`, rows);
    const [memory = {}, files = {}, postgres = {}, engine = {}] = ways.map((way) => rows[WAYS[way]]);
    const what = `CPU per message ${name}, our engine : plain Baileys`;
    report.ratio(`cpu-${name}-files`, ratioOf(engine, files, 'CPU ms/message'), `${what} with keys in files`);
    report.ratio(`cpu-${name}-store`, ratioOf(engine, postgres, 'CPU ms/message'), `${what} with the same store`);
    report.ratio(`cpu-${name}-memory`, ratioOf(engine, memory, 'CPU ms/message'), `${what} with keys in memory`);
  }
  await Promise.all(Object.values(subjects).map((subject) => subject.stop()));
};

const nameOf = (device: number): string => `idle-${device}`;

/** Memory of linked, idle devices. */
const idle = async (scene: Scene, way: Way, prefix: string): Promise<{ figures: Figures; subject: Subject }> => {
  const subject = await scene.subject(way);
  await scene.link(subject, nameOf(0), `${prefix}0000`);
  const before = await subject.remote.call('usage');
  const begun = performance.now();
  for (let device = 1; device <= DEVICES; device++)
    await scene.link(subject, nameOf(device), `${prefix}${String(device).padStart(4, '0')}`);
  const seconds = (performance.now() - begun) / 1000;
  const after = await subject.remote.call('usage');
  const perDevice = (bytes: number): number => bytes / DEVICES / 1024 / 1024;
  const figures = {
    'RSS MB/device': perDevice(after.rss - before.rss),
    'heap MB/device': perDevice(after.heapUsed - before.heapUsed),
    'link s/device': seconds / DEVICES,
    'RSS MB in all': after.rss / 1024 / 1024,
  };
  return { figures, subject };
};

/** Kills the process of all devices and counts the seconds until they are back. */
const comeBack = async (scene: Scene, subject: Subject): Promise<Figures> => {
  await subject.remote.kill();
  await until('a quiet network', async () => (await scene.network.call('online')) <= 0);
  const begun = performance.now();
  const again = await scene.subject('engine');
  for (let device = 0; device <= DEVICES; device++) await again.remote.call('open', nameOf(device));
  await until('all devices', async () => (await again.remote.call('openLines')) > DEVICES);
  const seconds = (performance.now() - begun) / 1000;
  const most = await again.remote.call('mostConnecting');
  await again.stop();
  return { devices: DEVICES + 1, 's until all are back': seconds, 'most connecting at once': most };
};

/** Plain Baileys against the gateway's engine around it, on one fake server; both use the unmodified library. */
export const bench = sceneBench('gateway-baileys', async (report, scene) => {
  await traffic(report, scene);
  report.progress(`${DEVICES} idle devices each`);
  const plain = await idle(scene, 'memory', '6281300');
  await plain.subject.stop();
  const ours = await idle(scene, 'engine', '6281400');
  report.table(`${DEVICES} linked, idle devices in one process`, {
    [WAYS.memory]: plain.figures,
    [WAYS.engine]: ours.figures,
  });
  report.ratio(
    'rss-idle',
    ratioOf(ours.figures, plain.figures, 'RSS MB/device'),
    'RSS per idle device, our engine : plain Baileys in memory',
  );
  report.table('After kill -9', { [WAYS.engine]: await comeBack(scene, ours.subject) });
  report.note(
    'The server and the customers run in a separate process. The engine commits every key change to PostgreSQL (fsync on) before WhatsApp hears of the message; its sink here only counts.',
  );
  report.note('Plain Baileys in memory loses its account with its process; it is a baseline, not an alternative.');
});
