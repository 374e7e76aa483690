import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from './endpoint';
import type { ExpressListener } from './native-request';

/** A slow request holds its connection no longer than this; files over a slow line need more. */
export const REQUEST_MS = 30_000;
export const UPLOAD_MS = 120_000;
/** What is left of a body after its answer is read for so long, so that a client can hear the answer. */
const AFTER_ANSWER_MS = 5_000;
/** A body that is one file says itself when it is late; the server waits a little longer. */
const MARGIN_MS = 10_000;

/** Whether it takes a body at all. */
export const takesBody = ({ body, files, wholeFile, rawBody }: Endpoint): boolean =>
  Boolean(body ?? files ?? wholeFile) || rawBody === true;

export const takesFiles = ({ files, wholeFile }: Endpoint): boolean => Boolean(files ?? wholeFile);

const limitOf = ({ wholeFile, files }: Endpoint): number => {
  if (wholeFile) return wholeFile.limitMs + MARGIN_MS;
  return files ? UPLOAD_MS : REQUEST_MS;
};

/** How long the server lets any request take to arrive: as long as the most patient of the endpoints. */
export const arrivalLimit = (endpoints: readonly Endpoint[]): number => Math.max(REQUEST_MS, ...endpoints.map(limitOf));

const carriesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;

/** Ends the connection of a request whose body is late, or still comes when it was answered. What is all there is not late. */
const endLate = (request: IncomingMessage, response: ServerResponse, limitMs: number): void => {
  const end = (): void => void (request.complete || request.destroy());
  let timer = setTimeout(end, limitMs).unref();
  request.once('close', () => clearTimeout(timer));
  response.once('finish', () => {
    clearTimeout(timer);
    if (!request.complete) timer = setTimeout(end, AFTER_ANSWER_MS).unref();
  });
};

/**
 * A server has one limit for all requests. Where one endpoint needs a long one, the others keep theirs by this; elsewhere it costs
 * nothing. Without an endpoint it is for paths that nobody serves.
 */
export const punctual = (
  all: readonly Endpoint[],
  endpoint: Endpoint | undefined,
  work: ExpressListener,
): ExpressListener => {
  const limitMs = endpoint ? limitOf(endpoint) : REQUEST_MS;
  if (arrivalLimit(all) <= UPLOAD_MS) return work;
  return (request, response) => {
    if (carriesBody(request)) endLate(request, response, limitMs);
    work(request, response);
  };
};
