/** The same statements over and over, for a driver in a process of its own; one message to it. */
export interface SqlJob {
  readonly url: string;
  readonly schema: string;
  readonly connections: number;
  readonly seconds: number;
  /** One request's, each a transaction of its own. `:key` stands for a whole number below `keys`, the same in all of them. */
  readonly statements: readonly string[];
  readonly keys: number;
  /** PostgreSQL's settings of the sessions. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface SqlResult {
  readonly rounds: number;
  readonly seconds: number;
  /** Milliseconds of one round. */
  readonly p50: number;
  readonly p99: number;
}
