import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { caller, startGate, startProgram, until } from '@platform/testing';
import { chatDatabase, form, message } from './chat.fixture';

const health = async (url: string) => (await caller(url)('/health')).body as Record<string, string>;

/** With a Redis that is away until the gate is opened. */
const start = async (redis: string) => {
  const gate = await startGate(redis);
  await gate.close();
  const database = await chatDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'chat-media-'));
  const program = await startProgram({
    main: 'apps/chat-backend/src/main.ts',
    env: {
      ...{ APP_ENV: 'test', PORT: '0', HOST: '127.0.0.1', REDIS_URL: gate.url, MEDIA_DIR: folder },
      ...{ STORE_AUTH_URL: 'http://127.0.0.1:9', SERVICE_CLIENT_SECRET: 'x', MEDIA_SECRET: 'y' },
      ...{ WA_GATEWAY_URL: 'http://127.0.0.1:9', ...database.settings },
    },
  });
  const stop = async () => {
    const code = await program.stop();
    await database.stop?.();
    rmSync(folder, { recursive: true, force: true });
    return code;
  };
  return { url: program.url, gate, stop };
};

it('a process that is started while Redis is away takes the messages of customers, and stops as others do', async () => {
  const { url, stop } = await start('redis://127.0.0.1:1');
  const body = form(message({ id: 'DURING', number: '628100000001@s.whatsapp.net', text: 'halo' }));
  const taken = await caller(url)('/v1/callback_message', { body });
  expect([taken.status, taken.body]).toMatchObject([200, { result: true }]);
  expect(await health(url)).toMatchObject({ status: 'error', 'chat-backend cache': 'down' });
  expect(await stop()).toBe(0);
});

const withRedis = (redis: string): void =>
  it('a process that was started while Redis was away uses it when it is back', async () => {
    const { url, gate, stop } = await start(redis);
    await gate.open();
    await until(
      () => health(url),
      (checks) => checks['chat-backend cache'] === 'up',
    );
    await gate.close();
    expect(await stop()).toBe(0);
  });

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: the return of Redis after a start without it was not tested.\n');
