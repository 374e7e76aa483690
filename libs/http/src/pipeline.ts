import { channel } from 'node:diagnostics_channel';
import type { Request, Response } from 'express';
import { asFailure, Malformed, Rejected, Unexpected, type AnyFailure } from '@platform/errors';
import type { Outage } from '@platform/runtime';
import { answerOf, written, type Answer, type TextAnswer, type Writing } from './answer';
import { takesBody, takesFiles } from './arriving';
import { bodyReader, sourceOf, type Receive, type ReceivedBody } from './body';
import { csvFile, CsvReply } from './csv';
import type { Endpoint } from './endpoint';
import { unforeseenBy } from './foreseen';
import { HandlerInput, readBody, readHeaders, readParameters, readQuery } from './handler-input';
import { formKey, Kept, onceOf, Unkept, type IdempotencyStore, type Once } from './idempotency';
import { formLimiterOf, limiterOf } from './limiter';
import { segment, type Parameters } from './parameters';
import { parameterNames } from './path';
import { aborted } from './received';
import { Reply } from './replies';
import { replyWriter } from './reply-writer';
import { viewOf, type RequestView } from './request-view';
import { send } from './send';
import type { Registration, Service } from './service';
import type { Entrance } from './tenant-share';
import { answerUnknown } from './unknown-route';
import { discardUploads } from './uploads';

/** Answers one request. Resolves when the answer was handed to the socket; never rejects. */
export type Handler = (request: Request, response: Response) => Promise<void>;

export interface PipelineHooks {
  /** Called once with whatever was thrown, before it is answered. */
  failed(failure: AnyFailure, route: string): void;
  /** Reports whether the counter of rate limits answers. */
  readonly counting?: Outage;
  /** The turn of a request among those of its tenant. */
  readonly enter?: Entrance | undefined;
  /** The turn of a request that brings files, while they arrive. */
  readonly enterUploads?: Entrance | undefined;
}

/** Receives refusals that no description lists, as texts. The suites of all projects listen; in a running service nobody does. */
const unforeseenRefusals = channel('platform.http.unforeseen-refusal');

const NOTHING: ReceivedBody = { fields: {}, files: [], raw: Buffer.alloc(0) };

const malformedAsRejected =
  (receive: Receive): Receive =>
  (request, response, caller) =>
    receive(request, response, caller).catch((failure: unknown) => {
      throw failure instanceof Malformed ? new Rejected(failure.message, { cause: failure }) : failure;
    });

const USUAL_STATUS: Readonly<Record<string, number>> = { nothing: 204, redirect: 302 };

const writingOf = (service: Service, endpoint: Endpoint): Writing => {
  const { envelope = service.envelope, reply } = endpoint;
  const usual = typeof reply === 'string' ? USUAL_STATUS[reply] : undefined;
  return {
    envelope,
    status: endpoint.status ?? usual ?? 200,
    nothing: reply === 'nothing',
    write: replyWriter(endpoint),
  };
};

/** Each parameter's rule: the endpoint's, else that of any name. */
const parameterRules = ({ params = {} }: Endpoint, names: readonly string[]): Parameters =>
  Object.fromEntries(names.map((name) => [name, params[name] ?? segment]));

/** Rows as the file that a handler's reply declares, with the status and headers that it gave them. */
const asFile = async (csv: CsvReply<unknown>, returned: unknown): Promise<unknown> => {
  if (!(returned instanceof Reply)) return csvFile(csv, returned as Iterable<unknown>);
  const { value, options } = returned as Reply<Iterable<unknown>>;
  return new Reply(await csvFile(csv, value), options);
};

/** A body with `null` in place of its secrets. */
const withoutSecrets = (body: unknown, secret: readonly string[] | undefined): unknown =>
  secret ? { ...(body as object), ...Object.fromEntries(secret.map((field) => [field, null])) } : body;

/** How far a request came before it failed. */
interface Course {
  view: RequestView | undefined;
  caller: unknown;
  received: ReceivedBody;
}

/** A request that is refused. */
interface Refusing {
  readonly request: Request;
  readonly response: Response;
  readonly course: Course;
  /** What its form would be shown on cannot be shown: nothing is shown again. */
  readonly isSecond?: true;
}

