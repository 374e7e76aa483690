// What other features of this app may use.
export type { Announcer } from './announcer';
export type { GatewayEvents } from './socket.api';
