import { clientAddress, ipAllowlist } from '@platform/auth';
import { openCache, openDatabase, type Database } from '@platform/data';
import { commerceBareEnvelope, commerceEnvelope } from '@platform/envelopes';
import type { Program, Service } from '@platform/http';
import { systemClock, type Clock, type Logger } from '@platform/runtime';
import type { Caller } from './abilities';
import { openAccess } from './access';
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
import { guardsOf } from './guards';

export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** commerce-api, put together by hand. Nothing connects before its components start. */
export const createApp = (config: Config, { logger, clock = systemClock }: Deps): Service & { database: Database } => {
  const production = config.APP_ENV === 'production';
  const database = openDatabase({ url: config.DATABASE_URL, schema, migrations, logger });
  const cache = { ...openCache({ url: config.REDIS_URL, logger, name: 'commerce-api' }), optional: true };
  const proxies = ipAllowlist(config.TRUST_PROXY, { setting: 'TRUST_PROXY', production });
  const access = openAccess(config, { cache, logger, clock });
  const products = new ProductsService(new ProductsRepository(database), config.PUBLIC_URL);
  const seed = seedCommand(database, clock);
  return {
    name: 'commerce-api',
    description: 'Stores, their catalogue, stock and orders',
    envelope: commerceEnvelope({ production }),
    endpoints: [
      ...stockEndpoints(new StockService(new StockRepository(database))),
      ...productsEndpoints(products),
      ...authEndpoints(new AuthService(access.identity), commerceBareEnvelope({ production })),
    ],
    guards: { ...guardsOf(access.verifier) },
    components: [database, cache, ...access.components],
    callerKey: (caller) => {
      const { storeId, actor } = (caller ?? {}) as Partial<Caller>;
      return storeId && `${storeId} ${actor}`;
    },
    counter: cache,
    clientAddress: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies),
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
