import type { ServiceTokens } from '@platform/auth';
import type { HttpClient } from '@platform/http';
import type { Caller } from '../abilities';
import { face, type FaceCall } from './face';

/** Who asks: a user with the token that they came with, anybody else as this service. */
export type ChatAsking = Pick<Caller, 'storeId' | 'bearer'>;

/** A part of a feed of chat-backend. */
export interface ChatFeed<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** Where chat-backend is asked about what it owns: conversations, messages, tickets (its design 2.3 to 2.9). */
export interface ChatDesk {
  /** `/v1`, where the teams of a user decide what they see. */
  asCaller<Answer extends object>(who: ChatAsking, call: FaceCall<Answer>): Promise<Answer>;
  /** `/internal`, and `/v1` for whoever is no user: the whole store. */
  asService<Answer extends object>(storeId: string, call: FaceCall<Answer>): Promise<Answer>;
}

/** chat-backend over HTTP. */
export const httpChatDesk = (http: HttpClient | undefined, tokens: ServiceTokens, timeoutMs: number): ChatDesk => {
  const token = (storeId?: string): Promise<string> => tokens.for('chat-backend', storeId);
  const chat = face('chat-backend', http, { thing: 'Conversation', timeoutMs, token });
  const asService: ChatDesk['asService'] = (storeId, call) => chat.ask({ ...call, storeId });
  return {
    asService,
    asCaller: ({ storeId, bearer }, call) =>
      bearer ? chat.as(bearer()).ask({ ...call, storeId }) : asService(storeId, call),
  };
};
