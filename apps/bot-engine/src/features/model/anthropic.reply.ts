import { ModelError, type ChatReply, type ModelErrorFacts, type ToolCall, type Usage } from './chat.model';
import { isObject, type JsonObject } from './json.object';
import { isCallable, MOST_CALLS } from './tool.call.bounds';
import { countOrNone, usageCount } from './usage.count';

const FINISH: Readonly<Record<string, ChatReply['finish']>> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'filter',
};

/** Here the tokens of the cache stand beside the others, not among them. Null for one that counts nothing: the cost is estimated then. */
const usageOf = (usage: unknown): Usage | null => {
  if (!isObject(usage)) return null;
  const cached = countOrNone(usage.cache_read_input_tokens);
  const read = usageCount(countOrNone(usage.input_tokens) + countOrNone(usage.cache_creation_input_tokens) + cached);
  const written = usageCount(usage.output_tokens);
  return read && written !== undefined ? { in: read, cached, out: written } : null;
};

const toolCallOf = ({ id, name, input }: JsonObject): ToolCall | undefined => {
  if (typeof id !== 'string' || typeof name !== 'string' || !isObject(input)) return undefined;
  const call = { id, name, argsJson: JSON.stringify(input) };
  return isCallable(call) ? call : undefined;
};

/** The reply in a body that claims to be a message; the client validates nothing. Throws `ModelError('shape')`, also for one that holds nothing. */
export const readMessage = (body: unknown, facts: ModelErrorFacts): ChatReply => {
  const broken = () => new ModelError('shape', facts);
  const blocks: unknown = isObject(body) ? body.content : undefined;
  if (!isObject(body) || !Array.isArray(blocks) || blocks.length === 0 || !blocks.every(isObject)) throw broken();
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => text);
  if (!texts.every((text) => typeof text === 'string')) throw broken();
  const uses = blocks.filter(({ type }) => type === 'tool_use');
  if (uses.length > MOST_CALLS) throw broken();
  const toolCalls = uses.map((block) => {
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
