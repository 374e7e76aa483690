import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@platform/data';
import { startService, type RunningService, type Service } from '@platform/http';
import { jobTables } from '@platform/jobs';
import { loadConfig, silentLogger } from '@platform/runtime';
import { asyncapi } from '@platform/realtime';
import {
  caller,
  testDatabase,
  until,
  useRunning,
  watchSockets,
  type CallRequest,
  type TestDatabase,
} from '@platform/testing';
import { io, type Socket } from 'socket.io-client';
import { createApp, type Deps } from './app';
import { settings } from './config';
import { migrations, schema } from './data-source';
import { gatewaySocketApi } from './features/realtime/socket.api';
import { refused } from './refused.examples';
import { JOBS_SCHEMA } from './retention.composition';
import { Receiver } from './receiver.fixture';

export interface HttpReply {
  readonly status: number;
  readonly body: unknown;
}

export { until };

/** Calls of one gateway as a client makes them. */
export class Client {
  constructor(
    readonly url: string,
    private readonly key?: string,
  ) {}

  async get(path: string, request: CallRequest = {}): Promise<HttpReply> {
    const headers = { ...(this.key && { 'x-api-key': this.key }), ...request.headers };
    const { status, body } = await caller(this.url)(path, { method: 'GET', ...request, headers });
    return { status, body };
  }

  post(path: string, body: unknown): Promise<HttpReply> {
    return this.get(path, { method: 'POST', body });
  }

  async data<T>(reply: Promise<HttpReply>): Promise<T> {
    const { status, body } = await reply;
    if (status !== 200) throw new Error(`expected 200, got ${status}: ${JSON.stringify(body)}`);
    return (body as { data: T }).data;
  }

  /** The code to scan, once there is one: on a busy machine that may be after the answer to the first question. */
  async code(instanceID: string): Promise<string> {
    const shown = await until(
      () => this.get(`/api/qrcode?instanceID=${instanceID}`),
      ({ status }) => status === 200,
    );
    return (shown.body as { data: { qr: string } }).data.qr;
  }

  /** A device that a phone has scanned. */
  async link(instanceID: string, more: object = {}, nohp = '628110000001'): Promise<void> {
    await this.data(this.post('/api/new', { instanceID, ...more }));
    await this.code(instanceID);
    await this.data(this.post('/sim/scan', { instanceID, nohp }));
  }

  customer(from: string, to: string, text: string): Promise<{ id: string; number: string }> {
    return this.data(this.post('/sim/messages', { from, to, text }));
  }

  send(pesan_id: string, number: string, text: string, more: object = {}): Promise<HttpReply> {
    return this.post('/api/send-message', { pesan_id, role: 'agent', data: { number, text, ...more } });
  }

  async shows(nohp: string): Promise<(string | null)[]> {
    const { messages } = await this.data<{ messages: { text: string | null }[] }>(this.get(`/sim/inbox?nohp=${nohp}`));
    return messages.map(({ text }) => text);
  }
}

export interface Gateway {
  readonly client: Client;
  readonly database: TestDatabase;
  readonly receiver: Receiver;
  readonly running: RunningService;
  readonly app: ReturnType<typeof createApp>;
  stop(): Promise<void>;
}

/** Environment of a gateway for tests: no pace. */
export const gatewayEnvironment = (databaseUrl: string, webhookUrl: string): Record<string, string> => ({
  APP_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: databaseUrl,
  WEBHOOK_URL: webhookUrl,
  CONNECT_JITTER: '0s',
  SEND_RATE: '0',
  SEND_RATE_REPLY: '0',
  FILES_DIR: join(tmpdir(), `gateway-files-${randomUUID()}`),
});

/** The gateway's service as it is put together; nothing connects. */
export const offlineService = (environment: Record<string, string> = {}): Service => {
  const nowhere = gatewayEnvironment('postgres://nobody@127.0.0.1:1/none', 'http://127.0.0.1:1/v1');
  return createApp(loadConfig(settings, { ...nowhere, ...environment }), { logger: silentLogger }).service;
};
/** What a gateway in production must be told, besides what a test sets. */
export const PRODUCTION = {
  APP_ENV: 'production',
  WA_AUTH_KEY: Buffer.alloc(32, 7).toString('base64'),
  TRUST_PROXY: 'none',
  REDIS_URL: 'none',
  GATEWAY_API_KEY: 'a key of the tests',
  REALTIME_TOKEN: 'a token of the tests',
} as const;

/** `documented` compares what a socket hears and is answered with its description; the gateway's `stop` fails if it did not fit. */
export const { documented, misfits } = watchSockets(asyncapi(gatewaySocketApi));

/** What a database holds with which a gateway starts: its tables and those of its jobs. */
export const gatewayTables = { schema, migrations, beside: jobTables(JOBS_SCHEMA) };

/** The answer to a request that breaks this rule. */
export const invalid = (
  field: string,
  tag: string,
  message = `${field} is ${tag === 'required' ? 'required' : 'not valid'}`,
): HttpReply => ({
  status: 422,
  body: refused({ field, tag, message }),
});

/** The answer to a send of an agent on dev1 that waits for its turn, `more` beside that. */
export const queued = (pesan_id: string, number: string, more: object = {}) => ({
  pesan_id,
  role: 'agent',
  id: expect.any(String) as unknown,
  instanceID: 'dev1',
  number,
  status: 'pending',
  timestamp: expect.any(Number) as unknown,
  delivery: 'engine',
  ...more,
});

/** The real gateway on a database of its own, with a receiver to call back. */
export const startGateway = async (
  environment: Record<string, string> = {},
  deps: Partial<Deps> = {},
): Promise<Gateway> => {
  const database = await testDatabase(gatewayTables);
  const receiver = await new Receiver().start();
  const config = loadConfig(settings, { ...gatewayEnvironment(database.url, receiver.url), ...environment });
  const app = createApp(config, { logger: silentLogger, ...deps });
  const running = await startService(app.service, { port: 0, host: '127.0.0.1', logger: deps.logger ?? silentLogger });
  const stop = async () => {
    await running.stop();
    await receiver.stop();
    await database.stop?.();
    rmSync(config.FILES_DIR, { recursive: true, force: true });
    expect(misfits()).toEqual([]);
  };
  const key = config.APP_ENV === 'production' ? config.GATEWAY_API_KEY : undefined;
  return { client: new Client(running.url, key), database, receiver, running, app, stop };
};

/** The same for the tests of the surrounding suite; what is known only when it starts comes from a function. */
export const useGateway = (
  environment: Record<string, string> | (() => Record<string, string>) = {},
  deps: Partial<Deps> = {},
): Gateway => useRunning(() => startGateway(typeof environment === 'function' ? environment() : environment, deps));

/** A socket that is connected to the gateway while the tests of the surrounding suite run. */
export const useSocket = (gateway: Gateway): Socket =>
  useRunning(async () => {
    const socket = documented(io(gateway.client.url, { transports: ['websocket'], forceNew: true }));
    await until(() => socket.connected, Boolean);
    return socket;
  });

/** Pauses of lanes and holds of receivers end: a minute passes in a moment. Lanes at work are passed over. */
export const timePasses = async (database: Database): Promise<void> => {
  await database.query('UPDATE outbox_target SET held_until = now() WHERE held_until > now()');
  await database.query(`UPDATE outbox_lane SET next_at = now() WHERE lane = ANY (ARRAY(
    SELECT lane FROM outbox_lane WHERE next_at < 'infinity' AND fence IS NULL FOR UPDATE SKIP LOCKED))`);
  await database.query('SELECT outbox_notify()');
};
