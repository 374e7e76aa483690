import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTokenIssuer } from '@platform/bench/token-issuer';
import { openDatabase, provision, type Database } from '@platform/data';
import { freePort, scratchFolder, startCluster, type Cluster } from '@platform/postgres';
import { silentLogger } from '@platform/runtime';
import { startDokuSandbox } from '@platform/sandbox-doku';
import { startDuitkuSandbox } from '@platform/sandbox-duitku';
import type { RunningTill } from '@platform/sandbox-till';
import { startXenditSandbox } from '@platform/sandbox-xendit';
import type { Undo } from '../chaos-stack';
import { Victim } from '../victim';
import { PROVIDERS_MINUTE_MS, type Code } from './plan';

export const STORE = 'S1';
/** Whom the tokens of the benches are of. */
const OWNER = 'a2b7e0de-5f0e-4f6d-8a55-3c1d3d8a0001';
const PRODUCTS = 20;
export const PIECES = 100_000;

const SHOP = {
  store: { store_id: STORE, nama: 'Toko Nusa', tz: 'Asia/Jakarta', slug: 'toko-nusa', currency: 'IDR' },
  owner: { user_id: OWNER, email: 'owner@shop.example', nama: 'Sari' },
  products: Array.from({ length: PRODUCTS }, (_, n) => ({
    ...{ sku: `CHAOS-${n}`, name: `Barang ${n}`, category: 'Barang', description: '' },
    ...{ price: 10_000 + 777 * n, stock: PIECES },
  })),
};

/** PostgreSQL that can be killed and started again on the same port and files. */
export class Killable {
  private constructor(
    private readonly options: { readonly directory: string; readonly port: number },
    private cluster: Cluster,
  ) {}

  static async start(directory: string): Promise<Killable> {
    const options = { directory, port: await freePort() };
    return new Killable(options, await startCluster(options));
  }

  get url(): string {
    return this.cluster.url;
  }

  /** kill -9 of the server; its sessions end when they notice. */
  async kill(): Promise<void> {
    process.kill(this.cluster.pid, 'SIGKILL');
    await this.cluster.gone;
  }

  /** Until its last sessions are gone, it does not start. */
  async start(signal: AbortSignal): Promise<void> {
    for (;;) {
      const started = await startCluster(this.options).catch(() => undefined);
      if (started) {
        this.cluster = started;
        return;
      }
      await pause(200, undefined, { signal });
    }
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
}

export type Tills = Readonly<Record<Code, RunningTill>>;

/** Where somebody buys and pays. */
export interface Counter {
  readonly commerce: { readonly url: string };
  readonly tills: Tills;
  /** Of the shop's owner. */
  readonly token: string;
  /** As superuser. */
  readonly database: Database;
  readonly signal: AbortSignal;
}

/** One shop that is paid through three providers: real processes of commerce-api and PostgreSQL, and sandboxes here. */
export interface MoneyStack extends Counter {
  readonly commerce: Victim;
  readonly postgres: Killable;
  stop(): Promise<void>;
}

const secret = (): string => randomBytes(18).toString('base64url');

/** The sandboxes of three providers, with the settings by which the commerce-api at `merchant` reaches them. */
export const startTills = async (
  merchant: string,
  undo: Undo[],
): Promise<{ readonly tills: Tills; readonly settings: Readonly<Record<string, string>> }> => {
  const keys = { a: secret(), b: secret(), token: secret(), c: secret() };
  const minute = { port: 0, minuteMs: PROVIDERS_MINUTE_MS };
  const doku = await startDokuSandbox({
    ...minute,
    accounts: [{ client_id: 'MCH-CHAOS', secret: keys.a }],
    noticeUrl: `${merchant}/api/pay_a/notification`,
  });
  undo.push(() => doku.close());
  const account = { key: keys.b, callback_token: keys.token };
  const xendit = await startXenditSandbox({
    ...minute,
    accounts: [account],
    noticeUrl: `${merchant}/api/pay_b/webhook`,
  });
  undo.push(() => xendit.close());
  const duitku = await startDuitkuSandbox({ ...minute, accounts: [{ merchant: 'DSCHAOS', key: keys.c }] });
  undo.push(() => duitku.close());
  const settings = {
    ...{ PAY_A_BASE_URL: doku.url, PAY_A_CLIENT_ID: 'MCH-CHAOS', PAY_A_SECRET: keys.a, PAY_A_PUBLIC_URL: merchant },
    ...{ PAY_B_BASE_URL: xendit.url, PAY_B_KEY: keys.b, PAY_B_CALLBACK_TOKEN: keys.token, PAY_B_CONFIRM: 'true' },
    ...{ PAY_C_BASE_URL: duitku.url, PAY_C_MERCHANT: 'DSCHAOS', PAY_C_KEY: keys.c, PAY_C_PUBLIC_URL: merchant },
  };
  return { tills: { a: doku, b: xendit, c: duitku }, settings };
};

const startParts = async (undo: Undo[], signal: AbortSignal): Promise<Omit<MoneyStack, 'stop'>> => {
  const data = mkdtempSync(join(scratchFolder(), 'platform-money-'));
  const folder = mkdtempSync(join(tmpdir(), 'platform-money-'));
  undo.push(() => [data, folder].forEach((each) => rmSync(each, { recursive: true, force: true })));
  const postgres = await Killable.start(join(data, 'postgres'));
  undo.push(() => postgres.stop());
  const DATABASE_URL = await provision(postgres.url, {
    role: 'commerce_api',
    schema: 'commerce_api',
    password: 'chaos',
  });
  const issuer = await startTokenIssuer();
  undo.push(() => issuer.stop());
  const port = await freePort();
  const { tills, settings } = await startTills(`http://127.0.0.1:${port}`, undo);
  const own = {
    DATABASE_URL,
    STORE_AUTH_URL: issuer.url,
    SERVICE_CLIENT_SECRET: 'chaos',
    MEDIA_DIR: join(folder, 'media'),
  };
  const commerce = new Victim({
    ...{ name: 'commerce-api', port, log: join(folder, 'commerce.log') },
    settings: { ...own, ...settings, RATE_PER_MINUTE: '1000000', PAY_LINK_SECRET: secret() },
  });
  await commerce.command('migrate');
  await commerce.command('seed', JSON.stringify(SHOP));
  undo.push(() => commerce.kill());
  await commerce.start();
  const database = openDatabase({ url: postgres.url, schema: 'public', poolSize: 4, logger: silentLogger });
  undo.push(() => database.stop?.());
  return { commerce, postgres, tills, database, token: issuer.tokenFor('commerce-api', STORE, 'owner'), signal };
};

/** Starts everything; after a failure, stops what it has started. */
export const startMoneyStack = async (signal: AbortSignal): Promise<MoneyStack> => {
  const undo: Undo[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await startParts(undo, signal)), stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
};
