/** Queued by the ingest statement at a number first seen and at an opt-out. */
export interface ContactPayload {
  readonly storeId: string;
  readonly nohp: string;
}
