// What other features of this app may use.
export type { ChatAnnouncer } from './chat.announcer';
export { teamsChanged } from './chat.sockets';
