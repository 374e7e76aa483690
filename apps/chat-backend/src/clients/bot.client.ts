import type { ServiceTokens } from '@platform/auth';
import { NotFound, Rejected, TooMany, Unavailable } from '@platform/errors';
import { path, peer, type HttpClient } from '@platform/http';
import { storable } from '@platform/runtime';

/** What was said in the chat and not put to the bot. */
export interface SinceLine {
  /** `auto`: what was sent without a person, by others than the bot. */
  readonly role: 'customer' | 'team' | 'auto';
  readonly content: string;
  /** Its place in the chat, by which the bot takes no line twice. */
  readonly seq: number;
}

export interface BotQuestion {
  readonly idUser: string;
  /** What the customer was known by when the chat began: under this the bot keeps what it remembers. Left out where that is `idUser`. */
  readonly begunAs?: string;
  readonly idAgent: string;
  readonly idStore: string;
  readonly message: string;
  readonly idMessage: string;
  readonly instanceID: string;
  readonly chatId: string;
  readonly team: string;
  readonly episode: number;
  readonly escalate: string;
  readonly name?: string;
  /** Links to pictures that the customer sent. */
  readonly images?: readonly string[];
  /** Links to recordings. */
  readonly audio?: readonly string[];
  /** Since the last question that the bot answered, oldest first. */
  readonly since?: readonly SinceLine[];
  readonly timestamp: number;
  /** The message's place in its chat: times are whole seconds, and those of a burst tie. */
  readonly seq: number;
}

/** A text or a picture of the bot's answer; its id is to be our `pesan_id`. */
export type BotBubble =
  { readonly id: string; readonly text: string } | { readonly id: string; readonly picture: string };

export type BotAnswer =
  | { readonly kind: 'answered'; readonly bubbles: readonly BotBubble[] }
  /** The turn of another message of the chat carries it, as far as the bot knows. */
  | { readonly kind: 'merged' }
  /** People are to go on after these words. None: it has kept nothing of the message, because it is off, or had too many, or left the chat before. */
  | { readonly kind: 'left'; readonly bubbles: readonly BotBubble[] }
  /** Ask again later with the same `idMessage`. */
  | { readonly kind: 'later'; readonly afterSeconds: number | undefined; readonly reason: string }
  /** It will never answer this. */
  | { readonly kind: 'refused'; readonly reason: string };

/** What this service asks of bot-engine. */
export interface BotClient {
  /** Never rejects. */
  ask(question: BotQuestion): Promise<BotAnswer>;
}

const TIMEOUT_MS = 75_000;

/** `X-Bot-Message-Ids`: one per answer, then one per picture (bot-engine design 2.2). */
const bubblesOf = (answers: readonly string[], pictures: readonly string[], ids: string): BotBubble[] => {
  const names = ids.split(',').map((id) => id.trim());
  const nameOf = (index: number) => names[index] ?? '';
  return [
    ...answers.map((text, index) => ({ id: nameOf(index), text })),
    ...pictures.map((picture, index) => ({ id: nameOf(answers.length + index), picture })),
  ].filter(({ id }) => id !== '');
};

/** `X-Bot-Status` of a bot that leaves the chat to people. */
const LEFT: readonly string[] = ['handover', 'fallback', 'skipped'];

interface Reply {
  readonly data?: { readonly answer?: readonly string[]; readonly images?: readonly string[] };
}

const unanswered = (failure: unknown): BotAnswer => {
  const reason = failure instanceof Error ? failure.message : 'no answer';
  if (failure instanceof NotFound || failure instanceof Rejected) return { kind: 'refused', reason };
  const isTimed = failure instanceof TooMany || failure instanceof Unavailable;
  return { kind: 'later', afterSeconds: isTimed ? failure.retryAfterSeconds : undefined, reason };
};

/** bot-engine over HTTP: `POST /api/chatbot-api` with a service token (bot-engine design 2.2, 2.9); so many calls at a time. */
export const httpBotClient = (http: HttpClient, tokens: ServiceTokens, concurrency?: number): BotClient => {
  const bot = peer('bot-engine', http, {
    timeoutMs: TIMEOUT_MS,
    concurrency,
    // Turns that hang are one store's first: it alone must not open it for all
    breaker: concurrency === undefined ? {} : { failures: concurrency },
    token: (storeId) => tokens.for('bot-engine', storeId),
    // These cannot become better by asking again (design 2.9)
    refusals: { 404: NotFound, 422: Rejected },
  });
  return {
    ask: async (json) => {
      const call = { method: 'POST', path: path('/api/chatbot-api'), storeId: json.idStore, json } as const;
      try {
        const { body, headers } = await bot.exchange<Reply>(call);
        const { answer = [], images = [] } = storable(body).data ?? {};
        const bubbles = bubblesOf(answer, images, String(headers['x-bot-message-ids'] ?? ''));
        const status = String(headers['x-bot-status']);
        if (status === 'merged' && bubbles.length === 0) return { kind: 'merged' };
        return { kind: LEFT.includes(status) ? 'left' : 'answered', bubbles };
      } catch (failure) {
        return unanswered(failure);
      }
    },
  };
};
