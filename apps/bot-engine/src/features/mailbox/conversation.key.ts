import { createHash } from 'node:crypto';

const digest = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);

/** Design 3.1: the first 32 hex digits of sha256(idStore NUL idAgent NUL idUser), `idUser` without its network's suffix. */
export const conversationKey = (idStore: string, idAgent: string, idUser: string): string =>
  digest(idStore, idAgent, idUser);

/** Of the mailbox of one chat of a conversation; callers that name no chat have the one of the conversation. */
export const mailboxKey = (conversation: string, chat: string | undefined): string =>
  chat === undefined ? conversation : digest(conversation, chat);
