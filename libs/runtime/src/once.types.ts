/** One piece of work under one key. */
export interface Claim {
  /** Whose key it is, and for which operation: the tenant first. */
  readonly scope: string;
  readonly key: string;
  /** Equal for equal requests. */
  readonly requestHash: string;
}

/** What became of work that is done at most once a key. */
export type Settled<KeptAnswer> =
  /** It was done now; it and its answer are committed. */
  | { readonly state: 'done' }
  /** It was done before: this was the answer. */
  | { readonly state: 'replay'; readonly answer: KeptAnswer }
  /** The first request with this key is still running. */
  | { readonly state: 'running' }
  /** The key was used for another request. */
  | { readonly state: 'mismatch' };