/** Runs one registration: guard, rate, parameters, body, validation, handler, DTO and envelope of the reply - in that order. */
class Pipeline {
  private readonly names: readonly string[];
  private readonly rules: Parameters;
  private readonly takesBody: boolean;
  private readonly enterUploads: Entrance | undefined;
  private readonly receive: Receive;
  private readonly limit: ReturnType<typeof limiterOf>;
  private readonly formLimit: ReturnType<typeof formLimiterOf>;
  private readonly writing: Writing;
  private readonly csv: CsvReply<unknown> | undefined;
  private readonly unforeseen: ReturnType<typeof unforeseenBy>;

  constructor(
    private readonly service: Service,
    private readonly registration: Registration,
    private readonly hooks: PipelineHooks,
  ) {
    const { endpoint } = registration;
    this.writing = writingOf(service, endpoint);
    this.unforeseen = unforeseenBy(service, registration);
    this.csv = endpoint.reply instanceof CsvReply ? endpoint.reply : undefined;
    this.limit = limiterOf(service, registration, hooks.counting);
    this.formLimit = formLimiterOf(service, registration, hooks.counting);
    this.names = parameterNames(registration.path);
    this.rules = parameterRules(endpoint, this.names);
    this.takesBody = endpoint.method !== 'get' && takesBody(endpoint);
    this.enterUploads = takesFiles(endpoint) ? hooks.enterUploads : undefined;
    const receive = bodyReader(
      { ...endpoint, bodyLimit: endpoint.bodyLimit ?? service.bodyLimit },
      service.uploads?.tenantOf,
    );
    this.receive = endpoint.malformed === 'rejected' ? malformedAsRejected(receive) : receive;
  }

  async handle(request: Request, response: Response): Promise<void> {
    const { endpoint, guard, path } = this.registration;
    const course: Course = { view: undefined, caller: undefined, received: NOTHING };
    try {
      const view = viewOf(request, path, this.service.clientAddress);
      course.view = view;
      const hidden = this.service.hides?.(view, guard);
      if (hidden instanceof Promise ? await hidden : hidden)
        return await answerUnknown({ ...this.service, envelope: this.writing.envelope }, view, request, response);
      const known = guard.authenticate(view);
      // Awaiting a value that is already there would cost two promises
      const caller = known instanceof Promise ? await known : known;
      course.caller = caller;
      if (this.limit) await this.limit(caller, view);
      const params = readParameters(this.rules, this.names, request.params ?? {});
      if (this.takesBody) course.received = await this.received(request, response, caller);
      if (this.formLimit) await this.formLimit(caller, view, course.received.fields);
      const input = this.input(request, response, { caller, view, params, received: course.received });
      const value = await (this.hooks.enter ? this.inTurn(this.hooks.enter, input) : endpoint.handle(input));
      const answer = this.answer(this.csv ? await asFile(this.csv, value) : value, caller);
      const sent = send(request, response, answer, endpoint.etag);
      if (sent) await sent;
    } catch (thrown) {
      await this.thrown(thrown, request, response, course);
    } finally {
      const { files, leave } = course.received;
      if (files.length > 0) await discardUploads(files);
      leave?.();
    }
  }

  /** Who sends files has a turn of its own for as long as they come: a store that is slow keeps the others' from nobody. */
  private async received(request: Request, response: Response, caller: unknown): Promise<ReceivedBody> {
    if (!this.enterUploads) return this.read(request, response, caller);
    const leave = await this.enterUploads(caller);
    try {
      return await this.read(request, response, caller);
    } finally {
      leave?.();
    }
  }

  /** Who has gone while a guard or a turn was waited for brings nothing any more: some readers would wait for it, others read `{}`. */
  private read(request: Request, response: Response, caller: unknown): Promise<ReceivedBody> {
    return request.destroyed ? Promise.reject(aborted()) : this.receive(request, response, caller);
  }

  /** Not before the body is there: who sends slowly keeps nobody waiting. What streams after the handler has a share of its own. */
  private async inTurn(enter: Entrance, input: HandlerInput): Promise<unknown> {
    const { tenantOf } = this.registration.endpoint;
    const entering = enter(input.caller, tenantOf?.(input));
    const leave = entering instanceof Promise ? await entering : entering;
    try {
      return await this.registration.endpoint.handle(input);
    } finally {
      leave?.();
    }
  }

