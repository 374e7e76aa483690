import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from '@platform/runtime';
import {
  caller,
  runProgramCommand,
  startHttpServer,
  startProgram,
  testDatabase,
  testTokens,
  type CallRequest,
  type CallResult,
  type RunningProgram,
  type TestTokens,
} from '@platform/testing';
import { io, type Socket } from 'socket.io-client';
import { chatDatabase, form, message } from './chat.fixture';
import { documented } from './features/sockets/sockets.fixture';

const STORE_AUTH = 'apps/store-auth/src/main.ts';
const CHAT_BACKEND = 'apps/chat-backend/src/main.ts';
export const PASSWORD = 'correct horse battery';
const secretOf = (id: string): string => `secret of ${id}`;
const client = (id: string, scopes: string[]) => ({
  id,
  secrets_sha256: [createHash('sha256').update(secretOf(id)).digest('hex')],
  role: 'service',
  audiences: ['store-auth', 'chat-backend'],
  scopes,
});

export interface User {
  readonly id: string;
  readonly email: string;
}

/** A client with socket.io's defaults, and all it has heard. */
export interface Listener {
  readonly socket: Socket;
  readonly heard: { readonly name: string; readonly payload: Record<string, unknown> }[];
}

/** Who signs in and loses rights, at a store-auth in a process of its own. */
export interface StoreAuth {
  /** A member of S1 unless told otherwise. */
  user(role: string, teams: readonly string[], store?: string): Promise<User>;
  login(user: User): Promise<string>;
  /** As the user. */
  as(token: string, path: string, body?: object): Promise<CallResult>;
  /** As commerce-api. */
  internal(method: string, path: string, body: object): Promise<CallResult>;
}

export interface TwoProcesses {
  readonly auth: StoreAuth;
  /** Tokens of any shape, which both take beside those of store-auth. */
  readonly tokens: TestTokens;
  call(process: number, path: string, request: CallRequest): Promise<CallResult>;
  /** A customer's message, brought to one of the two. */
  inbound(process: number, nohp: string, text: string): Promise<void>;
  query: Awaited<ReturnType<typeof chatDatabase>>['query'];
  /** Of commerce-api, for `/internal/sync`. */
  push(body: object): Promise<void>;
  listen(process: number, token: string): Promise<Listener>;
  stop(): Promise<void>;
}

const demand = ({ status, body }: CallResult): { data: Record<string, unknown> } => {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as { data: Record<string, unknown> };
};

const storeAuthOf = (url: string) => {
  const ask = caller(url);
  const basic = Buffer.from(`commerce-api:${secretOf('commerce-api')}`).toString('base64');
  const serviceToken = async (audience: string) => {
    const headers = { authorization: `Basic ${basic}` };
    return String(demand(await ask('/internal/service-tokens', { headers, body: { audience } })).data.access_token);
  };
  const internal: StoreAuth['internal'] = async (method, path, body) => {
    const answer = await ask(`/internal/${path}`, { method, token: await serviceToken('store-auth'), body });
    demand(answer);
    return answer;
  };
  const auth: StoreAuth = {
    internal,
    user: async (role, teams, store_id = 'S1') => {
      const id = uuidv7();
      const email = `${id}@shop.example`;
      const membership = { store_id, role, teams };
      await internal('POST', 'users', { user_id: id, email, password: PASSWORD, nama: 'Ani', membership });
      await internal('PUT', `users/${id}`, { email_verified: true });
      return { id, email };
    },
    login: async ({ email }) => {
      const body = { email, password: PASSWORD, store_id: 'S1' };
      return String(demand(await ask('/api/login', { body })).data.token);
    },
    as: (token, path, body = {}) => ask(`/api/${path}`, { token, body }),
  };
  return { auth, serviceToken };
};

