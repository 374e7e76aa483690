import { startService } from '@platform/http';
import { createLogger, fixedClock, loadConfig, uuidv7 } from '@platform/runtime';
import { caller, testDatabase, useRunning, type CallResult, type TestDatabase } from '@platform/testing';
import { createApp } from './app';
import { startFakeStoreAuth, type FakeStoreAuth } from './clients/store-auth.fake';
import { settings } from './config';
import { migrations, schema } from './data-source';
import type { DemoProduct } from './features/catalogue/seed/seed.command';

export const NOW = '2026-03-01T08:00:00.000Z';

export interface Commerce {
  readonly url: string;
  readonly database: TestDatabase;
  readonly storeAuth: FakeStoreAuth;
  readonly clock: ReturnType<typeof fixedClock>;
  readonly lines: string[];
  readonly app: ReturnType<typeof createApp>;
  get(path: string, headers?: Record<string, string>): Promise<CallResult>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<CallResult>;
  /** Fills the tables as the `seed` command does. */
  seed(shop?: object): Promise<void>;
  stop(): Promise<void>;
}

export const bearer = (token: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${token}`,
  ...more,
});

/** The shop of the examples. */
export const demoShop = {
  store: { store_id: 'S1', nama: 'Toko Nusa', tz: 'Asia/Jakarta', slug: 'toko-nusa', currency: 'IDR' },
  owner: { user_id: '0199f7a0-0000-7000-8000-000000000001' },
  products: [
    {
      sku: 'SEPATU-HITAM-42',
      name: 'Sepatu Lari Nusa Hitam 42',
      category: 'Sepatu',
      description: 'Ringan, untuk lari harian.',
      price: 250000,
      stock: 7,
    },
  ],
};

/** commerce-api on a database of its own, with a store-auth of its own, the clock standing at `NOW`. */
export const startCommerce = async (): Promise<Commerce> => {
  const clock = fixedClock(NOW);
  const [database, storeAuth] = await Promise.all([testDatabase({ schema, migrations }), startFakeStoreAuth(clock)]);
  const lines: string[] = [];
  const logger = createLogger({ service: 'commerce-api', level: 'debug', write: (line) => lines.push(line) });
  const config = loadConfig(settings, {
    APP_ENV: 'test',
    DATABASE_URL: database.url,
    STORE_AUTH_URL: storeAuth.url,
    SERVICE_CLIENT_SECRET: storeAuth.client.secret,
    PUBLIC_URL: 'https://shop.example',
  });
  const app = createApp(config, { logger, clock });
  const service = await startService(app, { port: 0, host: '127.0.0.1', logger });
  const call = caller(service.url);
  return {
    url: service.url,
    database,
    storeAuth,
    clock,
    lines,
    app,
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body, headers = {}) => call(path, { method: 'POST', body, headers }),
    seed: async (shop = demoShop) => app.commands?.seed?.run([JSON.stringify(shop)]),
    stop: async () => {
      await service.stop();
      await storeAuth.stop();
      await database.stop?.();
    },
  };
};

/** The same for the tests of the surrounding suite. */
export const useCommerce = (): Commerce => useRunning(startCommerce);

/** Creates a store with these products for one test; resolves to its id. */
export const newStore = async (commerce: Commerce, products: readonly Partial<DemoProduct>[] = []): Promise<string> => {
  const storeId = uuidv7();
  const store = { ...demoShop.store, store_id: storeId, slug: storeId };
  const complete = products.map((product, index) => ({ ...demoShop.products[0], sku: `SKU-${index}`, ...product }));
  await commerce.seed({ store, products: complete });
  return storeId;
};
