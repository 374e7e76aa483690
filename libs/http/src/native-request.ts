import { createServer, IncomingMessage, ServerResponse, type RequestListener, type Server } from 'node:http';
import type { Express, Request, Response } from 'express';

export type ExpressListener = (request: Request, response: Response) => void;

/** How often time limits of requests are checked; Node's 30 s would double ours. */
const CHECK_MS = 5_000;

/**
 * An HTTP server whose requests and responses are created with the prototypes that Express would give them. Express sets these
 * prototypes on every request; changing the prototype of a live object makes V8 drop its fast paths, which cost more than the
 * rest of Express together (architecture section 10). Setting a prototype that is already there does nothing.
 *
 * They are classes of their own, not `Reflect.construct` with another prototype: V8 keeps one hidden class for the instances
 * of a derived class, but makes a new one for every object that is constructed with a foreign `new.target`.
 */
export const createExpressServer = (app: Express, listener: ExpressListener = app): Server => {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Express['request'];
  app.response = ExpressResponse.prototype as unknown as Express['response'];
  return createServer(
    { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse, connectionsCheckingInterval: CHECK_MS },
    listener as RequestListener,
  );
};

/**
 * From now on every answer ends its connection and says so, also one that is being worked on: a client opens its next
 * connection elsewhere, instead of sending a request down one that is about to close.
 */
export const endConnections = ({ response }: Express): void => {
  const { writeHead } = response;
  response.writeHead = function lastOfItsConnection(this: ServerResponse, ...head: Parameters<typeof writeHead>) {
    this.shouldKeepAlive = false;
    return writeHead.apply(this, head);
  } as typeof writeHead;
};
