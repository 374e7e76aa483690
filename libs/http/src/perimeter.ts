import type { IncomingMessage } from 'node:http';
import { crossOrigin, type CrossOrigin } from './cross-origin';
import type { ExpressListener } from './native-request';

const YEAR_SECONDS = 31_536_000;

/** Node silently keeps the first of two: a proxy in front may have checked the other. */
const namesTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
};

export interface PerimeterOptions {
  /** Answers a request with two Host headers, which is malformed (RFC 9112 section 3.2). */
  readonly twice: ExpressListener;
  readonly hsts?: boolean;
  /** Pages of other origins that may call. */
  readonly pages?: CrossOrigin;
}

/** Preflights are answered ahead of the listener. */
const withPages = (listener: ExpressListener, pages: CrossOrigin | undefined): ExpressListener => {
  if (!pages || pages.origins.length === 0) return listener;
  const allow = crossOrigin(pages);
  return (request, response) => allow(request, response, () => listener(request, response));
};

/** Headers and checks for every answer of a listener, whoever writes it. */
export const perimeter = (
  listener: ExpressListener,
  { twice, hsts = false, pages }: PerimeterOptions,
): ExpressListener => {
  const inside = withPages(listener, pages);
  return (request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (hsts) response.setHeader('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`);
    if (namesTwoHosts(request)) twice(request, response);
    else inside(request, response);
  };
};
