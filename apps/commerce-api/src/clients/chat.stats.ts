import type { ServiceTokens } from '@platform/auth';
import { path, type HttpClient } from '@platform/http';
import { face } from './face';

/** How one person has worked in the chats of a store. */
export interface AgentStats {
  readonly user_id: string;
  readonly user_nama: string;
  readonly handled: number;
  readonly finished: number;
  readonly median_first_response: number | null;
}

/** What happened in the chats of a store on some days. */
export interface ChatStats {
  readonly chats_opened: number;
  readonly agents: readonly AgentStats[];
}

/** Figures of chats, of which this service keeps none. */
export interface ChatFigures {
  /** Of days on the clock of the store, both counted whole. Throws what a face throws. */
  of(storeId: string, from: string, to: string): Promise<ChatStats>;
}

/** People wait for the answer: no longer than this, whatever other calls may take. */
const LONGEST_MS = 2_000;

/** chat-backend over HTTP: `GET /internal/stats` with the service's token for the store. */
export const httpChatStats = (http: HttpClient, tokens: ServiceTokens, timeoutMs = LONGEST_MS): ChatFigures => {
  const chat = face('chat-backend', http, {
    ...{ thing: 'Store', timeoutMs: Math.min(timeoutMs, LONGEST_MS) },
    token: (storeId) => tokens.for('chat-backend', storeId),
  });
  return {
    of: async (storeId, from, to) => {
      const { data } = await chat.ask<{ readonly data: ChatStats }>({
        ...{ path: path('/internal/stats'), storeId, query: { store_id: storeId, from, to } },
        fits: ({ data: told }) => typeof told?.chats_opened === 'number' && Array.isArray(told.agents),
      });
      return data;
    },
  };
};
