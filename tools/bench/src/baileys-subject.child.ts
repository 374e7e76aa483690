// What is measured: devices on the plain client library, or on the gateway's engine around it.
import { openDatabase, type Database, type DatabaseOptions } from '@platform/data';
import { secretBox } from '@platform/auth';
import { silentLogger, systemClock } from '@platform/runtime';
import { loadLibrary, type Library } from '@platform/sandbox-whatsapp';
import type { AuthenticationState, SignalDataSet, WASocket } from 'baileys';
import { answerCalls } from './remote';
import { loadModule } from './workspace';

export type Way = 'memory' | 'files' | 'postgres' | 'engine';

export interface SubjectOptions {
  readonly way: Way;
  readonly socketUrl: string;
  readonly rootKey: string;
  readonly databaseUrl: string;
  /** Where plain Baileys keeps its keys. */
  readonly folder: string;
  /** Stores incoming messages in the table `message`: plain Baileys on its event, the engine in its sink, before that resolves. */
  readonly stores?: boolean;
}

/** A device, on either client. */
interface Line {
  start(): Promise<void>;
  send(to: string, text: string, id: string): Promise<void>;
  readonly isOpen: boolean;
  readonly qr: string | undefined;
}

/** The part of the gateway's engine that is used here. Declared again, because tools do not import apps. */
interface Engine {
  start(sink: object): Promise<void>;
  pair(): Promise<void>;
  info(): { linked: boolean };
  send(to: string, content: object, options: { id: string }): Promise<unknown>;
}

const box = secretBox(Buffer.alloc(32, 7).toString('base64'));
const RESTART_REQUIRED = 515;
let received = 0;
const lines = new Map<string, Line>();

/** The engine's key store, which plain Baileys can use as well. */
type Keys = AuthenticationState['keys'] & {
  creds(): Promise<AuthenticationState['creds']>;
  saveCreds(creds: AuthenticationState['creds']): Promise<void>;
};

interface Heard {
  readonly instance: string;
  readonly chat: string;
  readonly id: string;
  readonly text: string;
}

let database: Database | undefined;
let keyDatabase: Database | undefined;

const store = async ({ instance, chat, id, text }: Heard): Promise<void> => {
  await database?.query(
    `INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, at)
     VALUES ($1, $2, false, $3, 'in', 'chat', jsonb_build_object('text', $4::text), now()) ON CONFLICT DO NOTHING`,
    [instance, chat, id, text],
  );
};

const memoryAuth = (library: Library): AuthenticationState => {
  const entries = new Map<string, unknown>();
  return {
    creds: library.initAuthCreds(),
    keys: {
      get: (type, ids) =>
        Object.fromEntries(
          ids.flatMap((id) => (entries.has(`${type} ${id}`) ? [[id, entries.get(`${type} ${id}`)]] : [])),
        ) as never,
      set: (data: SignalDataSet) => {
        for (const [type, values] of Object.entries(data))
          for (const [id, value] of Object.entries(values))
            if (value === null) entries.delete(`${type} ${id}`);
            else entries.set(`${type} ${id}`, value);
      },
    },
  };
};

class PlainLine implements Line {
  qr: string | undefined;
  isOpen = false;
  private socket: WASocket | undefined;
  private auth: { state: AuthenticationState; saveCreds: () => Promise<void> } | undefined;

  constructor(
    private readonly library: Library,
    private readonly options: SubjectOptions,
    private readonly name: string,
  ) {}

  async start(): Promise<void> {
    const { library, options } = this;
    this.auth ??= await this.openAuth();
    const { creds, keys } = this.auth.state;
    const silent = { level: 'silent', child: () => silent } as Record<string, unknown>;
    for (const level of ['trace', 'debug', 'info', 'warn', 'error']) silent[level] = () => undefined;
    const logger = silent as never;
    // As in the library's own example
    const cached = options.way === 'files' ? library.makeCacheableSignalKeyStore(keys, logger) : keys;
    const socket = library.makeWASocket({
      auth: { creds, keys: cached },
      waWebSocketUrl: options.socketUrl,
      logger,
      shouldSyncHistoryMessage: ({ syncType }) => syncType !== 3 && syncType !== 2,
    });
    this.socket = socket;
    socket.ev.on('creds.update', () => void this.auth?.saveCreds());
    socket.ev.on('messages.upsert', ({ messages }) => {
      const heard = messages.filter(({ key, message }) => !key.fromMe && message);
      received += heard.length;
      for (const { key, message } of heard)
        void store({
          instance: this.name,
          chat: key.remoteJid ?? '',
          id: key.id ?? '',
          text: message?.extendedTextMessage?.text ?? message?.conversation ?? '',
        });
    });
    socket.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
      if (qr) this.qr = qr;
      if (connection === 'open') this.isOpen = true;
      const error = lastDisconnect?.error as { output?: { statusCode?: number } } | undefined;
      if (connection === 'close' && error?.output?.statusCode === RESTART_REQUIRED) void this.start();
    });
  }

  private async openAuth() {
    const { library, options, name } = this;
    if (options.way === 'files') return library.useMultiFileAuthState(options.folder);
    if (options.way === 'memory') return { state: memoryAuth(library), saveCreds: () => Promise.resolve() };
    const { AuthStore } = loadModule<{ AuthStore: new (...parts: unknown[]) => Keys }>(
      'apps/wa-gateway/src/engines/baileys/auth.store.ts',
    );
    const keys = new AuthStore(name, keyDatabase, box, library);
    const creds = await keys.creds();
    return { state: { creds, keys }, saveCreds: () => keys.saveCreds(creds) };
  }

  async send(to: string, text: string, messageId: string): Promise<void> {
    await this.socket?.sendMessage(to, { text }, { messageId });
  }
}

