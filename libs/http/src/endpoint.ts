import type { IncomingHttpHeaders } from 'node:http';
import type { Envelope } from '@platform/envelopes';
import type { DtoClass, UnknownKeys } from '@platform/validation';
import { CsvReply, type AnyCsv } from './csv';
import type { Kept, Once } from './idempotency';
import { OneOf } from './one-of';
import type { Parameters } from './parameters';
import { parameterNames, type ParameterNames, type PathParameters } from './path';
import type { ShowRefusal } from './refused.types';
import type { Refuses } from './refuses';
import type { Binary, JsonText, Page, PlainText, Redirect, Reply } from './replies';
import type { Guard } from './request-view';
import { Shaped } from './shaped';
import type { Upload } from './received';
import type { WholeFile } from './whole-file';

export type Method = 'get' | 'post' | 'put' | 'delete';
export type BodyKind = 'json' | 'urlencoded' | 'multipart' | 'any';

/** What a handler receives; it never sees the request or the response. */
export interface Input<Caller, Body, Query, Params, Headers = IncomingHttpHeaders> {
  readonly caller: Caller;
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  readonly files: readonly Upload[];
  /** As its DTO reads them; all headers of the request when the endpoint declares none. */
  readonly headers: Headers;
  readonly address: string;
  /** The exact bytes of the body; only where the endpoint asked for them. */
  readonly rawBody: Buffer;
  /** Name of the variant that was called (`admin`, `crm`), undefined for the default route. */
  readonly variant: string | undefined;
  /** Aborts when the caller has gone away before the answer was sent. */
  readonly signal: AbortSignal;
}

export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
  /** Counted per authenticated caller (by the service's `callerKey`) or per address. */
  readonly by: 'caller' | 'address';
  /** Whether a request with these fields counts; unless given all do, and count before their body is read. */
  readonly of?: (fields: unknown) => boolean;
}

export interface Example {
  readonly summary: string;
  readonly request?: unknown;
  readonly status: number;
  readonly response: unknown;
}

/** A body that is read by its own function instead of its DTO's rules; the DTO still documents it. */
export class CustomBody<B extends object> {
  constructor(
    readonly documented: DtoClass,
    /** Throws `Malformed` or `InvalidInput`. */
    readonly read: (fields: Readonly<Record<string, unknown>>) => B,
  ) {}
}

type Asked = Readonly<Record<string, unknown>>;

/** Everything about an endpoint except path, types and handler. */
export interface EndpointOptions {
  readonly summary: string;
  readonly description?: string;
  readonly tag?: string;
  /** Names of the service's variants; each adds a route with the variant's suffix and guard, handled by the same handler. */
  readonly variants?: readonly string[];
  /** Status of a success, 200 by default; 204 for the reply `nothing`, 302 for a redirect. */
  readonly status?: number;
  /** The envelope of this route, where it differs from the service's. */
  readonly envelope?: Envelope;
  /** `rejected`: a body that cannot be read is a business refusal here (the contract documents it so). */
  readonly malformed?: 'rejected';
  /** Kinds of body; only JSON by default. `any`: of whatever type, its bytes unread, for signatures over them. */
  readonly accepts?: readonly BodyKind[];
  /** Of the whole body. */
  readonly bodyLimit?: number;
  /** Bytes of a whole multipart body, where files may be larger than any JSON; `bodyLimit` by default. */
  readonly formLimit?: number;
  /** File parts by field name, with their limits. */
  readonly files?: Readonly<Record<string, { readonly maxBytes: number; readonly maxCount?: number }>>;
  /** The body is one file, of any type: the only one of `input.files`. In place of `accepts` and `body`. */
  readonly wholeFile?: WholeFile;
  readonly unknownKeys?: UnknownKeys;
  /**
   * Fields of the body of which nothing is kept, not even in the hash by which a repeat under its `Idempotency-Key` is known: a
   * short secret would be found from its hash.
   */
  readonly secretFields?: readonly string[];
  /** Keeps the exact bytes, for signatures. */
  readonly rawBody?: boolean;
  /** A success carries an ETag, and a client that already has it gets 304. */
  readonly etag?: boolean;
  readonly rate?: RateLimit;
  /** Of whose share of the service a request is that nobody's token says: what its path or its body names. */
  readonly tenantOf?: (asked: Pick<Input<unknown, unknown, unknown, Asked>, 'params' | 'body'>) => string | undefined;
  /** Served on the internal port only, once the service has one. */
  readonly internal?: boolean;
  /**
   * Everything that its handler refuses beyond what its guard and the rest of its declaration do; empty: nothing. The suites of all
   * projects fail when it answers anything else (`foreseen.ts`). Lists of defaults, area and endpoint add up.
   */
  readonly refuses?: Refuses;
  /** A page for people: it stands in the route list under the service's `pagesName`, and not in the description of its API. */
  readonly isPage?: boolean;
  /** The field of a form that carries what programs send as `Idempotency-Key`. */
  readonly keyField?: string;
  /** What a person sees in place of the envelope's refusal; its status and headers are the envelope's unless it says otherwise. */
  readonly refused?: ShowRefusal;
  readonly examples?: readonly Example[];
}

