import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '@platform/http';
import { jobTables } from '@platform/jobs';
import { createLogger, fixedClock, loadConfig, requestContext, uuidv7, type Clock } from '@platform/runtime';
import {
  caller,
  kept,
  testDatabase,
  testSigningKey,
  useRunning,
  type CallResult,
  type TestDatabase,
} from '@platform/testing';
import { createApp } from './app';
import type { Mail, Mailer } from './clients/mail.client';
import { OWNER_ID, startFakeStoreAuth, type FakeStoreAuth } from './clients/store-auth.fake';
import { settings, type Config } from './config';
import { migrations, schema } from './data-source';
import type { Deps } from './deps';
import type { DemoProduct } from './features/demo/seed/demo-shop.types';
import { apiTokenHash } from './features/identity/access/access';
import { auditLedger } from './features/ledger/postings/public';
import { JOBS_SCHEMA } from './jobs';
import type { SystemRole } from './roles';
import { makeAssets } from './web/assets/made.assets';

export const NOW = '2026-03-01T08:00:00.000Z';

export interface Commerce {
  readonly url: string;
  readonly database: TestDatabase;
  readonly storeAuth: FakeStoreAuth;
  readonly clock: ReturnType<typeof fixedClock>;
  /** What was sent. */
  readonly mails: Mail[];
  readonly lines: string[];
  /** Where uploaded files lie. */
  readonly mediaDir: string;
  readonly app: ReturnType<typeof createApp>;
  readonly config: Config;
  get(path: string, headers?: Record<string, string>): Promise<CallResult>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<CallResult>;
  /** Any method, with a token. */
  call(method: string, path: string, token?: string, body?: unknown): Promise<CallResult>;
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
  owner: { user_id: OWNER_ID, nama: 'Sari', email: 'owner@toko-nusa.example' },
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

const SETTINGS = { APP_ENV: 'test', PUBLIC_URL: 'https://shop.example', RATE_PER_MINUTE: '1000000' };

const startStoreAuth = async (clock: Clock): Promise<FakeStoreAuth> =>
  startFakeStoreAuth(clock, await testSigningKey());

/** What a database holds with which the service starts: its tables and those of its jobs. */
const tables = { schema, migrations, beside: jobTables(JOBS_SCHEMA) };

/** Whatever a suite did, its money adds up. */
const endOf = (database: TestDatabase): Promise<void> =>
  auditLedger(database).finally(async () => void (await database.stop?.()));

const mailbox = (): [Mail[], Mailer] => {
  const mails: Mail[] = [];
  return [mails, { name: 'mail', send: async (mail) => void mails.push(mail) }];
};

/** They are the same for every spec file of a run. */
const pageFiles = () => kept('files of pages', makeAssets);

/** commerce-api on a database of its own, with a store-auth of its own, the clock standing at `now`. */
export const startCommerce = async (
  more: Readonly<Record<string, string>> = {},
  now = NOW,
  deps: Pick<Deps, 'gateways' | 'outside'> = {},
): Promise<Commerce> => {
  const clock = fixedClock(now);
  const [database, storeAuth] = await Promise.all([testDatabase(tables), startStoreAuth(clock)]);
  const lines: string[] = [];
  const logger = createLogger({ service: 'commerce-api', level: 'debug', write: (line) => lines.push(line) });
  const media = await mkdtemp(join(tmpdir(), 'shop-media-'));
  const config = loadConfig(settings, {
    ...SETTINGS,
    MEDIA_DIR: media,
    ...database.settings,
    STORE_AUTH_URL: storeAuth.url,
    SERVICE_CLIENT_SECRET: storeAuth.client.secret,
    ...more,
  });
  const [mails, mailer] = mailbox();
  const app = createApp(config, { logger, clock, mailer, pageFiles, ...deps });
  const service = await startService(app, { port: 0, host: '127.0.0.1', logger });
  const call = caller(service.url);
  return {
    url: service.url,
    database,
    storeAuth,
    clock,
    mails,
    ...{ lines, mediaDir: media, app, config },
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body, headers = {}) => call(path, { method: 'POST', body, headers }),
    call: (method, path, token, body) => call(path, { method, token, body }),
    seed: async (shop = demoShop) => app.commands?.seed?.run([JSON.stringify(shop)]),
    stop: async () => {
      await service.stop();
      await storeAuth.stop();
      await endOf(database).finally(() => rm(media, { recursive: true }));
    },
  };
};

