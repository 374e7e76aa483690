import { databaseOptions, openCache, openDatabase } from '@platform/data';
import { Sends, systemClock, type Clock, type Logger } from '@platform/runtime';
import type { Config } from './config';
import { entities, migrations, schema } from './data-source';
import { JOB_SESSIONS, jobQueue } from './jobs';
import type { RoomParts } from './room.parts';

export const NAME = 'ads-api';

export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** What all rooms stand on. Nothing connects before the components start. */
export const layFoundation = (config: Config, { logger, clock = systemClock }: Deps): RoomParts => {
  const own = { directSessions: JOB_SESSIONS, schema, entities, migrations };
  const database = openDatabase({ ...databaseOptions(config), ...own, logger });
  const cache = openCache({ url: config.REDIS_URL, logger, name: NAME, optional: true });
  return { database, cache, clock, logger, queue: jobQueue(), sends: new Sends(config.SENDS) };
};
