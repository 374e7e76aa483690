import type { ServiceTokens } from '@platform/auth';
import type { Cache, Database } from '@platform/data';
import type { Emitter } from '@platform/realtime';
import type { Clock, Logger, Sends } from '@platform/runtime';
import type { BotEvents } from './features/notice/notice.events';
import type { Queue } from './jobs';

/** What every room is built on. */
export interface RoomParts {
  readonly database: Database;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Enqueues in the caller's transaction. */
  readonly queue: Queue;
  /** Whether outside effects may happen now. */
  readonly sends: Sends;
  /** Our own tokens for calls to the other services. */
  readonly tokens: ServiceTokens;
  readonly realtime: Emitter<BotEvents>;
}
