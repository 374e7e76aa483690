import { Readable } from 'node:stream';
import { Client, Pool, type Dispatcher } from 'undici';
import { Unavailable } from '@platform/errors';
import type { BreakerState } from './breaker';
import { type Component, outgoingTraceparent, requestContext, withTimeLimit } from '@platform/runtime';

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are made anew for every try: a signature that is good once. */
  readonly sign?: () => Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Ready-made body, with its content type in `headers`; a stream also with its content length, and without `retries`. */
  readonly body?: Buffer | string | AsyncIterable<Buffer>;
  readonly timeoutMs?: number;
  /** Reads this many bytes of the answer and discards the rest, instead of refusing an answer over 5 MB. */
  readonly keepBytes?: number;
  /** Retries after a network error or 503, for idempotent calls. */
  readonly retries?: number;
  readonly signal?: AbortSignal;
}

export interface CallAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined when it is not JSON. */
  json<T>(): T | undefined;
}

/** Calls to one other service: keep-alive connections, a time-out on the whole call, the trace of the request passed on. */
export interface HttpClient extends Component {
  /** The callers through it and their breakers, for /metrics. */
  readonly peers?: PeerHealth[];
  /** The answer, whatever its status. Throws `Unavailable` when there was none in time. */
  call(options: CallOptions): Promise<CallAnswer>;
}

/** The state of calls to a sibling. */
export interface PeerHealth {
  readonly name: string;
  readonly state: BreakerState;
  /** Calls that failed at once, because the breaker was open or too many were in flight. */
  readonly refusedCalls: number;
}

const MAX_BYTES = 5 * 1024 * 1024;

/** There was an answer, but over the limit; the cause of an `Unavailable`. */
export class AnswerTooLarge extends Error {}

const readStart = async (body: AsyncIterable<Buffer>, limit: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break; // ends the connection: the rest is not worth reading
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
};

const readText = async ({ body, headers }: Dispatcher.ResponseData, limit: number): Promise<string> => {
  // Its length is kept to, and reading it as a whole is cheaper
  if (Number(headers['content-length']) <= limit) return body.text();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new AnswerTooLarge(`the answer is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const parseJson = <T>(text: string): T | undefined => {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
};

const streamed = (body: CallOptions['body']): Buffer | string | Readable | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : Readable.from(body);

const headersOf = ({ json, headers, sign }: CallOptions): Record<string, string> => {
  const requestId = requestContext()?.requestId;
  return {
    traceparent: outgoingTraceparent(),
    ...(requestId ? { 'x-request-id': requestId } : {}),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
    ...sign?.(),
  };
};

const send = async (by: Dispatcher, options: CallOptions): Promise<CallAnswer> => {
  const { method = 'GET', path, json, body, keepBytes, signal } = options;
  const answer = await by.request({
    ...{ method, path, signal, headers: headersOf(options) },
    body: json === undefined ? streamed(body) : JSON.stringify(json),
  });
  const text = keepBytes ? await readStart(answer.body, keepBytes) : await readText(answer, MAX_BYTES);
  return { status: answer.statusCode, headers: answer.headers, text, json: <T>() => parseJson<T>(text) };
};

const BROKEN: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** A connection that was kept open may end just as a call is sent on it: whoever stops at the other side does not know of the call. */
const isBroken = (cause: unknown): boolean => BROKEN.has((cause as { code?: unknown } | undefined)?.code);

const mayRepeat = ({ method = 'GET', retries = 0, signal }: CallOptions): boolean =>
  (method === 'GET' || retries > 0) && !signal?.aborted;

/**
 * A client for the service called `name` at `baseUrl`, over a pool of connections (undici, architecture section 10). What may be
 * repeated is sent once more, on a connection of its own, when a connection ended without an answer: others that were kept open
 * may be about to end, too.
 */
export const httpClient = (
  name: string,
  baseUrl: string,
  { connections = 32, timeoutMs = 10_000 }: { connections?: number; timeoutMs?: number } = {},
): HttpClient => {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname === '/' ? '' : pathname.replace(/\/$/, '');
  const pool = new Pool(origin, { connections, keepAliveTimeout: 30_000 });

  const sent = async (options: CallOptions): Promise<CallAnswer> => {
    try {
      return await send(pool, options);
    } catch (cause) {
      if (!isBroken(cause) || !mayRepeat(options)) throw cause;
      const fresh = new Client(origin);
      return await send(fresh, options).finally(() => fresh.destroy());
    }
  };

  // One limit over connecting, headers and body: undici's own time-outs restart with each of them
  const attempt = (options: CallOptions): Promise<CallAnswer> =>
    withTimeLimit(options.timeoutMs ?? timeoutMs, [options.signal], (signal) =>
      sent({ ...options, signal, path: prefix + options.path }),
    );

  const call = async (options: CallOptions): Promise<CallAnswer> => {
    for (let left = options.retries ?? 0; ; left--) {
      try {
        const answer = await attempt(options);
        if (answer.status !== 503 || left <= 0) return answer;
      } catch (cause) {
        const isFinal = left <= 0 || options.signal?.aborted || cause instanceof AnswerTooLarge;
        if (isFinal) throw new Unavailable(`${name} did not answer`, { cause });
      }
    }
  };

  return { name, call, peers: [], stop: () => pool.close() };
};
