import { type Dialogue, type ToolChoice, type Turn } from './dialogue';
import { checkDialogue } from './dialogue.checks';
import { isRecord, numberAt, recordsOf, textAt, type Json } from './json.reader';
import { contentText, keyOf } from './openai.reader';
import { picturesIn, promptTokensOf } from './pictures';
import { WireError } from './wire.errors';

/** Reads a messages request. Throws a WireError that names the wrong parameter. */
export const readMessagesRequest = (body: Json): Dialogue => {
  if (!Array.isArray(body.messages)) throw new WireError(400, 'invalid', 'messages: a list is required.');
  const maxTokens = numberAt(body, 'max_tokens');
  if (!maxTokens) throw new WireError(400, 'invalid', 'max_tokens: a number above 0 is required.');
  const system: Turn = { role: 'system', text: contentText(body.system), toolCalls: [] };
  const turns = [system, ...body.messages.flatMap(turnsOf)];
  const dialogue: Dialogue = {
    model: textAt(body, 'model') ?? '',
    turns,
    tools: recordsOf(body.tools).map((tool) => ({ name: textAt(tool, 'name') ?? '', parameters: tool.input_schema })),
    choice: choiceOf(body.tool_choice),
    maxTokens,
    promptTokens: promptTokensOf(
      [body.system ?? '', body.messages, body.tools ?? []],
      turns.flatMap(({ pictures = [] }) => pictures),
    ),
    key: keyOf(body),
  };
  checkDialogue(dialogue);
  return dialogue;
};

/** A user message may carry tool results before its text: each becomes a separate turn. */
const turnsOf = (message: unknown, at: number): Turn[] => {
  const role = isRecord(message) ? message.role : undefined;
  if (!isRecord(message) || (role !== 'user' && role !== 'assistant'))
    throw new WireError(400, 'invalid', `messages.${at}.role: must be user or assistant.`);
  const blocks = recordsOf(message.content);
  const results: Turn[] = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({
      role: 'tool',
      text: resultText(block),
      toolCalls: [],
      toolCallId: textAt(block, 'tool_use_id'),
    }));
  const toolCalls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block) => ({
      id: textAt(block, 'id') ?? '',
      name: textAt(block, 'name') ?? '',
      argsJson: JSON.stringify(block.input ?? {}),
    }));
  const text = contentText(message.content);
  const pictures = picturesIn(message.content);
  return text !== '' || toolCalls.length || pictures.length
    ? [...results, { role, text, pictures, toolCalls }]
    : results;
};

const resultText = (block: Json): string => {
  const text = contentText(block.content);
  return block.is_error === true ? JSON.stringify({ error: text }) : text;
};

const choiceOf = (choice: unknown): ToolChoice => {
  if (!isRecord(choice)) return 'auto';
  if (choice.type === 'none') return 'none';
  if (choice.type === 'any') return 'required';
  const name = textAt(choice, 'name');
  return choice.type === 'tool' && name ? { name } : 'auto';
};
