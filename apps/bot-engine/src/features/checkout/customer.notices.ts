import type { Transaction } from '@platform/data';

/** What a customer is told outside of a turn. */
export interface CustomerNotice {
  readonly storeId: string;
  readonly conversationId: string;
  /** A second notice with the same key is none. */
  readonly key: string;
  readonly text: string;
  /** Not while a person has the chat. */
  readonly onlyIfOpen: boolean;
}

/** Writes it as a line of the conversation, and into the outbox, both in the caller's transaction. */
export type WriteNotice = (tx: Transaction, notice: CustomerNotice) => Promise<void>;
