import type { IncomingHttpHeaders } from 'node:http';
import type { Refuses } from './refuses';

/** What a guard may look at: no body, because nobody is trusted enough yet to have one parsed. */
export interface RequestView {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Address of the peer of this connection. */
  readonly remoteAddress: string;
  /** Address of the client: the peer's, or what the trusted proxies in front of it reported. */
  readonly address: string;
}

/** Decides who calls. Throws `Unauthenticated` or `Forbidden`; what it returns is the handler's `caller`. */
export interface Guard<Caller> {
  /** Word of `npm run -s routes`, as the contract's route lists have it. */
  readonly label: string;
  /** Name of the OpenAPI security scheme; absent for open routes. */
  readonly scheme?: 'bearer' | 'basic' | 'signature' | 'bearer+public-key';
  /** What it refuses beside those whom it does not know. */
  readonly refuses?: Refuses;
  authenticate(request: RequestView): Caller | Promise<Caller>;
}

/** The guard of routes that anybody may call. */
export const publicGuard: Guard<undefined> = { label: 'public', authenticate: () => undefined };
