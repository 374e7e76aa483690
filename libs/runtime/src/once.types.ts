/** One piece of work under one key. */
export interface Claim {
  /** The owner of the key and the operation: the tenant first. */
  readonly scope: string;
  readonly key: string;
  /** Equal for equal requests. */
  readonly requestHash: string;
}

/** Outcome of work that is done at most once per key. */
export type Settled<KeptAnswer> =
  /** It was done now; it and its answer are committed. */
  | { readonly state: 'done' }
  /** It was done before, with this answer. */
  | { readonly state: 'replay'; readonly answer: KeptAnswer }
  /** The first request with this key is still running. */
  | { readonly state: 'running' }
  /** The key was used for another request. */
  | { readonly state: 'mismatch' };
