import type { IncomingHttpHeaders } from 'node:http';

/** One received call. */
export interface GraphCall {
  readonly method: string;
  /** Without the API version: `['106540352242922', 'messages']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** From the header or the query. */
  readonly token: string | undefined;
  /** Base address of the sandbox, for addresses in answers. */
  readonly origin: string;
}

/** `drop` closes the connection without an answer. */
export type GraphAnswer =
  { readonly status?: number; readonly json: unknown } | { readonly bytes: Buffer; readonly mimetype: string } | 'drop';

/** One family of calls with its own routes and state, such as WhatsApp. */
export interface GraphArea {
  /** Its control routes are below `/__sandbox/{name}/`. */
  readonly name: string;
  /** Undefined when the call belongs to another area. Throws `GraphError`. */
  serve(call: GraphCall): Promise<GraphAnswer | undefined>;
  /** Executes an order of a developer or a test; undefined when there is no such verb. */
  control(method: string, verb: string, body: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** A control route was called wrongly: 400 with this text. */
export class ControlError extends Error {}
