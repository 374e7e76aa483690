// chat-backend itself, as a process beside the suite.
import { serviceTokens } from '@platform/auth';
import { httpClient } from '@platform/http';
import {
  caller,
  runProgramCommand,
  startHttpServer,
  startProgram,
  testDatabase,
  type TestDatabase,
} from '@platform/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpChat } from './chat';
import type { ChatAddress } from './chat.client';
import { startStoreAuth } from './store-auth.fixture';

const main = 'apps/chat-backend/src/main.ts';
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2_000, 'a')]);
const SHOP = [
  `INSERT INTO chat_backend.stores (store_id, nama) VALUES ('S1', 'Toko Satu')`,
  `INSERT INTO chat_backend.teams (store_id, id, nama, kind) VALUES ('S1', '3', 'CS', 'cs'), ('S1', '9', 'Supervisor', 'supervisor')`,
  `INSERT INTO chat_backend.devices (store_id, instance, nama, default_team_id) VALUES ('S1', 'dev1', 'Satu', '3')`,
  `INSERT INTO chat_backend.device_route (instance, store_id) VALUES ('dev1', 'S1')`,
];
const STATUS = { open: 0, handle: 1, finish: 3 };

let customers = 0;

const startPrograms = async (more: Readonly<Record<string, string>>) => {
  const storeAuth = await startStoreAuth();
  const database = await testDatabase({ schema: 'chat_backend', migrations: [] });
  const files = await startHttpServer((_request, response) => response.end(JPEG));
  const media = mkdtempSync(join(tmpdir(), 'chat-media-'));
  const env = {
    ...{ APP_ENV: 'test', HOST: '127.0.0.1', PORT: '0', STORE_AUTH_URL: storeAuth.url, SERVICE_CLIENT_SECRET: 'x' },
    ...{ WA_GATEWAY_URL: 'http://127.0.0.1:9', DEVICE_POLL_S: '0', MEDIA_DIR: media, MEDIA_SECRET: 's' },
    ...{ RATE_PER_MINUTE: '1000000', MEDIA_URL_ALLOW: `${files.url}/public/`, ...database.settings, ...more },
  };
  const { code, output } = await runProgramCommand({ main, args: ['migrate'], env });
  if (code !== 0) throw new Error(output);
  for (const sql of SHOP) await database.query(sql);
  const program = await startProgram({ main, env });
  const http = httpClient('chat-backend', program.url);
  const tokens = serviceTokens({ storeAuthUrl: storeAuth.url, clientId: 'bot-engine', clientSecret: 'x' });
  const stop = async (): Promise<void> => {
    await http.stop?.();
    await tokens.stop?.();
    await program.stop();
    await database.stop?.();
    await files.stop();
    await storeAuth.stop();
    rmSync(media, { recursive: true, force: true });
  };
  return { url: program.url, storeAuth, database, files, client: httpChat(http, tokens), stop };
};

/** A customer writes, as the gateway tells it. */
const inboundOf =
  (url: string) =>
  async (customer: string, text = 'halo'): Promise<void> => {
    const body = new FormData();
    const id = `WA-${customer}-${++customers}`;
    const fields = { instanceID: 'dev1', result: 'true', report: 'false', type: 'chat', id, text, name: 'Budi' };
    for (const [name, value] of Object.entries({ ...fields, number: `${customer}@s.whatsapp.net` }))
      body.append(name, value);
    const { status, body: answer } = await caller(url)('/v1/callback_message', { body });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(answer)}`);
  };

const chatOf = `(SELECT id FROM chat_backend.conversations WHERE store_id = $1 AND nohp = $2)`;

/** What has come of pushes and escalations. */
const readingOf = (database: TestDatabase) => ({
  said: async ({ storeId, customer }: ChatAddress): Promise<readonly string[]> => {
    const rows = await database.query<{ said: string }>(
      `SELECT coalesce(pesan, CASE WHEN media IS NOT NULL THEN 'picture' END) AS said FROM chat_backend.messages
       WHERE store_id = $1 AND conversation_id = ${chatOf} AND role = 'bot' ORDER BY seq`,
      [storeId, customer],
    );
    return rows.map(({ said }) => said);
  },
  asked: ({ storeId, customer }: ChatAddress) =>
    database.query<{ reason: string; priority: string }>(
      `SELECT replace(isi, E'\\r\\n', E'\\n') AS reason, prioritas AS priority FROM chat_backend.tickets WHERE store_id = $1 AND conversation_id = ${chatOf}`,
      [storeId, customer],
    ),
});

/** `more`: settings, such as where bot-engine is. */
export const startRealChat = async (more: Readonly<Record<string, string>> = {}) => {
  const { files, ...programs } = await startPrograms(more);
  const { database, url } = programs;
  const inbound = inboundOf(url);
  const newChat = async (status: 'open' | 'handle' | 'finish'): Promise<ChatAddress> => {
    const customer = `62812${String(++customers).padStart(7, '0')}`;
    await inbound(customer);
    const [row] = await database.query<{ id: string }>(
      `UPDATE chat_backend.conversations SET status = $1 WHERE nohp = $2 RETURNING store_id || '.' || id AS id`,
      [STATUS[status], customer],
    );
    return { storeId: 'S1', customer, instanceId: 'dev1', team: '3', chatId: row?.id ?? '' };
  };
  return { ...programs, ...readingOf(database), inbound, newChat, picture: `${files.url}/public/a.jpg` };
};

export type RealChat = Awaited<ReturnType<typeof startRealChat>>;