/** Answers without a DTO, and the class of the value for each; `json` documents nothing and checks nothing. */
interface ReplyKinds {
  readonly text: PlainText;
  readonly bytes: Binary;
  readonly page: Page;
  readonly redirect: Redirect;
  readonly json: object;
  readonly nothing: void;
}

export type ReplyKind = keyof ReplyKinds;
/** What an endpoint may declare as its `reply`. */
export type AnyReply = DtoClass | ReplyKind | Shaped<never> | OneOf<DtoClass | ReplyKind> | AnyCsv;

/** An endpoint with its types erased: what mounting, documentation and the route list read. */
export interface Endpoint extends EndpointOptions {
  readonly method: Method;
  readonly path: string;
  readonly guard: string;
  readonly body?: DtoClass | CustomBody<object>;
  readonly query?: DtoClass;
  readonly headers?: DtoClass;
  readonly params?: Parameters;
  /** `Idempotency-Key`: honoured when sent, or required. The handler does its work in `once`. */
  readonly idempotency?: 'optional' | 'required';
  readonly reply: AnyReply;
  handle(input: Input<unknown, unknown, unknown, Readonly<Record<string, unknown>>, unknown>): unknown;
}

/** Exactly one verb per object. */
type Verb<M extends Method, Path extends string> = { readonly [K in M]: Path } & {
  readonly [K in Exclude<Method, M>]?: never;
};
/** Only for requests with a body; a GET has none (RFC 9110 section 9.3.1). */
interface Bodiless {
  readonly body?: never;
  readonly files?: never;
  readonly wholeFile?: never;
  readonly accepts?: never;
  readonly rawBody?: never;
  readonly idempotency?: never;
}
type Located<Path extends string> =
  (Verb<'get', Path> & Bodiless) | Verb<'post', Path> | Verb<'put', Path> | Verb<'delete', Path>;

/** What the handler returns for a `reply`; JSON text, for reads where PostgreSQL wrote it, fits every DTO. */
type ValueOf<R> =
  R extends DtoClass<infer V>
    ? V | JsonText
    : R extends Shaped<infer V>
      ? V
      : R extends OneOf<infer Choice>
        ? ValueOf<Choice>
        : R extends CsvReply<infer Row>
          ? AsyncIterable<Row> | Iterable<Row>
          : R extends ReplyKind
            ? ReplyKinds[R]
            : never;
type Returned<R> = ValueOf<R> | Reply<ValueOf<R>>;

/** Rules for parameters in the path, and for no others. */
type RulesFor<Path extends string, Rules> = Rules & {
  readonly [Name in Exclude<keyof Rules, ParameterNames<Path>>]: never;
};

/** With an idempotency key the handler gets `once`, and returns what that gave: an answer that is not kept does not compile. */
type Idempotent<I> = [I] extends [string] ? true : false;

interface Typed<Guards, Tx, Defaults, Path extends string, Name extends keyof Guards, B, Q, H, P, R, I> {
  readonly guard: Name;
  readonly body?: (DtoClass & (new () => B)) | CustomBody<B & object>;
  readonly query?: new () => Q;
  /** Property names are header names in lower case; breaking a rule is a 422. By default all headers of the request. */
  readonly headers?: new () => H;
  /** Rules of path parameters; those without one are names without slashes and control characters. Breaking a rule is a 404. */
  readonly params?: RulesFor<Path, P>;
  /** `Idempotency-Key`: honoured when sent, or required. The handler does its work in `once`. */
  readonly idempotency?: I;
  /** DTO of the value the handler returns, before the envelope; a shape around one; or the kind of answer. */
  readonly reply: R;
  handle(
    input: Input<Guards[Name], B, Q, PathParameters<Path, P, Defaults>, H> &
      (Idempotent<I> extends true ? { readonly once: Once<Tx> } : unknown),
  ): Idempotent<I> extends true
    ? Promise<Kept<Returned<NoInfer<R>>>>
    : Returned<NoInfer<R>> | Promise<Returned<NoInfer<R>>>;
}

