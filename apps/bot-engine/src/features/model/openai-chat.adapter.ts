import OpenAI from 'openai';
import { ModelError, type ChatModel, type ChatReply, type ChatRequest } from './chat.model';
import { modelErrorOf } from './openai-chat.errors';
import { readReply } from './openai-chat.reply';
import { requestOf, type OpenAiDialect } from './openai-chat.request';

export interface OpenAiOptions extends OpenAiDialect {
  /** With /v1. OpenAI itself, or anything that speaks its protocol: vLLM, Ollama, LiteLLM, the sandbox. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Refuses the answers of a sandbox (they carry `X-Sandbox`). */
  readonly refuseSandbox: boolean;
}

/**
 * Organization, project and log level are set, because the client would take them from the environment; its retries and
 * time-out are off, because it obeys `Retry-After` without bound and its time-out ends with the headers (design 5.1).
 */
const createClient = ({ apiKey, baseUrl }: OpenAiOptions): OpenAI =>
  new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0, organization: null, project: null, logLevel: 'off' });

/** Chat completions through the official client. */
export const openaiChat = (options: OpenAiOptions): ChatModel => {
  const client = createClient(options);
  const complete = async (request: ChatRequest, signal: AbortSignal): Promise<ChatReply> => {
    try {
      const { data, response, request_id } = await client.chat.completions
        .create(requestOf(request, options), { signal })
        .withResponse();
      const facts = { httpStatus: response.status, requestId: request_id ?? undefined };
      if (options.refuseSandbox && response.headers.has('x-sandbox')) throw new ModelError('auth', facts);
      return readReply(data, facts);
    } catch (thrown) {
      throw modelErrorOf(thrown, signal);
    }
  };
  return { complete };
};
