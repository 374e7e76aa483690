import type { ConversationKey } from '../records/public';

/** Written by the ingest statement in the transaction that stored the message. */
export interface AutomationPayload extends ConversationKey {
  readonly seq: number;
}

/** Written when its answer waits. */
export interface AnswerPayload extends AutomationPayload {
  /** Since when, epoch milliseconds by the clock that all processes share. */
  readonly since: number;
}

/** Written when it is the bot's turn. */
export interface BotAskPayload extends AutomationPayload {
  /** When asking began, epoch milliseconds by the clock that all processes share; absent on the first try. */
  readonly since?: number;
  readonly attempt?: number;
  /**
   * By what the bot was asked, or will be. For processes of the release before, which ask by it and keep no `begun_as`: without it
   * the same message would be asked in two conversations, and answered twice. Goes with the release after 0.3.0.
   */
  readonly nohp?: string;
  /** The bot said that another turn carries it: asked once more, in case that one has lost it. */
  readonly merged?: true;
}
