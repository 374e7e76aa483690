import { openTokenAccess, type KeySource } from '@platform/auth';
import { openCache, openDatabase, type Database } from '@platform/data';
import { chatEnvelope } from '@platform/envelopes';
import type { Endpoint, Program, Service } from '@platform/http';
import { openJobQueue } from '@platform/jobs';
import type { Component, Logger } from '@platform/runtime';
import type { BotClient } from './clients/bot.client';
import type { CommerceClient } from './clients/commerce.client';
import type { GatewayClient } from './clients/gateway.client';
import { settings, type Config } from './config';
import { migrations, SCHEMA } from './data-source';
import { composeDelivery } from './delivery.composition';
import { composeInbox } from './inbox.composition';
import { composeLifecycle } from './lifecycle.composition';
import { callerKey, chatGuards } from './guards';
import { homeEndpoints } from './features/home/home.endpoints';
import { seed } from './features/seed/seed.command';
import { composeSockets } from './sockets.composition';
import { composeSync } from './sync.composition';
import { composeTickets } from './tickets.composition';

const NAME = 'chat-backend';

/** What one composition adds to the service. */
interface Area {
  readonly endpoints?: readonly Endpoint[];
  readonly components: readonly Component[];
}

export interface Deps {
  readonly logger: Logger;
  /** Public keys of tokens; those of store-auth when left out. */
  readonly keys?: KeySource;
  readonly gateway?: GatewayClient;
  readonly bot?: BotClient;
  readonly commerce?: CommerceClient;
}

export const createApp = (config: Config, deps: Deps): { service: Service; database: Database } => {
  const { logger } = deps;
  const { DATABASE_URL, REDIS_URL } = config;
  const database = openDatabase({ url: DATABASE_URL, schema: SCHEMA, migrations, logger, name: NAME });
  const cache = openCache({ url: REDIS_URL, logger, name: NAME, optional: true });
  const subscribe = REDIS_URL ? cache.subscribe.bind(cache) : undefined;
  const access = openTokenAccess(config, { logger, keys: deps.keys, subscribe });
  const { verifier, tokens } = access;
  const sockets = composeSockets(config, { database, access, logger });
  const inbox = composeInbox(config, { database, sockets, queue: openJobQueue(`${SCHEMA}_jobs`), logger });
  const lifecycle = composeLifecycle(config, { database, inbox, logger });
  const delivery = composeDelivery(config, { ...deps, database, inbox, timers: lifecycle.timers, tokens });
  const sync = composeSync({ database, cache, devices: inbox.devices, logger });
  const areas: readonly Area[] = [inbox, lifecycle, sync, composeTickets(database, inbox), delivery];
  const service: Service = {
    name: NAME,
    description:
      'Receives WhatsApp traffic from the gateway, keeps the inbox, and sends what agents and the bot answer',
    endpoints: [...homeEndpoints, ...areas.flatMap(({ endpoints = [] }) => endpoints)],
    guards: { ...chatGuards(config, verifier) },
    variants: { admin: { suffix: '_admin', guard: 'admin' }, crm: { suffix: '_crm', guard: 'crm' } },
    envelope: chatEnvelope,
    components: [database, cache, ...access.components, sockets, ...areas.flatMap(({ components }) => components)],
    callerKey,
    counter: cache,
    rate: { guards: ['jwt'], requests: config.RATE_PER_MINUTE, perSeconds: 60 },
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
