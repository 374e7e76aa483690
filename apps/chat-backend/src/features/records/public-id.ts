/** A conversation by its public id `<store>.<uuid>`. */
export interface ConversationKey {
  readonly storeId: string;
  readonly conversationId: string;
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const CHAT_ID = new RegExp(`^([A-Za-z0-9_-]{1,36})\\.(${UUID})$`);
const INBOX_ID = new RegExp(`^([A-Za-z0-9_-]{1,36})\\.(${UUID})\\.(\\d{1,9})$`);

/** Reads a `chatId`; a malformed one is as unknown as an absent one. */
export const parseChatId = (chatId: string): ConversationKey | undefined => {
  const [, storeId, conversationId] = CHAT_ID.exec(chatId) ?? [];
  return storeId && conversationId ? { storeId, conversationId } : undefined;
};

/** Reads a `chatInboxId`: the conversation and the message's place in it. */
export const parseInboxId = (chatInboxId: string): (ConversationKey & { readonly seq: number }) | undefined => {
  const [, storeId, conversationId, seq] = INBOX_ID.exec(chatInboxId) ?? [];
  return storeId && conversationId ? { storeId, conversationId, seq: Number(seq) } : undefined;
};

export const chatIdOf = ({ storeId, conversationId }: ConversationKey): string => `${storeId}.${conversationId}`;
