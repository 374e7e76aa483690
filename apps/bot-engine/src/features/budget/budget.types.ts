import type { Store } from '../stores/public';

/** Why a store's bot may not ask a model now, and until when. */
export interface Exhausted {
  readonly why: 'day' | 'month' | 'replies';
  readonly until: Date;
}

/** What answering costs a store, and how much it may (design 3.4). */
export interface Budget {
  /** Before the first call of a turn. Throws `Unavailable` while it cannot be counted. */
  exhausted(store: Store): Promise<Exhausted | undefined>;
  /** After every call, not awaited by turns; null: the model has no price, and counts with the highest that is known. */
  spent(store: Store, costMicros: number | null, usage: { readonly in: number; readonly out: number }): void;
  /** After every committed turn with a bubble. */
  replied(store: Store): void;
}
