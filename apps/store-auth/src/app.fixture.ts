import { createHash } from 'node:crypto';
import { startService, type Service } from '@platform/http';
import { createLogger, environment as processEnvironment, loadConfig, type Clock } from '@platform/runtime';
import { caller, documentedAnswers, useDatabase, useRunning, type CallResult } from '@platform/testing';
import { createApp } from './app';
import { settings } from './config';
import { migrations, SCHEMA } from './data-source';

export const PASSWORD = 'correct horse battery';
export const OWNER = { user_id: '0190b5a0-0000-7000-8000-000000000001', email: 'owner@toko-nusa.example' };
export const AGENT = { user_id: '0190b5a0-0000-7000-8000-000000000002', email: 'rina@toko-nusa.example' };
export const OWNER_LOGIN = { email: OWNER.email, password: PASSWORD };

export const shop = {
  store: { store_id: 'S1', nama: 'Toko Nusa' },
  owner: { ...OWNER, password: PASSWORD, nama: 'Sari' },
  agents: [{ ...AGENT, password: PASSWORD, nama: 'Rina', teams: ['3'] }],
};

export const secretOf = (id: string): string => `secret of ${id}`;
const client = (id: string, role: string, audiences: string[], scopes: string[]) => ({
  id,
  secrets_sha256: [createHash('sha256').update(secretOf(id)).digest('hex')],
  role,
  audiences,
  scopes,
});

/** The clients of design section 6. */
export const CLIENTS = [
  client('commerce-api', 'service', ['store-auth', 'chat-backend', 'bot-engine'], ['all']),
  client('chat-backend', 'service', ['store-auth', 'bot-engine', 'commerce-api'], ['introspect', 'events']),
  client('bot-engine', 'bot', ['store-auth', 'chat-backend', 'commerce-api'], ['introspect', 'events']),
  client('ads-client', 'service', ['commerce-api'], []),
];

export type Answer = CallResult;

export const basic = (id: string, secret = secretOf(id)) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

type Extra = Readonly<Record<string, string>>;

/** Calls of one service; an answer that does not match the service's own OpenAPI document fails the test. */
const callsTo = (base: string, service: Service) => {
  const ask = caller(base);
  const misfits = documentedAnswers(service);
  const call = async (method: string, path: string, headers: Extra, body?: unknown): Promise<Answer> => {
    const answer = await ask(path, { method, headers, body });
    const found = misfits(method, path, answer.status, answer.body);
    if (found.length > 0) throw new Error(`${method} ${path} is not as documented: ${found.join('; ')}`);
    return answer;
  };
  return {
    get: (path: string, headers: Extra = {}) => call('GET', path, headers),
    post: (path: string, body: unknown = {}, headers: Extra = {}) => call('POST', path, headers, body),
    put: (path: string, body: unknown, headers: Extra = {}) => call('PUT', path, headers, body),
    delete: (path: string, body: unknown = {}, headers: Extra = {}) => call('DELETE', path, headers, body),
  };
};

export interface AppOptions {
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string>>;
  /** Hash as configured; by default as cheaply as argon2 can. */
  readonly realHashes?: boolean;
  /** A separate listener for internal routes. */
  readonly internalPort?: number;
}

const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 };
/** High, because one run fails so often that the limits would answer; tests of limits set their own. */
const UNLIMITED = {
  THROTTLE_EMAIL: '100000/1m',
  THROTTLE_IP: '100000/1m',
  THROTTLE_LOGINS: '100000/1m',
  THROTTLE_SESSION: '100000/1m',
};

/** The real service on a free port, over an empty migrated database; every line it logs is kept. */
export const startApp = async (
  databaseUrl: string,
  { clock, environment = {}, realHashes, internalPort }: AppOptions = {},
) => {
  const config = loadConfig(settings, {
    APP_ENV: 'test',
    DATABASE_URL: databaseUrl,
    REDIS_URL: processEnvironment.REDIS_URL ?? 'none',
    SERVICE_CLIENTS: JSON.stringify(CLIENTS),
    ...UNLIMITED,
    ...environment,
  });
  const lines: string[] = [];
  const logger = createLogger({ service: 'store-auth', level: 'debug', write: (line) => lines.push(line) });
  const dependencies = { logger, clock, hashCost: realHashes ? undefined : CHEAP };
  const { service, parts } = createApp(config, dependencies);
  const running = await startService(service, { port: 0, host: '127.0.0.1', internalPort, logger });
  const calls = callsTo(running.url, service);
  const command = async (name: string, args: readonly string[]): Promise<void> =>
    createApp(config, dependencies).service.commands?.[name]?.run(args);
  return {
    ...calls,
    url: running.url,
    internalUrl: running.internalUrl,
    parts,
    service,
    lines,
    stop: running.stop,
    /** A command of the program, with its own connections, as in a separate process. */
    command,
    seed: (text: object = shop) => command('seed', [JSON.stringify(text)]),
    login: async (credentials: object = OWNER_LOGIN) =>
      ((await calls.post('/api/login', credentials)).body as { data: { token: string; refresh_token: string } }).data,
    serviceToken: async (id: string, audience = 'store-auth') => {
      const { body } = await calls.post('/internal/service-tokens', { audience }, basic(id));
      return (body as { data: { access_token: string } }).data.access_token;
    },
  };
};

export type RunningApp = Awaited<ReturnType<typeof startApp>>;

export interface UsedAppOptions extends AppOptions {
  /** Without the demo shop. */
  readonly empty?: boolean;
}

/** The service and its database for the tests of the surrounding suite; the shop is there unless the suite wants it empty. */
export const useApp = (options: UsedAppOptions | (() => UsedAppOptions) = {}) => {
  const database = useDatabase({ schema: SCHEMA, migrations });
  const app = useRunning(async () => {
    const { empty, ...given } = typeof options === 'function' ? options() : options;
    const started = await startApp(database.url, given);
    if (!empty) await started.seed();
    return started;
  });
  return { app, database };
};

/** Two processes on one database: logins arrive at `app`, changes at `other`. Nobody is signed in when a test begins. */
export const useTwoApps = () => {
  const { app, database } = useApp();
  const other = useRunning(() => startApp(database.url));
  /** Headers of commerce-api. */
  const headers: Record<string, string> = {};
  beforeEach(async () => {
    Object.assign(headers, bearer(await other.serviceToken('commerce-api')));
    await database.query('TRUNCATE auth_sessions, challenges, verification_codes CASCADE');
  });
  return { app, database, other, headers };
};

/** A new user, as answers show one. */
export const userView = (more: object = {}) => ({
  phone: null,
  locale: 'id',
  timezone: 'Asia/Jakarta',
  email_verified: false,
  phone_verified: false,
  two_factor: false,
  status: 'active',
  ...more,
});

/** Status and body, to be compared whole. */
export const brief = ({ status, body }: Answer) => ({ status, body });
