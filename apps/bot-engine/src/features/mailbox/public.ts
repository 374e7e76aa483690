// What other features of this app may use.
export { conversationKey, mailboxKey } from './conversation.key';
export { openMailbox, type MailboxOptions, type OpenedMailbox } from './mailbox';
export type { Claimed, Finish, Mailbox, MailboxLine, Offer } from './mailbox.types';
