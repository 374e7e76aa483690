import { environment } from '@platform/runtime';
import { startGate, until, useDatabase, useRunning } from '@platform/testing';
import { question, seed, serviceToken, startBot, tokenFor, TABLES } from '../../app.fixture';

const database = useDatabase(TABLES);
beforeAll(() => seed(database.url));

const brief = ({ status, body }: { status: number; body: unknown }) => ({ status, body });

describe('bot-engine without Redis', () => {
  const bot = useRunning(() => startBot({ DATABASE_URL: database.url }));

  it('/health reports the memory cache, to anybody', async () =>
    expect(brief(await bot.get('/health'))).toEqual({
      status: 200,
      body: { status: 'ok', cache: { status: 'up', driver: 'memory', latency_ms: expect.any(Number) } },
    }));

  it('/ready, /metrics and /docs.json answer', async () => {
    expect(brief(await bot.get('/ready'))).toEqual({ status: 200, body: { ready: true } });
    expect((await bot.get('/metrics')).status).toBe(200);
    const { paths } = (await bot.get('/docs.json')).body as { paths: Record<string, unknown> };
    const outside = Object.keys(paths).filter((path) => !path.startsWith('/internal/'));
    expect(outside.toSorted()).toEqual([
      ...['/api/ai-agent-testing', '/api/chatbot-api', '/api/generate_welcome', '/api/notify-new-message'],
      ...['/api/test', '/api/webhook/payment-notification', '/health'],
    ]);
  });

  it('/api/test answers berhasil to users and services', async () => {
    const expected = { status: 200, body: { message: 'berhasil' } };
    expect(brief(await bot.get('/api/test', await tokenFor()))).toEqual(expected);
    expect(brief(await bot.get('/api/test', await serviceToken()))).toEqual(expected);
    expect(brief(await bot.get('/api/test'))).toEqual({
      status: 401,
      body: { status: 'error', message: 'Unauthenticated' },
    });
  });
});

const withRedis = (redisUrl: string): void => {
  describe('bot-engine with Redis', () => {
    it('/health follows it down and up again; turns and notices are 503 meanwhile', async () => {
      const gate = await startGate(redisUrl);
      const bot = await startBot({ DATABASE_URL: database.url, REDIS_URL: gate.url });
      const up = { status: 'ok', cache: { status: 'up', driver: 'redis', latency_ms: expect.any(Number) } };
      expect(brief(await bot.get('/health'))).toEqual({ status: 200, body: up });

      await gate.close();
      const down = await until(
        () => bot.get('/health'),
        ({ status }) => status === 503,
      );
      expect(down.body).toEqual({ status: 'error', cache: { status: 'down', driver: 'redis' } });
      const turn = await bot.post('/api/chatbot-api', question());
      expect([turn.status, turn.body, turn.headers.get('retry-after')]).toEqual([
        503,
        { statusCode: 503, message: 'temporarily unavailable' },
        '2',
      ]);
      const notice = await bot.post('/api/notify-new-message', { idStore: 'S1', idUser: '1', idMessage: 'm' });
      expect([notice.status, notice.body, notice.headers.get('retry-after')]).toEqual([
        503,
        'temporarily unavailable',
        '2',
      ]);
      expect((await bot.get('/ready')).status).toBe(503);

      await gate.open();
      expect(
        (
          await until(
            () => bot.get('/health'),
            ({ status }) => status === 200,
          )
        ).body,
      ).toEqual(up);
      await bot.stop();
      await gate.close();
    });
  });
};

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: /health was tested without Redis only.\n');
