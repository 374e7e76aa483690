import type { Server } from 'node:http';
import type { Envelope } from '@platform/envelopes';
import type { Component } from '@platform/runtime';
import type { CrossOrigin } from './cross-origin';
import type { Endpoint, RateLimit } from './endpoint';
import type { IdempotencyStore } from './idempotency';
import type { GaugeSource } from './metrics';
import type { RateCounter } from './rate-limit';
import type { Guard } from './request-view';

/** A second spelling of marked endpoints: their path with `suffix` behind it, under another guard. */
export interface Variant {
  readonly suffix: string;
  readonly guard: string;
  /** Serve the variant instead of the marked endpoints of the same method and path: the same calls on another data source. */
  readonly endpoints?: readonly Endpoint[];
}

/** Everything that makes one service answer over HTTP; the value of an app's composition root. */
export interface Service {
  readonly name: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
  /** By the names that endpoints and variants use. */
  readonly guards: Readonly<Record<string, Guard<unknown>>>;
  readonly variants?: Readonly<Record<string, Variant>>;
  readonly envelope: Envelope;
  /** Bytes of a body on every route that names no limit of its own, 1 MB unless given. */
  readonly bodyLimit?: number;
  /** Started in this order before the first request, stopped in reverse order after the last. */
  readonly components: readonly Component[];
  /** Names a caller for rate limits and idempotency keys: the tenant first. */
  readonly callerKey?: (caller: unknown) => string | undefined;
  readonly counter?: RateCounter;
  /**
   * One limit over all endpoints behind these guards together, per caller unless it says otherwise. Callers that `callerKey`
   * does not name are not limited.
   */
  readonly rate?: Pick<RateLimit, 'requests' | 'perSeconds'> &
    Partial<Pick<RateLimit, 'by'>> & { readonly guards: readonly string[] };
  readonly idempotency?: IdempotencyStore;
  /** The client's address, given the peer and `X-Forwarded-For`; the peer itself when left out. */
  readonly clientAddress?: (remoteAddress: string, forwardedFor: string | undefined) => string;
  /** Pages of other origins that may call; none when left out. */
  readonly crossOrigin?: CrossOrigin;
  /** Unknown paths under this prefix answer to this guard first. */
  readonly unknownRoute?: { readonly prefix: string; readonly guard: string };
  /** Where the documentation stands, `/docs` unless the contract says otherwise; JSON is at the same path + `.json`. */
  readonly docsPath?: string;
  /** The contract documents a `/health` of its own: do not add the usual one. */
  readonly ownHealth?: boolean;
  /** Shown on /metrics beside what every service measures. */
  readonly gauges?: readonly GaugeSource[];
  /** Receives the HTTP servers before they listen: socket servers attach here. */
  readonly attach?: (server: Server) => void;
  /** Told when the service begins to stop, before running requests are waited for: long ones can be given up in time. */
  readonly draining?: () => void;
  /** Brings the database to this version; the `migrate` command. */
  readonly migrate?: () => Promise<void>;
  /** Further commands of `main`, such as `seed`: name to what it does. */
  readonly commands?: Readonly<Record<string, (args: readonly string[]) => Promise<void>>>;
}

/** One mounted registration: an endpoint, or a variant of one. */
export interface Registration {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly guard: Guard<unknown>;
  readonly variant: string | undefined;
}

const guardOf = (service: Service, name: string): Guard<unknown> => {
  const guard = service.guards[name];
  if (!guard) throw new Error(`${service.name} has no guard called ${name}`);
  return guard;
};

const sameRoute =
  ({ method, path }: Endpoint) =>
  (other: Endpoint): boolean =>
    other.method === method && other.path === path;

const variantOf = (service: Service, endpoint: Endpoint, name: string): Registration => {
  const variant = service.variants?.[name];
  if (!variant) throw new Error(`${service.name} has no variant called ${name}`);
  const { suffix, guard, endpoints } = variant;
  const own = endpoints ? endpoints.find(sameRoute(endpoint)) : endpoint;
  if (!own) throw new Error(`${service.name} has no endpoint that serves the variant ${name} of ${endpoint.path}`);
  return { endpoint: own, path: endpoint.path + suffix, guard: guardOf(service, guard), variant: name };
};

/** All registrations of a service, variants behind their defaults, in declaration order. */
export const registrationsOf = (service: Service): Registration[] =>
  service.endpoints.flatMap((endpoint) => [
    { endpoint, path: endpoint.path, guard: guardOf(service, endpoint.guard), variant: undefined },
    ...(endpoint.variants ?? []).map((name) => variantOf(service, endpoint, name)),
  ]);
