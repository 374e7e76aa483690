/** What the load generator is to do; sent to it as one message. */
export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /**
   * A whole HTTP/1.1 request. `{id}` becomes a unique text of 20 characters, `{key}` a number below `keys`,
   * padded with zeros to `keyWidth` digits; both keep their width, so the content length holds for every request.
   */
  readonly request: string;
  readonly keys: number;
  readonly keyWidth: number;
  /** Requests mixed in, each with the `{id}` and `{key}` of an answered one. Shares are of all requests, in total below 1. */
  readonly later?: readonly { readonly request: string; readonly share: number; readonly expects: string }[];
  /**
   * The generator never sleeps: otherwise the kernel charges waking it to the process that sends it an answer, and that is
   * expensive on virtual machines. Takes a whole core, so not for benches with a database.
   */
  readonly awake?: boolean;
  /** Of every good answer, 200 by default. */
  readonly status?: number;
  /** Text that every good answer contains. */
  readonly expects: string;
}

export interface LoadResult {
  readonly requests: number;
  /** Answers with another status, or without `expects`. */
  readonly bad: number;
  /** The first of them. */
  readonly badAnswer: string;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}
