import type { AuthenticationState, BinaryNode, UserFacingSocketConfig, WASocket } from 'baileys';
import { loadLibrary } from './library';
import { memoryAuth } from './phone.auth';
import type { WhatsAppSandbox } from './sandbox.types';
import { silentLogger } from './silent.logger';

const resolvable = <T>(): { promise: Promise<T>; resolve: (value: T) => void } => {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
};

export interface PlainClient {
  readonly socket: WASocket;
  readonly qrs: string[];
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  /** Resolves when the login is complete and waiting messages have arrived. */
  readonly open: Promise<void>;
  /** Resolves with the first stanza that has this event name (`CB:message`). */
  stanza(event: string): Promise<BinaryNode>;
  /** Resolves with the nth pairing code. */
  qr(nth: number): Promise<string>;
  end(): Promise<void>;
}

const watch = (socket: WASocket, auth: AuthenticationState): PlainClient => {
  const qrs: string[] = [];
  const waiting: [number, (qr: string) => void][] = [];
  const open = resolvable<void>();
  const closed = resolvable<number>();
  let [isOpen, isSettled] = [false, false];
  socket.ev.on('creds.update', (update) => Object.assign(auth.creds, update));
  socket.ev.on('connection.update', ({ qr, connection, receivedPendingNotifications, lastDisconnect }) => {
    if (qr) {
      qrs.push(qr);
      for (const [nth, resolve] of waiting) if (nth === qrs.length) resolve(qr);
    }
    isOpen ||= connection === 'open';
    isSettled ||= receivedPendingNotifications === true;
    if (isOpen && isSettled) open.resolve();
    const error = lastDisconnect?.error as { output?: { statusCode?: number } } | undefined;
    if (connection === 'close') closed.resolve(error?.output?.statusCode ?? 0);
  });
  return {
    socket,
    qrs,
    open: open.promise,
    closed: closed.promise,
    stanza: (event) => new Promise((resolve) => socket.ws.once(event, resolve)),
    qr: (nth) => {
      const known = qrs[nth - 1];
      return known === undefined ? new Promise((resolve) => waiting.push([nth, resolve])) : Promise.resolve(known);
    },
    end: () => socket.end(undefined),
  };
};

const LIMIT_MS = 120_000; // for what hangs

/** Resolves when it is so; looks again at every turn of the event loop. */
export const until = async (done: () => boolean): Promise<void> => {
  const end = Date.now() + LIMIT_MS;
  while (!done()) {
    if (Date.now() > end) throw new Error(`Still not so after ${LIMIT_MS / 1000} s: ${done.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** The library's own client without anything around it, which the sandbox must satisfy. */
export const plainClient = async (
  sandbox: Pick<WhatsAppSandbox, 'socketUrl' | 'rootKey'>,
  auth: AuthenticationState,
  config: Partial<UserFacingSocketConfig> = {},
): Promise<PlainClient> => {
  const library = await loadLibrary();
  library.WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(sandbox.rootKey, 'hex');
  const socket = library.makeWASocket({
    auth,
    waWebSocketUrl: sandbox.socketUrl,
    logger: silentLogger,
    shouldSyncHistoryMessage: ({ syncType }) => syncType === library.proto.HistorySync.HistorySyncType.PUSH_NAME,
    ...config,
  });
  return watch(socket, auth);
};

/** Credentials of a client linked to `number`, whose connection has ended, as it must after pairing. */
export const pairedAuth = async (
  sandbox: WhatsAppSandbox,
  who: { number: string; name?: string },
): Promise<AuthenticationState> => {
  const auth = memoryAuth(await loadLibrary());
  const client = await plainClient(sandbox, auth);
  await sandbox.scan(await client.qr(1), who);
  await client.closed;
  return auth;
};