  private input(
    request: Request,
    response: Response,
    known: Pick<HandlerInput['parts'], 'caller' | 'view' | 'params' | 'received'>,
  ): HandlerInput {
    const { endpoint, variant } = this.registration;
    // Named one by one: a spread makes an object that V8 cannot lay out, which costs a tenth of a request
    return new HandlerInput({
      caller: known.caller,
      view: known.view,
      params: known.params,
      received: known.received,
      body: readBody(endpoint, known.received.fields, sourceOf(request.headers['content-type'])),
      query: readQuery(endpoint, request),
      headers: readHeaders(endpoint, request),
      variant,
      response,
      once: endpoint.idempotency === undefined ? undefined : (input) => this.once(input, request),
    });
  }

  private once(input: HandlerInput, request: Request): Once<unknown> {
    const { endpoint, path } = this.registration;
    const { idempotency, callerKey } = this.service;
    const call = {
      header: request.headers['idempotency-key'] ?? formKey(endpoint, input.body),
      required: endpoint.idempotency === 'required',
      scope: `${callerKey?.(input.caller) ?? input.address} ${endpoint.method} ${path}`,
      fingerprint: () =>
        JSON.stringify([
          request.url,
          withoutSecrets(input.body, endpoint.secretFields),
          input.rawBody.toString('base64'),
          input.files.map(({ field, originalName, mimetype, sha256 }) => [field, originalName, mimetype, sha256]),
        ]),
    };
    // Checked when it was mounted
    return onceOf(idempotency as IdempotencyStore, call, (value) => this.write(value, input.caller));
  }

  private answer(returned: unknown, caller: unknown): Answer {
    if (returned instanceof Kept) return returned.answer;
    if (returned instanceof Unkept) return this.write(returned.value, caller);
    const { idempotency, path } = this.registration.endpoint;
    if (idempotency) throw new Unexpected(`${path} did not return what once() gave it, so its answer was not kept`);
    return this.write(returned, caller);
  }

  private write(returned: unknown, caller: unknown): Answer {
    return written(returned, this.writing, this.service.groupsOf?.(caller));
  }

  private async thrown(thrown: unknown, request: Request, response: Response, course: Course): Promise<void> {
    try {
      const exchange = { request, response, received: this.takesBody ? course.received : undefined };
      const answered = this.service.intercept?.(thrown, exchange);
      if (!answered) throw thrown;
      await answered;
    } catch (failure) {
      await this.refuse(request, response, asFailure(failure), course);
    }
  }

  private async refuse(request: Request, response: Response, failure: AnyFailure, course: Course): Promise<void> {
    this.hooks.failed(failure, this.registration.path);
    if (unforeseenRefusals.hasSubscribers) this.tell(this.unforeseen(failure));
    if (response.headersSent) return void response.destroy();
    const usual = answerOf(this.writing.envelope.failure(failure));
    await send(request, response, (await this.shown(failure, usual, { request, response, course })) ?? usual);
  }

  /** What a person sees of the failure, where the endpoint shows it; where that is refused, what they see of this second one. */
  private async shown(
    failure: AnyFailure,
    usual: TextAnswer,
    { request, response, course, isSecond }: Refusing,
  ): Promise<Answer | undefined> {
    const { refused } = this.registration.endpoint;
    const { view, caller, received } = course;
    if (!refused || !view) return undefined;
    const { status, headers } = usual;
    try {
      // Its files go with the request, as those of any other
      const read = async () => (course.received = await this.read(request, response, caller));
      const given = this.takesBody && !isSecond ? received : undefined;
      const shown = await refused(failure, { request: view, caller, given, read, status });
      const answer = written(shown, { ...this.writing, status }, undefined);
      return { ...answer, headers: { ...headers, ...answer.headers } };
    } catch (thrown) {
      const second = asFailure(thrown);
      this.hooks.failed(second, this.registration.path);
      const its = answerOf(this.writing.envelope.failure(second));
      if (isSecond || second.kind === 'unexpected') return undefined;
      return this.shown(second, its, { request, response, course, isSecond: true });
    }
  }

  private tell(misfit: string | undefined): void {
    if (misfit !== undefined) unforeseenRefusals.publish(misfit);
  }
}

/** Compiles one registration to the function that answers its requests. */
export const compile = (service: Service, registration: Registration, hooks: PipelineHooks): Handler => {
  const pipeline = new Pipeline(service, registration, hooks);
  return (request, response) => pipeline.handle(request, response);
};
