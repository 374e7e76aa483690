import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from '@platform/data';
import { lockWaiters, testDatabase, until, type TestDatabase } from '@platform/testing';
import { startWhatsAppSandbox, type WhatsAppSandbox } from '@platform/testing/whatsapp';
import { gatewayEnvironment, gatewayTables } from '../../gateway.fixture';
import { GatewayProcess } from '../../process.fixture';
import { Receiver } from '../../receiver.fixture';

export const SHOP = '628110000001';
export const INSTANCE = 'dev1';

interface SceneParts {
  readonly sandbox: WhatsAppSandbox;
  readonly database: TestDatabase;
  readonly receiver: Receiver;
  readonly gateway: GatewayProcess;
  readonly folder: string;
}

/** A gateway in a process of its own, on the sandbox of WhatsApp; it can be killed at any moment. */
export class CrashScene {
  readonly sandbox: WhatsAppSandbox;
  readonly database: TestDatabase;
  readonly receiver: Receiver;
  readonly gateway: GatewayProcess;
  private readonly folder: string;
  private holder: Sql | undefined;

  private constructor({ sandbox, database, receiver, gateway, folder }: SceneParts) {
    this.sandbox = sandbox;
    this.database = database;
    this.receiver = receiver;
    this.gateway = gateway;
    this.folder = folder;
  }

  static async start(): Promise<CrashScene> {
    const [sandbox, database, receiver] = await Promise.all([
      startWhatsAppSandbox({ fewKeys: true }),
      testDatabase(gatewayTables),
      new Receiver().start(),
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'crash-baileys-'));
    writeFileSync(join(folder, 'ca.pem'), sandbox.mediaCa);
    const gateway = await GatewayProcess.create({
      ...gatewayEnvironment(database.url, receiver.url),
      ...{ WA_ENGINE: 'baileys', WA_SOCKET_URL: sandbox.socketUrl, WA_ROOT_KEY: sandbox.rootKey },
      ...{ WA_MEDIA_HOST: sandbox.mediaHost, WA_MEDIA_CA: join(folder, 'ca.pem'), CONNECT_JITTER: '0s' },
      ...{ LEASE_TTL: '3s', LEASE_HEARTBEAT: '1s' },
    });
    const scene = new CrashScene({ sandbox, database, receiver, gateway, folder });
    await scene.link();
    return scene;
  }

  async stop(): Promise<void> {
    await this.gateway.kill('SIGKILL');
    await this.sandbox.stop();
    await this.receiver.stop();
    await this.database.stop?.();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Resolves when the device is on WhatsApp's line again. */
  async restart(): Promise<void> {
    await this.gateway.start();
    await until(
      async () => (this.isOnline() ? [] : this.database.query('SELECT status, last_error, reconnects FROM device')),
      ({ length }) => length === 0,
    );
  }

  isOnline(): boolean {
    return this.sandbox.state().accounts.some(({ number, online }) => number === SHOP && online);
  }

  /** Event ids of a message's callbacks: a callback that was under way when the process died comes again with its own. */
  eventsOf(id: string): unknown[] {
    const callbacks = this.receiver.messages().filter(({ fields }) => fields.id === id);
    return [...new Set(callbacks.map(({ headers }) => headers['x-gateway-event-id']))];
  }

  receipts(id: string): number {
    return this.sandbox.heard(SHOP, 'receipt').filter(({ attrs }) => attrs.id === id).length;
  }

  /** Holds a lock that makes writers of the table wait, until the returned function is called. */
  async block(table: 'message' | 'auth_key'): Promise<() => Promise<void>> {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let holding: Promise<void> = Promise.resolve();
    await new Promise<void>((entered) => {
      holding = this.database.tx(async (tx) => {
        await tx.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
        this.holder = tx;
        entered();
        await released;
      });
    });
    return () => {
      release();
      return holding;
    };
  }

  /** Somebody waits for the lock of `block`. */
  async isWaiting(): Promise<boolean> {
    return this.holder !== undefined && (await lockWaiters(this.holder)) > 0;
  }

  /** What the killed process had asked for and the database had not begun is never done. */
  async forgetWaiting(): Promise<void> {
    await this.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'`,
    );
  }

  private async link(): Promise<void> {
    const { client } = this.gateway;
    await this.gateway.start();
    await client.data(client.post('/api/new', { instanceID: INSTANCE }));
    await this.sandbox.scan(await client.code(INSTANCE), { number: SHOP, name: 'Toko Nusa' });
    const info = () => client.data<{ status: string }>(client.get(`/api/device-info?instanceID=${INSTANCE}`));
    await until(info, ({ status }) => status === 'connected');
  }
}
