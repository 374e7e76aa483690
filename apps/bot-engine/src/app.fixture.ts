import { localKeys, tokenSigner } from '@platform/auth';
import type { Cache, Database } from '@platform/data';
import type { TokenType, Role } from '@platform/contracts';
import { jobTables } from '@platform/jobs';
import { startService, type Service } from '@platform/http';
import { createLogger, loadConfig, silentLogger, uuidv7, type Clock } from '@platform/runtime';
import {
  caller,
  startLlmSandbox,
  testDatabase,
  testSigningKey,
  useDatabase,
  useRunning,
  type CallResult,
} from '@platform/testing';
import { createApp } from './app';
import { settings } from './config';
import { migrations, SCHEMA } from './data-source';
import { JOBS_SCHEMA } from './jobs';
import { ownRedis } from './redis.fixture';
import { useSiblings } from './siblings.fixture';

export const DEMO = {
  store: { store_id: 'S1', nama: 'Toko Nusa', tz: 'Asia/Jakarta', currency: 'IDR', hours: '09.00-21.00' },
  ai_agent: { id: 'A1', name: 'Nusa', prompt: 'Kamu adalah Nusa.' },
  products: [
    { sku: 'SEPATU-HITAM-42', name: 'Sepatu Lari Nusa Hitam 42', category: 'Sepatu', price: 250_000, stock: 7 },
    { sku: 'SANDAL-BIRU-40', name: 'Sandal Nusa Biru 40', category: 'Sandal', price: 90_000, stock: 0 },
  ],
};

/** Keys come from the test; the revocation feed is unreachable, which restricts nothing here. */
const NO_STORE_AUTH = {
  APP_ENV: 'test',
  STORE_AUTH_URL: 'http://127.0.0.1:9',
  SERVICE_CLIENT_SECRET: 'test',
  BOT_WINDOW_MS: '0',
};

/** What a database holds with which the service starts: its tables and those of its jobs. */
export const TABLES = { schema: SCHEMA, migrations, beside: jobTables(JOBS_SCHEMA) };

