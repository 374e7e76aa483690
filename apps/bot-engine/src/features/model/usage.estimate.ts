import type { ChatReply, ChatRequest, Usage } from './chat.model';

const tokensOf = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value) ?? '') / 4);

/** What a call probably used, when the provider does not say: four bytes a token. Pictures count as nothing. */
export const estimatedUsage = (
  { messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>,
  reply: ChatReply,
): Usage => {
  const words = messages.map((message) =>
    message.role === 'user' && typeof message.content !== 'string'
      ? message.content.filter(({ type }) => type === 'text')
      : message,
  );
  return { in: tokensOf([words, tools ?? []]), cached: 0, out: tokensOf([reply.text, reply.toolCalls]) };
};
