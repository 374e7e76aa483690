import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { Envelope } from '@platform/envelopes';
import { asFailure, Malformed, type AnyFailure } from '@platform/errors';
import { endContext, outage, requestContext, runInContext, traceIdOf, uuidv7, type Logger } from '@platform/runtime';
import { punctual } from './arriving';
import type { Endpoint } from './endpoint';
import { led } from './led';
import type { Metrics } from './metrics';
import type { ExpressListener } from './native-request';
import { hasParameters, parameterNames, pathOf } from './path';
import { perimeter } from './perimeter';
import { compile, type Handler } from './pipeline';
import { RouteTree } from './route-tree';
import { sendAnswer } from './send';
import { registrationsOf, type Registration, type Service } from './service';
import { entranceOf } from './tenant-share';
import { answerUnknown } from './unknown-route';

export interface MountOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Selects the registrations that this listener serves. */
  readonly serves: (registration: Registration) => boolean;
  readonly hsts?: boolean;
  /** Operational routes, mounted after the endpoints. */
  readonly operations?: (app: Express) => void;
}

const QUIET = new Set(['/health', '/ready', '/metrics']);
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Gives the request its context, and one log line and one measurement when it is answered. */
const observed =
  ({ logger, metrics }: MountOptions, route: string, handler: Handler, quiet = QUIET.has(route)) =>
  (request: Request, response: Response): void => {
    const begun = performance.now();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
    const context = { requestId, traceId: traceIdOf(request.headers.traceparent as string | undefined) };
    response.setHeader('X-Request-Id', requestId);
    response.on('close', () => {
      const milliseconds = performance.now() - begun;
      metrics.observe(request.method, route, response.statusCode, milliseconds / 1000);
      endContext(context);
      if (quiet) return;
      logger.info('request', {
        method: request.method,
        route,
        status: response.statusCode,
        ms: Math.round(milliseconds * 10) / 10,
        requestId,
        traceId: context.traceId,
        aborted: response.writableFinished ? undefined : true,
      });
    });
    void runInContext(context, () => handler(request, response));
  };

const REFUSED = {
  unavailable: 'something is unavailable',
  upstreamFailed: 'a sibling or provider failed',
  upstreamTimedOut: 'a sibling or provider was silent',
} as const;

const COUNTING = {
  failed: 'rate limits count by process: their counter does not answer',
  answered: 'rate limits count for all processes again',
};

/** Logs failures of this service, not of the request, once and with their cause. */
const reporter =
  (logger: Logger) =>
  (failure: AnyFailure, route: string): void => {
    const cause = failure.cause ?? failure;
    if (failure.kind === 'unexpected')
      logger.error('request failed unexpectedly', { route, ...requestContext(), cause });
    if (failure.kind === 'unavailable' || failure.kind === 'upstreamFailed' || failure.kind === 'upstreamTimedOut')
      logger.warn(`request refused: ${REFUSED[failure.kind]}`, { route, ...requestContext(), cause });
  };

/** Answers what no route matched: the guard of the prefix first, so that an unknown path tells a stranger nothing. */
const unknown =
  (service: Service, failed: (failure: AnyFailure, route: string) => void): Handler =>
  async (request, response) => {
    const { unknownRoute, envelope } = service;
    const { method, path, headers } = request;
    try {
      const remoteAddress = request.socket.remoteAddress ?? '';
      const view = { method, path, headers, remoteAddress, address: remoteAddress };
      if (unknownRoute && path.startsWith(unknownRoute.prefix))
        await service.guards[unknownRoute.guard]?.authenticate(view);
      await answerUnknown(service, view, request, response);
    } catch (thrown) {
      failed(asFailure(thrown), 'unknown');
      await sendAnswer(request, response, envelope.failure(asFailure(thrown)));
    }
  };

type Failed = (failure: AnyFailure, route: string) => void;

/** Answers a request that cannot be parsed, in the envelope of its route or, where that does not matter, of the service. */
const refusal =
  (envelope: Envelope, failed: Failed, reason: (request: Request) => string): Handler =>
  async (request, response) => {
    const failure = new Malformed(reason(request));
    failed(failure, 'unknown');
    await sendAnswer(request, response, envelope.failure(failure));
  };

