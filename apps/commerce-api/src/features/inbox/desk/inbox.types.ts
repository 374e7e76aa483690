import { Choice, Flag, Int, Text } from '@platform/validation';
import type { Conversation } from '../conversations/public';
import type { ConversationMessage } from '../messages/public';

export const inboxViews = ['waiting', 'mine', 'free', 'help', 'all', 'done'] as const;
export type InboxView = (typeof inboxViews)[number];

export interface InboxSearch {
  readonly view: InboxView;
  readonly q?: string;
  readonly cursor?: string;
}

export interface InboxRow extends Conversation {
  readonly chatId: string;
  /** Rises with every change. */
  readonly version: number;
  readonly lastSeq: number;
  readonly assigneeName: string | null;
  /** Others are asked for help with it. */
  readonly asksHelp: boolean;
  /** How; known of a chat that is open. */
  readonly help?: AskedHelp | undefined;
  /** Seconds of the last message. */
  readonly at: number;
}

export interface AskedHelp {
  readonly reason: string;
  /** A member, or what asked by itself, such as the bot. */
  readonly by: string;
  readonly byName: string | null;
  readonly toTeam: string | null;
  readonly toUser: string | null;
  readonly at: string;
}

export interface ThreadMessage extends ConversationMessage {
  /** Its place in the conversation, counted from 1 without gaps. */
  readonly seq: number;
  readonly role: string;
  readonly filename: string | null;
  /** The words that it answers, as its writer's phone shows them over it. */
  readonly quote: string | null;
  /** Its file is shown where the message stands. */
  readonly isShown: boolean;
}

export interface Thread {
  readonly chat: InboxRow;
  readonly messages: readonly ThreadMessage[];
}

/** A part of the list of chats. */
export interface Listed {
  readonly rows: readonly InboxRow[];
  readonly next: string | null;
  /** What was searched for means too many. */
  readonly isBroad?: true;
  /** As many as one part of a list has: there may be more, also where a list has no next part. */
  readonly isFull?: boolean;
  /** Its reader is in no chat team. */
  readonly isSeatless?: boolean;
}

/** Messages of a chat with some words; the oldest first. */
export interface FoundMessages extends Thread {
  /** There may be more before this message. */
  readonly next?: number;
  /** The words mean too many. */
  readonly isBroad?: true;
}

/** What the address of the inbox says. */
export class InboxQuery {
  @Choice(inboxViews, { optional: true }) view?: InboxView;
  @Text({ optional: true, max: 100, trim: true }) q?: string;
  @Text({ optional: true, max: 400 }) cursor?: string;
}

export class ThreadQuery extends InboxQuery {
  @Int({ optional: true, min: 2, max: 2_000_000_000, description: 'Messages before this one' }) before?: number;
  @Text({ optional: true, max: 100, trim: true, visible: true, description: 'Only messages with these words' })
  find?: string;
  @Flag({ optional: true, description: 'With the quick replies' }) replies?: boolean;
  @Flag({ optional: true, description: 'With the form that asks others for help' }) help?: boolean;
  @Text({ optional: true, max: 64, description: 'The quick reply to begin with' }) insert?: string;
}

/** Characters of a message. */
export const LONGEST_REPLY = 4096;

/** A message as it is typed. */
export class NewReply {
  @Text({ optional: true, max: LONGEST_REPLY, visible: true, trim: true, description: 'Of a file its caption' })
  text?: string;
  @Text({ format: 'uuid', description: 'Under one id a message is sent once' }) message_id!: string;
  @Flag({ optional: true, description: 'Although somebody else handles the conversation' }) anyway?: boolean;
}

export class AskForHelp {
  @Text({ max: 1000, visible: true, trim: true }) reason!: string;
  @Text({ optional: true, max: 36, description: 'The team that is asked; else the supervisors' }) team_id?: string;
}

export class MoveToTeam {
  @Text({ max: 36 }) team_id!: string;
}
