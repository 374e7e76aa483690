import type { IncomingHttpHeaders } from 'node:http';
import type { Envelope } from '@platform/envelopes';
import type { DtoClass, UnknownKeys } from '@platform/validation';
import type { PathParameters } from './path';
import type { Reply, SpecialReply } from './replies';
import type { Guard } from './request-view';
import type { Upload } from './uploads';

export type Method = 'get' | 'post' | 'put' | 'delete';
export type BodyKind = 'json' | 'urlencoded' | 'multipart';

/** What a handler receives; it never sees the request or the response. */
export interface Input<Caller, Body, Query, Params> {
  readonly caller: Caller;
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  readonly files: readonly Upload[];
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** The exact bytes of the body; only where the endpoint asked for them. */
  readonly rawBody: Buffer;
  /** Name of the variant that was called (`admin`, `crm`), undefined for the default route. */
  readonly variant: string | undefined;
  /** Ends when the caller has gone away before the answer was sent. */
  readonly signal: AbortSignal;
}

export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
  /** Counted per authenticated caller (by the service's `callerKey`) or per address. */
  readonly by: 'caller' | 'address';
}

export interface Example {
  readonly summary: string;
  readonly request?: unknown;
  readonly status: number;
  readonly response: unknown;
}

/** A body that is read by a function of its own instead of by its DTO's rules; the DTO still documents it. */
export class CustomBody<B extends object> {
  constructor(
    readonly documented: DtoClass,
    /** Throws `Malformed` or `InvalidInput`. */
    readonly read: (fields: Readonly<Record<string, unknown>>) => B,
  ) {}
}

/** Everything about an endpoint besides path, types and handler. */
export interface EndpointOptions {
  readonly summary: string;
  readonly description?: string;
  readonly tag?: string;
  /** Names of the service's variants; each adds a route with the variant's suffix and guard, handled by the same handler. */
  readonly variants?: readonly string[];
  /** Status of a success, 200 unless given. */
  readonly status?: number;
  /** Where this route answers differently from its service. */
  readonly envelope?: Envelope;
  /** `rejected`: a body that cannot be read is a business refusal here (the contract documents it so). */
  readonly malformed?: 'rejected';
  /** Body kinds that are read, JSON only unless given. */
  readonly accepts?: readonly BodyKind[];
  /** Bytes of the whole body. */
  readonly bodyLimit?: number;
  /** Bytes of a whole multipart body, where files may be larger than any JSON: `bodyLimit` unless given. */
  readonly formLimit?: number;
  /** File parts by field name, with their limits. */
  readonly files?: Readonly<Record<string, { readonly maxBytes: number; readonly maxCount?: number }>>;
  readonly unknownKeys?: UnknownKeys;
  /** Keeps the exact bytes, for signatures. */
  readonly rawBody?: boolean;
  /** `Idempotency-Key`: honoured when sent, or required. */
  readonly idempotency?: 'optional' | 'required';
  readonly rate?: RateLimit;
  /** Served on the internal port only, once the service has one. */
  readonly internal?: boolean;
  readonly examples?: readonly Example[];
}

/** An endpoint with its types erased: what mounting, documentation and the route list read. */
export interface Endpoint extends EndpointOptions {
  readonly method: Method;
  readonly path: string;
  readonly guard: string;
  readonly body?: DtoClass | CustomBody<object>;
  readonly query?: DtoClass;
  readonly reply: DtoClass | 'text' | 'bytes' | 'page' | 'redirect' | 'json' | 'nothing';
  handle(input: Input<unknown, unknown, unknown, Readonly<Record<string, string>>>): unknown;
}

type Located<Path extends string> = { get: Path } | { post: Path } | { put: Path } | { delete: Path };

type Value<R> = R | Reply<R> | SpecialReply;

type Definition<
  Guards,
  Name extends keyof Guards,
  Path extends string,
  B extends object,
  Q extends object,
  R extends object,
> = Located<Path> &
  EndpointOptions & {
    readonly guard: Name;
    readonly body?: DtoClass<B> | CustomBody<B>;
    readonly query?: DtoClass<Q>;
    /** DTO of the value the handler returns, before the envelope; or what kind of answer it is when it is no object. */
    readonly reply: DtoClass<R> | 'text' | 'bytes' | 'page' | 'redirect' | 'json' | 'nothing';
    handle(input: Input<Guards[Name], B, Q, PathParameters<Path>>): Value<R> | Promise<Value<R>>;
  };

const METHODS: readonly Method[] = ['get', 'post', 'put', 'delete'];

/**
 * The `endpoint()` of one service, typed by its guards: `endpointsOf<{ public: undefined; jwt: Scope }>()`. The type of
 * `body`, `query` and `params` follows from the DTO classes and the path literal, the type of `caller` from the guard's
 * name; routing, validation, authentication, envelope, OpenAPI and the route list all derive from the one object.
 */
export const endpointsOf =
  <Guards extends object>() =>
  <
    const Path extends string,
    Name extends keyof Guards & string,
    B extends object = Record<never, never>,
    Q extends object = Record<never, never>,
    R extends object = object,
  >(
    definition: Definition<Guards, Name, Path, B, Q, R>,
  ): Endpoint => {
    const method = METHODS.find((name) => name in definition) as Method;
    const path = (definition as unknown as Record<Method, string>)[method];
    return { ...(definition as unknown as Endpoint), method, path };
  };

/** Guards by name, with what each lets a handler know about the caller. */
export type GuardMap<Guards extends object> = { readonly [Name in keyof Guards]: Guard<Guards[Name]> };

/** The DTO that describes an endpoint's body. */
export const bodyDto = ({ body }: Pick<Endpoint, 'body'>): DtoClass | undefined =>
  body instanceof CustomBody ? body.documented : body;
