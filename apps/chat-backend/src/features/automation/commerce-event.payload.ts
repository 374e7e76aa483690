import type { CommerceEvent } from '../../clients/commerce.client';

/** Queued by the statements that solve a ticket, that store a message, and that tell a team of a bot which does not answer. */
export interface CommerceEventPayload {
  readonly storeId: string;
  readonly event: CommerceEvent;
}
