import type { Config } from '../../config';
import type { ChatModel } from './chat.model';
import { openaiChat } from './openai-chat.adapter';
import { refusesSandbox } from './sandbox.refusal';

/** The model provider that the settings name. */
export const configuredModel = (config: Config): ChatModel =>
  openaiChat({
    baseUrl: config.LLM_BASE_URL,
    apiKey: config.LLM_API_KEY,
    tokenParameter: config.LLM_TOKEN_PARAM,
    sendTemperature: config.LLM_SEND_TEMPERATURE,
    refuseSandbox: refusesSandbox(config),
  });
