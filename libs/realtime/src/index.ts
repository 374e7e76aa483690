export { asyncapi, type AsyncApiDocument } from './asyncapi';
export { listenTo, type Heard, type Listening } from './listener';
export { openRealtime } from './realtime';
export type {
  Admission,
  Call,
  Emitter,
  Handshake,
  Realtime,
  RealtimeOptions,
  Requests,
  Target,
} from './realtime.types';
export type { RedisConnection } from './redis-adapter';
export type { EventsOf, RequestsOf, SocketApi, SocketEvent, SocketRequest } from './socket-api';
