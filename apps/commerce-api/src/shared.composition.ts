import { aloneWithoutRedis, databaseOptions, openCache, openDatabase, SharedClock } from '@platform/data';
import type { Config } from './config';
import { migrations, schema } from './data-source';
import type { Deps } from './deps';
import { JOB_SESSIONS } from './jobs';

const NAME = 'commerce-api';

/** What its processes share: the database and its time, and Redis, or nothing besides, which a second one is told. */
export const composeShared = (config: Config, { logger, clock: given }: Pick<Deps, 'logger' | 'clock'>) => {
  const { REDIS_URL: url } = config;
  const own = { directSessions: JOB_SESSIONS, schema, migrations, logger };
  const database = openDatabase({ ...databaseOptions(config), ...own });
  const cache = openCache({ url, logger, name: NAME, optional: true });
  const subscribe = url ? cache.subscribe.bind(cache) : undefined;
  // What one process writes another compares with its time: until when an order is paid, who is asked next, whose turn it is
  const shared = new SharedClock(database, logger);
  const alone = aloneWithoutRedis({ config, database, name: NAME, logger });
  return { database, cache, subscribe, clock: given ?? shared, ticking: given ? [] : [shared], alone };
};
