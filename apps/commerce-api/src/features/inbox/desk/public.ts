export { chatsWith } from './chats.with';
export { InboxDesk } from './inbox.desk';
export { inboxPages } from './inbox.pages';
export type { InboxRow } from './inbox.types';
export { waitingChats, type WaitingChats } from './waiting';
