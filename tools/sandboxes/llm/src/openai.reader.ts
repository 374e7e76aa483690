import { createHash } from 'node:crypto';
import { type Dialogue, type OfferedTool, type ToolChoice, type Turn } from './dialogue';
import { checkDialogue } from './dialogue.checks';
import { arrayOf, isRecord, numberAt, recordsOf, textAt, type Json } from './json.reader';
import { picturesIn, promptTokensOf } from './pictures';
import { WireError } from './wire.errors';

/** Reads a chat completions request. Throws a WireError that names the wrong parameter. */
export const readCompletionRequest = (body: Json): Dialogue => {
  if (!Array.isArray(body.messages))
    throw new WireError(400, 'invalid', "'messages' must be a list.", { param: 'messages' });
  const turns = body.messages.map(turnOf);
  const dialogue: Dialogue = {
    model: textAt(body, 'model') ?? '',
    turns,
    tools: recordsOf(body.tools).map(toolOf),
    choice: choiceOf(body.tool_choice),
    maxTokens: numberAt(body, 'max_completion_tokens', 'max_tokens'),
    promptTokens: promptTokensOf(
      [body.messages, body.tools ?? []],
      turns.flatMap(({ pictures = [] }) => pictures),
    ),
    key: keyOf(body),
  };
  checkDialogue(dialogue);
  return dialogue;
};

export const keyOf = (body: Json): string => createHash('sha256').update(JSON.stringify(body)).digest('hex');

const ROLES: Readonly<Record<string, Turn['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
};

const turnOf = (message: unknown, at: number): Turn => {
  const role = isRecord(message) && typeof message.role === 'string' ? ROLES[message.role] : undefined;
  if (!isRecord(message) || !role)
    throw new WireError(400, 'invalid', `'messages.${at}.role' must be system, developer, user, assistant or tool.`, {
      param: `messages.${at}.role`,
    });
  const toolCalls = recordsOf(message.tool_calls).map((call) => {
    const called = isRecord(call.function) ? call.function : {};
    return {
      id: textAt(call, 'id') ?? '',
      name: textAt(called, 'name') ?? '',
      argsJson: textAt(called, 'arguments') ?? '',
    };
  });
  return {
    role,
    text: contentText(message.content),
    pictures: picturesIn(message.content),
    toolCalls,
    toolCallId: textAt(message, 'tool_call_id'),
  };
};

/** The text, or the joined text parts of a list of parts. */
export const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsOf(arrayOf(content))
        .filter(({ type }) => type === 'text')
        .map((part) => textAt(part, 'text') ?? '')
        .join('\n');

const toolOf = (tool: Json, at: number): OfferedTool => {
  const described = isRecord(tool.function) ? tool.function : {};
  const name = textAt(described, 'name');
  if (!name)
    throw new WireError(400, 'invalid', `'tools.${at}.function.name' is required.`, {
      param: `tools.${at}.function.name`,
    });
  return { name, parameters: described.parameters };
};

const choiceOf = (choice: unknown): ToolChoice => {
  if (choice === 'none' || choice === 'required') return choice;
  const name = isRecord(choice) && isRecord(choice.function) ? textAt(choice.function, 'name') : undefined;
  return name ? { name } : 'auto';
};
