import { startService, type RunningService, type Service } from '@platform/http';
import { jobTables } from '@platform/jobs';
import { createLogger, loadConfig, silentLogger } from '@platform/runtime';
import {
  caller,
  documentedAnswers,
  testDatabase,
  testTokens,
  type CallRequest,
  type CallResult,
  type TestDatabase,
  type TestTokens,
} from '@platform/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type Deps } from './app';
import { FakeGateway } from './clients/gateway.fake';
import { settings } from './config';
import { migrations, SCHEMA } from './data-source';
import { expectDocumented } from './features/sockets/sockets.fixture';

/** Two stores with two teams each and a device each; S1's second team is private to others. */
export const SHOPS = `
  INSERT INTO stores (store_id, nama) VALUES ('S1', 'Toko Satu'), ('S2', 'Toko Dua');
  INSERT INTO teams (store_id, id, nama) VALUES ('S1', '3', 'CS'), ('S1', '4', 'VIP'), ('S2', '3', 'CS');
  INSERT INTO users (store_id, user_id, nama) VALUES ('S1', 'u-rina', 'Rina'), ('S1', 'u-siti', 'Siti');
  INSERT INTO devices (store_id, instance, nama, default_team_id) VALUES ('S1', 'dev1', 'Satu', '3'), ('S1', 'vip', 'VIP', '4'), ('S2', 'dev2', 'Dua', '3');
  INSERT INTO device_route (instance, store_id) VALUES ('dev1', 'S1'), ('vip', 'S1'), ('dev2', 'S2');`;

export interface Chat {
  readonly url: string;
  readonly internalUrl: string;
  readonly database: TestDatabase;
  readonly tokens: TestTokens;
  readonly gateway: FakeGateway;
  /** Where it keeps files. */
  readonly mediaDirectory: string;
  /** What it logged, one JSON text per line. */
  readonly log: readonly string[];
  /** POST with the token of agent Rina of team 3 unless told otherwise. */
  post(path: string, body: unknown, request?: CallRequest): Promise<CallResult>;
  call(path: string, request?: CallRequest): Promise<CallResult>;
  /** Delivers a customer's message as the gateway does. */
  inbound(fields?: Record<string, string>): Promise<CallResult>;
  stop(): Promise<void>;
}

export const form = (fields: Record<string, string | Blob>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value as string);
  return data;
};

let messages = 0;
/** A new message of a customer to dev1. */
export const message = (fields: Record<string, string> = {}): Record<string, string> => ({
  instanceID: 'dev1',
  result: 'true',
  report: 'false',
  number: '6281234567890@s.whatsapp.net',
  id: `WA${++messages}`,
  text: `pesan ${messages}`,
  name: 'Budi',
  type: 'chat',
  timestamp: '1795157100',
  ...fields,
});

export const RINA = { sub: 'u-rina', email: 'rina@shop.example' } as const;

/** commerce-api, for any store. */
export const SERVICE = {
  typ: 'service+jwt',
  sub: 'svc:commerce-api',
  store_id: '',
  role: 'service',
  teams: [],
} as const;

/** The service as it is put together, connected to nothing: for its routes and descriptions. */
export const offlineService = (environment: Record<string, string> = {}): Service =>
  createApp(
    loadConfig(settings, {
      DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
      STORE_AUTH_URL: 'http://127.0.0.1:1',
      SERVICE_CLIENT_SECRET: 's',
      WA_GATEWAY_URL: 'http://127.0.0.1:1',
      MEDIA_SECRET: 's',
      ...environment,
    }),
    { logger: silentLogger },
  ).service;

export interface StartOptions extends Partial<Deps> {
  /** A second listener for internal routes. */
  readonly internalPort?: true;
  /** Another process of the same service, on the same database. */
  readonly beside?: Chat;
  readonly environment?: Record<string, string>;
}

/** Asks the service, and checks every answer against its own API description. */
const documentedCall = (service: Service, url: string): Chat['call'] => {
  const misfits = documentedAnswers(service);
  const ask = caller(url);
  return async (path, request = {}) => {
    const answer = await ask(path, request);
    const method = request.method ?? (request.body === undefined ? 'GET' : 'POST');
    const found = misfits(method, path, answer.status, answer.body);
    if (found.length > 0) throw new Error(`${method} ${path} is not as documented: ${found.join('; ')}`); // `expect` costs more than the check
    return answer;
  };
};

const configOf = (environment: Record<string, string>) =>
  loadConfig(settings, {
    APP_ENV: 'test',
    STORE_AUTH_URL: 'http://127.0.0.1:9',
    SERVICE_CLIENT_SECRET: 'client-secret',
    WA_GATEWAY_URL: 'http://127.0.0.1:9',
    MEDIA_SECRET: 'media-secret',
    RATE_PER_MINUTE: '1000000',
    ...environment,
  });

/** A database of the service with the tables of its jobs, and the shops. */
export const chatDatabase = async (): Promise<TestDatabase> => {
  const database = await testDatabase({ schema: SCHEMA, migrations, beside: jobTables(`${SCHEMA}_jobs`) });
  await database.query(SHOPS);
  return database;
};

const ownParts = async () => ({ database: await chatDatabase(), tokens: await testTokens('chat-backend') });

/** The real service over HTTP with a database of its own; the gateway is a fake, store-auth a key. */
export const startChat = async ({
  environment = {},
  internalPort,
  beside,
  ...deps
}: StartOptions = {}): Promise<Chat> => {
  const { database, tokens } = beside ?? (await ownParts());
  const gateway = new FakeGateway();
  const media = mkdtempSync(join(tmpdir(), 'chat-media-'));
  const log: string[] = [];
  const logger = createLogger({ service: 'chat-backend', write: (line) => log.push(line) });
  const config = configOf({ ...database.settings, MEDIA_DIR: media, ...environment });
  const { service } = createApp(config, { logger, keys: tokens.keys, gateway, ...deps });
  const running: RunningService = await startService(service, {
    port: 0,
    host: '127.0.0.1',
    ...(internalPort ? { internalPort: 0 } : {}),
    logger,
  });
  const call = documentedCall(service, running.url);
  const rina = tokens.tokenFor(RINA);
  return {
    url: running.url,
    internalUrl: running.internalUrl,
    database,
    tokens,
    gateway,
    mediaDirectory: media,
    log,
    call,
    post: (path, body, request = {}) => call(path, { token: rina, ...request, body }),
    inbound: (fields) => call('/v1/callback_message', { body: form(message(fields)) }),
    stop: async () => {
      await running.stop();
      if (!beside) await database.stop?.();
      rmSync(media, { recursive: true, force: true });
      expectDocumented();
    },
  };
};
