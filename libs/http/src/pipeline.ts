import type { Request, Response } from 'express';
import { asFailure, InvalidInput, Malformed, Rejected, type AnyFailure } from '@platform/errors';
import type { Envelope, WireAnswer } from '@platform/envelopes';
import { parse } from '@platform/validation';
import { bodyReader, type Receive, type ReceivedBody } from './body';
import { passOn, ServedElsewhere } from './elsewhere';
import { CustomBody, type Endpoint, type Input } from './endpoint';
import { once } from './idempotency';
import { limiterOf } from './limiter';
import { isSpecial, Reply, type SpecialReply } from './replies';
import type { RequestView } from './request-view';
import { sendAnswer, sendSpecial } from './send';
import type { Registration, Service } from './service';
import { discardUploads } from './uploads';

type AnyInput = Input<unknown, unknown, unknown, Readonly<Record<string, string>>>;

/** Answers one request. Resolves when the answer was handed to the socket; never rejects. */
export type Handler = (request: Request, response: Response) => Promise<void>;

export interface PipelineHooks {
  /** Called once with whatever was thrown, before it is answered. */
  failed(failure: AnyFailure, route: string): void;
}

const NOTHING: ReceivedBody = { fields: {}, files: [], raw: Buffer.alloc(0) };

const NO_OPTIONS: Reply<unknown>['options'] = {};

interface InputParts {
  readonly caller: unknown;
  readonly body: unknown;
  readonly query: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly received: ReceivedBody;
  readonly view: RequestView;
  readonly variant: string | undefined;
  readonly response: Response;
}

/** The signal costs a listener, so it is made when a handler asks for it. */
class HandlerInput implements AnyInput {
  readonly caller: unknown;
  readonly body: unknown;
  readonly query: unknown;
  readonly params: Readonly<Record<string, string>>;
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
    return this.parts.view.headers;
  }
  get address() {
    return this.parts.view.address;
  }
  get signal(): AbortSignal {
    const gone = new AbortController();
    const { response } = this.parts;
    // Not the request's `close`: it fires as soon as the body was read
    response.once('close', () => response.writableFinished || gone.abort());
    return gone.signal;
  }
}

const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

const validated = (dto: Endpoint['body'], raw: unknown, unknownKeys: Endpoint['unknownKeys']): unknown => {
  if (!dto) return raw;
  if (dto instanceof CustomBody) {
    if (!isObject(raw)) throw new Malformed('the body must be an object');
    return dto.read(raw);
  }
  const { value, violations } = parse(dto, raw, unknownKeys);
  if (violations) throw new InvalidInput(violations);
  return value;
};

const viewOf = (service: Service, request: Request, path: string): RequestView => {
  const remoteAddress = request.socket.remoteAddress ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  const address =
    service.clientAddress?.(remoteAddress, Array.isArray(forwarded) ? forwarded.join(',') : forwarded) ?? remoteAddress;
  return { method: request.method, path, headers: request.headers, remoteAddress, address };
};

const withHeaders = (answer: WireAnswer, headers: Readonly<Record<string, string>> | undefined): WireAnswer =>
  headers ? { ...answer, headers: { ...answer.headers, ...headers } } : answer;

const malformedAsRejected =
  (receive: Receive): Receive =>
  (request, response) =>
    receive(request, response).catch((failure: unknown) => {
      throw failure instanceof Malformed ? new Rejected(failure.message, { cause: failure }) : failure;
    });

type Outcome = WireAnswer | { readonly special: SpecialReply; readonly status: number };

/** One registration at work: guard, rate, body, validation, handler, envelope - in that order. */
class Pipeline {
  private readonly envelope: Envelope;
  private readonly takesBody: boolean;
  private readonly replays: boolean;
  private readonly receive: Receive;
  private readonly limit: ReturnType<typeof limiterOf>;

