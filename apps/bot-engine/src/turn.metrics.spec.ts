import { environment } from '@platform/runtime';
import { metricsOf, startGate, startLlmSandbox, until, useDatabase, useOpened, useRunning } from '@platform/testing';
import { question, seed, serviceToken, startBot, TABLES } from './app.fixture';
import { ownRedis, redisCommand } from './redis.fixture';

const opened = useOpened();
const llm = useRunning(() => startLlmSandbox({ port: 0 }));

/** A bot with a database of its own, reached through a gate, and what it tells of itself. */
const useMeasured = (more: Readonly<Record<string, string>>) => {
  const database = useDatabase(TABLES);
  beforeAll(async () => {
    await seed(database.url);
    await database.query(`INSERT INTO llm_prices VALUES ('sandbox-slow-300', '2026-01-01', 150000, 75000, 600000)`);
  });
  return async (redisUrl?: string) => {
    const gate = opened(await startGate(database.url));
    const redis: Record<string, string> = redisUrl ? { REDIS_URL: redisUrl } : {};
    const bot = opened(
      await startBot({
        DATABASE_URL: gate.url,
        LLM_BASE_URL: `${llm.url}/v1`,
        BOT_LEASE_MS: '1000',
        ...more,
        ...redis,
      }),
    );
    const value = async (name: string, labels = ''): Promise<number | undefined> =>
      (await metricsOf(bot.url, name))[labels ? `${name}{${labels}}` : name];
    return { bot, gate, value };
  };
};

describe('/metrics of a bot whose model fails', () => {
  const start = useMeasured({ LLM_MODEL: 'sandbox-500' });

  it('shows the fixed text as an answer, and why it was given', async () => {
    const { bot, value } = await start();
    expect([
      await value('bot_turns_total', 'status="fallback"'),
      await value('bot_fallbacks_total', 'reason="model"'),
    ]).toEqual([0, 0]);
    expect((await bot.post('/api/chatbot-api', question())).status).toBe(201);
    expect([
      await value('bot_turns_total', 'status="fallback"'),
      await value('bot_turns_total', 'status="answered"'),
      await value('bot_fallbacks_total', 'reason="model"'),
    ]).toEqual([1, 0, 1]);
  });
});

describe('/metrics of a bot whose database goes away during a turn', () => {
  const start = useMeasured({ LLM_MODEL: 'sandbox-slow-300' });

  it('shows the message that waits, and that it was answered when the database is back', async () => {
    const { bot, gate, value } = await start();
    const asked = llm.requests.length;
    const leading = bot.post('/api/chatbot-api', question());
    await until(() => llm.requests.length > asked);
    await gate.close();
    expect((await leading).status).toBe(503);
    expect(await until(() => value('mailbox_waiting'))).toBe(1);
    expect(await until(() => value('mailbox_oldest_seconds'))).toBeGreaterThan(0);
    expect(await value('bot_turns_total', 'status="failed"')).toBe(1);
    await gate.open();
    expect(await until(() => value('bot_turns_recovered_total'))).toBe(1);
    expect([await value('mailbox_waiting'), await value('mailbox_oldest_seconds')]).toEqual([0, 0]);
  });
});

describe('/metrics of a bot that nobody hears', () => {
  const start = useMeasured({ LLM_MODEL: 'sandbox-slow-300' });

  it('shows the answer that could not be sent, and what it has cost its store', async () => {
    const { bot, value } = await start();
    expect(await value('outbox_dead', 'component="outbox push"')).toBe(0);
    const gone = new AbortController();
    const asked = llm.requests.length;
    const leading = fetch(`${bot.url}/api/chatbot-api`, {
      method: 'POST',
      signal: gone.signal,
      headers: { authorization: `Bearer ${await serviceToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify(question()),
    });
    await until(() => llm.requests.length > asked);
    gone.abort();
    await expect(leading).rejects.toThrow();
    expect(await until(() => value('outbox_dead', 'component="outbox push"'))).toBe(1);
    expect(await value('bot_cost_dollars_total', 'store="S1"')).toBeGreaterThan(0);
  });
});

const withRedis = (url: string): void =>
  describe('/metrics of a bot whose Redis loses everything during a turn', () => {
    const start = useMeasured({ LLM_MODEL: 'sandbox-slow-1500' });

    it('shows the lease that was lost', async () => {
      const REDIS_URL = await ownRedis(url);
      const { bot, value } = await start(REDIS_URL);
      const asked = llm.requests.length;
      const leading = bot.post('/api/chatbot-api', question());
      await until(() => llm.requests.length > asked);
      await redisCommand(REDIS_URL, 'FLUSHDB');
      expect((await leading).status).toBe(201);
      expect(await value('bot_leases_lost_total')).toBe(1);
    });
  });

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: no lease was lost.\n');
