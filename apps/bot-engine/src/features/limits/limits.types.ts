/** A place among the turns of a store, until `leave`. A process that dies gives its places back within the time of a lease. */
export interface Place {
  leave(): Promise<void>;
}

/** How many turns a store and a customer may have (design 3.4), counted by all processes together. Throws `Unavailable` while they cannot be counted. */
export interface TurnLimits {
  /** Before OFFER; counts nothing. Throws `TooMany` while a new turn of this store would be one too many. */
  refuseWhenFull(storeId: string): Promise<void>;
  /**
   * Once for every lead, before its first call of the model: counts a turn and takes a place. Those who passed `refuseWhenFull` at the
   * same moment may be too many here: `release` the conversation for so long, the sweeper comes back to it.
   */
  begin(storeId: string, token: string): Promise<Place | { readonly retryAfterMs: number }>;
  /** For every round, by one of its messages; false: this customer has had too many, the round is skipped. The same message counts once. */
  customer(conversation: string, idMessage: string): Promise<boolean>;
  /** Throws `TooMany` when the store has tried its agents too often. */
  testing(storeId: string): Promise<void>;
}
