// commerce-api itself, as a process beside the suite.
import { httpClient } from '@platform/http';
import { serviceTokens } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';
import {
  caller,
  runProgramCommand,
  startProgram,
  testDatabase,
  type CallResult,
  type RunningProgram,
  type TestDatabase,
} from '@platform/testing';
import { httpCommerce } from './commerce';
import { startStoreAuth, type StoreAuth } from './store-auth.fixture';

const main = 'apps/commerce-api/src/main.ts';
export const REAL_SECRET = 'a secret of the bot';
export const PRODUCT = { sku: 'HAT-0', name: 'Topi', price: 10_000, stock: 50 };
export const SHIPPING = { kind: 'flat', name: 'Kurir toko', cost: 15_000, areas: ['Bandung', 'Cimahi'] };

const demand = async <Data>(asked: Promise<CallResult>): Promise<Data> => {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body as { data: Data }).data;
};

/** Stores and their owners, at commerce-api's own routes. */
const ownersAt = (url: string, storeAuth: StoreAuth, seed: (shop: object) => Promise<void>) => {
  const ask = caller(url);
  const as = <Data>(storeId: string, method: string, path: string, body?: object) =>
    demand<Data>(ask(`/api${path}`, { method, token: storeAuth.ownerToken(storeId), body }));
  return {
    as,
    /** A store that sells hats, sends by these ways, within Bandung and Cimahi unless given, and takes transfers. */
    newStore: async (ways: readonly object[] = [SHIPPING]): Promise<string> => {
      const storeId = uuidv7();
      const store = { store_id: storeId, nama: 'Toko Nusa', tz: 'Asia/Jakarta', slug: storeId, currency: 'IDR' };
      const owner = { user_id: storeAuth.ownerId, nama: 'Sari', email: 'owner@toko-nusa.example' };
      await seed({ store, owner, products: [{ ...PRODUCT, category: 'Topi', description: 'Topi lapangan' }] });
      for (const way of ways) await as(storeId, 'POST', '/shipping/methods', way);
      const account = { bank_code: 'BCA', number: '1234567890', holder: 'Sari' };
      await as(storeId, 'POST', '/payment/bank-transfer', account);
      return storeId;
    },
    /** Its owner finds the money in the bank. */
    pay: async (storeId: string, orderNumber: string): Promise<void> => {
      const { id: order_id } = await as<{ id: string }>(storeId, 'GET', `/order/number/${orderNumber}`);
      await as(storeId, 'POST', '/order/change_payment_status', { order_id, status: 'paid', method: 'transfer' });
    },
    /** How many orders a store has. */
    orders: async (storeId: string): Promise<{ readonly number: string; readonly total: number }[]> =>
      as(storeId, 'GET', '/order'),
  };
};

const startProcess = async (database: TestDatabase, storeAuth: StoreAuth, more: Readonly<Record<string, string>>) => {
  const env = {
    ...{ APP_ENV: 'test', HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: 'https://shop.example' },
    ...{ STORE_AUTH_URL: storeAuth.url, SERVICE_CLIENT_SECRET: 'x', ENGINE_BOT_SECRET: REAL_SECRET },
    ...{ RATE_PER_MINUTE: '1000000', ...database.settings, ...more },
  };
  const run = async (...args: string[]): Promise<void> => {
    const { code, output } = await runProgramCommand({ main, args, env });
    if (code !== 0) throw new Error(output);
  };
  await run('migrate');
  const start = (): Promise<RunningProgram> => startProgram({ main, env });
  return { start, seed: (shop: object) => run('seed', JSON.stringify(shop)) };
};

/** `more`: settings, such as where bot-engine is. */
export const startRealCommerce = async (more: Readonly<Record<string, string>> = {}) => {
  const storeAuth = await startStoreAuth();
  const database = await testDatabase({ schema: 'commerce_api', migrations: [] });
  const { start, seed } = await startProcess(database, storeAuth, more);
  const program = await start();
  const http = httpClient('commerce-api', program.url);
  const tokens = serviceTokens({ storeAuthUrl: storeAuth.url, clientId: 'bot-engine', clientSecret: 'x' });
  return {
    ...ownersAt(program.url, storeAuth, seed),
    url: program.url,
    storeAuth,
    database,
    client: httpCommerce({ http, tokens, secret: REAL_SECRET }),
    stop: async () => {
      await http.stop?.();
      await tokens.stop?.();
      await program.stop();
      await database.stop?.();
      await storeAuth.stop();
    },
  };
};

export type RealCommerce = Awaited<ReturnType<typeof startRealCommerce>>;
