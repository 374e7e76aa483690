import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { environment } from '@platform/runtime';
import { runProgramCommand, startProgram, testDatabase, type RunningProgram } from '@platform/testing';
import { CLIENTS, secretOf, shop } from './app.fixture';
import { migrations, SCHEMA } from './data-source';

const demo = {
  ...shop,
  store: { ...shop.store, tz: 'Asia/Jakarta', slug: 'toko-nusa', currency: 'IDR' },
  team: { id: '3', nama: 'Customer Service' },
  instance: 'dev1',
  device: { nama: 'Toko Nusa WA', nohp: '628110000001' },
  products: [{ sku: 'KAOS-M', name: 'Kaos', category: 'Baju', description: 'Kaos', price: 50_000, stock: 7 }],
};

export interface Platform {
  readonly storeAuth: RunningProgram;
  readonly chat: RunningProgram;
  readonly commerce: RunningProgram;
  stop(): Promise<void>;
}

const program = (name: string) => `apps/${name}/src/main.ts`;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** store-auth, chat-backend and commerce-api as processes of their own, with the demo shop, over one database. */
export const startPlatform = async (): Promise<Platform> => {
  const database = await testDatabase({ schema: SCHEMA, migrations });
  const { REDIS_URL = '' } = environment;
  const base = { APP_ENV: 'test', REDIS_URL, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: database.url };
  // They name each other, so one address has to be known before either starts
  const commercePort = await freePort();
  const COMMERCE_URL = `http://127.0.0.1:${commercePort}`;
  const storeAuthEnv = { ...base, COMMERCE_URL, SERVICE_CLIENTS: JSON.stringify(CLIENTS) };
  const others = {
    'chat-backend': { WA_GATEWAY_URL: 'http://127.0.0.1:1', MEDIA_SECRET: 'a secret of these tests' },
    'commerce-api': { PORT: String(commercePort) },
  };
  const prepare = async (name: keyof typeof others) => {
    const env = { ...base, ...others[name], STORE_AUTH_URL: 'http://127.0.0.1:1', SERVICE_CLIENT_SECRET: 'unused' };
    for (const args of [['migrate'], ['seed', JSON.stringify(demo)]]) {
      const { code, output } = await runProgramCommand({ main: program(name), args, env });
      if (code !== 0) throw new Error(`${name} ${args[0]} failed:\n${output}`);
    }
  };
  const seed = { main: program('store-auth'), args: ['seed', JSON.stringify(demo)], env: storeAuthEnv };
  await Promise.all([runProgramCommand(seed), prepare('chat-backend'), prepare('commerce-api')]);
  const storeAuth = await startProgram({ main: program('store-auth'), env: storeAuthEnv });
  const start = (name: keyof typeof others) =>
    startProgram({
      main: program(name),
      env: { ...base, ...others[name], STORE_AUTH_URL: storeAuth.url, SERVICE_CLIENT_SECRET: secretOf(name) },
    });
  const [chat, commerce] = await Promise.all([start('chat-backend'), start('commerce-api')]);
  const stop = async () => {
    await Promise.all([chat.stop(), commerce.stop()]);
    await storeAuth.stop();
    await database.stop?.();
  };
  return { storeAuth, chat, commerce, stop };
};
