import type { Server as HttpServer } from 'node:http';
import type { Transaction } from '@platform/data';
import type { Clock, Component, Logger } from '@platform/runtime';
import type { RedisConnection } from './redis-adapter';
import type { Patience } from './slow-clients';

/** What a client presents when it connects. */
export interface Handshake {
  /** `auth` of the client's options, such as `{ token }`. */
  readonly auth: Readonly<Record<string, unknown>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly remoteAddress: string;
}

/** Who was let in, and what they hear from the start. */
export interface Admission<Session> {
  readonly session: Session;
  readonly rooms: readonly string[];
  /** Who it is: `authRefresh` with somebody else's token is refused. */
  readonly identity?: string;
  /** Then the socket is told `authExpired` and closed, unless `authRefresh` came before. */
  readonly expiresAt?: Date;
}

/** One question of a client. Answers go out as the acknowledgement. */
export interface Call<Session> {
  readonly session: Session;
  readonly payload: unknown;
  /** Enter only after the same access check as over HTTP. */
  join(...rooms: string[]): void;
  leave(...rooms: string[]): void;
}

/** What clients may ask, by event name. Anything else they send is ignored: clients cannot publish. */
export type Requests<Session> = Readonly<Record<string, (call: Call<Session>) => unknown>>;

export interface RealtimeOptions<Session> {
  /** Tells the services on one Redis apart. */
  readonly name: string;
  readonly path?: string;
  /** Origins that may connect from a browser, or all. */
  readonly cors: '*' | readonly string[];
  /** Throws to refuse. A server that is open to all admits everybody: `() => ({ session: undefined, rooms: [] })`. */
  readonly authenticate: (handshake: Handshake) => Admission<Session> | Promise<Admission<Session>>;
  readonly requests?: Requests<Session>;
  /**
   * After a short loss of connection a client gets back the rooms it had asked for. Each is put before this check again;
   * without it they are left.
   */
  readonly mayStay?: (session: Session, room: string) => boolean | Promise<boolean>;
  /** Acknowledgement of a request that failed; without it `{ error: 'request failed' }`. */
  readonly failure?: (thrown: unknown) => unknown;
  /** With Redis events reach the clients of all replicas. Makes a client that is not connected yet. */
  readonly redis?: () => RedisConnection;
  /**
   * Where the other replicas reach this one (`http://host:port`): with Redis, a request of another replica's session is
   * handed over to it, so that clients may begin with long polling behind any balancer.
   */
  readonly address?: string;
  /** Events that Redis keeps for clients that reconnect: about the peak of events per second × 120. */
  readonly recoverableEvents?: number;
  /** When a client that does not read is let go: 2,000 events that wait, nothing through for 20 s, unless given. */
  readonly patience?: Patience;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** One room, several (each client once), or every client. */
export type Target = 'everyone' | (string & {}) | readonly string[];

/** Tells clients. `Events` maps an event's name to its payload. */
export interface Emitter<Events> {
  /** Clients in a room of `except` are left out. */
  emit<E extends keyof Events & string>(to: Target, event: E, payload: Events[E], except?: readonly string[]): void;
}

export interface Realtime<Events> extends Component, Emitter<Events> {
  /** Serves sockets on the port of an HTTP server; before it listens. Closing that server is its owner's matter. */
  attach(server: HttpServer): void;
  /** The same, told after the commit and never after a rollback. */
  afterCommit(tx: Pick<Transaction, 'afterCommit'>): Emitter<Events>;
  /** Closes every socket in a room, on all replicas, for good: they do not reconnect by themselves. */
  disconnect(room: string): void;
  /** Puts every socket of a room out of other rooms, on all replicas: somebody lost a team. Those in a room of `except` stay. */
  evict(room: string, from: readonly string[], except?: readonly string[]): void;
  /** Puts every socket of a room into others, on all replicas. */
  enter(room: string, into: readonly string[]): void;
  /**
   * Puts every socket of the rooms whose name begins so before `mayStay` again, on all replicas; it is out of them until that
   * has answered, and for good when it may not stay. Those in a room of `except` are not asked. For when the rights to a room change.
   */
  recheck(prefix: string, except?: readonly string[]): void;
  /**
   * Asks `authenticate` again for every socket of a room on this replica: rooms follow what it answers now, rooms that were
   * asked for are put before `mayStay`, and a socket that is refused is closed. For when somebody's rights have changed.
   */
  readmit(room: string): Promise<void>;
  /** How many clients an emit to the target would reach now, on all replicas. Asks the other replicas: not for hot paths. */
  audience(to: Target): Promise<number>;
  /** Clients of this replica now. */
  connections(): number;
}
