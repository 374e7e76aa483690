import type { ChatModel, ChatReply, ChatRequest } from './chat.model';
import { modelErrorOf } from './openai-chat.errors';
import { readReply } from './openai-chat.reply';
import { requestOf, type OpenAiDialect } from './openai-chat.request';
import { answerFacts, openaiClient, type OpenAiAccess } from './openai.client';

export type OpenAiOptions = OpenAiAccess & OpenAiDialect;

/** Chat completions through the official client. */
export const openaiChat = (options: OpenAiOptions): ChatModel => {
  const client = openaiClient(options);
  const complete = async (request: ChatRequest, signal: AbortSignal): Promise<ChatReply> => {
    try {
      const answered = await client.chat.completions.create(requestOf(request, options), { signal }).withResponse();
      return readReply(answered.data, answerFacts(answered, options));
    } catch (thrown) {
      throw modelErrorOf(thrown, signal);
    }
  };
  return { complete };
};
