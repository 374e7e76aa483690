import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type Response,
} from 'express';
import { asFailure, Malformed, type AnyFailure } from '@platform/errors';
import { requestContext, runInContext, traceIdOf, uuidv7, type Logger } from '@platform/runtime';
import { crossOrigin } from './cross-origin';
import type { Metrics } from './metrics';
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
  ({ logger, metrics }: MountOptions, route: string, handler: Handler) =>
  (request: Request, response: Response): void => {
    const begun = performance.now();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : uuidv7();
    const context = { requestId, traceId: traceIdOf(request.headers.traceparent as string | undefined) };
    response.setHeader('X-Request-Id', requestId);
    response.on('close', () => {
      const milliseconds = performance.now() - begun;
      metrics.observe(request.method, route, response.statusCode, milliseconds / 1000);
      const fields = {
        method: request.method,
        route,
        status: response.statusCode,
        ms: Math.round(milliseconds * 10) / 10,
        ...context,
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      if (!QUIET.has(route)) logger.info('request', fields);
    });
    void handler(request, response);
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

/**
 * The Express application of one listener. Paths without parameters are found by one lookup ahead of Express's scan; the
 * last registration of a method and path wins, as the contract has it for the route it registers twice.
 */
export const mount = (service: Service, options: MountOptions): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  const failed = reporter(options.logger);
  const exact = new Map<string, (request: Request, response: Response) => void>();
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
  if (service.crossOrigin && service.crossOrigin.origins.length > 0) app.use(crossOrigin(service.crossOrigin));
  app.use((request: Request, response: Response, next: NextFunction) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const handler = exact.get(`${method} ${pathOf(request.url)}`);
    if (handler) handler(request, response);
    else next();
  });
  for (const { registration, handler } of parametric.values())
    app[registration.endpoint.method](expressPath(registration.path), handler);
  options.operations?.(app);
  app.use(observed(options, 'unknown', unknown(service, failed)));
  app.use(broken(service, failed));
  return app;
};
