import { openTokenAccess, type KeySource } from '@platform/auth';
import { databaseOptions, openCache, openDatabase, redisConnection, type Database } from '@platform/data';
import { botStatusCodeEnvelope } from '@platform/envelopes';
import { replicaAddress, type Program, type RecordedAnswers, type Service } from '@platform/http';
import { asyncapi, openRealtime } from '@platform/realtime';
import { openJobs, type Tasks } from '@platform/jobs';
import { Sends, systemClock, type Clock, type Logger } from '@platform/runtime';
import { joined } from './area';
import { composeShops } from './commerce.composition';
import { settings, type Config } from './config';
import { internally } from './endpoint';
import { entities, migrations, SCHEMA } from './data-source';
import { composeAgents } from './features/agents/agents.composition';
import { healthEndpoints } from './features/health/health.endpoints';
import { sandboxRefusal } from './features/model/sandbox.refusal';
import { noticeEndpoints } from './features/notice/notice.endpoints';
import { botSocketApi, type BotEvents } from './features/notice/notice.events';
import { callerKey, createGuards } from './guards';
import { JOB_SESSIONS, jobQueue, JOBS_SCHEMA, type BotJobs } from './jobs';
import { composeRooms } from './rooms.composition';

const NAME = 'bot-engine';

export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Public keys of tokens; store-auth's by default. */
  readonly keys?: KeySource;
  /** How long an agent that was read may be used again; a minute by default. */
  readonly agentsKeptMs?: number;
  /** What its keys in Redis begin with; its own name by default. */
  readonly cacheName?: string;
}

export const createApp = (config: Config, deps: Deps): { service: Service; database: Database } => {
  const { logger, clock = systemClock } = deps;
  const { REDIS_URL } = config;
  const own = { directSessions: JOB_SESSIONS, schema: SCHEMA, entities, migrations };
  const options = { ...databaseOptions(config), ...own };
  const database = openDatabase({ ...options, logger, name: NAME });
  const cache = openCache({ url: REDIS_URL, logger, name: deps.cacheName ?? NAME });
  // Contract: the event is global, without authentication and without a tenant's room
  const authenticate = () => ({ session: undefined, rooms: [] });
  const redis = REDIS_URL ? () => redisConnection(REDIS_URL, logger) : undefined;
  const address = replicaAddress(config);
  const realtime = openRealtime<BotEvents, undefined>({ name: NAME, address, authenticate, cors: '*', redis, logger });
  const subscribe = REDIS_URL ? cache.subscribe.bind(cache) : undefined;
  // By contract /health and /ready ignore store-auth; token routes answer 503 themselves
  const access = openTokenAccess(config, { ...deps, subscribe, keysOptional: true });
  const agents = composeAgents(config, { ...deps, database, cache, clock });
  const { commerce, stores, components } = composeShops(config, { database, tokens: access.tokens, clock, logger });
  const sends = new Sends(config.SENDS);
  const base = { database, cache, clock, logger, queue: jobQueue(), sends, tokens: access.tokens, realtime };
  const parts = { ...base, agents, commerce, stores };
  const rooms = joined(composeRooms(config, parts));
  const jobs = openJobs<BotJobs>({
    ...{ database, logger, sends, runners: rooms.runners },
    ...{ name: NAME, schema: JOBS_SCHEMA, tasks: rooms.jobs as Tasks<BotJobs> },
  });
  const service: Service = {
    name: NAME,
    description: 'Answers customers with an automated agent and announces new messages to realtime clients',
    endpoints: [
      ...healthEndpoints(cache, REDIS_URL ? 'redis' : 'memory'),
      ...noticeEndpoints(realtime, cache),
      ...internally(rooms.endpoints, { production: config.APP_ENV === 'production' }),
    ],
    guards: { ...createGuards(config, access.verifier) },
    envelope: botStatusCodeEnvelope,
    components: [
      [database, cache, realtime, sandboxRefusal(config, logger)],
      [...access.components, ...components],
      // One after the other: who leads turns stands on the others
      ...rooms.components,
      jobs,
    ],
    callerKey,
    counter: cache,
    clientAddress: access.clientAddress,
    unknownRoute: { prefix: '/api', guard: 'jwt' },
    ownHealth: true,
    sockets: () => asyncapi(botSocketApi),
    answers: () => require('./examples.answers.json') as RecordedAnswers,
    attach: (server) => realtime.attach(server),
    migrate: async () => {
      try {
        await database.migrate();
        if ((await jobs.pending()).length > 0) await jobs.migrate();
      } finally {
        await database.stop?.();
      }
    },
    gauges: rooms.gauges,
    commands: rooms.commands,
  };
  return { service, database };
};

export const program: Program<typeof settings> = {
  name: NAME,
  settings,
  create: (config, logger) => createApp(config, { logger }).service,
};
