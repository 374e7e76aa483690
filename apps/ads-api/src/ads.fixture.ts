import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { startService } from '@platform/http';
import { createLogger, fixedClock, loadConfig } from '@platform/runtime';
import {
  caller,
  testDatabase,
  useRunning,
  type CallRequest,
  type CallResult,
  type TestDatabase,
} from '@platform/testing';
import { createApp } from './app';
import { settings, type Config } from './config';
import { entities, migrations, schema } from './data-source';
import { ApplicationsRepository } from './features/applications/applications.repository';
import { requirePublicKey } from './features/applications/public-key';

export const NOW = '2026-03-01T08:00:00.000Z';

/** A client application with its key pair. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicPem: string;
  readonly fingerprint: string;
}

export interface Ads {
  readonly database: TestDatabase;
  readonly clock: ReturnType<typeof fixedClock>;
  /** Every line the service logged. */
  readonly lines: string[];
  readonly app: ReturnType<typeof createApp>;
  call(path: string, request?: CallRequest): Promise<CallResult>;
  handshake(headers: Record<string, string>): Promise<CallResult>;
  /** Registers an application with a new key, under a given id when there is one. */
  client(name?: string, id?: string): Promise<Client>;
  /** Makes a handshake and returns the two headers of every other call. */
  signIn(client: Client): Promise<Record<string, string>>;
  /** A second replica on the same database, with the same clock. */
  replica(): Promise<Ads>;
  stop(): Promise<void>;
}

export const signatureOf = (privateKey: KeyObject, text: string): string =>
  sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64');

/** Headers of a valid handshake; a test passes what it changes. */
export const handshakeHeaders = (client: Client, timestamp = NOW): Record<string, string> => ({
  'x-client-key': client.id,
  'x-timestamp': timestamp,
  'x-signature': signatureOf(client.privateKey, `${client.id}|${timestamp}`),
});

/** The body of every failure of this service, for the request id that `call` sends. */
export const failed = (message: string, retryable = false): object => ({
  status: false,
  message,
  error: { retryable, request_id: 'example' },
});

export const bareBody = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');

const newClient = async (database: TestDatabase, name: string, id: string): Promise<Client> => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const fingerprint = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex');
  await new ApplicationsRepository(database).register({ id, name, key: requirePublicKey(publicPem) }, new Date(NOW));
  return { id, name, privateKey, publicPem, fingerprint };
};

const onDatabase = async (
  database: TestDatabase,
  owned: boolean,
  overrides: Partial<Config>,
  now: string | Date = NOW,
): Promise<Ads> => {
  const lines: string[] = [];
  const clock = fixedClock(now);
  const logger = createLogger({ service: 'ads-api', level: 'debug', write: (line) => lines.push(line) });
  const given = { DATABASE_URL: database.url, APP_ENV: 'test', HANDSHAKE_FAIL_LIMIT_PER_MIN: '0' };
  const config = { ...loadConfig(settings, { ...given, ADS_BEARER_SECRET: 'of the tests' }), ...overrides };
  const app = createApp(config, { logger, clock });
  const service = await startService(app, { port: 0, host: '127.0.0.1', logger });
  const ask = caller(service.url);
  const call: Ads['call'] = (path, { headers, ...request } = {}) =>
    ask(path, { ...request, headers: { 'x-request-id': 'example', ...headers } });
  const handshake = (headers: Record<string, string>) => call('/api/application/token', { method: 'POST', headers });
  return {
    database,
    clock,
    lines,
    app,
    call,
    handshake,
    client: (name = 'A client', id = randomUUID()) => newClient(database, name, id),
    signIn: async (client) => {
      const { body } = await handshake(handshakeHeaders(client, clock.now().toISOString()));
      const { access_token } = (body as { data: { access_token: string } }).data;
      return { authorization: `Bearer ${access_token}`, 'public-key': bareBody(client.publicPem) };
    },
    replica: () => onDatabase(database, false, overrides, clock.now()),
    stop: async () => {
      await service.stop();
      if (owned) await database.stop?.();
    },
  };
};

/** ads-api on a database of its own, its clock standing at `NOW`. */
export const startAds = async (overrides: Partial<Config> = {}): Promise<Ads> =>
  onDatabase(await testDatabase({ schema, migrations, entities }), true, overrides);

/** The same for the tests of the surrounding suite. */
export const useAds = (): Ads => useRunning(() => startAds());
