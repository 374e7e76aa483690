import { openTokenAccess, type KeySource } from '@platform/auth';
import { openCache, openDatabase, redisConnection, type Database } from '@platform/data';
import { chatEnvelope } from '@platform/envelopes';
import type { Program, Service } from '@platform/http';
import { openJobQueue } from '@platform/jobs';
import type { Logger } from '@platform/runtime';
import type { BotClient } from './clients/bot.client';
import type { GatewayClient } from './clients/gateway.client';
import { settings, type Config } from './config';
import { migrations, SCHEMA } from './data-source';
import { composeDelivery } from './delivery.composition';
import { composeInbox } from './inbox.composition';
import { callerKey, chatGuards } from './guards';
import { homeEndpoints } from './features/home/home.endpoints';
import { seed } from './features/seed/seed.command';
import { chatSockets } from './features/sockets/chat.sockets';

const NAME = 'chat-backend';

export interface Deps {
  readonly logger: Logger;
  /** Public keys of tokens; those of store-auth when left out. */
  readonly keys?: KeySource;
  readonly gateway?: GatewayClient;
  readonly bot?: BotClient;
}

export const createApp = (config: Config, deps: Deps): { service: Service; database: Database } => {
  const { logger } = deps;
  const { DATABASE_URL, REDIS_URL, ALLOWED_IPS, TRUST_PROXY, APP_ENV, CORS_ORIGINS } = config;
  const database = openDatabase({ url: DATABASE_URL, schema: SCHEMA, migrations, logger, name: NAME });
  const cache = openCache({ url: REDIS_URL, logger, name: NAME, optional: true });
  const subscribe = REDIS_URL ? cache.subscribe.bind(cache) : undefined;
  const access = openTokenAccess(config, { logger, keys: deps.keys, subscribe });
  const { verifier, tokens } = access;
  const sockets = chatSockets({
    verifier,
    sql: database,
    cors: CORS_ORIGINS,
    ...(REDIS_URL ? { redis: () => redisConnection(REDIS_URL, logger) } : {}),
    logger,
  });
  const inbox = composeInbox(config, { database, sockets, queue: openJobQueue(`${SCHEMA}_jobs`) });
  const delivery = composeDelivery(config, { ...deps, database, inbox, tokens });
  const service: Service = {
    name: NAME,
    description:
      'Receives WhatsApp traffic from the gateway, keeps the inbox, and sends what agents and the bot answer',
    endpoints: [...homeEndpoints, ...inbox.endpoints],
    guards: {
      ...chatGuards({
        verifier,
        allowedIps: ALLOWED_IPS,
        trustedProxies: TRUST_PROXY,
        production: APP_ENV === 'production',
      }),
    },
    variants: { admin: { suffix: '_admin', guard: 'admin' }, crm: { suffix: '_crm', guard: 'crm' } },
    envelope: chatEnvelope,
    components: [database, cache, ...access.components, sockets, ...inbox.components, ...delivery.components],
    callerKey,
    counter: cache,
    clientAddress: access.clientAddress,
    attach: (server) => sockets.attach(server),
    migrate: () => delivery.migrate().finally(() => database.stop?.()),
    commands: { seed: seed(database) },
  };
  return { service, database };
};

export const program: Program<typeof settings> = {
  name: NAME,
  settings,
  create: (config, logger) => createApp(config, { logger }).service,
};
