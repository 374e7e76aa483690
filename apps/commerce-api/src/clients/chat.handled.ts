import type { ServiceTokens } from '@platform/auth';
import { Unavailable } from '@platform/errors';
import { path, peer, type HttpClient } from '@platform/http';

/** Whose chats are whose. */
export interface HandledChats {
  /**
   * Numbers of the customers whose chats this user handles now, at most as many as chat-backend tells. Throws `Unavailable` when it does not
   * tell in time.
   */
  of(storeId: string, userId: string): Promise<readonly string[]>;
}

/** People wait for the answer: shorter than other calls. */
const TIMEOUT_MS = 2_000;

/** Whatever is wrong over there: nothing is known, so that nothing is shown now. */
const unavailable = (cause: unknown): never => {
  throw cause instanceof Unavailable
    ? cause
    : new Unavailable('chat-backend does not tell whose chats these are', { cause });
};

/** chat-backend over HTTP: `GET /internal/handled` with the service's token for the store. */
export const httpHandledChats = (http: HttpClient, tokens: ServiceTokens, timeoutMs = TIMEOUT_MS): HandledChats => {
  const chat = peer('chat-backend', http, {
    timeoutMs,
    token: (storeId) => tokens.for('chat-backend', storeId),
    absence: {},
    breaker: { perStore: true },
  });
  return {
    of: async (storeId, userId) => {
      const asked = chat.ask<{ data: { nohp: readonly string[] } }>({
        ...{ path: path('/internal/handled'), storeId, query: { store_id: storeId, user_id: userId } },
        fits: ({ data }) => Array.isArray(data?.nohp),
      });
      return (await asked.catch(unavailable)).data.nohp;
    },
  };
};
