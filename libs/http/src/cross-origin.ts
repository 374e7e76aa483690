import type { NextFunction, Request, Response } from 'express';
import { addVary } from './vary';

/** Which origins may call which paths with cookies. */
export interface CrossOrigin {
  /** Exact origins such as `https://shop.example`; never `*`, which credentials do not allow. */
  readonly origins: readonly string[];
  readonly prefix: string;
}

const PREFLIGHT_SECONDS = '600';

/**
 * The CORS protocol (Fetch standard) for a list of origins, with credentials. Preflights of listed origins are answered
 * here; other origins get no header, and the browser refuses. Callers other than browsers are not affected.
 */
export const crossOrigin =
  ({ origins, prefix }: CrossOrigin) =>
  (request: Request, response: Response, next: NextFunction): void => {
    if (!request.url.startsWith(prefix)) return next();
    // An answer cached for one origin must not be shown to another
    addVary(response, 'Origin');
    const { origin } = request.headers;
    if (!origin || !origins.includes(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) {
      response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
      return next();
    }
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
    response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Request-Id');
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.statusCode = 204;
    response.end();
  };
