import type { ChatCompletionCreateParamsNonStreaming, ChatCompletionMessageParam } from 'openai/resources/chat';
import { storable } from '@platform/runtime';
import type { ChatMessage, ChatRequest, Part, ToolCall, ToolSchema } from './chat.model';
import { jsonObject } from './json.object';

const partOf = (part: Part) =>
  part.type === 'text'
    ? { type: 'text' as const, text: storable(part.text) }
    : { type: 'image_url' as const, image_url: { url: `data:${part.mediaType};base64,${part.base64}` } };

/** Arguments that are no JSON object are sent back empty: servers that render them into a template refuse the whole request. */
const callOf = ({ id, name, argsJson }: ToolCall) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: jsonObject(argsJson) ? storable(argsJson) : '{}' },
});

const messageOf = (message: ChatMessage): ChatCompletionMessageParam => {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: storable(message.content) };
    case 'user':
      return {
        role: 'user',
        content: typeof message.content === 'string' ? storable(message.content) : message.content.map(partOf),
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: storable(message.content),
        ...(message.toolCalls?.length ? { tool_calls: message.toolCalls.map(callOf) } : {}),
      };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: storable(message.content) };
  }
};

const toolOf = ({ name, description, parameters }: ToolSchema) => ({
  type: 'function' as const,
  function: { name, description, parameters: { ...parameters } },
});

export interface OpenAiDialect {
  readonly tokenParameter: 'max_tokens' | 'max_completion_tokens';
  readonly sendTemperature: boolean;
}

/** The request as the protocol wants it. Texts lose U+0000 and lone surrogates, which providers refuse. */
export const requestOf = (request: ChatRequest, dialect: OpenAiDialect): ChatCompletionCreateParamsNonStreaming => {
  const { model, messages, tools, toolChoice, maxTokens, temperature } = request;
  return {
    model,
    messages: messages.map(messageOf),
    [dialect.tokenParameter]: maxTokens,
    ...(tools?.length ? { tools: tools.map(toolOf), tool_choice: toolChoice ?? 'auto' } : {}),
    ...(dialect.sendTemperature || request.temperatureRequired ? { temperature } : {}),
    stream: false as const,
    // Never stored by the provider (design 1.2, G7)
    store: false,
  };
};
