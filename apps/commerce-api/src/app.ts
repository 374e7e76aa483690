import { openTokenAccess } from '@platform/auth';
import { databaseOptions, openCache, openDatabase, PageCursor, type Database } from '@platform/data';
import { commerceEnvelope } from '@platform/envelopes';
import type { Command, Program, Service } from '@platform/http';
import { systemClock, type Clock, type Logger } from '@platform/runtime';
import type { Caller } from './abilities';
import { joined } from './area';
import { settings, type Config } from './config';
import { migrations, schema } from './data-source';
import { composeCatalogue } from './features/catalogue/catalogue.composition';
import { Access } from './features/identity/access/access';
import { composeIdentity } from './features/identity/identity.composition';
import { composeMedia } from './features/media/media.composition';
import { composeStock } from './features/stock/stock.composition';
import { guardsOf } from './guards';

export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** commerce-api, wired by hand. Nothing connects before its components start. */
export const createApp = (config: Config, { logger, clock = systemClock }: Deps): Service & { database: Database } => {
  const production = config.APP_ENV === 'production';
  const database = openDatabase({ ...databaseOptions(config), schema, migrations, logger });
  const cache = openCache({ url: config.REDIS_URL, logger, name: 'commerce-api', optional: true });
  const subscribe = config.REDIS_URL ? cache.subscribe.bind(cache) : undefined;
  // The shop's public pages need no keys, and token routes answer 503 themselves
  const access = openTokenAccess(config, { logger, clock, subscribe, keysOptional: true });
  const permissions = new Access(database, clock);
  const cursors = new PageCursor(`cursors of ${config.SERVICE_CLIENT_SECRET}`);
  const parts = { database, clock, logger, cursors };
  const media = composeMedia(config, parts);
  const { endpoints, components, abilities, commands } = joined([
    media,
    composeCatalogue(config, { ...parts, media: media.library }),
    composeStock(parts),
    composeIdentity(config, { ...parts, tokens: access.tokens, access: permissions }),
  ]);
  const onDatabase = (command: Command): Command => ({
    ...command,
    run: async (args) => {
      await database.start?.();
      await command.run(args);
    },
  });
  return {
    name: 'commerce-api',
    description: 'Stores, their catalogue, stock and orders',
    envelope: commerceEnvelope({ production }),
    endpoints,
    guards: { ...guardsOf({ verifier: access.verifier, access: permissions }, abilities) },
    components: [[database, cache, ...components], access.components],
    callerKey: (caller) => {
      const { storeId, actor } = (caller ?? {}) as Partial<Caller>;
      return storeId && `${storeId} ${actor}`;
    },
    groupsOf: (caller) => (caller as Partial<Caller> | undefined)?.abilities ?? new Set(),
    counter: cache,
    clientAddress: access.clientAddress,
    migrate: () => database.migrate(),
    commands: Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, onDatabase(command)])),
    database,
  };
};

export const program: Program<typeof settings> = {
  name: 'commerce-api',
  settings,
  create: (config, logger) => createApp(config, { logger }),
};