const startStoreAuth = async (more: Readonly<Record<string, string>>) => {
  const database = await testDatabase({ schema: 'store_auth_beside' });
  const env = {
    APP_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    SERVICE_CLIENTS: JSON.stringify([client('commerce-api', ['all']), client('chat-backend', ['events'])]),
    THROTTLE_IP: '100000/1m',
    THROTTLE_LOGINS: '100000/1m',
    ...more,
  };
  const migrated = await runProgramCommand({ main: STORE_AUTH, args: ['migrate'], env });
  if (migrated.code !== 0) throw new Error(migrated.output);
  const program = await startProgram({ main: STORE_AUTH, env });
  const stop = async () => {
    await program.stop();
    await database.stop?.();
  };
  return { ...storeAuthOf(program.url), url: program.url, stop };
};

/** The keys of store-auth, and one of the test's own: store-auth signs no token that ends within a minute. */
const startKeys = (storeAuth: string, { key }: TestTokens) =>
  startHttpServer((_, response) => {
    void fetch(`${storeAuth}/.well-known/jwks.json`)
      .then((answer) => answer.json() as Promise<{ keys: object[] }>)
      .then(({ keys }) => response.end(JSON.stringify({ keys: [...keys, key.publicJwk] })));
  });

const settingsOf = (storeAuth: string, keys: string, folder: string) => ({
  APP_ENV: 'test',
  PORT: '0',
  HOST: '127.0.0.1',
  STORE_AUTH_URL: storeAuth,
  JWT_JWKS_URL: keys,
  SERVICE_CLIENT_SECRET: secretOf('chat-backend'),
  WA_GATEWAY_URL: 'http://127.0.0.1:9',
  MEDIA_SECRET: 'media-secret',
  MEDIA_DIR: folder,
  DEVICE_POLL_S: '0',
  RATE_PER_MINUTE: '1000000',
});

/** What a test asks of two running processes. */
const asked = (urls: readonly [string, string], serviceToken: (audience: string) => Promise<string>) => {
  const call: TwoProcesses['call'] = (process, path, request) => caller(urls[process] ?? '')(path, request);
  const listeners: Listener[] = [];
  const questions: Pick<TwoProcesses, 'call' | 'inbound' | 'push' | 'listen'> = {
    call,
    inbound: async (process, nohp, text) => {
      const body = form(message({ number: `${nohp}@s.whatsapp.net`, text }));
      expect((await call(process, '/v1/callback_message', { body })).body).toMatchObject({ result: true });
    },
    push: async (body) => {
      demand(await call(0, '/internal/sync', { token: await serviceToken('chat-backend'), body }));
    },
    listen: async (process, token) => {
      const socket = documented(io(urls[process] ?? '', { auth: { token }, forceNew: true }));
      const listener: Listener = { socket, heard: [] };
      listeners.push(listener);
      socket.onAny((name: string, payload: Record<string, unknown>) => void listener.heard.push({ name, payload }));
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
      return listener;
    },
  };
  return { ...questions, hangUp: () => listeners.forEach(({ socket }) => socket.close()) };
};

/** Two processes of this service on one database and beside one store-auth, as replicas are; with a Redis, or with nothing else. */
export const startTwoProcesses = async (redis: Readonly<Record<string, string>>): Promise<TwoProcesses> => {
  const database = await chatDatabase();
  const tokens = await testTokens('chat-backend');
  const storeAuth = await startStoreAuth(redis);
  const keys = await startKeys(storeAuth.url, tokens);
  const folder = mkdtempSync(join(tmpdir(), 'chat-media-'));
  const env = { ...settingsOf(storeAuth.url, keys.url, folder), ...database.settings, ...redis };
  const boot = (): Promise<RunningProgram> => startProgram({ main: CHAT_BACKEND, env });
  const programs = await Promise.all([boot(), boot()]);
  const { hangUp, ...questions } = asked([programs[0].url, programs[1].url], storeAuth.serviceToken);
  return {
    ...questions,
    tokens,
    auth: storeAuth.auth,
    query: database.query.bind(database),
    stop: async () => {
      hangUp();
      await Promise.all(programs.map((program) => program.stop()));
      await keys.stop();
      await storeAuth.stop();
      await database.stop?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
