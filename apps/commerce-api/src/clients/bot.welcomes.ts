import type { ServiceTokens } from '@platform/auth';
import { path, type HttpClient } from '@platform/http';
import type { BotPatience } from './bot.desk';
import { face, type FaceCall } from './face';

export interface WrittenWelcome {
  readonly welcome_message: string;
  /** Dollars with six decimals. */
  readonly cost_request: string;
}

/** Who writes welcome texts. */
export interface BotWelcomes {
  /** Throws `NotFound` for an agent that the store has not, and what a face throws. */
  write(storeId: string, wish: { readonly agent_id: string; readonly tone?: string }): Promise<WrittenWelcome>;
}

/** bot-engine over HTTP: `POST /api/generate_welcome`, in Indonesian, which the shops write. */
export const httpBotWelcomes = (
  http: HttpClient,
  tokens: ServiceTokens,
  { modelTimeoutMs: timeoutMs, turns }: Pick<BotPatience, 'modelTimeoutMs' | 'turns'>,
): BotWelcomes => {
  const token = (storeId?: string) => tokens.for('bot-engine', storeId);
  const bot = face('bot-engine', http, { thing: 'Agent', timeoutMs, token });
  return {
    write: async (storeId, wish) => {
      type Answer = { data: WrittenWelcome };
      const call: FaceCall<Answer> = {
        ...{ method: 'POST', path: path('/api/generate_welcome'), storeId },
        json: { store_id: storeId, language: 'id', ...wish },
        fits: (body) => typeof body.data?.welcome_message === 'string',
      };
      const { data } = await turns(storeId, () => bot.ask<Answer>(call));
      return data;
    },
  };
};