const decodingFailed = ({ url }: Request): string => `Failed to decode the path '${pathOf(url)}'`;

/** Answers what an operation throws. Without this Express would answer with its own page. */
const broken =
  ({ envelope }: Service, failed: (failure: AnyFailure, route: string) => void): ErrorRequestHandler =>
  // Express recognises an error handler by its four parameters
  async (thrown: unknown, request, response, next) => {
    const failure = asFailure(thrown);
    failed(failure, 'unknown');
    if (response.headersSent) next(thrown);
    else await sendAnswer(request, response, envelope.failure(failure));
  };

/** Answers that it cannot be told where a request leads. */
const lost =
  ({ envelope }: Service, options: MountOptions, failed: Failed) =>
  (thrown: unknown, request: Request, response: Response): void =>
    observed(options, 'unknown', async () => {
      const failure = asFailure(thrown);
      failed(failure, 'unknown');
      await sendAnswer(request, response, envelope.failure(failure));
    })(request, response);

export interface Mounted {
  readonly app: Express;
  /** What the server calls; leads to `app`. */
  readonly listener: ExpressListener;
}

interface Route {
  readonly answer: ExpressListener;
  /** Of a path with a parameter that cannot be decoded. */
  readonly undecodable: ExpressListener;
}

interface NamedRoute extends Route {
  readonly names: readonly string[];
}

/** The handlers of one listener, found by method and path without trying one pattern after the other. */
class RouteTable {
  private readonly exact = new Map<string, ExpressListener>();
  private readonly trees = new Map<string, RouteTree<NamedRoute>>();

  /** The last registration of a method and path wins, as the contract demands for the route it registers twice. */
  add(method: string, path: string, route: Route): void {
    if (!hasParameters(path)) return void this.exact.set(`${method} ${path}`, route.answer);
    const tree = this.trees.get(method) ?? new RouteTree<NamedRoute>();
    this.trees.set(method, tree);
    tree.add(path, { names: parameterNames(path), ...route });
  }

  /** Undefined when no path matches. */
  find(request: Request): ExpressListener | undefined {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const path = pathOf(request.url);
    const exact = this.exact.get(`${method} ${path}`);
    if (exact) return exact;
    const found = this.trees.get(method)?.find(path);
    if (!found) return undefined;
    const { names, answer, undecodable } = found.value;
    try {
      request.params = Object.fromEntries(
        names.map((name, index) => [name, decodeURIComponent(found.segments[index] as string)]),
      );
    } catch {
      return undecodable;
    }
    return answer;
  }
}

/**
 * The Express application of one listener, with the lookup ahead of it that finds endpoints; Express only serves operations
 * and unknown paths.
 */
export const mount = (service: Service, options: MountOptions): Mounted => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  const failed = reporter(options.logger);
  const counting = outage(COUNTING, options.logger);
  const [enter, enterUploads] = [entranceOf(service.share), entranceOf(service.uploads)];
  const table = new RouteTable();
  const onTime = (endpoint: Endpoint | undefined, work: ExpressListener) => punctual(service.endpoints, endpoint, work);
  for (const registration of registrationsOf(service)) {
    if (!options.serves(registration)) continue;
    const { endpoint, path } = registration;
    const hooks = { failed, counting, enter, enterUploads };
    const answer = onTime(endpoint, observed(options, path, compile(service, registration, hooks)));
    const envelope = endpoint.envelope ?? service.envelope;
    const undecodable = observed(options, path, refusal(envelope, failed, decodingFailed));
    table.add(endpoint.method.toUpperCase(), path, { answer, undecodable });
  }
  options.operations?.(app);
  app.use(onTime(undefined, observed(options, 'unknown', unknown(service, failed))));
  app.use(broken(service, failed));
  const found: ExpressListener = (request, response) => (table.find(request) ?? app)(request, response);
  const route = service.leads ? led(service.leads, found, lost(service, options, failed)) : found;
  const oneHost = () => 'a request has one Host header';
  const twice = observed(options, 'unknown', refusal(service.envelope, failed, oneHost));
  return { app, listener: perimeter(route, { twice, hsts: options.hsts, pages: service.crossOrigin }) };
};
