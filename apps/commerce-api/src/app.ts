import { openTokenAccess } from '@platform/auth';
import { openCache, openDatabase, type Database } from '@platform/data';
import { commerceBareEnvelope, commerceEnvelope } from '@platform/envelopes';
import { httpClient, type Program, type Service } from '@platform/http';
import { systemClock, type Clock, type Logger } from '@platform/runtime';
import type { Caller } from './abilities';
import { httpIdentityClient } from './clients/store-auth.client';
import { settings, type Config } from './config';
import { migrations, schema } from './data-source';
import { productsEndpoints } from './features/catalogue/products/products.endpoints';
import { ProductsRepository } from './features/catalogue/products/products.repository';
import { ProductsService } from './features/catalogue/products/products.service';
import { seedCommand } from './features/catalogue/seed/seed.command';
import { stockEndpoints } from './features/catalogue/stock/stock.endpoints';
import { StockRepository } from './features/catalogue/stock/stock.repository';
import { StockService } from './features/catalogue/stock/stock.service';
import { authEndpoints } from './features/identity/auth/auth.endpoints';
import { AuthService } from './features/identity/auth/auth.service';
import { sessionEndpoints } from './features/identity/auth/session.endpoints';
import { guardsOf } from './guards';

export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** commerce-api, put together by hand. Nothing connects before its components start. */
export const createApp = (config: Config, { logger, clock = systemClock }: Deps): Service & { database: Database } => {
  const production = config.APP_ENV === 'production';
  const database = openDatabase({ url: config.DATABASE_URL, schema, migrations, logger });
  const cache = openCache({ url: config.REDIS_URL, logger, name: 'commerce-api', optional: true });
  const subscribe = config.REDIS_URL ? cache.subscribe.bind(cache) : undefined;
  // The shop's public pages can do without keys, and token routes say 503 themselves
  const access = openTokenAccess(config, { logger, clock, subscribe, keysOptional: true });
  const storeAuth = httpClient('store-auth', config.STORE_AUTH_URL);
  const auth = new AuthService(httpIdentityClient(storeAuth, access.tokens));
  const bare = commerceBareEnvelope({ production });
  const products = new ProductsService(new ProductsRepository(database), config.PUBLIC_URL);
  const seed = seedCommand(database, clock);
  return {
    name: 'commerce-api',
    description: 'Stores, their catalogue, stock and orders',
    envelope: commerceEnvelope({ production }),
    endpoints: [
      ...stockEndpoints(new StockService(new StockRepository(database))),
      ...productsEndpoints(products),
      ...authEndpoints(auth, bare),
      ...sessionEndpoints(auth, bare),
    ],
    guards: { ...guardsOf(access.verifier) },
    components: [database, cache, storeAuth, ...access.components],
    callerKey: (caller) => {
      const { storeId, actor } = (caller ?? {}) as Partial<Caller>;
      return storeId && `${storeId} ${actor}`;
    },
    counter: cache,
    clientAddress: access.clientAddress,
    migrate: () => database.migrate(),
    commands: {
      seed: async (args) => {
        await database.start?.();
        await seed(args);
      },
    },
    database,
  };
};

export const program: Program<typeof settings> = {
  name: 'commerce-api',
  settings,
  create: (config, logger) => createApp(config, { logger }),
};
