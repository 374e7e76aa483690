import { environment } from '@platform/runtime';
import { spawnProgram, startGate, startProgram, until, useDatabase, useOpened, useRunning } from '@platform/testing';
import { TABLES } from './app.fixture';
import { startKeyServer } from './key-server.fixture';
import { ownRedis } from './redis.fixture';

const database = useDatabase(TABLES);
const keys = useRunning(startKeyServer);
const opened = useOpened();

const program = (more: Readonly<Record<string, string>>) => ({
  main: 'apps/bot-engine/src/main.ts',
  env: {
    ...{ APP_ENV: 'test', DATABASE_URL: database.url, STORE_AUTH_URL: keys.url, SERVICE_CLIENT_SECRET: 'test' },
    ...{ LLM_BASE_URL: 'http://127.0.0.1:9/v1', PORT: '0', HOST: '127.0.0.1', ...more },
  },
});
const start = (more: Readonly<Record<string, string>> = {}) => startProgram(program(more));

const SECOND =
  /Another process of bot-engine works on this database\. Without REDIS_URL there can be only one: end the other one, or set REDIS_URL for all of them\./;

describe('bot-engine without Redis', () => {
  it('refuses a second process on its database, and starts again when the first was killed', async () => {
    const first = opened(await start());
    await expect(start()).rejects.toThrow(SECOND);
    await first.stop('SIGKILL');
    const next = opened(await start());
    expect((await fetch(`${next.url}/ready`)).status).toBe(200);
  });

  it('starts in production only when it is told that there is no Redis', async () => {
    const production = {
      ...{ APP_ENV: 'production', TRUST_PROXY: 'none', ALLOW_SANDBOX_LLM: '1', LLM_API_KEY: 'a-key' },
      ...{ LLM_MODEL: 'gpt-x', LLM_SMALL_MODEL: 'gpt-x', TESTING_MODEL: 'gpt-x', ENGINE_BOT_SECRET: 'a-secret' },
      ...{ STORE_SOURCE: 'commerce', COMMERCE_URL: 'http://127.0.0.1:9', CHAT_URL: 'http://127.0.0.1:9' },
    };
    await expect(start(production)).rejects.toThrow(/REDIS_URL is missing: set it to/);
    const alone = opened(await start({ ...production, REDIS_URL: 'none' }));
    expect((await fetch(`${alone.url}/ready`)).status).toBe(200);
  });
});

const withRedis = (redisUrl: string): void =>
  describe('bot-engine with Redis', () => {
    it('runs as many processes on a database as there are', async () => {
      const REDIS_URL = await ownRedis(redisUrl);
      const started = await Promise.all([start({ REDIS_URL }), start({ REDIS_URL })]);
      for (const each of started) opened(each);
      expect(await Promise.all(started.map(async ({ url }) => (await fetch(`${url}/ready`)).status))).toEqual([
        200, 200,
      ]);
    });

    it('waits for a Redis that is away, and is ready when it is back', async () => {
      const gate = await startGate(await ownRedis(redisUrl));
      await gate.close();
      const child = spawnProgram(program({ REDIS_URL: gate.url }));
      let printed = '';
      child.stdout?.on('data', (text) => (printed += String(text)));
      opened({ stop: () => (child.kill('SIGKILL'), gate.close()) });
      await until(() => printed.includes('Redis cannot be reached'));
      expect(printed).not.toContain('"message":"ready"');
      await gate.open();
      await until(() => printed.includes('"message":"ready"'));
      expect(child.exitCode).toBeNull();
    });
  });

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: bot-engine was not started twice.\n');
