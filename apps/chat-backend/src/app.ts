import { openTokenAccess, type KeySource } from '@platform/auth';
import { aloneWithoutRedis, openCache, type Database } from '@platform/data';
import { chatEnvelope } from '@platform/envelopes';
import type { Program, Service } from '@platform/http';
import { Sends, type Logger } from '@platform/runtime';
import { composeCommands } from './commands.composition';
import { settings, type Config } from './config';
import type { Peers } from './delivery.composition';
import { documentation } from './documentation';
import { callerKey, chatGuards, rateOf, UPLOADS } from './guards';
import { handledEndpoints } from './features/handled/handled.endpoints';
import { homeEndpoints } from './features/home/home.endpoints';
import { composeSockets } from './sockets.composition';
import {
  composeCrmSource,
  composeSource,
  everyDirectory,
  migrateAll,
  openSource,
  variantsOf,
} from './source.composition';
import { composeSync } from './sync.composition';
import { VariantGuard } from './variant-guard';

const NAME = 'chat-backend';

export interface Deps extends Omit<Peers, 'sends' | 'tokens'> {
  readonly logger: Logger;
  readonly sends?: Sends;
  /** Public keys of tokens; those of store-auth when left out. */
  readonly keys?: KeySource;
}

export const createApp = (config: Config, deps: Deps): { service: Service; database: Database } => {
  const { logger, sends = new Sends(config.SENDS) } = deps;
  const { REDIS_URL } = config;
  const database = openSource(config, NAME, logger);
  const cache = openCache({ url: REDIS_URL, logger, name: NAME, optional: true });
  const subscribe = REDIS_URL ? cache.subscribe.bind(cache) : undefined;
  const access = openTokenAccess(config, { logger, keys: deps.keys, subscribe });
  const { verifier, tokens } = access;
  const sockets = composeSockets(config, { database, access, logger });
  const main = composeSource(config, database, { ...deps, sockets, tokens, sends });
  const crm = composeCrmSource(config, `${NAME} crm`, { ...deps, sockets, tokens, sends });
  const sources = crm ? [main, crm] : [main];
  const sync = composeSync({
    ...{ sources, cache, devices: everyDirectory(sources), sockets, logger },
    tellsContacts: config.COMMERCE_URL !== undefined,
  });
  const variants = new VariantGuard(config, logger);
  const service: Service = {
    name: NAME,
    ...documentation(config),
    endpoints: [...homeEndpoints, ...main.endpoints, ...sync.endpoints, ...handledEndpoints(sources)],
    guards: { ...chatGuards(config, verifier, variants) },
    variants: variantsOf(crm),
    envelope: chatEnvelope,
    components: [
      [...sources.map((one) => one.database), variants, cache, sockets],
      [...sources.map((one) => one.clock), ...aloneWithoutRedis({ config, database, name: NAME, logger })],
      [...access.components, ...sync.components, ...sources.flatMap((one) => one.components)],
    ],
    gauges: [variants.gauge],
    callerKey,
    counter: cache,
    rate: rateOf(config),
    uploads: UPLOADS,
    clientAddress: access.clientAddress,
    attach: (server) => sockets.attach(server),
    migrate: () => migrateAll(sources),
    commands: composeCommands(config, database),
  };
  return { service, database };
};

export const program: Program<typeof settings> = {
  name: NAME,
  settings,
  create: (config, logger) => createApp(config, { logger }).service,
};
