// What other features of this app may use.
export type { Finish, Mailbox, MailboxLine, Offer } from './mailbox.types';
