import type { DtoClass } from '@platform/validation';
import type { Call } from './realtime.types';

/** One DTO, or one of several. */
export type OneOrMore = DtoClass | readonly DtoClass[];

/** What a service tells its clients. */
export interface SocketEvent {
  readonly summary: string;
  readonly description?: string;
  /** Who hears it, in words. */
  readonly to: string;
  readonly payload: OneOrMore;
}

/** What a client may ask; the answer is the acknowledgement. */
export interface SocketRequest {
  readonly summary: string;
  readonly description?: string;
  readonly payload: DtoClass;
  readonly answer: OneOrMore;
}

/** All that goes over the sockets of a service: the types of its emits, its documentation and the check of its tests follow from it. */
export interface SocketApi {
  readonly name: string;
  /** What a stranger must know first, in a few sentences. */
  readonly description: string;
  /** What the handshake's `auth.token` is; left out, nothing is asked for. */
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
