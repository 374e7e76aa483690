import { openAsBlob } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Agent, FormData, request as send } from 'undici';
import type { AnyFailure } from '@platform/errors';
import type { Exchange, Intercept } from '@platform/http';

export interface Elsewhere {
  /** Of the process of the same service that has what this one has not. */
  readonly baseUrl: string;
  /** What is answered when it was passed on already, or when the other process cannot be reached or hangs. */
  readonly otherwise: AnyFailure;
}

/**
 * Thrown while a request is handled: another process of this service serves it. The request goes there as it came, and its
 * answer to the caller. What the handler did before must bear being done twice.
 */
export class ServedElsewhere extends Error {
  constructor(readonly elsewhere: Elsewhere) {
    super('served by another process');
  }
}

/** Marks a request as passed on: it is passed on once. */
const MARK = 'X-Gateway-Forwarded';

type Received = NonNullable<Exchange['received']>;

/** Those of one connection (RFC 9110 section 7.6.1), and those that describe a body which is rewritten. */
const OWN = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect']);
const OF_BODY = new Set(['content-length', 'content-type', 'content-encoding']);
const LIMIT_MS = 60_000;
const connections = new Agent({ connect: { timeout: 2_000 }, keepAliveTimeout: 1_000 });

const isForm = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('multipart/form-data') === true;

const formOf = async ({ fields, files }: Received): Promise<FormData> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields as Record<string, string>)) form.append(name, value);
  for (const { field, path, originalName, mimetype } of files)
    form.append(field, await openAsBlob(path, { type: mimetype }), originalName);
  return form;
};

/** A body whose bytes were kept goes as it was signed; any other with the same content. */
const bodyOf = async (request: IncomingMessage, received: Received | undefined) => {
  if (!received) return { headers: {} };
  if (received.raw.length > 0)
    return { body: received.raw, headers: { 'content-type': String(request.headers['content-type']) } };
  if (isForm(request.headers)) return { body: await formOf(received), headers: {} };
  return { body: JSON.stringify(received.fields), headers: { 'content-type': 'application/json' } };
};

const headersOf = ({ headers, socket }: IncomingMessage): Record<string, string | string[]> => {
  const kept = Object.entries(headers).filter(([name]) => !OWN.has(name) && !OF_BODY.has(name));
  const way = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');
  return { ...(Object.fromEntries(kept) as Record<string, string>), 'x-forwarded-for': way };
};

const isPassedOn = ({ headers }: IncomingMessage): boolean => headers[MARK.toLowerCase()] !== undefined;

/** Passes a request on; rejects with `otherwise` when that is not possible. */
const passOn = async (
  { baseUrl, otherwise }: Elsewhere,
  { request, response, received }: Exchange,
  silenceMs: number,
): Promise<void> => {
  if (isPassedOn(request)) throw otherwise;
  const { body, headers } = await bodyOf(request, received);
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  const heard = (): void => clearTimeout(timer);
  const answer = await send(`${baseUrl}${request.url}`, {
    method: request.method as 'GET',
    headers: { ...headersOf(request), ...headers, [MARK]: '1' },
    body,
    dispatcher: connections,
    signal: AbortSignal.any([silence.signal, AbortSignal.timeout(LIMIT_MS)]),
    onInfo: heard,
  })
    .catch(() => Promise.reject(otherwise))
    .finally(heard);
  response.statusCode = answer.statusCode;
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !OWN.has(name)) response.setHeader(name, value);
  await pipeline(answer.body, response);
};

/**
 * Lets requests whose handler threw `ServedElsewhere` be answered there. A process that has not said a word after `silenceMs`
 * hangs; one that has may take a minute.
 */
export const servedElsewhere =
  (silenceMs: number): Intercept =>
  (thrown, exchange) =>
    thrown instanceof ServedElsewhere ? passOn(thrown.elsewhere, exchange, silenceMs) : undefined;

/** Says at once that a request which was passed on has come to a process that is alive (102): its answer may take long. */
export const tellsItIsAlive = (server: Server): Server =>
  server.prependListener('request', (request, response) => {
    if (isPassedOn(request)) response.writeProcessing();
  });
