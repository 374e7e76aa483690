import type { Request, Response } from 'express';
import { InvalidInput, Malformed } from '@platform/errors';
import { parse, type DtoClass, type Source } from '@platform/validation';
import type { ReceivedBody } from './body';
import { CustomBody, type Endpoint, type Input } from './endpoint';
import type { Once } from './idempotency';
import type { Parameters } from './parameters';
import type { RequestView } from './request-view';

type AnyInput = Input<unknown, unknown, unknown, Readonly<Record<string, unknown>>, unknown>;

export interface InputParts {
  readonly caller: unknown;
  readonly body: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly received: ReceivedBody;
  readonly view: RequestView;
  readonly variant: string | undefined;
  readonly response: Response;
  readonly once: ((input: HandlerInput) => Once<unknown>) | undefined;
}

/** A handler's input. The signal costs a listener and `once` a hash, so they are created on first use. */
export class HandlerInput implements AnyInput {
  readonly caller: unknown;
  readonly body: unknown;
  readonly query: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly variant: string | undefined;

  constructor(private readonly parts: InputParts) {
    this.caller = parts.caller;
    this.body = parts.body;
    this.query = parts.query;
    this.params = parts.params;
    this.variant = parts.variant;
  }
  get files() {
    return this.parts.received.files;
  }
  get rawBody() {
    return this.parts.received.raw;
  }
  get headers() {
    return this.parts.headers;
  }
  get address() {
    return this.parts.view.address;
  }
  get once() {
    return this.parts.once?.(this);
  }
  get signal(): AbortSignal {
    const gone = new AbortController();
    const { response } = this.parts;
    // Not the request's `close`: it fires as soon as the body was read
    const closed = (): void => void (response.writableFinished || gone.abort());
    if (response.closed) closed();
    else response.once('close', closed);
    return gone.signal;
  }
}

const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** Throws `InvalidInput` with everything that is wrong. */
const byDto = (dto: DtoClass, raw: unknown, from: Source, unknownKeys: Endpoint['unknownKeys'] = 'ignore'): unknown => {
  const { value, violations } = parse(dto, raw, { from, unknownKeys });
  if (violations) throw new InvalidInput(violations);
  return value;
};

/** The body as its DTO reads it; unchanged when none is declared. */
export const readBody = ({ body, unknownKeys }: Endpoint, raw: unknown, from: Source): unknown => {
  if (!body) return raw;
  if (!(body instanceof CustomBody)) return byDto(body, raw, from, unknownKeys);
  if (!isObject(raw)) throw new Malformed('the body must be an object');
  return body.read(raw);
};

const NOTHING = {};

export const readQuery = ({ query }: Endpoint, request: Request): unknown =>
  query ? byDto(query, request.query, 'query') : NOTHING;

export const readHeaders = ({ headers }: Endpoint, request: Request): unknown =>
  headers ? byDto(headers, request.headers, 'query') : request.headers;

/** Every parameter as its rule reads it; throws the rule's failure, usually `NotFound`. */
export const readParameters = (
  rules: Parameters,
  names: readonly string[],
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  if (names.length === 0) return NOTHING;
  const read: Record<string, unknown> = {};
  for (const name of names) read[name] = rules[name]?.read(raw[name] as string);
  return read;
};
