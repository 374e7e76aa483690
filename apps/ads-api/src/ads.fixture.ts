import {
  createHash,
  generateKeyPairSync,
  randomUUID,
  sign,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { startService } from '@platform/http';
import { jobTables } from '@platform/jobs';
import { createLogger, fixedClock, loadConfig, uuidv7 } from '@platform/runtime';
import {
  caller,
  documentedAnswers,
  testDatabase,
  useRunning,
  type CallRequest,
  type CallResult,
  type TestDatabase,
} from '@platform/testing';
import { adsApp, adsUsers, startGraphSandbox, type AdsOptions, type GraphSandbox } from '@platform/testing/graph';
import { createApp } from './app';
import { settings, type Config } from './config';
import { entities, migrations, schema } from './data-source';
import { JOBS_SCHEMA } from './jobs';
import { ApplicationsRepository } from './features/applications/applications.repository';
import { requirePublicKey } from './features/applications/public-key';
import { tokenBox } from './features/social/token.box';

/** What a database holds with which the service starts: its tables and those of its jobs. */
export const TABLES = { schema, migrations, entities, beside: jobTables(JOBS_SCHEMA) };

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
  readonly url: string;
  readonly database: TestDatabase;
  readonly clock: ReturnType<typeof fixedClock>;
  /** Every line the service logged. */
  readonly lines: string[];
  readonly app: ReturnType<typeof createApp>;
  /** Throws when the answer is not as its operation documents it. */
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

/** Headers by which `client` puts the key with this fingerprint in the place of its own. */
export const rotationHeaders = (client: Client, fingerprint: string, timestamp = NOW): Record<string, string> => ({
  'x-timestamp': timestamp,
  'x-signature': signatureOf(client.privateKey, `${client.id}|${timestamp}|${fingerprint}`),
});

/** The body of every failure of this service, for the request id that `call` sends. */
export const failed = (message: string, retryable = false): object => ({
  status: false,
  message,
  error: { retryable, request_id: 'example' },
});

export const bareBody = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');

/** Making a pair takes longer than most tests; clients one after the other have different ones. */
const PAIRS = 4;
const pairs: KeyPairKeyObjectResult[] = [];
let made = 0;
const keyPair = (): KeyPairKeyObjectResult => {
  const at = made++ % PAIRS;
  return (pairs[at] ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));
};

const newClient = async (database: TestDatabase, name: string, id: string): Promise<Client> => {
  const { privateKey, publicKey } = keyPair();
  const publicPem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const fingerprint = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex');
  await new ApplicationsRepository(database).register({ id, name, key: requirePublicKey(publicPem) }, new Date(NOW));
  return { id, name, privateKey, publicPem, fingerprint };
};

const documentedCall = (app: Ads['app'], url: string): Ads['call'] => {
  const ask = caller(url);
  const misfitsOf = documentedAnswers(app);
  return async (path, { headers, ...request } = {}) => {
    const { method = request.body === undefined ? 'GET' : 'POST' } = request;
    const answer = await ask(path, { ...request, headers: { 'x-request-id': 'example', ...headers } });
    const misfits = misfitsOf(method, path, answer.status, answer.body);
    if (misfits.length > 0) throw new Error(`${method} ${path} is not as documented: ${misfits.join('; ')}`);
    return answer;
  };
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
  const call = documentedCall(app, service.url);
  const handshake = (headers: Record<string, string>) => call('/api/application/token', { method: 'POST', headers });
  return {
    url: service.url,
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

/** ads-api on a database of its own, its clock standing at `now`. */
export const startAds = async (overrides: Partial<Config> = {}, now: string | Date = NOW): Promise<Ads> =>
  onDatabase(await testDatabase(TABLES), true, overrides, now);

/** An application that is signed in, and whose social account is connected. */
export interface Connected {
  readonly client: Client;
  /** The two headers of every call. */
  readonly headers: Record<string, string>;
  /** Row of `social_tokens`. */
  readonly tokenId: string;
}

export interface AdsWithGraph extends Ads {
  /** Its accounts, faults and calls: `graph.ads`. */
  readonly graph: GraphSandbox;
  /** Connects a person of the sandbox to the application, without the dialog; Andi unless given. Returns the id of the row. */
  connect(client: Client, user?: keyof typeof adsUsers): Promise<string>;
  /** A new application that is signed in and connected. */
  connected(user?: keyof typeof adsUsers): Promise<Connected>;
}

const KEYS = loadConfig({ ADS_TOKEN_KEYS: settings.ADS_TOKEN_KEYS }, {}).ADS_TOKEN_KEYS;

const connect = async ({ database }: Ads, { id: owner }: Client, token: string, user: { id: string; name: string }) => {
  const id = uuidv7();
  const { ciphertext, keyId } = tokenBox(KEYS).seal(owner, id, token);
  await database.query(
    `INSERT INTO social_tokens (application_id, id, social_user_id, social_user_name, ciphertext, key_id, scopes, connected_at)
     VALUES ($1, $2, $3, $4, $5, $6, '{ads_management,ads_read,business_management}', $7)`,
    [owner, id, user.id, user.name, ciphertext, keyId, NOW],
  );
  return id;
};

/** ads-api with a Graph sandbox of its own as its upstream, over real HTTP. */
export const startAdsWithGraph = async (
  overrides: Partial<Config> = {},
  options: AdsOptions = { requireProof: true },
  now?: Date,
): Promise<AdsWithGraph> => {
  const graph = await startGraphSandbox({ port: 0, ads: options });
  const upstream = {
    ...{ GRAPH_BASE_URL: graph.url, SOCIAL_DIALOG_URL: graph.url },
    ...{ SOCIAL_APP_ID: adsApp.id, SOCIAL_APP_SECRET: adsApp.secret },
  };
  const ads = await startAds({ ...upstream, ...overrides }, now);
  const join: AdsWithGraph['connect'] = (client, user = 'andi') => {
    const { id, name } = adsUsers[user];
    return connect(ads, client, graph.ads.mintToken({ userId: id }), { id, name });
  };
  return {
    ...ads,
    graph,
    connect: join,
    connected: async (user) => {
      const client = await ads.client();
      return { client, headers: await ads.signIn(client), tokenId: await join(client, user) };
    },
    stop: async () => {
      await ads.stop();
      await graph.close();
    },
  };
};

/** The same for the tests of the surrounding suite. */
export const useAdsWithGraph = (overrides?: Partial<Config>, options?: AdsOptions, now?: Date): AdsWithGraph =>
  useRunning(() => startAdsWithGraph(overrides, options, now));

/** ads-api alone, for the tests of the surrounding suite. */
export const useAds = (): Ads => useRunning(() => startAds());
