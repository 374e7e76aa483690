// What other features of this app may use.
export type { BotEvents } from './notice.events';
