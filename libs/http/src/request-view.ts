import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type { Refuses } from './refuses';

/** What a guard may read: no body, because the caller is not yet trusted enough to have one parsed. */
export interface RequestView {
  readonly method: string;
  /** Of the registration. */
  readonly path: string;
  /** Path and query as they were sent: what a signature of the whole request covers. */
  readonly target?: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the path, as they were sent; undefined where it has none. */
  readonly params?: Readonly<Record<string, string>>;
  /** Address of the peer of this connection. */
  readonly remoteAddress: string;
  /** Address of the client: the peer's, or what the trusted proxies in front of it reported. */
  readonly address: string;
}

/** The view of a request at the path of its registration; without `clientAddress` the peer is the client. */
export const viewOf = (
  { socket, method, headers, params, url: target }: Request,
  path: string,
  clientAddress?: (remoteAddress: string, forwardedFor: string | undefined) => string,
): RequestView => {
  const remoteAddress = socket.remoteAddress ?? '';
  // Node joins headers that are sent more than once
  const forwarded = headers['x-forwarded-for'] as string | undefined;
  const address = clientAddress?.(remoteAddress, forwarded) ?? remoteAddress;
  return { method, path, target, headers, remoteAddress, address, params: params as RequestView['params'] };
};

/** Decides who calls. Throws `Unauthenticated` or `Forbidden`; what it returns is the handler's `caller`. */
export interface Guard<Caller> {
  /** Its name in `npm run -s routes`, as in the contract's route lists. */
  readonly label: string;
  /** Name of the OpenAPI security scheme; absent for open routes. */
  readonly scheme?: 'bearer' | 'basic' | 'signature' | `${'bearer' | 'opaque'}+public-key`;
  /** Its refusals besides those of unknown callers. */
  readonly refuses?: Refuses;
  authenticate(request: RequestView): Caller | Promise<Caller>;
}

/** The guard of routes that anybody may call. */
export const publicGuard: Guard<undefined> = { label: 'public', authenticate: () => undefined };
