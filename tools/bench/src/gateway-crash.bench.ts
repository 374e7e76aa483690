import type { Figures, Report } from './bench.types';
import type { Way } from './baileys-subject.child';
import { sceneBench, until, type Scene, type Subject } from './whatsapp-scene';

const MESSAGES = 1_000;
const KILLS = 20;
const QUIET_MS = 3_000;
const LONGEST_LIFE = 60;

const WAYS: Readonly<Partial<Record<Way, string>>> = {
  files: 'plain Baileys, keys in files',
  postgres: 'plain Baileys, keys in PostgreSQL by our store',
  engine: 'our engine',
};

/** Counts the messages that were stored after a later one of their chat. */
const overtaken = (rows: readonly { chat: string; text: string }[]): number => {
  const highest = new Map<string, number>();
  let count = 0;
  for (const { chat, text } of rows) {
    const number = Number(/\d+/.exec(text)?.[0]);
    if (number < (highest.get(chat) ?? -1)) count += 1;
    else highest.set(chat, number);
  }
  return count;
};

/** Waits until no more messages are stored, and returns them. */
const settled = async (subject: Subject, name: string): Promise<readonly { chat: string; text: string }[]> => {
  let [count, since] = [-1, performance.now()];
  await until('silence', async () => {
    const { length } = await subject.remote.call('stored', name);
    if (length !== count) [count, since] = [length, performance.now()];
    return length === MESSAGES || performance.now() - since > QUIET_MS;
  });
  return subject.remote.call('stored', name);
};

const BACK_MS = 20_000;

/** Whether the device logs in again; one that has lost its credentials shows a QR code instead. */
const isBack = async ({ remote }: Subject): Promise<boolean> => {
  for (const end = performance.now() + BACK_MS; performance.now() < end;) {
    if ((await remote.call('openLines')) > 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
};

const rampage = async (report: Report, scene: Scene, way: Way): Promise<Figures> => {
  const [name, number] = [`crash-${way}`, `62815000000${Object.keys(WAYS).indexOf(way)}`];
  const begin = () => scene.subject(way, { stores: true });
  let subject = await begin();
  await scene.link(subject, name, number);
  let isOver = false;
  const traffic = scene.network.call('write', number, MESSAGES).finally(() => (isOver = true));
  let kills = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    kills = kill;
    const before = await subject.remote.call('received');
    const life = 1 + Math.floor(Math.random() * LONGEST_LIFE);
    const current = subject;
    await until('some messages', async () => isOver || (await current.remote.call('received')) - before >= life);
    await subject.remote.kill();
    subject = await begin();
    await subject.remote.call('open', name);
    if (!(await isBack(subject))) {
      report.note(
        `${WAYS[way]}: kill ${kill} left its credentials unreadable, and the account had to be linked again.`,
      );
      break;
    }
    if (kill % 5 === 0) report.progress(`${way}: killed ${kill} times`);
  }
  await traffic;
  const rows = await settled(subject, name);
  await subject.stop();
  return { missing: MESSAGES - rows.length, 'out of order': overtaken(rows), sent: MESSAGES, kills };
};

/** What is lost when the process dies while messages come in. */
export const bench = sceneBench('gateway-crash', async (report, scene) => {
  const rows: Record<string, Figures> = {};
  for (const way of Object.keys(WAYS) as Way[]) rows[WAYS[way] ?? way] = await rampage(report, scene, way);
  report.table(`${MESSAGES} messages to a device whose process gets ${KILLS} kill -9`, rows);
  const ours = rows[WAYS.engine ?? ''] ?? {};
  report.ratio('missing', ours.missing ?? NaN, 'messages that our engine lost');
  report.ratio('out-of-order', ours['out of order'] ?? NaN, 'messages stored after a later one of their chat');
  report.note(
    'All write the same row to the same database: plain Baileys when `messages.upsert` brings a message, the engine before WhatsApp hears of it. What was not acknowledged is redelivered at the next login.',
  );
});
