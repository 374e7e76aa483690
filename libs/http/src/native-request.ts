import { createServer, IncomingMessage, ServerResponse, type RequestListener, type Server } from 'node:http';
import type { Express } from 'express';

/** Builds objects of a native class that have `prototype` from birth. */
const bornWith = <C extends typeof IncomingMessage | typeof ServerResponse>(native: C, prototype: object): C => {
  const born = function (...args: unknown[]) {
    return Reflect.construct(native, args, born as unknown as C);
  };
  born.prototype = prototype;
  return born as unknown as C;
};

/**
 * An HTTP server whose requests and responses are born with Express's prototypes. Express sets these prototypes on every
 * request; changing the prototype of a live object makes V8 drop its fast paths, which cost more than the rest of Express
 * together (architecture section 10). Setting a prototype that is already there does nothing.
 */
export const createExpressServer = (app: Express, listener: RequestListener = app): Server =>
  createServer(
    {
      IncomingMessage: bornWith(IncomingMessage, app.request),
      ServerResponse: bornWith(ServerResponse, app.response),
    },
    listener,
  );
