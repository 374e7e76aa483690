import type { IncomingHttpHeaders } from 'node:http';

/** One call as it arrived. */
export interface GraphCall {
  readonly method: string;
  /** Without the API version: `['106540352242922', 'messages']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Of the header or the query. */
  readonly token: string | undefined;
  /** Where the sandbox answers, for addresses inside of answers. */
  readonly origin: string;
}

/** `drop` ends the connection instead of answering. */
export type GraphAnswer =
  { readonly status?: number; readonly json: unknown } | { readonly bytes: Buffer; readonly mimetype: string } | 'drop';

/** One family of calls with routes and a state of its own. Here: WhatsApp; the ads calls stand beside it. */
export interface GraphArea {
  /** Its control routes are `/__sandbox/{name}/…`. */
  readonly name: string;
  /** Undefined when the call belongs to another area. Throws `GraphError`. */
  serve(call: GraphCall): Promise<GraphAnswer | undefined>;
  /** What a developer or a test orders; undefined when there is no such verb. */
  control(method: string, verb: string, body: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** A control route was called wrongly: 400 with this text. */
export class ControlError extends Error {}
