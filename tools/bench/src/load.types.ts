/** What the load generator is to do; one JSON text as its argument. */
export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /**
   * A whole HTTP/1.1 request. `{id}` becomes a text of 20 characters that no other request has, `{key}` a number below `keys`,
   * padded with zeros to `keyWidth` digits; both keep their width, so the content length holds for every request.
   */
  readonly request: string;
  readonly keys: number;
  readonly keyWidth: number;
  /** Requests in between, each with the `{id}` and `{key}` of one that was answered before. Shares of all requests, below 1 together. */
  readonly later?: readonly { readonly request: string; readonly share: number; readonly expects: string }[];
  /**
   * The generator never sleeps: else the kernel bills waking it to whoever sends it an answer, and that is dear on virtual
   * machines. Takes a whole core, so not where a database needs one.
   */
  readonly awake?: boolean;
  /** Stands in every answer that counts as good, beside a status of 200. */
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
  readonly p99: number;
}
