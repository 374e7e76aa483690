import type { Socket } from 'socket.io';
import type { Admissions } from './admission';
import type { RealtimeOptions } from './realtime.types';

type Answer = (body: unknown) => void;

/** Payload and acknowledgement of what a client sent; both may be missing. */
const readArguments = (sent: unknown[]): { payload: unknown; answer: Answer } => {
  const last = sent.at(-1);
  const answer = typeof last === 'function' ? (last as Answer) : () => undefined;
  return { payload: typeof sent[0] === 'function' ? undefined : sent[0], answer };
};

const asAuth = (payload: unknown): Readonly<Record<string, unknown>> =>
  typeof payload === 'object' && payload !== null ? { ...payload } : {};

/** Answers the requests of clients: the service's own, and `authRefresh`. */
export const serveRequests = <Session>(
  socket: Socket,
  admissions: Admissions<Session>,
  { requests = {}, failure, logger }: RealtimeOptions<Session>,
): void => {
  const failed = (event: string, thrown: unknown): unknown => {
    if (failure) return failure(thrown);
    logger.warn('a socket request failed', { event, cause: String(thrown) });
    return { error: 'request failed' };
  };
  for (const [event, handle] of Object.entries(requests)) {
    socket.on(event, async (...sent: unknown[]) => {
      const { payload, answer } = readArguments(sent);
      const call = {
        session: admissions.sessionOf(socket),
        payload,
        join: (...rooms: string[]) => rooms.forEach((room) => void admissions.enter(socket, room)),
        leave: (...rooms: string[]) => rooms.forEach((room) => admissions.leave(socket, room)),
      };
      answer(
        await Promise.resolve(call)
          .then(handle)
          .catch((thrown: unknown) => failed(event, thrown)),
      );
    });
  }
  socket.on('authRefresh', async (...sent: unknown[]) => {
    const { payload, answer } = readArguments(sent);
    answer(
      await admissions.refresh(socket, asAuth(payload)).then(
        (body) => ({ result: true, ...body }),
        (refusal: Error) => ({ result: false, message: refusal.message }),
      ),
    );
  });
};
