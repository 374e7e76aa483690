// What other features of this app may use.
export type { EventFeed } from './event-feed';
