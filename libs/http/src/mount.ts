import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { asFailure, Malformed, type AnyFailure } from '@platform/errors';
import { requestContext, runInContext, traceIdOf, uuidv7, type Logger } from '@platform/runtime';
import { crossOrigin } from './cross-origin';
import type { Metrics } from './metrics';
import type { ExpressListener } from './native-request';
import { expressPath, hasParameters } from './path';
import { compile, type Handler } from './pipeline';
import { sendAnswer } from './send';
import { registrationsOf, type Registration, type Service } from './service';

export interface MountOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Which registrations this listener serves. */
  readonly serves: (registration: Registration) => boolean;
  /** Operational routes, mounted behind the endpoints. */
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

/** Failures that mean something is wrong with us, not with the request, are logged with their cause, once. */
const reporter =
  (logger: Logger) =>
  (failure: AnyFailure, route: string): void => {
    const cause = failure.cause ?? failure;
    if (failure.kind === 'unexpected')
      logger.error('request failed unexpectedly', { route, ...requestContext(), cause });
    if (failure.kind === 'unavailable')
      logger.warn('request refused: something is unavailable', { route, ...requestContext(), cause });
  };

const pathOf = (url: string): string => {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
};

/** Answers what no route matched: the guard of the prefix first, so that an unknown path tells a stranger nothing. */
const unknown =
  (service: Service, failed: (failure: AnyFailure, route: string) => void): Handler =>
  async (request, response) => {
    const { unknownRoute, envelope } = service;
    try {
      const remoteAddress = request.socket.remoteAddress ?? '';
      if (unknownRoute && request.path.startsWith(unknownRoute.prefix))
        await service.guards[unknownRoute.guard]?.authenticate({
          method: request.method,
          path: request.path,
          headers: request.headers,
          remoteAddress,
          address: remoteAddress,
        });
      sendAnswer(response, envelope.unknownRoute());
    } catch (thrown) {
      failed(asFailure(thrown), 'unknown');
      sendAnswer(response, envelope.failure(asFailure(thrown)));
    }
  };

/** What Express itself refuses: a path that is not percent-encoded properly. Without this it would answer with a page of its own. */
const broken =
  ({ envelope }: Service, failed: (failure: AnyFailure, route: string) => void): ErrorRequestHandler =>
  // Express knows an error handler by its four parameters
  (thrown: unknown, _request, response, next) => {
    const failure = thrown instanceof URIError ? new Malformed(thrown.message) : asFailure(thrown);
    failed(failure, 'unknown');
    if (response.headersSent) next(thrown);
    else sendAnswer(response, envelope.failure(failure));
  };

export interface Mounted {
  readonly app: Express;
  /** What the server calls: the way to `app`. */
  readonly listener: ExpressListener;
}

/**
 * The Express application of one listener. Paths without parameters are found by one lookup ahead of Express's scan; the
 * last registration of a method and path wins, as the contract has it for the route it registers twice.
 */
export const mount = (service: Service, options: MountOptions): Mounted => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  const failed = reporter(options.logger);
  const exact = new Map<string, ExpressListener>();
  const parametric = new Map<
    string,
    { registration: Registration; handler: (request: Request, response: Response) => void }
  >();
  for (const registration of registrationsOf(service)) {
    if (!options.serves(registration)) continue;
    const { endpoint, path } = registration;
    const handler = observed(options, path, compile(service, registration, { failed }));
    const key = `${endpoint.method.toUpperCase()} ${path}`;
    if (hasParameters(path)) parametric.set(key, { registration, handler });
    else exact.set(key, handler);
  }
  for (const { registration, handler } of parametric.values())
    app[registration.endpoint.method](expressPath(registration.path), handler);
  options.operations?.(app);
  app.use(observed(options, 'unknown', unknown(service, failed)));
  app.use(broken(service, failed));
  const route: ExpressListener = (request, response) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const answer = exact.get(`${method} ${pathOf(request.url)}`) ?? app;
    answer(request, response);
  };
  const { crossOrigin: cors } = service;
  if (!cors || cors.origins.length === 0) return { app, listener: route };
  const allow = crossOrigin(cors);
  return { app, listener: (request, response) => allow(request, response, () => route(request, response)) };
};