/** The same for the tests of the surrounding suite. */
export const useCommerce = (now = NOW): Commerce => useRunning(() => startCommerce({}, now));

type AnyQuery = (...given: unknown[]) => unknown;

/** How often the requests that `work` makes send statements, COMMIT among them; what goes together counts once, and jobs and timers not at all. */
export const statementsOfRequests = async ({ app }: Commerce, work: () => Promise<unknown>): Promise<number> => {
  const { pool } = app.database;
  let statements = 0;
  const hear = (client: { query: AnyQuery }) => {
    const { query } = client;
    client.query = (...given) => {
      const asker = requestContext()?.requestId;
      if (asker !== undefined && !asker.startsWith('job-')) statements += 1;
      return query.apply(client, given);
    };
    const unhear = (released: unknown, given: unknown): void => {
      if (given !== client) return;
      client.query = query;
      pool.off('release', unhear as never);
    };
    pool.on('release', unhear as never);
  };
  pool.on('acquire', hear as never);
  try {
    await work();
  } finally {
    pool.off('acquire', hear as never);
  }
  return statements;
};

/** How often sessions of this database have waited in a circle so far; those of the service in this process tell at once what they keep yet. */
export const deadlocksOf = async ({ app, database }: Commerce): Promise<number> => {
  const { pool } = app.database;
  const sessions = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  await Promise.all(sessions.map((session) => session.query('SELECT pg_stat_force_next_flush()')));
  for (const session of sessions) session.release();
  const count = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
  return (await database.query<{ deadlocks: number }>(count))[0]?.deadlocks ?? NaN;
};

/** Creates a store with these products for one test; resolves to its id. */
export const newStore = async (
  commerce: Commerce,
  products: readonly Partial<DemoProduct>[] = [],
  owner: typeof demoShop.owner = demoShop.owner,
): Promise<string> => {
  const storeId = uuidv7();
  const store = { ...demoShop.store, store_id: storeId, slug: storeId };
  const complete = products.map((product, index) => ({ ...demoShop.products[0], sku: `SKU-${index}`, ...product }));
  await commerce.seed({ store, owner, products: complete });
  return storeId;
};

/** Creates a user who is a member of the store; resolves to a token of theirs. */
export const newMember = async (
  { database, storeAuth }: Commerce,
  storeId: string,
  role: SystemRole,
): Promise<{ readonly userId: string; readonly token: string }> => {
  const userId = uuidv7();
  await database.query(
    'INSERT INTO membership (store_id, user_id, system_role, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)',
    [storeId, userId, role, NOW],
  );
  return { userId, token: storeAuth.userToken({ sub: userId, store_id: storeId, role: 'agent' }) };
};

/** A well-formed API token that nobody has. */
export const madeApiToken = (): string =>
  `sk_${randomBytes(4).toString('hex')}_${randomBytes(32).toString('base64url')}`;

export interface ApiTokenRow {
  readonly abilities?: readonly string[];
  readonly expires?: string;
  readonly revoked?: string;
  /** The owner unless given. */
  readonly maker?: string;
}

/** Stores an API token of the store, by default one that reads products. */
export const newApiToken = async (
  { database }: Commerce,
  storeId: string,
  { abilities = ['product.read'], expires, revoked, maker = OWNER_ID }: ApiTokenRow = {},
): Promise<{ readonly token: string; readonly id: string }> => {
  const [token, id] = [madeApiToken(), uuidv7()];
  const hash = apiTokenHash(token);
  const values = [storeId, id, token.slice(-4), hash, abilities, expires ?? null, revoked ?? null, NOW, maker];
  await database.query(
    `INSERT INTO api_token (store_id, id, name, last4, hash, abilities, created_by, expires_at, revoked_at, created_at, updated_at)
     VALUES ($1, $2, 'Kasir', $3, $4, $5, $9, $6, $7, $8, $8)`,
    values,
  );
  await database.query(`INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('api_token', $1, $2, $3)`, [
    hash,
    storeId,
    id,
  ]);
  return { token, id };
};
