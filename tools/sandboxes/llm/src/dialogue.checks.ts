import type { Dialogue, Turn } from './dialogue';
import { WireError } from './wire.errors';

const CONTEXT_TOKENS = 32_768;

/** Refuses what a real provider refuses: unknown models, no messages, too long a context, tool calls without answers. */
export const checkDialogue = ({ model, turns, promptTokens }: Dialogue): void => {
  checkModel(model);
  if (!turns.some(({ role }) => role !== 'system'))
    throw new WireError(400, 'invalid', "'messages' must hold at least one message that is not a system message.", {
      param: 'messages',
    });
  if (promptTokens > CONTEXT_TOKENS)
    throw new WireError(
      400,
      'context',
      `The context length is ${CONTEXT_TOKENS} tokens, the messages came to ${promptTokens}. Shorten the messages.`,
      { param: 'messages' },
    );
  checkToolAnswers(turns);
};

export const checkModel = (model: string): void => {
  if (!model) throw new WireError(400, 'invalid', "'model' is required.", { param: 'model' });
  if (!model.startsWith('sandbox-'))
    throw new WireError(
      404,
      'model',
      `The model '${model}' does not exist here: this sandbox serves sandbox-rules-small, sandbox-rules-main and its fault models.`,
      { param: 'model' },
    );
};

/** Every tool call must be followed directly by its result, and every result must belong to a call. */
const checkToolAnswers = (turns: readonly Turn[]): void => {
  let open = new Set<string>();
  for (const { role, toolCalls, toolCallId } of turns) {
    if (role === 'tool') {
      if (!open.delete(toolCallId ?? ''))
        throw new WireError(
          400,
          'invalid',
          `A tool result must answer a preceding tool call; '${toolCallId ?? ''}' answers none.`,
          { param: 'messages' },
        );
      continue;
    }
    refuseOpen(open);
    open = new Set(toolCalls.map(({ id }) => id));
  }
  refuseOpen(open);
};

const refuseOpen = (open: ReadonlySet<string>): void => {
  if (open.size)
    throw new WireError(
      400,
      'invalid',
      `Tool calls must be followed by a tool result for each of them; without a result: ${[...open].join(', ')}.`,
      { param: 'messages' },
    );
};