  constructor(
    private readonly service: Service,
    private readonly registration: Registration,
    private readonly hooks: PipelineHooks,
  ) {
    const { endpoint } = registration;
    this.envelope = endpoint.envelope ?? service.envelope;
    this.limit = limiterOf(service, registration);
    this.replays = endpoint.idempotency !== undefined && service.idempotency !== undefined;
    this.takesBody =
      endpoint.method !== 'get' &&
      (endpoint.body !== undefined || endpoint.files !== undefined || endpoint.rawBody === true);
    const receive = bodyReader({ ...endpoint, bodyLimit: endpoint.bodyLimit ?? service.bodyLimit });
    this.receive = endpoint.malformed === 'rejected' ? malformedAsRejected(receive) : receive;
  }

  async handle(request: Request, response: Response): Promise<void> {
    const { endpoint, guard, path } = this.registration;
    let received = NOTHING;
    try {
      const view = viewOf(this.service, request, path);
      const known = guard.authenticate(view);
      // Awaiting what is there already would cost two promises
      const caller = known instanceof Promise ? await known : known;
      if (this.limit) await this.limit(caller, view);
      if (this.takesBody) received = await this.receive(request, response);
      const input = this.input(request, response, { caller, view, received });
      const answer = this.replays ? await this.replayed(input, request) : this.outcome(await endpoint.handle(input));
      if ('special' in answer) await sendSpecial(response, answer.special, answer.status);
      else sendAnswer(response, answer);
    } catch (thrown) {
      if (thrown instanceof ServedElsewhere) await this.passOn(thrown, request, response, received);
      else this.refuse(response, asFailure(thrown));
    } finally {
      if (received.files.length > 0) await discardUploads(received.files);
    }
  }

  private input(
    request: Request,
    response: Response,
    known: Pick<InputParts, 'caller' | 'view' | 'received'>,
  ): HandlerInput {
    const { endpoint, variant } = this.registration;
    return new HandlerInput({
      caller: known.caller,
      view: known.view,
      received: known.received,
      body: validated(endpoint.body, known.received.fields, endpoint.unknownKeys),
      query: endpoint.query ? validated(endpoint.query, request.query, 'ignore') : {},
      params: (request.params ?? {}) as Readonly<Record<string, string>>,
      variant,
      response,
    });
  }

  private async answer(input: HandlerInput): Promise<Outcome> {
    return this.outcome(await this.registration.endpoint.handle(input));
  }

  private replayed(input: HandlerInput, request: Request): Promise<Outcome> {
    const { endpoint, path } = this.registration;
    const { idempotency: store, callerKey } = this.service;
    if (!store) return this.answer(input);
    const scope = `${callerKey?.(input.caller) ?? input.address} ${endpoint.method} ${path}`;
    const fingerprint = JSON.stringify([request.originalUrl, input.body]);
    const call = {
      store,
      header: request.headers['idempotency-key'],
      required: endpoint.idempotency === 'required',
      scope,
      fingerprint,
    };
    return once(call, () => this.answer(input) as Promise<WireAnswer>);
  }

  private outcome(returned: unknown): Outcome {
    const usual = this.registration.endpoint.status ?? 200;
    const { value, options } = returned instanceof Reply ? returned : { value: returned, options: NO_OPTIONS };
    const { status = usual, headers } = options;
    return isSpecial(value) ? { special: value, status } : withHeaders(this.envelope.success(value, status), headers);
  }

  private passOn(
    { elsewhere }: ServedElsewhere,
    request: Request,
    response: Response,
    received: ReceivedBody,
  ): Promise<void> {
    return passOn(elsewhere, request, response, this.takesBody ? received : undefined).catch((thrown: unknown) =>
      this.refuse(response, asFailure(thrown)),
    );
  }

  private refuse(response: Response, failure: AnyFailure): void {
    this.hooks.failed(failure, this.registration.path);
    if (response.headersSent) response.destroy();
    else sendAnswer(response, this.envelope.failure(failure));
  }
}

/** Compiles one registration to the function that answers its requests. */
export const compile = (service: Service, registration: Registration, hooks: PipelineHooks): Handler => {
  const pipeline = new Pipeline(service, registration, hooks);
  return (request, response) => pipeline.handle(request, response);
};
