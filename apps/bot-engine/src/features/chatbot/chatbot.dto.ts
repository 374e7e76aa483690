import { LONGEST_ADDRESS } from '@platform/contracts';
import { Choice, Int, List, Nested, Text, Texts } from '@platform/validation';

/** Ids go into keys and database columns: no control characters. */
const ID = { pattern: /^[^\p{Cc}\p{Cs}]+$/u };

export class HistoryLine {
  @Choice(['user', 'assistant']) role!: 'user' | 'assistant';
  @Text({ max: 4000, dropNul: true }) content!: string;
}

export class SinceLine {
  @Choice(['customer', 'team', 'auto']) role!: 'customer' | 'team' | 'auto';
  @Text({ optional: true, dropNul: true, description: 'Cut at 1,000 characters; a line without words is left out' })
  content?: string;
  @Int({ optional: true, min: 0, description: 'Its place in the chat: a line is taken once' }) seq?: number;
}

/** Request of `POST /api/chatbot-api` (design 2.2). Texts that are too long are truncated, never refused. */
export class ChatbotRequest {
  @Text({ max: LONGEST_ADDRESS, ...ID, description: "The customer's number", example: '6281234567890' })
  idUser!: string;
  @Text({
    ...{ optional: true, max: LONGEST_ADDRESS, ...ID },
    description:
      'What the customer was known by when the chat began, where that was no number: what is remembered is kept under it',
  })
  begunAs?: string;
  @Text({ max: 64, ...ID, example: '3' }) idAgent!: string;
  @Text({ max: 64, ...ID, example: '7' }) idStore!: string;
  @Text({
    requiredWithout: ['images', 'audio'],
    dropNul: true,
    description: 'Cut at 4,000 characters',
    example: 'kak sepatu lari hitam ada?',
  })
  message?: string;
  @Texts({ optional: true, description: 'Picture addresses; the first 4 http(s) ones count' })
  images?: string[];
  @Texts({ optional: true, description: 'Addresses of voice notes; the first 2 http(s) ones count' })
  audio?: string[];
  @Text({ optional: true, max: 128, ...ID, description: 'Id of the message: a repeat gets the stored answer' })
  idMessage?: string;
  @Text({ optional: true, max: 128, ...ID }) instanceID?: string;
  @Text({ optional: true, max: 128, ...ID }) chatId?: string;
  @Text({ optional: true, max: 128, ...ID }) team?: string;
  @Text({ optional: true, dropNul: true, description: 'Cut at 60 characters' }) name?: string;
  @Int({ optional: true, min: 0, max: 2_147_483_647 }) episode?: number;
  @Choice(['', 'requested', 'finished'], { optional: true }) escalate?: '' | 'requested' | 'finished';
  @Int({ optional: true, min: 0, description: 'Its place in the chat, which orders a burst' }) seq?: number;
  @Int({ optional: true, min: 0, description: "The gateway's time" }) timestamp?: number;
  @List(() => SinceLine, {
    optional: true,
    description: "What was said in the chat since the bot's last bubble and not posted here; the last 20 count",
  })
  since?: SinceLine[];
  @List(() => HistoryLine, { optional: true, max: 20, description: 'Only read for a conversation never seen before' })
  history?: HistoryLine[];
}

export class ChatbotData {
  @Texts({ description: 'Bubbles to send in order; none: send nothing' }) answer!: string[];
  @Texts() images!: string[];
  @List(() => HistoryLine) history!: HistoryLine[];
}

/** Contract: exactly these members. */
export class ChatbotReply {
  @Int({ example: 201 }) statusCode!: number;
  @Text() idUser!: string;
  @Text() idAgent!: string;
  @Text() idStore!: string;
  @Nested(() => ChatbotData) data!: ChatbotData;
}
