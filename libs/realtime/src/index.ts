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
