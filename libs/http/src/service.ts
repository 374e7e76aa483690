import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Envelope } from '@platform/envelopes';
import type { Components } from '@platform/runtime';
import { showsByGroups } from '@platform/validation';
import type { Assets } from './assets';
import type { Command } from './command.types';
import type { CrossOrigin } from './cross-origin';
import { replyDtos, replyKinds, type Endpoint, type RateLimit, type ReplyKind } from './endpoint';
import type { IdempotencyStore } from './idempotency';
import type { GaugeSource } from './metrics';
import type { RateCounter } from './rate-limit';
import type { ReceivedBody } from './received';
import type { Page, Reply } from './replies';
import type { Guard, RequestView } from './request-view';
import type { SocketsDocument } from './sockets-page';
import type { TenantShare } from './tenant-share';

/** A second spelling of marked endpoints: their path with `suffix` behind it, under another guard. */
export interface Variant {
  readonly suffix: string;
  readonly guard: string;
  /** Serve the variant in place of the marked endpoints of the same method and path: the same calls on another data source. */
  readonly endpoints?: readonly Endpoint[];
}

/** A valid call of an operation, with the service's actual answer. */
export interface RecordedAnswer {
  readonly request?: unknown;
  readonly status: number;
  readonly response: unknown;
}

/** Successes by `METHOD /path` of the endpoint, refusals by `METHOD /path: why`; variants answer alike. */
export type RecordedAnswers = Readonly<Record<string, RecordedAnswer>>;

/** Everything that one service needs to answer over HTTP; the value of an app's composition root. */
/** A running request, as `intercept` gets it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Absent where no body is read. */
  readonly received: ReceivedBody | undefined;
}

type UnknownPage = Page | Reply<Page> | undefined;

export type Intercept = (thrown: unknown, exchange: Exchange) => Promise<void> | undefined;

/** A limit that endpoints share, counted for each caller. */
export interface SharedRate extends Pick<RateLimit, 'requests' | 'perSeconds'>, Partial<Pick<RateLimit, 'by'>> {
  readonly guards: readonly string[];
  /** Also over the variants of these endpoints, whose callers have no name, per address; not for addresses of which this is true. */
  readonly variants?: { readonly free: (address: string) => boolean };
  /** Callers that are not counted, such as services. */
  readonly isFree?: (caller: unknown) => boolean;
}

/** Leads a request to another path. */
export type Leads = (
  asked: Pick<RequestView, 'method' | 'path' | 'headers'>,
) => string | undefined | Promise<string | undefined>;

