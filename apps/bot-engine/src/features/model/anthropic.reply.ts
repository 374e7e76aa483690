import { ModelError, type ChatReply, type ModelErrorFacts, type ToolCall, type Usage } from './chat.model';
import { isObject, type JsonObject } from './json.object';

const FINISH: Readonly<Record<string, ChatReply['finish']>> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'filter',
};

const count = (value: unknown): number => (typeof value === 'number' && value >= 0 ? Math.trunc(value) : 0);

/** Here the tokens of the cache stand beside the others, not among them. */
const usageOf = (usage: unknown): Usage | null => {
  if (!isObject(usage)) return null;
  const cached = count(usage.cache_read_input_tokens);
  const all = count(usage.input_tokens) + count(usage.cache_creation_input_tokens) + cached;
  return { in: all, cached, out: count(usage.output_tokens) };
};

const toolCallOf = ({ id, name, input }: JsonObject): ToolCall | undefined =>
  typeof id === 'string' && typeof name === 'string' && isObject(input)
    ? { id, name, argsJson: JSON.stringify(input) }
    : undefined;

/** The reply in a body that claims to be a message; the client validates nothing. Throws `ModelError('shape')`, also for one that holds nothing. */
export const readMessage = (body: unknown, facts: ModelErrorFacts): ChatReply => {
  const broken = () => new ModelError('shape', facts);
  const blocks: unknown = isObject(body) ? body.content : undefined;
  if (!isObject(body) || !Array.isArray(blocks) || blocks.length === 0 || !blocks.every(isObject)) throw broken();
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => text);
  if (!texts.every((text) => typeof text === 'string')) throw broken();
  const toolCalls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block) => {
      const read = toolCallOf(block);
      if (!read) throw broken();
      return read;
    });
  return {
    text: texts.length > 0 ? texts.join('') : null,
    toolCalls,
    finish: FINISH[String(body.stop_reason)] ?? 'stop',
    usage: usageOf(body.usage),
    requestId: facts.requestId,
  };
};
