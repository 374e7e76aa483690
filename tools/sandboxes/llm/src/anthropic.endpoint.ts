import { readMessagesRequest } from './anthropic.reader';
import type { Dialogue, Reply, ToolCall } from './dialogue';
import type { ModelFault } from './faults';
import { isRecord, parseJson, type Json } from './json.reader';
import { replyTo } from './reply.rules';
import { pieces, type ServerEvent, type WireAnswer } from './wire.answer';

/** https://docs.anthropic.com/en/api/messages */
export const createMessage = (body: Json, fault?: ModelFault): WireAnswer => {
  const dialogue = readMessagesRequest(body);
  const reply = replyTo(dialogue, fault);
  return body.stream === true ? { events: streamed(dialogue, reply) } : { json: whole(dialogue, reply) };
};

const STOP_REASON = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens' } as const;

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Json };

const blocksOf = ({ text, toolCalls }: Reply): Block[] => [
  ...(text === null ? [] : [{ type: 'text' as const, text }]),
  ...toolCalls.map(toolUse),
];

/** The input must be an object: text that does not parse (fault `sandbox-badargs`) becomes an unexpected field. */
const toolUse = ({ id, name, argsJson }: ToolCall): Block => {
  const input = parseJson(argsJson);
  return {
    type: 'tool_use',
    id: id.replace('call_', 'toolu_'),
    name,
    input: isRecord(input) ? input : { unexpected: argsJson },
  };
};

const envelope = (
  { key, model, promptTokens }: Dialogue,
  content: Block[],
  stop: string | null,
  outputTokens: number,
): Json => ({
  id: `msg_${key.slice(0, 24)}`,
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: promptTokens, output_tokens: outputTokens },
});

const whole = (dialogue: Dialogue, reply: Reply): Json =>
  envelope(dialogue, blocksOf(reply), STOP_REASON[reply.finish], reply.completionTokens);

const streamed = (dialogue: Dialogue, reply: Reply): ServerEvent[] => {
  const event = (type: string, fields: Json = {}): ServerEvent => ({
    event: type,
    data: JSON.stringify({ type, ...fields }),
  });
  const blocks = blocksOf(reply).flatMap((block, index) => [
    event('content_block_start', {
      index,
      content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} },
    }),
    ...deltasOf(block).map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]);
  return [
    event('message_start', { message: envelope(dialogue, [], null, 0) }),
    ...blocks,
    event('message_delta', {
      delta: { stop_reason: STOP_REASON[reply.finish], stop_sequence: null },
      usage: { output_tokens: reply.completionTokens },
    }),
    event('message_stop'),
  ];
};

const deltasOf = (block: Block): Json[] =>
  block.type === 'text'
    ? pieces(block.text).map((text) => ({ type: 'text_delta', text }))
    : pieces(JSON.stringify(block.input)).map((fragment) => ({ type: 'input_json_delta', partial_json: fragment }));