/** What an app's endpoints have in common, declared once; an endpoint overrides it. */
export interface EndpointDefaults extends Partial<EndpointOptions> {
  /** Rules by parameter name, for every path with that parameter. */
  readonly params?: Parameters;
}

/** The typed constructor of one service's endpoints. */
export interface EndpointFunction<Guards extends object, Tx, Defaults> {
  <
    const Path extends string,
    Name extends keyof Guards & string,
    const R extends AnyReply,
    B = Record<never, never>,
    Q = Record<never, never>,
    H = IncomingHttpHeaders,
    P extends Parameters = Record<never, never>,
    I extends 'optional' | 'required' | undefined = undefined,
  >(
    definition: Located<Path> & EndpointOptions & Typed<Guards, Tx, Defaults, Path, Name, B, Q, H, P, R, I>,
  ): Endpoint;
  /** The same function with other defaults. */
  withDefaults<const D extends EndpointDefaults>(defaults: D): EndpointFunction<Guards, Tx, D['params']>;
}

const METHODS: readonly Method[] = ['get', 'post', 'put', 'delete'];

const rulesOf = (path: string, ...rules: (Parameters | undefined)[]): Pick<Endpoint, 'params'> => {
  const known = Object.assign({}, ...rules) as Parameters;
  const named = parameterNames(path).filter((name) => known[name]);
  return named.length === 0
    ? { params: undefined }
    : { params: Object.fromEntries(named.map((name) => [name, known[name]])) as Parameters };
};

/** Lists of refusals together. */
export const refusing = (...lists: (Refuses | undefined)[]): Pick<Endpoint, 'refuses'> => {
  const known = lists.filter((list) => list !== undefined);
  return known.length === 0 ? {} : { refuses: known.flat() };
};

const endpointFunction = <Guards extends object, Tx, D>(
  defaults: EndpointDefaults,
): EndpointFunction<Guards, Tx, D> => {
  const define = (definition: object): Endpoint => {
    const method = METHODS.find((name) => name in definition) as Method;
    const path = (definition as Record<Method, string>)[method];
    const given = { ...defaults, ...definition } as unknown as Endpoint;
    const { params, refuses } = definition as Partial<Endpoint>;
    return {
      ...given,
      ...refusing(defaults.refuses, refuses),
      ...rulesOf(path, defaults.params, params),
      method,
      path,
    };
  };
  const withDefaults = (more: EndpointDefaults) =>
    endpointFunction({ ...defaults, ...more, params: { ...defaults.params, ...more.params } });
  return Object.assign(define, { withDefaults }) as unknown as EndpointFunction<Guards, Tx, D>;
};

/**
 * The `endpoint()` of one service, typed by its guards: `endpointsOf<{ public: undefined; jwt: Scope }>()`. The types of
 * `body`, `query`, `headers` and `params` follow from the DTO classes, the rules and the path literal, the type of `caller` from
 * the guard's name, and the handler's value must fit `reply`; routing, validation, authentication, envelope, OpenAPI and the
 * route list all derive from the one object. `Tx` is the type of a transaction of the service's database, for `once`.
 */
export const endpointsOf = <Guards extends object, Tx = never>(): EndpointFunction<Guards, Tx, undefined> =>
  endpointFunction({});

/** Guards by name, with the type of the caller that each passes to handlers. */
export type GuardMap<Guards extends object> = { readonly [Name in keyof Guards]: Guard<Guards[Name]> };

/** The DTO that describes an endpoint's body. */
export const bodyDto = ({ body }: Pick<Endpoint, 'body'>): DtoClass | undefined =>
  body instanceof CustomBody ? body.documented : body;

/** The DTOs that describe a success; none where it is no object of ours. */
export const replyDtos = ({ reply }: Pick<Endpoint, 'reply'>): DtoClass[] => {
  if (typeof reply === 'function') return [reply];
  if (reply instanceof OneOf) return reply.dtos;
  return reply instanceof Shaped ? [reply.dto] : [];
};

/** The kinds of answers, other than objects of ours, that an endpoint may give. */
export const replyKinds = ({ reply }: Pick<Endpoint, 'reply'>): ReplyKind[] => {
  if (typeof reply === 'string') return [reply];
  if (reply instanceof CsvReply) return ['bytes'];
  return reply instanceof OneOf ? reply.choices.filter((choice) => typeof choice === 'string') : [];
};