export interface Bot {
  readonly url: string;
  readonly service: Service;
  readonly database: Database;
  /** Its log, one JSON text per line. */
  readonly log: readonly string[];
  get(path: string, token?: string): Promise<CallResult>;
  /** A text is sent as is, anything else as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<CallResult>;
  stop(): Promise<void>;
}

export interface TokenOptions {
  readonly sub?: string;
  readonly store?: string;
  readonly role?: Role;
  readonly aud?: string;
  readonly type?: TokenType;
  readonly ttlSeconds?: number;
}

export const tokenFor = async (options: TokenOptions = {}): Promise<string> => {
  const {
    sub = uuidv7(),
    store = 'S1',
    role = 'agent',
    aud = 'bot-engine',
    type = 'at+jwt',
    ttlSeconds = 600,
  } = options;
  const current = await testSigningKey();
  const subject = { aud, sub, store_id: store, role, teams: [], email: 'a@b.example', sid: uuidv7() };
  return tokenSigner({ currentKey: () => current }).sign(type, subject, ttlSeconds).token;
};

/** A token of chat-backend, good for any store. */
export const serviceToken = (): Promise<string> => tokenFor({ store: '', role: 'service', type: 'service+jwt' });

/** Of commerce-api, which names the store in a header, or for one store. */
export const internalToken = (store = ''): Promise<string> =>
  tokenFor({ sub: 'svc:commerce-api', store, role: 'service', type: 'service+jwt' });

/** Calls of `/internal/*` in the name of a store, and of one of its users. */
export const internalCalls =
  (bot: Pick<Bot, 'url'>, store = 'S1', actor?: string) =>
  async (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
    const headers = { 'x-store-id': store, ...(actor ? { 'x-actor-id': actor } : {}) };
    const answer = await caller(bot.url)(`/internal${path}`, { method, token: await internalToken(), headers, body });
    return { status: answer.status, body: answer.body };
  };

const callsTo = (url: string): Pick<Bot, 'get' | 'post'> => {
  const ask = caller(url);
  const asService = async () => ({ authorization: `Bearer ${await serviceToken()}` });
  return {
    get: (path, token) => ask(path, { token }),
    post: async (path, body, headers) => ask(path, { method: 'POST', body, headers: headers ?? (await asService()) }),
  };
};

interface StartOptions {
  readonly silent?: boolean;
  readonly agentsKeptMs?: number;
  /** One of its own on a Redis that others use as well. */
  readonly cache?: Cache;
  readonly clock?: Clock;
}

/** The real service on a free port, with its own keys instead of store-auth's; agents are read anew for every turn. */
export const startBot = async (
  environment: Record<string, string>,
  { silent = false, agentsKeptMs = 0, ...deps }: StartOptions = {},
): Promise<Bot> => {
  const log: string[] = [];
  const logger = silent ? silentLogger : createLogger({ service: 'bot-engine', write: (line) => log.push(line) });
  const { REDIS_URL } = environment;
  const redis = REDIS_URL ? { REDIS_URL: await ownRedis(REDIS_URL) } : {};
  const config = loadConfig(settings, { ...NO_STORE_AUTH, ...environment, ...redis });
  const current = await testSigningKey();
  const { service, database } = createApp(config, {
    logger,
    keys: localKeys(() => [current]),
    agentsKeptMs,
    ...deps,
  });
  const running = await startService(service, { port: 0, host: '127.0.0.1', logger });
  const stop = async () => void (await running.stop());
  return { url: running.url, service, database, log, ...callsTo(running.url), stop };
};

/** Fills the tables as the `seed` command does, through a service of its own. */
export const seed = async (databaseUrl: string, shop: object = DEMO): Promise<void> => {
  const config = loadConfig(settings, { ...NO_STORE_AUTH, DATABASE_URL: databaseUrl });
  await createApp(config, { logger: silentLogger }).service.commands?.seed?.run([JSON.stringify(shop)]);
};

interface UsedBotOptions {
  readonly shop?: object;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * The service with its database, in which the demo shop is, a model, and the services that it calls, for the tests of the surrounding suite. `start` starts
 * another process: with a REDIS_URL on the same database, without one on a database of its own.
 */
export const useBot = ({ shop, environment }: UsedBotOptions = {}) => {
  const database = useDatabase(TABLES);
  const llm = useRunning(() => startLlmSandbox({ port: 0 }));
  const { commerce, chat, settings: siblings } = useSiblings();
  const startOn = (
    url: string,
    more: Readonly<Record<string, string>> = {},
    options: Parameters<typeof startBot>[1] = {},
  ) => startBot({ ...siblings(), DATABASE_URL: url, LLM_BASE_URL: `${llm.url}/v1`, ...more }, options);
  const start: (...more: [Readonly<Record<string, string>>?, Parameters<typeof startBot>[1]?]) => Promise<Bot> = async (
    more = {},
    options,
  ) => {
    if (more.REDIS_URL) return startOn(database.url, more, options);
    const own = await testDatabase(TABLES);
    await seed(own.url, shop);
    const started = await startOn(own.url, more, options);
    return { ...started, stop: () => started.stop().finally(own.stop) };
  };
  const bot = useRunning(async () => {
    await seed(database.url, shop);
    return startOn(database.url, environment);
  });
  return { database, llm, commerce, chat, bot, start };
};

let customers = 0;
/** A new customer for every test, because limits count per customer. */
export const newCustomer = (): string => `62812${String(++customers).padStart(7, '0')}`;

/** A message of a new customer to the demo shop. */
export const question = (more: Record<string, unknown> = {}) => ({
  idUser: newCustomer(),
  idAgent: 'A1',
  idStore: 'S1',
  message: 'kak sepatu lari hitam ada?',
  idMessage: uuidv7(),
  ...more,
});

/** The headers that this service adds to an answer, with placeholders for ids. */
export const botHeaders = ({ headers }: CallResult): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-bot-')));