/** The part of it that is watched here. */
interface Turnstile {
  readonly connecting: number;
  entrance(tenant: string): { enter(isWanted: () => boolean): Promise<unknown> };
}
type Part = new (...parts: unknown[]) => object;

let mostConnecting = 0;

const watched = (turnstile: Turnstile): Pick<Turnstile, 'entrance'> => ({
  entrance: (tenant) => {
    const entrance = turnstile.entrance(tenant);
    const enter: typeof entrance.enter = async (isWanted) => {
      const pass = await entrance.enter(isWanted);
      mostConnecting = Math.max(mostConnecting, turnstile.connecting);
      return pass;
    };
    return { ...entrance, enter };
  },
});

const engineContext = (options: SubjectOptions, database: Database) => {
  const engine = 'apps/wa-gateway/src/engines/baileys';
  const { DeviceStores } = loadModule<{ DeviceStores: Part }>(`${engine}/device.stores.ts`);
  const { DeviceMedia } = loadModule<{ DeviceMedia: Part }>(`${engine}/device.media.ts`);
  const { Turnstile } = loadModule<{ Turnstile: new (options: object) => Turnstile }>(`${engine}/turnstile.ts`);
  const noFiles = () => {
    throw new Error('no files here');
  };
  return {
    stores: new DeviceStores(database, box, 10_000),
    media: new DeviceMedia(box, { host: '127.0.0.1', maxBytes: 1 }, noFiles),
    line: { socketUrl: options.socketUrl, rootKey: options.rootKey },
    turnstile: watched(new Turnstile({ places: 4, logger: silentLogger })),
    ...{ clock: systemClock, logger: silentLogger, random: Math.random },
  };
};

class EngineLine implements Line {
  qr: string | undefined;
  isOpen = false;

  constructor(
    private readonly engine: Engine,
    private readonly name: string,
  ) {}

  async start(): Promise<void> {
    const none = () => Promise.resolve();
    const sink = {
      message: async ({ chat, id, text = '' }: { chat: string; id: string; text?: string }) => {
        await store({ instance: this.name, chat, id, text });
        received += 1;
      },
      ...{ status: none, failure: none, reaction: none, restricted: none, event: () => undefined },
      state: async (state: string) => void (this.isOpen = state === 'connected'),
      ...{ isOurs: async () => true, forgives: async () => false },
      qr: async ({ qr }: { qr: string }) => void (this.qr = qr),
    };
    await this.engine.start(sink);
    if (!this.engine.info().linked) await this.engine.pair();
  }

  async send(to: string, text: string, id: string): Promise<void> {
    await this.engine.send(to, { kind: 'text', text }, { id });
  }
}

const openStore = async (url: string): Promise<Database> => {
  const source = loadModule<Pick<DatabaseOptions, 'schema' | 'migrations' | 'entities'>>(
    'apps/wa-gateway/src/data-source.ts',
  );
  const opened = openDatabase({ url, ...source, logger: silentLogger });
  await opened.migrate();
  await opened.start?.();
  return opened;
};

let makeLine: ((name: string) => Line) | undefined;

const methods = {
  prepare: async (options: SubjectOptions) => {
    const library = await loadLibrary();
    library.WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(options.rootKey, 'hex');
    const needsStore = options.stores || options.way === 'engine' || options.way === 'postgres';
    const own = needsStore ? await openStore(options.databaseUrl) : undefined;
    [keyDatabase, database] = [own, options.stores ? own : undefined];
    if (options.way !== 'engine' || !own) {
      makeLine = (name) => new PlainLine(library, options, name);
      return;
    }
    const { BaileysEngine } = loadModule<{ BaileysEngine: new (device: object, context: object) => Engine }>(
      'apps/wa-gateway/src/engines/baileys/baileys.engine.ts',
    );
    const context = engineContext(options, own);
    const device = { webhookUrl: 'http://127.0.0.1:9', online: true, status: 'connected' };
    makeLine = (instanceId) => new EngineLine(new BaileysEngine({ ...device, instanceId }, context), instanceId);
  },
  open: async (name: string) => {
    const line = makeLine?.(name);
    if (!line) throw new Error('prepare first');
    lines.set(name, line);
    await line.start();
  },
  qr: (name: string) => lines.get(name)?.qr,
  mostConnecting: () => mostConnecting,
  openLines: () => [...lines.values()].filter(({ isOpen }) => isOpen).length,
  received: () => received,
  /** Texts of a device's messages with their chats, in the order in which they were stored. */
  stored: async (instance: string) => {
    const rows = await database?.query<{ chat: string; text: string }>(
      `SELECT chat, payload->>'text' AS text FROM message WHERE instance_id = $1 ORDER BY seq`,
      [instance],
    );
    return rows ?? [];
  },
  /** Sends every customer an equal share, one message at a time per chat. */
  write: async (name: string, to: readonly string[], count: number, mark: string) => {
    const line = lines.get(name);
    const share = Math.ceil(count / to.length);
    await Promise.all(
      to.map(async (customer, index) => {
        for (let n = 0; n < share; n++) await line?.send(customer, `jawaban ${n}`, `3EB0${mark}${index}X${n}`);
      }),
    );
    return share * to.length;
  },
  usage: () => {
    globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    return { cpuMicroseconds: user + system, rss, heapUsed };
  },
};

export type SubjectMethods = typeof methods;
answerCalls(methods);
