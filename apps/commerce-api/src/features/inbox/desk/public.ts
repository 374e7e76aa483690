export { InboxDesk } from './inbox.desk';
export { inboxPages } from './inbox.pages';
export { waitingChats, type WaitingChats } from './waiting';
