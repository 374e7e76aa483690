import { openCache, type Cache } from '@platform/data';
import { requestContext, silentLogger } from '@platform/runtime';
import { useDatabase, useRunning, startLlmSandbox } from '@platform/testing';
import { newCustomer, question, seed, startBot, TABLES } from '../../app.fixture';
import { useSiblings } from '../../siblings.fixture';
import { CHATBOT, saidBy } from '../../turns.fixture';

const database = useDatabase(TABLES);
const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const { commerce, settings } = useSiblings();

/** What nobody waits for. */
const UNAWAITED = ['limits leave', 'raise counters'];

/** Commands by the moment in which they were sent: those of one moment go in one pipeline, whose answers come after it. */
const counted = (cache: Cache): { readonly cache: Cache; readonly trips: string[][] } => {
  const trips: string[][] = [];
  let open: string[] | undefined;
  const sent = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    if (!UNAWAITED.includes(name)) {
      if (!open) trips.push((open = []));
      open.push(name);
    }
    await new Promise((resolve) => setImmediate(resolve));
    open = undefined;
    return answer;
  };
  const told: Pick<Cache, 'get' | 'set' | 'increment' | 'runScript'> = {
    get: (key) => sent('get', cache.get(key)),
    set: (...args) => sent('set', cache.set(...args)),
    increment: (...args) => sent('increment', cache.increment(...args)),
    runScript: (script, ...args) => sent(script.name, cache.runScript(script, ...args)),
  };
  return { cache: { ...cache, ...told }, trips };
};

const running = useRunning(async () => {
  await seed(database.url);
  const { cache, trips } = counted(openCache({ logger: silentLogger, name: 'counted' }));
  const bot = await startBot(
    { ...settings(), DATABASE_URL: database.url, LLM_BASE_URL: `${llm.url}/v1` },
    { cache, agentsKeptMs: 60_000 },
  );
  const statements: string[] = [];
  const { prepared, query } = bot.database;
  // Parsed and planned anew each time: no turn sends any
  bot.database.query = ((text, values) => {
    if (requestContext()) statements.push(text);
    return query(text, values);
  }) as typeof query;
  bot.database.prepared = ((name, text, values) => {
    if (name.startsWith('bot_')) statements.push(name);
    return prepared(name, text, values);
  }) as typeof prepared;
  return { bot, trips, statements, stop: bot.stop };
});

const turn = async (message: string) => {
  const { bot, trips, statements } = running;
  trips.length = 0;
  statements.length = 0;
  const { bot: status } = saidBy(await bot.post(CHATBOT, question({ message })));
  return { status, trips: trips.map((names) => [...names]), statements: [...statements] };
};

beforeAll(() => turn('halo'));

const TURN = [
  ['limits check'],
  ['mailbox offer'],
  ['limits begin', 'mailbox drain'],
  ['mailbox attempt', 'limits count', 'read counters'],
  ['mailbox drain'],
  ['set', 'mailbox finish'],
];

it('a turn without tools asks the cache in six trips, and PostgreSQL twice', async () =>
  expect(await turn('halo')).toEqual({ status: 'answered', trips: TURN, statements: ['bot_open', 'bot_commit'] }));

it('a tool costs PostgreSQL one statement more, and the cache nothing', async () => {
  commerce.parcels = { JX1234567890: { waybill: 'JX1234567890', courier: 'jne', status: 'dikirim', history: [] } };
  expect(await turn('lacak resi JX1234567890')).toEqual({
    ...{ status: 'answered', trips: TURN },
    statements: ['bot_open', 'bot_step', 'bot_commit'],
  });
});

it('a repeat of a merged message costs the cache two trips, and PostgreSQL nothing', async () => {
  const { bot, trips, statements } = running;
  const idUser = newCustomer();
  const burst = ['sepatu', 'sandal'].map((message) => question({ idUser, message }));
  const answers = await Promise.all(burst.map(async (sent) => ({ sent, ...saidBy(await bot.post(CHATBOT, sent)) })));
  const merged = answers.find((answer) => answer.bot === 'merged');
  trips.length = 0;
  statements.length = 0;
  expect(saidBy(await bot.post(CHATBOT, merged?.sent)).bot).toBe('merged');
  expect([trips, statements]).toEqual([[['limits check'], ['mailbox offer']], []]);
});
