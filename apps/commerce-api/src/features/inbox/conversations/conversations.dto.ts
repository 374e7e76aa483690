import { Choice, Flag, Int, Nested, Text } from '@platform/validation';

export const conversationStates = ['open', 'handle', 'pending', 'finish'] as const;
const none = { nullable: true } as const;

export class ConversationsQuery {
  @Choice(conversationStates, { optional: true }) status?: (typeof conversationStates)[number];
  @Text({ optional: true, max: 36 }) team_id?: string;
  @Text({ optional: true, format: 'uuid' }) device_id?: string;
  @Flag({ optional: true }) unread?: boolean;
  @Text({ optional: true, max: 100, trim: true, description: 'Part of name, phone or last message' }) q?: string;
  @Text({ optional: true, max: 400 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
}

export class ConversationWindow {
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
  @Int({ optional: true, min: 0, max: 1_000_000, description: 'Messages to pass over, counted from the newest' })
  offset?: number;
}

export class ConversationAssignment {
  @Text({ optional: true, max: 64, description: 'Or `team_id`' }) user_id?: string;
  @Text({ optional: true, max: 36 }) team_id?: string;
}

export class ConversationClosing {
  @Text({ optional: true, max: 1000, trim: true }) note?: string;
}

class ConversationContact {
  @Text(none) id!: string | null;
  @Text(none) name!: string | null;
  @Text({ description: 'Of a group its id' }) phone!: string;
}

class LastMessage {
  @Text({ description: 'As of messages' }) type!: string;
  @Text(none) text!: string | null;
  @Flag() from_me!: boolean;
  @Text({ format: 'instant' }) at!: string;
}

/** The design's Conversation (2.2). */
export class Conversation {
  @Text({ description: 'Opaque; another one after the conversation has moved to another team' }) id!: string;
  @Nested(() => ConversationContact) contact!: ConversationContact;
  @Text(none) device_id!: string | null;
  @Text({ description: 'Chat team id' }) team!: string;
  @Text({ ...none, description: 'User id' }) assignee!: string | null;
  @Choice(conversationStates) status!: (typeof conversationStates)[number];
  @Int() unread!: number;
  @Nested(() => LastMessage, none) last_message!: LastMessage | null;
  @Text({ ...none, format: 'instant', description: 'Since when the customer has had no answer' })
  waiting_since!: string | null;
}
