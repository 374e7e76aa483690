import { openTokenAccess, type KeySource } from '@platform/auth';
import { databaseOptions, openCache, openDatabase, redisConnection, type Database } from '@platform/data';
import { botStatusCodeEnvelope } from '@platform/envelopes';
import { replicaAddress, seeding, type Program, type RecordedAnswers, type Service } from '@platform/http';
import { asyncapi, openRealtime } from '@platform/realtime';
import { systemClock, type Clock, type Logger } from '@platform/runtime';
import { composeChatbot } from './chatbot.composition';
import { settings, type Config } from './config';
import { entities, migrations, SCHEMA } from './data-source';
import { chatbotEndpoints } from './features/chatbot/chatbot.endpoints';
import { healthEndpoints } from './features/health/health.endpoints';
import { sandboxRefusal } from './features/model/sandbox.refusal';
import { noticeEndpoints } from './features/notice/notice.endpoints';
import { botSocketApi, type BotEvents } from './features/notice/notice.events';
import { callerKey, createGuards } from './guards';

const NAME = 'bot-engine';

export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Public keys of tokens; store-auth's by default. */
  readonly keys?: KeySource;
}

export const createApp = (config: Config, deps: Deps): { service: Service; database: Database } => {
  const { logger, clock = systemClock } = deps;
  const { REDIS_URL } = config;
  const options = { ...databaseOptions(config), schema: SCHEMA, entities, migrations };
  const database = openDatabase({ ...options, logger, name: NAME });
  const cache = openCache({ url: REDIS_URL, logger, name: NAME });
  // Contract: the event is global, without authentication and without a tenant's room
  const authenticate = () => ({ session: undefined, rooms: [] });
  const redis = REDIS_URL ? () => redisConnection(REDIS_URL, logger) : undefined;
  const address = replicaAddress(config);
  const realtime = openRealtime<BotEvents, undefined>({ name: NAME, address, authenticate, cors: '*', redis, logger });
  const subscribe = REDIS_URL ? cache.subscribe.bind(cache) : undefined;
  // By contract /health and /ready ignore store-auth; token routes answer 503 themselves
  const access = openTokenAccess(config, { ...deps, subscribe, keysOptional: true });
  const { chatbot, seed } = composeChatbot(config, { database, cache, clock, logger });
  const service: Service = {
    name: NAME,
    description: 'Answers customers with an automated agent and announces new messages to realtime clients',
    endpoints: [
      ...healthEndpoints(cache, REDIS_URL ? 'redis' : 'memory'),
      ...chatbotEndpoints(chatbot, clock),
      ...noticeEndpoints(realtime, cache),
    ],
    guards: { ...createGuards(config, access.verifier) },
    envelope: botStatusCodeEnvelope,
    components: [[database, cache, realtime, sandboxRefusal(config, logger)], access.components],
    callerKey,
    counter: cache,
    clientAddress: access.clientAddress,
    unknownRoute: { prefix: '/api', guard: 'jwt' },
    ownHealth: true,
    sockets: () => asyncapi(botSocketApi),
    answers: () => require('./examples.answers.json') as RecordedAnswers,
    attach: (server) => realtime.attach(server),
    draining: () => chatbot.drain(),
    migrate: () => database.migrate().finally(() => database.stop?.()),
    commands: { seed: seeding(seed) },
  };
  return { service, database };
};

export const program: Program<typeof settings> = {
  name: NAME,
  settings,
  create: (config, logger) => createApp(config, { logger }).service,
};
