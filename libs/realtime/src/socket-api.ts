import type { DtoClass } from '@platform/validation';
import type { Call } from './realtime.types';

/** One DTO, or one of several. */
export type OneOrMore = DtoClass | readonly DtoClass[];

/** An event that a service sends to its clients. */
export interface SocketEvent {
  readonly summary: string;
  readonly description?: string;
  /** Its recipients, described for people. */
  readonly to: string;
  readonly payload: OneOrMore;
}

/** A request that clients may send; the answer is the acknowledgement. */
export interface SocketRequest {
  readonly summary: string;
  readonly description?: string;
  readonly payload: DtoClass;
  readonly answer: OneOrMore;
}

/** Everything that is sent over a service's sockets: the types of its emits, its documentation and the checks of its tests derive from it. */
export interface SocketApi {
  readonly name: string;
  /** What a newcomer must know first, in a few sentences. */
  readonly description: string;
  /** Describes the handshake's `auth.token`; by default no token is needed. */
  readonly token?: { readonly kind: 'jwt' | 'secret'; readonly description: string };
  readonly events: Readonly<Record<string, SocketEvent>>;
  readonly requests?: Readonly<Record<string, SocketRequest>>;
}

type Held<P> = P extends DtoClass<infer T> ? T : P extends readonly (infer D)[] ? Held<D> : never;

/** The payload of every declared event, for `Realtime`. */
export type EventsOf<Declared extends Readonly<Record<string, SocketEvent>>> = {
  readonly [E in keyof Declared]: Held<Declared[E]['payload']>;
};

/** A handler for every declared request, and for no other. */
export type RequestsOf<Declared extends Readonly<Record<string, SocketRequest>>, Session> = {
  readonly [R in keyof Declared]: (
    call: Call<Session>,
  ) => Held<Declared[R]['answer']> | Promise<Held<Declared[R]['answer']>>;
};
