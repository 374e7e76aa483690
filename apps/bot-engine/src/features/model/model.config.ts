import type { Config } from '../../config';
import { anthropicChat } from './anthropic.adapter';
import { ModelError, type ChatModel, type Provider } from './chat.model';
import { openaiChat } from './openai-chat.adapter';
import { refusesSandbox } from './sandbox.refusal';

/** A provider for which the settings hold no key: nobody is asked. */
const keyless: ChatModel = { complete: () => Promise.reject(new ModelError('auth')) };

/** Everyone whom the settings allow to ask. */
export const configuredModels = (config: Config): Readonly<Record<Provider, ChatModel>> => ({
  openai: openaiChat({
    baseUrl: config.LLM_BASE_URL,
    apiKey: config.LLM_API_KEY,
    tokenParameter: config.LLM_TOKEN_PARAM,
    sendTemperature: config.LLM_SEND_TEMPERATURE,
    refuseSandbox: refusesSandbox(config),
  }),
  anthropic: config.ANTHROPIC_API_KEY
    ? anthropicChat({
        baseUrl: config.ANTHROPIC_BASE_URL,
        apiKey: config.ANTHROPIC_API_KEY,
        sendTemperature: config.LLM_SEND_TEMPERATURE,
        refuseSandbox: refusesSandbox(config),
      })
    : keyless,
});
