import { ModelError, type ChatReply, type ModelErrorFacts, type ToolCall, type Usage } from './chat.model';
import { isObject } from './json.object';
import { isCallable, MOST_CALLS } from './tool.call.bounds';
import { countOrNone, usageCount } from './usage.count';

const FINISH: Readonly<Record<string, ChatReply['finish']>> = {
  tool_calls: 'tool_calls',
  length: 'length',
  content_filter: 'filter',
};

/** Null for one that counts nothing: what a turn costs is estimated then. */
const usageOf = (usage: unknown): Usage | null => {
  if (!isObject(usage)) return null;
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const [read, written] = [usageCount(usage.prompt_tokens), usageCount(usage.completion_tokens)];
  return read && written !== undefined ? { in: read, cached: countOrNone(details.cached_tokens), out: written } : null;
};

/** Some servers give calls no id of their own: the place in the reply tells them apart. */
const toolCallOf = (call: unknown, place: number): ToolCall | undefined => {
  if (!isObject(call) || typeof call.id !== 'string' || !isObject(call.function)) return undefined;
  const { name, arguments: argsJson } = call.function;
  return typeof name === 'string' && typeof argsJson === 'string' && isCallable({ id: call.id, name, argsJson })
    ? { id: call.id || `call_${place}`, name, argsJson }
    : undefined;
};

/**
 * The reply in a body that claims to be a chat completion. The client validates nothing: a web page with status 200 arrives as
 * a string, `{choices: []}` as is (design 5.1, measured). Throws `ModelError('shape')`.
 */
export const readReply = (body: unknown, facts: ModelErrorFacts): ChatReply => {
  const broken = () => new ModelError('shape', facts);
  const choices: unknown = isObject(body) ? body.choices : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isObject(body) || !isObject(choice) || !isObject(choice.message)) throw broken();
  const { content = null, tool_calls: calls } = choice.message;
  if (content !== null && typeof content !== 'string') throw broken();
  if (Array.isArray(calls) && calls.length > MOST_CALLS) throw broken();
  const toolCalls = (Array.isArray(calls) ? calls : []).map((call, place) => {
    const read = toolCallOf(call, place);
    if (!read) throw broken();
    return read;
  });
  const finish = FINISH[String(choice.finish_reason)] ?? 'stop';
  return { text: content, toolCalls, finish, usage: usageOf(body.usage), requestId: facts.requestId };
};
