import type { EventsOf, Realtime, SocketApi } from '@platform/realtime';
import { JobProgress, Note, RoomMessage } from './live.dto';

/** All that goes over the sockets of commerce-api (design 3.7). */
export const liveApi = {
  name: 'commerce-api',
  description:
    'Tells members of a store what was committed. A socket hears what is for its user in the store of its token, on every device. Delivery is at most once: losses of up to 2 minutes are made up for, after a longer one read the lists over HTTP. Clients publish nothing. A refused handshake is a connect_error, Unauthenticated, Forbidden or Unavailable, whose data names the kind.',
  token: {
    kind: 'jwt',
    description:
      'An access token of store-auth for the audience commerce-api, of an active member of its store; API tokens and services get no socket. When it ends the socket hears authExpired and is closed, unless authRefresh came before.',
  },
  events: {
    notification: {
      summary: 'Something happened in the shop',
      to: 'the members whose abilities cover it and who want to be told in the application',
      payload: Note,
    },
    jobProgress: {
      summary: 'A job went on or has ended',
      description: 'At most every 500 ms a job while it runs; its end is always told.',
      to: 'whoever began the job',
      payload: JobProgress,
    },
    teamchat: {
      summary: 'Somebody wrote to a room of the staff',
      to: 'the members of the room, the writer among them',
      payload: RoomMessage,
    },
  },
} as const satisfies SocketApi;

export type LiveEvents = EventsOf<typeof liveApi.events>;

/** Tells sockets, after the commit of a transaction only. */
export type Live = Pick<Realtime<LiveEvents>, 'afterCommit'>;

/** The sockets of one user in one store. */
export const userRoom = (storeId: string, userId: string): string => `user:${storeId}:${userId}`;
