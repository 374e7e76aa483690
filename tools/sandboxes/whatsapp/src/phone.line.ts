import { Agent } from 'node:https';
import type { AuthenticationState, proto, UserFacingSocketConfig, WASocket } from 'baileys';
import type { BinaryNode, Library } from './library';
import { memoryAuth } from './phone.auth';
import type { PhoneInbox } from './phone.inbox';
import { silentLogger } from './silent.logger';

/** The addresses of the sandbox, and the keys that its clients must trust. */
export interface SandboxTrust {
  readonly socketUrl: string;
  readonly rootKey: string;
  readonly mediaHost: string;
  readonly mediaCa: string;
}

const RESTART_REQUIRED = 515;

/** The unmodified client of one phone: pairs once by its code, then connects with its credentials in memory. */
export class PhoneLine {
  private readonly auth: AuthenticationState;
  private readonly agent: Agent;
  private readonly sent = new Map<string, proto.IMessage>();
  private socket: WASocket | undefined;

  constructor(
    private readonly library: Library,
    private readonly trust: SandboxTrust,
    private readonly inbox: PhoneInbox,
    private readonly scan: (qr: string) => Promise<unknown>,
  ) {
    this.auth = memoryAuth(library);
    this.agent = new Agent({ ca: trust.mediaCa });
  }

  /** Throws when the phone is offline. */
  get online(): WASocket {
    if (!this.socket) throw new Error('This phone is offline; call online() first.');
    return this.socket;
  }

  /** Keeps a sent message, which the client needs for retries. */
  remember(id: string, message: proto.IMessage | null | undefined): void {
    if (message) this.sent.set(id, message);
  }

  async connect(): Promise<void> {
    for (;;) {
      const closed = await this.attempt();
      if (closed === undefined) return;
      if (closed !== RESTART_REQUIRED) throw new Error(`The sandbox ended the phone's connection with ${closed}.`);
    }
  }

  async disconnect(): Promise<void> {
    const { socket } = this;
    this.socket = undefined;
    await socket?.end(undefined);
  }

  /** Resolves with undefined when the connection is open and waiting messages have arrived, otherwise with the close code. */
  private attempt(): Promise<number | undefined> {
    this.library.WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(this.trust.rootKey, 'hex');
    const socket = this.library.makeWASocket(this.config());
    this.listen(socket);
    return new Promise((resolve, reject) => {
      let open = false;
      let settled = false;
      socket.ev.on('connection.update', (update) => {
        if (update.qr)
          this.scan(update.qr).catch((error: Error) => {
            void socket.end(error);
            reject(error);
          });
        open ||= update.connection === 'open';
        settled ||= update.receivedPendingNotifications === true;
        if (update.connection === 'close') {
          if (this.socket === socket) this.socket = undefined;
          const error = update.lastDisconnect?.error as { output?: { statusCode?: number } } | undefined;
          resolve(error?.output?.statusCode ?? 0);
        } else if (open && settled) {
          this.socket = socket;
          resolve(undefined);
        }
      });
    });
  }

  private listen(socket: WASocket): void {
    socket.ev.on('creds.update', (update) => Object.assign(this.auth.creds, update));
    socket.ev.on('messages.upsert', ({ messages }) => {
      for (const message of messages) this.inbox.take(message);
    });
    socket.ws.on('CB:receipt', (node: BinaryNode) => this.inbox.takeReceipt(node));
    socket.ws.on('CB:ack,class:message', (node: BinaryNode) => this.inbox.takeAck(node));
  }

  private config(): UserFacingSocketConfig {
    const { RECENT, FULL } = this.library.proto.HistorySync.HistorySyncType;
    return {
      auth: this.auth,
      waWebSocketUrl: this.trust.socketUrl,
      logger: silentLogger,
      fetchAgent: this.agent,
      emitOwnEvents: false,
      retryRequestDelayMs: 10,
      shouldSyncHistoryMessage: ({ syncType }) => syncType !== RECENT && syncType !== FULL,
      getMessage: ({ id }) => Promise.resolve(this.sent.get(id ?? '')),
    };
  }
}
