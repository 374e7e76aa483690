import { captureRejectionSymbol, EventEmitter } from 'node:events';
import type { Agent } from 'node:https';
import type { AuthenticationCreds, UserFacingSocketConfig, WASocket, WAVersion } from 'baileys';
import type { Logger, LruCache } from '@platform/runtime';
import { libraryLogger, type BinaryNode, type GroupMetadata, type Library } from './baileys.library';
import type { Inbound } from './inbound';
import type { LineKeys } from './line.keys';
import type { MessageArchive } from './message.archive';
import { withSharedStorage } from './shared-storage';

/** How a device reaches WhatsApp; what is left out is as in earnest. */
export interface LineSettings {
  readonly socketUrl?: string;
  /** Hex; trusted in place of WhatsApp's own root. A test server has one. */
  readonly rootKey?: string;
  readonly version?: WAVersion;
  /** For uploads. */
  readonly agent?: Agent;
  /** Milliseconds that a code lives; 60 s for the first, then 20 s, when left out. */
  readonly codeLifeMs?: number;
  /** Milliseconds that a message without its text is held; 60 s when left out. */
  readonly stubHoldMs?: number;
}

export interface SocketOptions {
  readonly library: Library;
  readonly settings: LineSettings;
  readonly creds: AuthenticationCreds;
  readonly keys: LineKeys;
  readonly online: boolean;
  readonly archive: Pick<MessageArchive, 'find'>;
  readonly inbound: Inbound;
  readonly memory: LineMemory;
  readonly logger: Logger;
}

/** What a device remembers across its connections, within limits. */
export interface LineMemory {
  readonly retries: LruCache<string, unknown>;
  readonly groups: LruCache<string, GroupMetadata>;
}

/** The library's listeners are often asynchronous and fail on a line that has just closed: nobody's process ends by that. */
const withCapturedRejections = (open: () => WASocket, told: (cause: unknown) => void): WASocket => {
  const before = EventEmitter.captureRejections;
  EventEmitter.captureRejections = true;
  try {
    const socket = withSharedStorage(open);
    Object.assign(socket.ws, { [captureRejectionSymbol]: told });
    (socket.ev as unknown as Pick<EventEmitter, 'on'>).on('error', told);
    return socket;
  } finally {
    EventEmitter.captureRejections = before;
  }
};

const cacheOf = (known: LruCache<string, unknown>): UserFacingSocketConfig['msgRetryCounterCache'] => ({
  get: <T>(key: string) => known.get(key) as T | undefined,
  set: (key, value) => known.set(key, value),
  del: (key) => known.delete(key),
  flushAll: () => undefined,
});

/** Design 5.1, row by row. `emitOwnEvents` is off: it only repeats our own sends, which have their row already. */
const configOf = (options: SocketOptions): UserFacingSocketConfig => {
  const { library, settings, creds, keys, archive, inbound, memory, online, logger } = options;
  const { RECENT, FULL } = library.proto.HistorySync.HistorySyncType;
  return {
    auth: { creds, keys: { get: (type, ids) => keys.get(type, ids), set: (data) => keys.set(data) } },
    logger: libraryLogger(logger),
    ...(settings.socketUrl ? { waWebSocketUrl: settings.socketUrl } : {}),
    ...(settings.version ? { version: settings.version } : {}),
    ...(settings.agent ? { fetchAgent: settings.agent } : {}),
    ...(settings.codeLifeMs ? { qrTimeout: settings.codeLifeMs } : {}),
    makeSignalRepository: (auth, signalLogger, lookUp) => {
      const repository = library.DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, signalLogger, lookUp);
      if (!('transaction' in auth.keys)) throw new Error('the library no longer has transactions over its keys');
      return inbound.guard(repository, auth.keys, () => keys.hasEnded);
    },
    getMessage: async ({ id }) => (id ? archive.find(id) : undefined),
    msgRetryCounterCache: cacheOf(memory.retries),
    cachedGroupMetadata: async (id) => memory.groups.get(id),
    markOnlineOnConnect: online,
    syncFullHistory: false,
    shouldSyncHistoryMessage: ({ syncType }) => syncType !== RECENT && syncType !== FULL,
    emitOwnEvents: false,
    maxMsgRetryCount: 5,
    enableRecentMessageCache: true,
    enableAutoSessionRecreation: true,
    connectTimeoutMs: 20_000,
    keepAliveIntervalMs: 30_000,
    // Our store has its own patience, and closes the line before it gives up
    transactionOpts: { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
  };
};

/** A connection of the unmodified library, with our way in between decryption and receipt. */
export const openSocket = (options: SocketOptions): WASocket => {
  const { library, inbound, logger } = options;
  const told = (cause: unknown): void => logger.warn('the client library failed in the background', { cause });
  const socket = withCapturedRejections(() => library.makeWASocket(configOf(options)), told);
  socket.ws.prependListener('CB:message', (node: BinaryNode) => {
    inbound.remember(node);
    // The library works through what waited for the device in one queue, and lets what comes meanwhile overtake it: one queue for all
    node.attrs.offline ??= '1';
  });
  return socket;
};

/** A connection of an account that is given up: it says goodbye and takes nothing, because nobody has its keys any more. */
export const openFarewell = (
  { library, settings, logger }: Pick<SocketOptions, 'library' | 'settings' | 'logger'>,
  creds: AuthenticationCreds,
): WASocket => {
  const told = (cause: unknown): void => logger.warn('the client library failed in the background', { cause });
  return withCapturedRejections(
    () =>
      library.makeWASocket({
        auth: { creds, keys: { get: async () => ({}), set: async () => undefined } },
        logger: libraryLogger(logger),
        ...(settings.socketUrl ? { waWebSocketUrl: settings.socketUrl } : {}),
        ...(settings.version ? { version: settings.version } : {}),
        markOnlineOnConnect: false,
        fireInitQueries: false,
        syncFullHistory: false,
        shouldSyncHistoryMessage: () => false,
        connectTimeoutMs: 20_000,
      }),
    told,
  );
};

/** Calls `said` once, with the first thing that WhatsApp says after the handshake. */
export const onFirstWord = ({ ws }: WASocket, said: () => void): void => {
  const listen = (frame: unknown): void => {
    // The handshake is not a stanza yet
    if (ArrayBuffer.isView(frame)) return;
    ws.off('frame', listen);
    said();
  };
  ws.on('frame', listen);
};
