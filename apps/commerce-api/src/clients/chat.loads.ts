import type { ServiceTokens } from '@platform/auth';
import { UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { path, type HttpClient } from '@platform/http';
import { face } from './face';

/** How many chats each member of a store handles now; undefined: chat-backend does not tell. `day`: YYYY-MM-DD. */
export type ChatLoads = (storeId: string, day: string) => Promise<ReadonlyMap<string, number> | undefined>;

/** People wait for the rest of the page. */
const TIMEOUT_MS = 2_000;

/** chat-backend over HTTP: `GET /internal/stats`. */
export const httpChatLoads = (http: HttpClient, tokens: ServiceTokens, timeoutMs = TIMEOUT_MS): ChatLoads => {
  const token = (storeId?: string) => tokens.for('chat-backend', storeId);
  const chat = face('chat-backend', http, { thing: 'Store', timeoutMs, token });
  return async (storeId, day) => {
    type Answer = { data: { agents: readonly { user_id: string; load: number }[] } };
    try {
      const { data } = await chat.ask<Answer>({
        ...{ path: path('/internal/stats'), storeId, query: { store_id: storeId, from: day, to: day } },
        fits: (body) => Array.isArray(body.data?.agents),
      });
      return new Map(data.agents.map(({ user_id, load }) => [user_id, load]));
    } catch (failure) {
      if (failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut) return undefined;
      throw failure;
    }
  };
};
