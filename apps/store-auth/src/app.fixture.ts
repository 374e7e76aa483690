import { createHash } from 'node:crypto';
import { startService } from '@platform/http';
import { createLogger, environment as processEnvironment, loadConfig, type Clock } from '@platform/runtime';
import { createApp } from './app';
import { settings } from './config';

export const PASSWORD = 'correct horse battery';
export const OWNER = { user_id: '0190b5a0-0000-7000-8000-000000000001', email: 'owner@toko-nusa.example' };
export const AGENT = { user_id: '0190b5a0-0000-7000-8000-000000000002', email: 'rina@toko-nusa.example' };
export const OWNER_LOGIN = { email: OWNER.email, password: PASSWORD };

export const shop = {
  store: { store_id: 'S1', nama: 'Toko Nusa' },
  owner: { ...OWNER, password: PASSWORD, nama: 'Sari' },
  agents: [{ ...AGENT, password: PASSWORD, nama: 'Rina', teams: ['3'] }],
};

const secretOf = (id: string): string => `secret of ${id}`;
const client = (id: string, role: string, audiences: string[], scopes: string[]) => ({
  id,
  secrets_sha256: [createHash('sha256').update(secretOf(id)).digest('hex')],
  role,
  audiences,
  scopes,
});

/** The clients of design section 6. */
const CLIENTS = [
  client('commerce-api', 'service', ['store-auth', 'chat-backend', 'bot-engine'], ['all']),
  client('bot-engine', 'bot', ['store-auth', 'chat-backend', 'commerce-api'], ['introspect', 'events']),
  client('ads-client', 'service', ['commerce-api'], []),
];

export const basic = (id: string, secret = secretOf(id)) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

type Extra = Readonly<Record<string, string>>;

const callsTo = (base: string) => {
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(base + path, init);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers };
  };
  return {
    get: (path: string, headers: Extra = {}) => call(path, { headers }),
    post: (path: string, body: unknown = {}, headers: Extra = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
};

export interface AppOptions {
  readonly clock?: Clock;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The real service on a free port, over an empty migrated database; every line it logs is kept. */
export const startApp = async (databaseUrl: string, { clock, environment = {} }: AppOptions = {}) => {
  const config = loadConfig(settings, {
    APP_ENV: 'test',
    DATABASE_URL: databaseUrl,
    REDIS_URL: processEnvironment.REDIS_URL,
    SERVICE_CLIENTS: JSON.stringify(CLIENTS),
    ...environment,
  });
  const lines: string[] = [];
  const logger = createLogger({ service: 'store-auth', level: 'debug', write: (line) => lines.push(line) });
  const { service, parts } = createApp(config, { logger, clock });
  const running = await startService(service, { port: 0, host: '127.0.0.1', logger });
  const calls = callsTo(running.url);
  return {
    ...calls,
    url: running.url,
    parts,
    service,
    lines,
    stop: running.stop,
    seed: (text: object = shop) =>
      createApp(config, { logger, clock }).service.commands?.seed?.([JSON.stringify(text)]) ?? Promise.resolve(),
    login: async (credentials: object = OWNER_LOGIN) =>
      ((await calls.post('/api/login', credentials)).body as { data: { token: string; refresh_token: string } }).data,
    serviceToken: async (id: string, audience = 'store-auth') => {
      const { body } = await calls.post('/internal/service-tokens', { audience }, basic(id));
      return (body as { data: { access_token: string } }).data.access_token;
    },
  };
};

export type RunningApp = Awaited<ReturnType<typeof startApp>>;

/** Status and body, to be compared whole. */
export const brief = ({ status, body }: Answer) => ({ status, body });
