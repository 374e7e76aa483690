import { clientAddress, ipAllowlist } from '@platform/auth';
import { aloneWithoutRedis, Housekeeping, type Database } from '@platform/data';
import { adsEnvelope } from '@platform/envelopes';
import type { Program, Service } from '@platform/http';
import { migrateWithJobs } from '@platform/jobs';
import type { Component, Logger } from '@platform/runtime';
import { checkConfig, settings, type Config } from './config';
import { describeService } from './description';
import { EXPIRED } from './expired';
import { layFoundation, NAME, type Deps } from './foundation.composition';
import { guardsOf, type Application } from './guards';
import { composeHandshake } from './handshake.composition';
import { composeJobs } from './jobs.composition';
import { joined } from './room.parts';
import { composeRooms } from './rooms.composition';

export type { Deps } from './foundation.composition';

const BODY_LIMIT = 100 * 1024;

/** Whoever reads the log must know whether real money is moved. */
const sayUpstream = ({ ADS_UPSTREAM: upstream, GRAPH_BASE_URL: address }: Config, logger: Logger): Component => ({
  name: 'upstream',
  start: () => Promise.resolve(logger.info('upstream', { upstream, address })),
});

/** ads-api, wired by hand. Nothing connects before its components start. */
export const createApp = (config: Config, deps: Deps): Service & { database: Database } => {
  checkConfig(config);
  const parts = layFoundation(config, deps);
  const { database, cache, clock, logger } = parts;
  const proxies = ipAllowlist(config.TRUST_PROXY, {
    setting: 'TRUST_PROXY',
    production: config.APP_ENV === 'production',
  });
  const { handshakes, endpoints } = composeHandshake(config, parts);
  const rooms = joined(composeRooms(config, parts));
  const jobs = composeJobs(parts, rooms);
  return {
    name: NAME,
    description: describeService(config),
    envelope: adsEnvelope,
    bodyLimit: BODY_LIMIT,
    endpoints: [...endpoints, ...rooms.endpoints],
    guards: { ...guardsOf(handshakes, clock) },
    components: [
      sayUpstream(config, logger),
      [database, cache],
      aloneWithoutRedis({ config, database, name: NAME, logger }),
      ...rooms.components,
      [new Housekeeping(database, { clock, logger, expired: EXPIRED }), jobs],
    ],
    gauges: rooms.gauges,
    callerKey: (caller) => (caller as Application | undefined)?.id,
    clientAddress: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies),
    docsPath: '/docs/api',
    migrate: () => migrateWithJobs(database, jobs),
    commands: rooms.commands,
    database,
  };
};

export const program: Program<typeof settings> = {
  name: NAME,
  settings,
  create: (config, logger) => createApp(config, { logger }),
};
