import { setTimeout as delay } from 'node:timers/promises';
import { environment } from '@platform/runtime';
import { random, startGate, until, useOpened, type RunningProgram } from '@platform/testing';
import { DEMO, newCustomer } from './app.fixture';
import { crashQuestion, expectOnce, useCrashes, type Question } from './crash.fixture';
import { ownRedis, redisCommand } from './redis.fixture';

const STORES = ['S1', 'S2', 'S3'];
const CUSTOMERS = 24;
const MESSAGES = 4;
/** Fewer disturbances than tries that a message has: none is given to a person. */
const KILLS = 3;

const shops = STORES.map((store_id) => ({ ...DEMO, store: { ...DEMO.store, store_id } }));
const { database, start, ask, answered, received } = useCrashes(shops);
const opened = useOpened();
const { below, chance, pick } = random(20_261_123);

/** What every customer says, in order. */
const script = (): Question[][] =>
  Array.from({ length: CUSTOMERS }, () => {
    const chatOf = { idUser: newCustomer(), idStore: pick(STORES) };
    return Array.from({ length: MESSAGES }, () => crashQuestion(chatOf).sent);
  });

/** As chat-backend: until it is told something, and sometimes twice at once. */
const insist = async (processes: readonly RunningProgram[], sent: Question): Promise<void> => {
  for (;;) {
    const { status } = await ask(pick(processes), sent);
    if (status === 201) return;
    expect([0, 429, 503]).toContain(status);
    await delay(50 + below(200));
  }
};

const say = async (processes: readonly RunningProgram[], sent: Question): Promise<void> => {
  const times = chance(0.25) ? 2 : 1;
  await Promise.all(Array.from({ length: times }, () => insist(processes, sent)));
};

type Disturb = () => Promise<unknown>;

/** Every message in exactly one run, and every line of every run with its customer. */
const expectAnswered = async (conversations: readonly Question[][]): Promise<void> => {
  for (const messages of conversations) {
    const ids = messages.map(({ idMessage }) => idMessage);
    const runs = await answered(messages[0]?.idUser ?? '', ids);
    expectOnce(runs, ids);
    await received.of(runs);
  }
};

/** Customers write while the processes are killed one after the other, and while the rest is disturbed. */
const disturbed = async (
  startOne: () => Promise<RunningProgram>,
  { count, more }: { count: number; more: readonly Disturb[] },
): Promise<void> => {
  const processes = await Promise.all(Array.from({ length: count }, startOne));
  const kill = async () => {
    const at = below(count);
    await processes[at]?.stop('SIGKILL');
    processes[at] = await startOne();
  };
  const cutOffDatabase = () =>
    database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'bot-engine%' AND datname = current_database()`,
    );
  const conversations = script();
  const talking = conversations.map(async (messages) => {
    for (const sent of messages) {
      await delay(below(3_000));
      await say(processes, sent);
    }
  });
  for (const disturb of [...Array.from({ length: KILLS }, () => kill), cutOffDatabase, ...more]) {
    await delay(below(700));
    await disturb();
  }
  await Promise.all(talking);
  await expectAnswered(conversations);
};

describe('every message is answered once, and everything arrives once', () => {
  it('from one process without Redis that is killed, and whose database goes away', async () => {
    await disturbed(() => start({ LLM_MODEL: 'sandbox-slow-200' }), { count: 1, more: [] });
    await until(
      () => database.query('SELECT 1 FROM bot_mailbox WHERE done_at IS NULL'),
      (waiting) => waiting.length === 0,
    );
  });

  const withRedis = (url: string): void =>
    it('from two processes that are killed, and whose Redis and database go away; nothing is left in Redis for ever', async () => {
      const REDIS_URL = await ownRedis(url);
      const gate = opened(await startGate(REDIS_URL));
      const cutOffRedis = async () => {
        await gate.close();
        await delay(500);
        await gate.open();
      };
      const startOne = () => start({ REDIS_URL: gate.url, LLM_MODEL: 'sandbox-slow-200' });
      await disturbed(startOne, { count: 2, more: [cutOffRedis] });
      const keys = async () => (await redisCommand(REDIS_URL, 'KEYS', 'bot-engine:b:*')) as string[];
      await until(keys, (found) => !found.some((key) => /:(mb|inf|lease|try)$|b:due$/.test(key)));
      const ttls = await Promise.all((await keys()).map((key) => redisCommand(REDIS_URL, 'TTL', key)));
      expect(ttls.filter((seconds) => Number(seconds) < 0)).toEqual([]);
    });

  if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
  else process.stderr.write('REDIS_URL is not set: two processes were not disturbed.\n');
});
