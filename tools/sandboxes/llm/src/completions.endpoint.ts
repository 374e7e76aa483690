import type { Dialogue, Reply, ToolCall } from './dialogue';
import { isRecord, type Json } from './json.reader';
import type { ModelFault } from './faults';
import { readCompletionRequest } from './openai.reader';
import { replyTo } from './reply.rules';
import { CREATED, pieces, type ServerEvent, type WireAnswer } from './wire.answer';

/** https://platform.openai.com/docs/api-reference/chat */
export const chatCompletion = (body: Json, fault?: ModelFault): WireAnswer => {
  const dialogue = readCompletionRequest(body);
  const reply = replyTo(dialogue, fault);
  if (body.stream !== true) return { json: whole(dialogue, reply) };
  const includeUsage = isRecord(body.stream_options) && body.stream_options.include_usage === true;
  return { events: streamed(dialogue, reply, includeUsage) };
};

const head = ({ key, model }: Dialogue, object: string): Json => ({
  id: `chatcmpl-${key.slice(0, 24)}`,
  object,
  created: CREATED,
  model,
  system_fingerprint: 'sandbox-rules-not-a-model',
});

const usageOf = ({ promptTokens }: Dialogue, { completionTokens }: Reply): Json => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

const wireCall = ({ id, name, argsJson }: ToolCall): Json => ({
  id,
  type: 'function',
  function: { name, arguments: argsJson },
});

const whole = (dialogue: Dialogue, reply: Reply): Json => {
  const message = {
    role: 'assistant',
    content: reply.text,
    refusal: null,
    ...(reply.toolCalls.length ? { tool_calls: reply.toolCalls.map(wireCall) } : {}),
  };
  return {
    ...head(dialogue, 'chat.completion'),
    choices: reply.empty ? [] : [{ index: 0, message, logprobs: null, finish_reason: reply.finish }],
    usage: usageOf(dialogue, reply),
  };
};

const streamed = (dialogue: Dialogue, reply: Reply, includeUsage: boolean): ServerEvent[] => {
  const chunk = (choices: unknown[], usage: Json | null): Json => ({
    ...head(dialogue, 'chat.completion.chunk'),
    choices,
    ...(includeUsage ? { usage } : {}),
  });
  const delta = (part: Json, finish: string | null = null): Json =>
    chunk([{ index: 0, delta: part, logprobs: null, finish_reason: finish }], null);
  const chunks = reply.empty ? [] : [...deltas(reply).map((part) => delta(part)), delta({}, reply.finish)];
  const closing = includeUsage ? [chunk([], usageOf(dialogue, reply))] : [];
  return [...[...chunks, ...closing].map((data) => ({ data: JSON.stringify(data) })), { data: '[DONE]' }];
};

const deltas = ({ text, toolCalls }: Reply): Json[] => [
  { role: 'assistant', content: text === null ? null : '', refusal: null },
  ...pieces(text ?? '').map((content) => ({ content })),
  ...toolCalls.flatMap((call, index) => [
    { tool_calls: [{ index, ...wireCall({ ...call, argsJson: '' }) }] },
    ...pieces(call.argsJson).map((fragment) => ({ tool_calls: [{ index, function: { arguments: fragment } }] })),
  ]),
];
