import type { ConversationKey } from '../records/public';

/** Written by the ingest statement in the transaction that stored the message. */
export interface AutomationPayload extends ConversationKey {
  readonly seq: number;
}

/** Written when its answer waits. */
export interface AnswerPayload extends AutomationPayload {
  /** Since when, epoch milliseconds. */
  readonly since: number;
}

/** Written when it is the bot's turn. */
export interface BotAskPayload extends AutomationPayload {
  /** When asking began, epoch milliseconds; absent on the first try. */
  readonly since?: number;
  readonly attempt?: number;
  /** The bot said that another turn carries it: asked once more, in case that one has lost it. */
  readonly merged?: true;
}
