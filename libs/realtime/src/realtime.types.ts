import type { Server as HttpServer } from 'node:http';
import type { Transaction } from '@platform/data';
import type { Clock, Component, Logger } from '@platform/runtime';
import type { RedisConnection } from './redis-adapter';
import type { Patience } from './slow-clients';

/** A client's credentials at the connection. */
export interface Handshake {
  /** `auth` of the client's options, such as `{ token }`. */
  readonly auth: Readonly<Record<string, unknown>>;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string;
}

/** The admitted session, and its initial rooms. */
export interface Admission<Session> {
  readonly session: Session;
  readonly rooms: readonly string[];
  /** The identity: `authRefresh` with somebody else's token is refused. */
  readonly identity?: string;
  /** At this time the socket receives `authExpired` and is closed, unless `authRefresh` came before. */
  readonly expiresAt?: Date;
}

/** One request of a client. The answer is sent as the acknowledgement. */
export interface Call<Session> {
  readonly session: Session;
  readonly payload: unknown;
  /** Enter only after the same access check as over HTTP. */
  join(...rooms: string[]): void;
  leave(...rooms: string[]): void;
}

/** Requests of clients, by event name. Anything else they send is ignored: clients cannot publish. */
export type Requests<Session> = Readonly<Record<string, (call: Call<Session>) => unknown>>;

export interface RealtimeOptions<Session> {
  /** Separates the services on one Redis. */
  readonly name: string;
  readonly path?: string;
  /** Origins that may connect from a browser, or all. */
  readonly cors: '*' | readonly string[];
  /** Throws to refuse. A server that is open to all admits everybody: `() => ({ session: undefined, rooms: [] })`. */
  readonly authenticate: (handshake: Handshake) => Admission<Session> | Promise<Admission<Session>>;
  readonly requests?: Requests<Session>;
  /**
   * Whether a client may be in a room that it did not get by its admission. After a short loss of connection it goes on where it
   * was if this allows each of them again; otherwise, and without the check, it begins anew.
   */
  readonly mayStay?: (session: Session, room: string) => boolean | Promise<boolean>;
  /**
   * How often every client of this replica is admitted anew: the longest that one keeps rights that it lost without a word, as
   * where another replica died before it could tell, or has no Redis to tell by. Never when left out.
   */
  readonly readmitSeconds?: number;
  /** Acknowledgement of a request that failed; without it `{ error: 'request failed' }`. */
  readonly failure?: (thrown: unknown) => unknown;
  /** With Redis, events reach the clients of all replicas. Creates a client that is not connected yet. */
  readonly redis?: () => RedisConnection;
  /**
   * Where the other replicas reach this one (`http://host:port`): with Redis, a request of another replica's session is
   * handed over to it, so that clients may start with long polling behind any load balancer.
   */
  readonly address?: string;
  /** Events that Redis keeps for clients that reconnect: about the peak of events per second × 120. */
  readonly recoverableEvents?: number;
  /** When a client that does not read is disconnected: by default after 2,000 waiting events, or 20 s without progress. */
  readonly patience?: Patience;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** One room, several (each client once), or every client. */
export type Target = 'everyone' | (string & {}) | readonly string[];

/** Sends an event to clients. `Events` maps an event's name to its payload. */
export interface Emitter<Events> {
  /** Clients in a room of `except` are skipped. */
  emit<E extends keyof Events & string>(to: Target, event: E, payload: Events[E], except?: readonly string[]): void;
}

export interface Realtime<Events> extends Component, Emitter<Events> {
  /** Serves sockets on the port of an HTTP server; call it before the server listens. Closing that server is its owner's job. */
  attach(server: HttpServer): void;
  /** The same, sent after the commit and never after a rollback. */
  afterCommit(tx: Pick<Transaction, 'afterCommit'>): Emitter<Events>;
  /** Closes every socket in a room, on all replicas, for good: they do not reconnect by themselves. */
  disconnect(room: string): void;
  /** Evicts every socket of a room from other rooms, on all replicas: somebody lost a team. Those in a room of `except` stay. */
  evict(room: string, from: readonly string[], except?: readonly string[]): void;
  /** Joins every socket of a room to others, on all replicas. */
  enter(room: string, into: readonly string[]): void;
  /**
   * Checks every socket of the rooms with this prefix by `mayStay` again, on all replicas; it leaves them until that has
   * answered, and for good when it may not stay. Those in a room of `except` are skipped. For changed rights to a room.
   */
  recheck(prefix: string, except?: readonly string[]): void;
  /**
   * Calls `authenticate` again for every socket of a room on this replica: rooms follow its answer, requested rooms are
   * checked by `mayStay`, and a socket that is refused is closed. For changed rights of somebody.
   */
  readmit(room: string): Promise<void>;
  /** How many clients an emit to the target would reach now, on all replicas. Asks the other replicas: not for hot paths. */
  audience(to: Target): Promise<number>;
  /** Clients of this replica now. */
  connections(): number;
}
