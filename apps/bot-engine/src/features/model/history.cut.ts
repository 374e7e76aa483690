import type { ChatMessage } from './chat.model';

const asksTools = (message: ChatMessage): boolean => message.role === 'assistant' && Boolean(message.toolCalls?.length);

/** Where the turn begins: at what the customer said before the first tool call, else at the last message. */
const turnStart = (messages: readonly ChatMessage[]): number => {
  const call = messages.findIndex(asksTools);
  return Math.max(1, (call === -1 ? messages.length : call) - 1);
};

/** Drops the older half of the history, so that the turn fits. No result of a tool is separated from its call. */
export const halved = (messages: readonly ChatMessage[]): readonly ChatMessage[] => {
  const start = turnStart(messages);
  const history = messages.slice(1, start);
  return [...messages.slice(0, 1), ...history.slice(Math.ceil(history.length / 2)), ...messages.slice(start)];
};
