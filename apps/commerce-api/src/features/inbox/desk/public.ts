export { InboxDesk } from './inbox.desk';
export { inboxPages } from './inbox.pages';
