import type { IncomingMessage } from 'node:http';
import express, { type Request } from 'express';
import { Malformed, TooLarge, type Failure } from '@platform/errors';
import type { Source } from '@platform/validation';
import type { BodyKind, Endpoint } from './endpoint';
import { parseSmallForm } from './multipart';
import { aborted, type Receive, type ReceivedBody } from './received';
import type { TenantShare } from './tenant-share';
import { receiveUploads } from './uploads';
import { receiveWholeFile } from './whole-file';

export type { Receive, ReceivedBody } from './received';

export const JSON_LIMIT = 1024 * 1024;
/** Forms up to this size are read into one buffer first; larger ones are streamed through multer. */
const SMALL_FORM = 256 * 1024;
const NOTHING = Buffer.alloc(0);

interface ParserError extends Error {
  type?: string;
  status?: number;
}

const parserFailure = (error: ParserError): Failure => {
  if (error.type === 'entity.too.large') return new TooLarge('request too large', { cause: error });
  if (error.type === 'request.aborted') return aborted(error);
  return new Malformed(error.message, { cause: error });
};

const rawBodies = new WeakMap<IncomingMessage, Buffer>();

/** Express's own parsers, with their limits, encodings and charsets. */
const expressParser = (
  make: typeof express.json,
  options: Parameters<typeof express.json>[0],
  keep: boolean,
): Receive => {
  const parser = make({
    ...options,
    type: () => true,
    ...(keep
      ? { verify: (request: IncomingMessage, _: unknown, raw: Buffer) => void rawBodies.set(request, raw) }
      : {}),
  });
  const bodyOf = (request: Request): ReceivedBody => ({
    fields: request.body as unknown,
    files: [],
    raw: (keep && rawBodies.get(request)) || NOTHING,
  });
  return (request, response) =>
    new Promise((resolve, reject) =>
      parser(request, response, (error?: unknown) =>
        error ? reject(parserFailure(error as ParserError)) : resolve(bodyOf(request)),
      ),
    );
};

const smallForm =
  (raw: Receive, uploads: Receive, keepsRaw: boolean): Receive =>
  async (request, response, caller) => {
    const length = Number(request.headers['content-length']);
    if (!(length <= SMALL_FORM)) return uploads(request, response, caller);
    const { fields } = await raw(request, response);
    const bytes = Buffer.isBuffer(fields) ? fields : NOTHING;
    const form = parseSmallForm(request.headers['content-type'] as string, bytes);
    return form
      ? { fields: form, files: [], raw: keepsRaw ? bytes : NOTHING }
      : receiveUploads.from(bytes, request, response, (replay) => uploads(replay, response, caller));
  };

/** The bytes alone; what is packed is unpacked within the limit. */
const unread =
  (raw: Receive): Receive =>
  async (request, response) => {
    const { fields } = await raw(request, response);
    return { fields: {}, files: [], raw: Buffer.isBuffer(fields) ? fields : NOTHING };
  };

const KINDS: ReadonlyMap<string, BodyKind> = new Map([
  ['application/json', 'json'],
  ['multipart/form-data', 'multipart'],
  ['application/x-www-form-urlencoded', 'urlencoded'],
]);

/** Media types are written in any case, parameters behind them (RFC 9110 section 8.3.1). */
const kindOf = (contentType: string | undefined): BodyKind | undefined =>
  contentType === undefined ? undefined : KINDS.get((contentType.split(';', 1)[0] as string).trim().toLowerCase());

/**
 * A page of another origin may send a body without a type and without a preflight, which it may not for JSON (Fetch standard,
 * "CORS-safelisted request-header"). Browsers send Origin or Sec-Fetch-Site; a cookie is a sign of a browser too.
 */
const isOfBrowser = ({ headers }: IncomingMessage): boolean =>
  headers.cookie !== undefined || headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/** The source of a body's values, by kind: JSON has types, forms have only texts. */
export const sourceOf = (contentType: string | undefined): Source => {
  const kind = kindOf(contentType);
  return kind === 'multipart' || kind === 'urlencoded' ? 'form' : 'json';
};

const isEmpty = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] === undefined && !(Number(request.headers['content-length']) > 0);

/**
 * Reads the body of one endpoint's requests: kinds that it accepts, up to its limit. An empty body reads as `{}`.
 * Rejects with `Malformed` (also for a kind that is not accepted) or `TooLarge`; never waits for bytes beyond the limit. `tenantOf`: whose
 * share of the room for files a form takes.
 */
export const bodyReader = (endpoint: Endpoint, tenantOf?: TenantShare['tenantOf']): Receive => {
  if (endpoint.wholeFile) return receiveWholeFile(endpoint.wholeFile);
  const { accepts = ['json'], bodyLimit: limit = JSON_LIMIT, rawBody: keep = false, files = {} } = endpoint;
  const bodyLimit = endpoint.formLimit ?? limit;
  const uploads = receiveUploads({
    limits: files,
    bodyLimit,
    keep,
    hashes: endpoint.idempotency !== undefined,
    tenantOf,
  });
  const bytes = expressParser(express.raw as typeof express.json, { limit }, false);
  const readers: Record<BodyKind, Receive> = {
    any: unread(bytes),
    json: expressParser(express.json, { limit, strict: false }, keep),
    urlencoded: expressParser(
      express.urlencoded as typeof express.json,
      { limit, extended: false } as Parameters<typeof express.json>[0],
      keep,
    ),
    multipart: smallForm(bytes, uploads, keep),
  };
  if (accepts.includes('any')) return readers.any;
  return (request, response, caller) => {
    const kind = kindOf(request.headers['content-type']);
    if (kind && accepts.includes(kind)) return readers[kind](request, response, caller);
    if (isEmpty(request)) return Promise.resolve({ fields: {}, files: [], raw: NOTHING });
    // A client that names no type most likely means the first one this endpoint accepts
    const isUntyped = !request.headers['content-type'] && !isOfBrowser(request);
    if (isUntyped && accepts.includes('json')) return readers.json(request, response);
    return Promise.reject(new Malformed(`content type not supported: send ${accepts.join(' or ')}`));
  };
};
