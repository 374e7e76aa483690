import { environment, uuidv7 } from '@platform/runtime';
import { startLlmSandbox, until, useDatabase, useRunning } from '@platform/testing';
import { DEMO, internalCalls, question, seed, startBot, TABLES, type Bot } from '../../app.fixture';

/** Limits count per store, on a Redis that others may use as well. */
const idStore = uuidv7();
const database = useDatabase(TABLES);
const llm = useRunning(() => startLlmSandbox({ port: 0 }));
beforeAll(() => seed(database.url, { ...DEMO, store: { ...DEMO.store, store_id: idStore } }));

const start = (settings: Record<string, string>): Promise<Bot> =>
  startBot({ DATABASE_URL: database.url, LLM_BASE_URL: `${llm.url}/v1`, ...settings }, { agentsKeptMs: 3_600_000 });

/** The system message of the last call for this question. */
const toldBy = async (bot: Bot, agent: string): Promise<string> => {
  const message = `halo ${uuidv7()}`;
  expect((await bot.post('/api/chatbot-api', question({ idStore, idAgent: agent, message }))).status).toBe(201);
  const asked = llm.requests.map(({ body }) => JSON.stringify(body)).find((body) => body.includes(message));
  return /Prompt \d/.exec(asked ?? '')?.[0] ?? '';
};

const redis = environment.REDIS_URL;

const MODES: readonly (readonly [string, Record<string, string>, number])[] = [
  ['without Redis', {}, 1],
  ...(redis ? [['with Redis', { REDIS_URL: redis }, 3] as const] : []),
];
if (!redis) process.stderr.write('REDIS_URL is not set: several replicas were not told of changed agents.\n');

describe.each(MODES)('an agent that is kept for an hour, %s,', (_, settings, replicas) => {
  it('is the changed one from the next turn on, on every replica', async () => {
    const bots = await Promise.all(Array.from({ length: replicas }, () => start(settings)));
    const ask = internalCalls(bots[0] as Bot, idStore);
    const id = uuidv7();
    await ask('POST', '/agents', { id, name: 'N', prompt: 'Prompt 0' });
    for (let n = 0; n < 3; n += 1) {
      for (const bot of bots)
        await until(
          () => toldBy(bot, id),
          (told) => told === `Prompt ${n}`,
        );
      expect((await ask('PUT', `/agents/${id}`, { prompt: `Prompt ${n + 1}` })).status).toBe(200);
      expect(await toldBy(bots[0] as Bot, id)).toBe(`Prompt ${n + 1}`);
    }
    await ask('DELETE', `/agents/${id}`);
    for (const bot of bots)
      await until(
        () => bot.post('/api/chatbot-api', question({ idStore, idAgent: id })),
        ({ status }) => status === 404,
      );
    await Promise.all(bots.map((bot) => bot.stop()));
  });
});
