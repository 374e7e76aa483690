/** What a provider, or whoever saw the money, says of an attempt to pay. */
export interface PaidFact {
  /** In the settlement unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly paidAt: Date;
  readonly providerRef?: string | undefined;
  readonly channel?: string | undefined;
  /** What the provider keeps. */
  readonly fee?: number | undefined;
  /** The bot engine is to be told, whoever sold it. */
  readonly tellsBot?: boolean | undefined;
  /** Of whoever saw it, for the timeline. */
  readonly note?: string | undefined;
}

/** `already`: the attempt was paid before, nothing happened. `review`: somebody must look at it. */
export type Settled = 'paid' | 'partially_paid' | 'already' | 'review';
