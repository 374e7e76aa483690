import { aloneWithoutRedis, databaseOptions, openCache, openDatabase } from '@platform/data';
import type { Logger } from '@platform/runtime';
import type { Config } from './config';
import { migrations, schema } from './data-source';
import { JOB_SESSIONS } from './jobs';

const NAME = 'commerce-api';

/** What its processes share: the database, and Redis, or nothing besides, which a second one is told. */
export const composeShared = (config: Config, logger: Logger) => {
  const { REDIS_URL: url } = config;
  const own = { directSessions: JOB_SESSIONS, schema, migrations, logger };
  const database = openDatabase({ ...databaseOptions(config), ...own });
  const cache = openCache({ url, logger, name: NAME, optional: true });
  const subscribe = url ? cache.subscribe.bind(cache) : undefined;
  return { database, cache, subscribe, alone: aloneWithoutRedis({ config, database, name: NAME, logger }) };
};
