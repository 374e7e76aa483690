import type { ServiceTokens } from '@platform/auth';
import type { HttpClient } from '@platform/http';

export interface BotQuestion {
  readonly idUser: string;
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
  readonly timestamp: number;
}

/** A text or a picture of the bot's answer; its id is to be our `pesan_id`. */
export type BotBubble =
  { readonly id: string; readonly text: string } | { readonly id: string; readonly picture: string };

export type BotAnswer =
  | { readonly kind: 'answered'; readonly bubbles: readonly BotBubble[] }
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

/** bot-engine over HTTP: `POST /api/chatbot-api` with a service token (bot-engine design 2.2, 2.9). */
export const httpBotClient = (http: HttpClient, tokens: ServiceTokens): BotClient => ({
  ask: async (question) => {
    try {
      const authorization = `Bearer ${await tokens.for('bot-engine', question.idStore)}`;
      const answer = await http.call({
        method: 'POST',
        path: '/api/chatbot-api',
        json: question,
        headers: { authorization },
        timeoutMs: TIMEOUT_MS,
      });
      if (answer.status === 201) {
        const body = answer.json<{ data?: { answer?: string[]; images?: string[] } }>();
        const { answer: texts = [], images = [] } = body?.data ?? {};
        return {
          kind: 'answered',
          bubbles: bubblesOf(texts, images, String(answer.headers['x-bot-message-ids'] ?? '')),
        };
      }
      const reason = `bot-engine answered ${answer.status}`;
      // 404 and 422 cannot become better by asking again (design 2.9)
      if (answer.status === 404 || answer.status === 422) return { kind: 'refused', reason };
      return { kind: 'later', afterSeconds: Number(answer.headers['retry-after']) || undefined, reason };
    } catch (failure) {
      return {
        kind: 'later',
        afterSeconds: undefined,
        reason: failure instanceof Error ? failure.message : 'no answer',
      };
    }
  },
});
