import { openTokenAccess, type KeySource, type TokenAccess } from '@platform/auth';
import { databaseOptions, openCache, openDatabase, redisConnection, type Cache } from '@platform/data';
import { replicaAddress } from '@platform/http';
import { openRealtime, type Realtime } from '@platform/realtime';
import { Sends, systemClock, type Clock, type Logger } from '@platform/runtime';
import type { Config } from './config';
import { entities, migrations, SCHEMA } from './data-source';
import type { BotEvents } from './features/notice/notice.events';
import { JOB_SESSIONS, jobQueue } from './jobs';
import type { RoomParts } from './room.parts';

export const NAME = 'bot-engine';

export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Public keys of tokens; store-auth's by default. */
  readonly keys?: KeySource;
  /** How long an agent that was read may be used again; a minute by default. */
  readonly agentsKeptMs?: number;
  /** By default Redis where there is one, else this process. */
  readonly cache?: Cache;
}

export interface Foundation {
  readonly parts: RoomParts;
  readonly realtime: Realtime<BotEvents>;
  readonly access: TokenAccess;
}

/** What all rooms stand on. Nothing connects before the components start. */
export const layFoundation = (config: Config, deps: Deps): Foundation => {
  const { logger, clock = systemClock, keys } = deps;
  const { REDIS_URL } = config;
  const own = { directSessions: JOB_SESSIONS, schema: SCHEMA, entities, migrations };
  const database = openDatabase({ ...databaseOptions(config), ...own, logger, name: NAME });
  const cache = deps.cache ?? openCache({ url: REDIS_URL, logger, name: NAME });
  // Contract: the event is global, without authentication and without a tenant's room
  const authenticate = () => ({ session: undefined, rooms: [] });
  const redis = REDIS_URL ? () => redisConnection(REDIS_URL, logger) : undefined;
  const address = replicaAddress(config);
  const realtime = openRealtime<BotEvents, undefined>({ name: NAME, address, authenticate, cors: '*', redis, logger });
  const subscribe = REDIS_URL ? cache.subscribe.bind(cache) : undefined;
  // By contract /health and /ready ignore store-auth; token routes answer 503 themselves
  const access = openTokenAccess(config, { logger, clock, keys, subscribe, keysOptional: true });
  const sends = new Sends(config.SENDS);
  const parts = { database, cache, clock, logger, queue: jobQueue(), sends, tokens: access.tokens, realtime };
  return { parts, realtime, access };
};
