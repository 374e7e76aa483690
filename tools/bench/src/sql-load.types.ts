/** The same statements over and over, for a driver in a separate process. Sent to it as one message. */
export interface SqlJob {
  readonly url: string;
  readonly schema: string;
  readonly connections: number;
  readonly seconds: number;
  /** The statements of one request, each its own transaction. `:key` is a whole number below `keys`, the same in all of them. */
  readonly statements: readonly string[];
  readonly keys: number;
  /**
   * What no other round has: so many UUIDs, which statements name `:u0`, `:u1`..., and texts made of them, `:t0`, `:t1`... They
   * take the type of where they stand, as parameters do. Only pgbench can do that.
   */
  readonly own?: { readonly uuids: number; readonly texts: readonly string[] };
  /** PostgreSQL settings of the sessions. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface SqlResult {
  readonly rounds: number;
  readonly seconds: number;
  /** Milliseconds of one round. */
  readonly p50: number;
  readonly p99: number;
}

/** A statement of a `SqlJob` as a driver sends it: the key, if there is one, is its parameter. */
export const byParameter = (statement: string): { readonly text: string; readonly isKeyed: boolean } => {
  const text = statement.replaceAll(/(?<!:):key\b/g, '$1::int');
  return { text, isKeyed: text !== statement };
};
