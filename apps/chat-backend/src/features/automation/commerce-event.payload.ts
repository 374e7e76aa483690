import type { CommerceEvent } from '../../clients/commerce.client';

/** Queued by the statements that solve a ticket, and that store a message which came by a link. */
export interface CommerceEventPayload {
  readonly storeId: string;
  readonly event: CommerceEvent;
}
