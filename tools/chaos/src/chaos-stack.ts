import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTokenIssuer } from '@platform/bench/token-issuer';
import { openDatabase, provision, type Database } from '@platform/data';
import { freePort, scratchFolder, startCluster } from '@platform/postgres';
import { silentLogger } from '@platform/runtime';
import { Victim } from './victim';

export const DEVICE = 'dev1';
export const TEAM = '3';
const STORE = 'S1';

export const SHOP = {
  store: { store_id: STORE, nama: 'Toko Nusa', tz: 'Asia/Jakarta' },
  team: { id: TEAM, nama: 'Customer Service' },
  instance: DEVICE,
  device: { nama: 'Toko Nusa WA', nohp: '628110000001' },
  owner: { user_id: '0199f0de-0000-7000-8000-000000000001', email: 'owner@shop.example', nama: 'Sari' },
  agents: [],
};

/** A throwaway stack of real processes: database, gateway with simulator, chat-backend. */
export interface ChaosStack {
  readonly chat: Victim;
  readonly gateway: Victim;
  /** As superuser; the schemas are chat_backend and wa_gateway. */
  readonly database: Database;
  /** Ends every wait of the run. */
  readonly signal: AbortSignal;
  /** Token of an agent of the shop. */
  readonly token: string;
  stop(): Promise<void>;
}

export type Undo = () => Promise<unknown> | void;

interface Undoable {
  readonly undo: Undo[];
  readonly signal: AbortSignal;
}

export const settingsOf = (
  urls: { chat: string; gateway: string; issuer: string; databases: string[] },
  folder: string,
) => {
  const [chatDatabase = '', gatewayDatabase = ''] = urls.databases;
  return {
    chat: {
      DATABASE_URL: chatDatabase,
      STORE_AUTH_URL: urls.issuer,
      SERVICE_CLIENT_SECRET: 'chaos',
      WA_GATEWAY_URL: urls.gateway,
      MEDIA_DIR: join(folder, 'media'),
      MEDIA_SECRET: 'chaos',
      RATE_PER_MINUTE: '1000000',
    },
    gateway: {
      DATABASE_URL: gatewayDatabase,
      WEBHOOK_URL: `${urls.chat}/v1`,
      FILES_DIR: join(folder, 'files'),
      WEBHOOK_LEASE: '20s',
      // Pacing protects a real account; here it would only prolong the run
      SEND_RATE: '0',
      SEND_RATE_REPLY: '0',
    },
  };
};

export const startDatabase = async (undo: Undo[]): Promise<{ url: string; databases: string[] }> => {
  const data = mkdtempSync(join(scratchFolder(), 'platform-chaos-'));
  undo.push(() => rmSync(data, { recursive: true, force: true }));
  // Only services are killed here, so the database need not survive a power cut
  const cluster = await startCluster({ directory: join(data, 'postgres'), throwaway: true });
  undo.push(() => cluster.stop());
  const databases = ['chat_backend', 'wa_gateway'].map((schema) =>
    provision(cluster.url, { role: schema, schema, password: 'chaos' }),
  );
  return { url: cluster.url, databases: await Promise.all(databases) };
};

const startVictims = async (
  { undo, signal }: Undoable,
  issuer: string,
  databases: string[],
): Promise<[Victim, Victim]> => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-chaos-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const [chatPort, gatewayPort] = [await freePort(), await freePort()];
  const urls = { chat: `http://127.0.0.1:${chatPort}`, gateway: `http://127.0.0.1:${gatewayPort}` };
  const settings = settingsOf({ ...urls, issuer, databases }, folder);
  const log = (name: string) => join(folder, `${name}.log`);
  const chat = new Victim({ name: 'chat-backend', port: chatPort, settings: settings.chat, log: log('chat') });
  const gateway = new Victim({
    name: 'wa-gateway',
    port: gatewayPort,
    settings: settings.gateway,
    log: log('gateway'),
  });
  for (const victim of [chat, gateway]) {
    await victim.command('migrate');
    await victim.command('seed', JSON.stringify(SHOP));
    undo.push(() => victim.kill());
    await victim.start();
    signal.throwIfAborted();
  }
  return [chat, gateway];
};

/** Starts everything; after a failure, stops what it has started. */
export const startStack = async (signal: AbortSignal): Promise<ChaosStack> => {
  const undo: Undo[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const { url, databases } = await startDatabase(undo);
    const issuer = await startTokenIssuer();
    undo.push(() => issuer.stop());
    const [chat, gateway] = await startVictims({ undo, signal }, issuer.url, databases);
    const database = openDatabase({ url, schema: 'public', poolSize: 16, logger: silentLogger });
    undo.push(() => database.stop?.());
    return { chat, gateway, database, signal, token: issuer.tokenFor('chat-backend', STORE, [TEAM]), stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
};
