import type { ConversationKey } from '../records/public';

/** Written by the ingest statement in the transaction that stored the message. */
export interface AutomationPayload extends ConversationKey {
  readonly seq: number;
  /** When asking began, epoch milliseconds; absent on the first try. */
  readonly since?: number;
  readonly attempt?: number;
}
