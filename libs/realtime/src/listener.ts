import { UpstreamFailed } from '@platform/errors';
import { io } from 'socket.io-client';

/** What a socket server tells a listener. */
export interface Heard {
  event(name: string, payload: unknown): void;
  /** Once, however it came: no event follows. Whoever wants to go on listens anew. */
  ended(): void;
}

export interface Listening {
  /** Asks the server, as a client of it does. Rejects with `UpstreamFailed` when it does not answer in time. */
  ask(name: string, payload: object): Promise<unknown>;
  close(): void;
}

const PATIENCE_MS = 5_000;

/**
 * Listens to a sibling's sockets with the token of somebody, who hears what the sibling lets them hear. It does not come back by itself:
 * what was missed in between would not be known. Rejects with `UpstreamFailed` when the sibling cannot be reached or lets nobody in.
 */
export const listenTo = async (url: string, token: string, heard: Heard): Promise<Listening> => {
  const socket = io(url, { auth: { token }, transports: ['websocket'], reconnection: false, forceNew: true });
  socket.onAny((name: string, payload: unknown) => heard.event(name, payload));
  socket.once('disconnect', () => heard.ended());
  const failed = (outcome: 'undone' | 'refused', cause: unknown) =>
    new UpstreamFailed('The sockets cannot be listened to', { outcome, cause });
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(failed('undone', 'no answer in time')), PATIENCE_MS);
    socket.once('connect', () => resolve());
    socket.once('connect_error', (cause) => reject(failed('data' in cause ? 'refused' : 'undone', cause)));
    socket.on('connect', () => clearTimeout(late)).on('connect_error', () => clearTimeout(late));
  }).catch((failure: unknown) => {
    socket.close();
    throw failure;
  });
  return {
    ask: (name, payload) =>
      (socket.timeout(PATIENCE_MS).emitWithAck(name, payload) as Promise<unknown>).catch((cause: unknown) => {
        throw failed('undone', cause);
      }),
    close: () => void socket.close(),
  };
};