export interface Service {
  readonly name: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
  /** By the names that endpoints and variants use. */
  readonly guards: Readonly<Record<string, Guard<unknown>>>;
  readonly variants?: Readonly<Record<string, Variant>>;
  readonly envelope: Envelope;
  /** Bytes of a body on every route without its own limit, 1 MB by default. */
  readonly bodyLimit?: number;
  /** Started in this order before the first request, an inner list concurrently; stopped in reverse order after the last. */
  readonly components: Components;
  /** Names a caller for rate limits and idempotency keys: the tenant first. */
  readonly callerKey?: (caller: unknown) => string | undefined;
  /** What a caller may see of a reply: the groups of `@Expose({ groups })` that are open to it, such as its abilities. */
  readonly groupsOf?: (caller: unknown) => ReadonlySet<string>;
  readonly counter?: RateCounter;
  /**
   * One limit over all endpoints behind these guards together, by default per caller. Callers without a `callerKey` are not
   * limited.
   */
  readonly rate?: SharedRate;
  /** How much of the service one tenant may have at once; all of it when left out. */
  readonly share?: TenantShare;
  /** How many requests that bring files one tenant may have arriving at once; any number when left out. */
  readonly uploads?: TenantShare;
  readonly idempotency?: IdempotencyStore;
  /**
   * Receives what a handler threw before it becomes a refusal. Undefined: it is refused. A promise: the hook writes the answer
   * itself, and its rejection is refused instead. Files of the request are deleted when it settles.
   */
  readonly intercept?: Intercept;
  /** The path under which a request is answered; undefined: its own. Other hosts may have other pages at their root. */
  readonly leads?: Leads;
  /**
   * Whether a route is for this request as if it were not there: it is answered as an unknown path, before its guard. Other hosts may
   * lead to the same service.
   */
  readonly hides?: (request: RequestView, guard: Guard<unknown>) => boolean | Promise<boolean>;
  /** The client's address, given the peer and `X-Forwarded-For`; the peer itself by default. */
  readonly clientAddress?: (remoteAddress: string, forwardedFor: string | undefined) => string;
  /** Pages of other origins that may call; none by default. */
  readonly crossOrigin?: CrossOrigin;
  /** What a person sees where no route is, or a hidden one; undefined: they get the envelope's answer, as programs do. */
  readonly unknownPage?: (request: RequestView) => UnknownPage | Promise<UnknownPage>;
  /** Under which the route list shows its pages. */
  readonly pagesName?: string;
  /** Files of its pages, served to everybody. */
  readonly assets?: Assets;
  /** Unknown paths under this prefix answer to this guard first. */
  readonly unknownRoute?: { readonly prefix: string; readonly guard: string };
  /** Path of the documentation, `/docs` unless the contract says otherwise; JSON is at the same path + `.json`. */
  readonly docsPath?: string;
  /** The AsyncAPI description of its sockets, served at `/docs/sockets.json` and as a page at `/docs/sockets`. */
  readonly sockets?: () => SocketsDocument;
  /** Success examples that a test recorded, for the documentation; read on demand. */
  readonly answers?: () => RecordedAnswers;
  /** The contract documents its own `/health`: do not add the default one. */
  readonly ownHealth?: boolean;
  /** Exposed on /metrics besides what every service measures. */
  readonly gauges?: readonly GaugeSource[];
  /** Receives the HTTP servers before they listen: socket servers attach here. */
  readonly attach?: (server: Server) => void;
  /** Called when the service begins to stop, before it waits for running requests, so that long ones can be aborted in time. */
  readonly draining?: () => void;
  /** Brings the database to this version; the `migrate` command. */
  readonly migrate?: () => Promise<void>;
  /** Further commands of `main`, such as `seed`, by name. */
  readonly commands?: Readonly<Record<string, Command>>;
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

const ROUTE_OF = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;

const NO_ETAG: ReadonlySet<ReplyKind> = new Set(['bytes', 'redirect', 'nothing']);

const carriesEtag = (endpoint: Endpoint): boolean =>
  (endpoint.status ?? 200) === 200 && !replyKinds(endpoint).some((kind) => NO_ETAG.has(kind));

/** Describes what the declared reply promises and the service cannot keep. */
const lacksOfReply = (service: Service, endpoint: Endpoint): string | undefined => {
  if (endpoint.etag && !carriesEtag(endpoint))
    return 'asks for an ETag, which only a 200 of JSON, text or a page carries';
  if (!service.groupsOf && replyDtos(endpoint).some((dto) => showsByGroups(dto)))
    return "shows members by the caller's groups, but the service has no `groupsOf` to tell them";
  return undefined;
};

/** Describes what an endpoint needs and its service lacks; nothing that is declared may be silently off. */
const lacks = (service: Service, endpoint: Endpoint): string | undefined => {
  if (endpoint.rate && !service.counter) return 'asks for a rate limit, but the service has no `counter` to keep it';
  if (endpoint.rate?.by === 'caller' && !service.callerKey)
    return 'asks for a rate limit by caller, but the service has no `callerKey` to tell callers apart';
  if (endpoint.idempotency && !service.idempotency)
    return 'asks for an Idempotency-Key, but the service has no `idempotency` store to keep it in';
  // Without it a key would belong to an address, and a caller behind the same proxy would get another's answer
  if (endpoint.idempotency && !service.callerKey)
    return 'asks for an Idempotency-Key, but the service has no `callerKey` to tell callers apart';
  if (endpoint.isPage && !service.pagesName) return 'is a page, but the service has no `pagesName` to list it under';
  if (endpoint.idempotency && replyKinds(endpoint).includes('bytes'))
    return 'asks for an Idempotency-Key, but an answer of bytes cannot be kept';
  return lacksOfReply(service, endpoint);
};

const demandAll = (service: Service): void => {
  const variants = Object.values(service.variants ?? {}).flatMap(({ endpoints = [] }) => endpoints);
  const all = new Set([...service.endpoints, ...variants]);
  const wanting = [...all].flatMap((endpoint) => {
    const what = lacks(service, endpoint);
    return what === undefined ? [] : [`${ROUTE_OF(endpoint)} ${what}`];
  });
  if (service.rate && !service.counter) wanting.push('the shared `rate` needs a `counter` to keep it');
  if (wanting.length > 0) throw new Error(`${service.name} cannot start: ${wanting.join('; ')}`);
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

/**
 * All registrations of a service, variants after their defaults, in declaration order. Throws, naming the endpoint, when one
 * needs a guard, a variant, a rate limit or an idempotency key that the service lacks: such a service must not start.
 */
export const registrationsOf = (service: Service): Registration[] => {
  demandAll(service);
  return service.endpoints.flatMap((endpoint) => [
    { endpoint, path: endpoint.path, guard: guardOf(service, endpoint.guard), variant: undefined },
    ...(endpoint.variants ?? []).map((name) => variantOf(service, endpoint, name)),
  ]);
};
