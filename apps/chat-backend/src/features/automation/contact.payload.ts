/** Queued by the ingest statement at a number first seen and at an opt-out. */
export interface ContactPayload {
  readonly storeId: string;
  readonly nohp: string;
  /** When the customer has said whether they want messages; null: this is not about that. */
  readonly said?: string | null;
}

/**
 * The queue's pauses are e^attempt s, 6.1 h from the tenth on: the last of these comes after 7 days (design 5.3). A store
 * that commerce-api does not know yet, or does not serve for days, is then told of.
 */
export const CONTACT_ATTEMPTS = 37;
