export { environment } from './environment';
export { fixedClock, steadyClock, systemClock, type Clock } from './clock';
export { Coalescer, type CoalescerOptions } from './coalescer';
export {
  sessionsOf,
  endingWithDrain,
  startAll,
  stopAll,
  type Component,
  type Components,
  type Measures,
  type Sessions,
  type Starting,
} from './component';
export { hasVisible, withoutTurns } from './visible';
export { untilNothingLacks } from './waiting';
export * from './config';
export { cut, cutToLength } from './cut';
export {
  endContext,
  outgoingTraceparent,
  requestContext,
  resume,
  runInContext,
  traced,
  traceIdOf,
  traceToKeep,
  type RequestContext,
} from './context';
export { isUuid, randomHex, uuidv5, uuidv7 } from './ids';
export { createLogger, silentLogger, type Fields, type Logger, type LoggerOptions, type LogLevel } from './logger';
export { LruCache, type LruCacheOptions } from './lru-cache';
export { RevalidatingCache, type RevalidatingCacheOptions } from './revalidating-cache';
export { Mutex } from './mutex';
export { normalized } from './normalized';
export type { Claim, Settled } from './once.types';
export { outage, type Outage } from './outage';
export { isSecretField, redact } from './redaction';
export { retry, type RetryOptions } from './retry';
export { Semaphore } from './semaphore';
export { Sends, sendsSettings, type Effect, type SendsState } from './sends';
export { SharedPlaces, type SharedPlacesOptions } from './shared-places';
export { storable, storableJson } from './storable';
export { timeLimit, withTimeLimit } from './time-limit';
export { isTimeZone } from './time-zone';
