import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { storable } from '@platform/runtime';
import type { ChatMessage, ChatRequest, Part, ToolCall } from './chat.model';
import { jsonObject } from './json.object';

/** Where there is nothing to say, because the protocol allows no empty text and no conversation that begins with the assistant. */
const NOTHING = '...';
const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const;

const textOf = (text: string | null): TextBlockParam[] =>
  text === null || text.trim() === '' ? [] : [{ type: 'text', text: storable(text) }];

const imageOf = (mediaType: string, data: string): ImageBlockParam[] => {
  const known = MEDIA_TYPES.find((each) => each === mediaType);
  return known ? [{ type: 'image', source: { type: 'base64', media_type: known, data } }] : [];
};

const partOf = (part: Part): (TextBlockParam | ImageBlockParam)[] =>
  part.type === 'text' ? textOf(part.text) : imageOf(part.mediaType, part.base64);

/** Ids may come from another provider, whose alphabet is larger. */
const idOf = (id: string): string => id.replace(/[^\w-]/g, '_') || '_';

const useOf = ({ id, name, argsJson }: ToolCall): ContentBlockParam => ({
  type: 'tool_use',
  id: idOf(id),
  name,
  input: storable({ ...jsonObject(argsJson) }),
});

const blocksOf = (message: ChatMessage): ContentBlockParam[] => {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return typeof message.content === 'string' ? textOf(message.content) : message.content.flatMap(partOf);
    case 'assistant':
      return [...textOf(message.content), ...(message.toolCalls ?? []).map(useOf)];
    case 'tool':
      return [
        { type: 'tool_result', tool_use_id: idOf(message.toolCallId), content: storable(message.content) || NOTHING },
      ];
  }
};

/** Messages of one side are one message: the results of tools, and what the customer said meanwhile behind them. */
const turnsOf = (messages: readonly ChatMessage[]): MessageParam[] => {
  const turns: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  for (const message of messages) {
    const content = blocksOf(message);
    if (content.length === 0) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns[0]?.role === 'user' ? turns : [{ role: 'user', content: NOTHING }, ...turns];
};

const systemOf = (messages: readonly ChatMessage[]): string =>
  storable(messages.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'));

/**
 * The request in the words of the messages API: https://docs.anthropic.com/en/api/messages. Whatever an earlier model left
 * half done is sent in a form that it accepts.
 */
export const messagesRequest = (
  request: ChatRequest,
  { sendTemperature }: { readonly sendTemperature: boolean },
): MessageCreateParamsNonStreaming => {
  const { model, messages, tools, toolChoice, maxTokens, temperature } = request;
  const system = systemOf(messages);
  return {
    model,
    max_tokens: maxTokens,
    ...(system === '' ? {} : { system }),
    messages: turnsOf(messages),
    ...(tools?.length
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            name,
            description,
            input_schema: { type: 'object' as const, ...parameters },
          })),
          tool_choice: { type: toolChoice ?? 'auto' },
        }
      : {}),
    ...(sendTemperature || request.temperatureRequired ? { temperature } : {}),
    stream: false,
  };
};
