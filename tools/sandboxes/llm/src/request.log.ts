import type { IncomingMessage } from 'node:http';
import type { Json } from './json.reader';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** Without headers that carry credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

const KEPT_HEADERS = ['content-type', 'user-agent', 'traceparent', 'anthropic-version', 'idempotency-key'];
const LIMIT = 1000;

const LONGEST = 100_000;
/** A picture of megabytes is kept by its beginning only, or a thousand requests would not fit into memory. */
const shortened = (body: Json): Json =>
  JSON.parse(
    JSON.stringify(body, (_, value: unknown) =>
      typeof value === 'string' && value.length > LONGEST
        ? `${value.slice(0, 100)}.. (${value.length} characters)`
        : value,
    ),
  ) as Json;

/** Keeps the last requests, so that tests can check what the model was asked. */
export class RequestLog {
  readonly requests: ReceivedRequest[] = [];

  /** `size`: bytes of the body. */
  add({ method = '', headers }: IncomingMessage, path: string, body: Json, size: number): void {
    const kept = KEPT_HEADERS.flatMap((name) =>
      typeof headers[name] === 'string' ? [[name, headers[name]] as const] : [],
    );
    this.requests.push({
      method,
      path,
      headers: Object.fromEntries(kept),
      body: size > LONGEST ? shortened(body) : body,
    });
    if (this.requests.length > LIMIT) this.requests.shift();
  }

  clear(): void {
    this.requests.length = 0;
  }
}
