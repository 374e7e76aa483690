import { openTokenAccess } from '@platform/auth';
import { PageCursor, pgIdempotency, type Database } from '@platform/data';
import { commerceEnvelope } from '@platform/envelopes';
import type { Program, Service } from '@platform/http';
import { migrateWithJobs } from '@platform/jobs';
import { asyncapi } from '@platform/realtime';
import { callerKey, groupsOf } from './abilities';
import { onDatabase } from './area';
import { composeAreas } from './areas.composition';
import { smtpMailer } from './clients/mail.client';
import { checkConfig, settings, type Config } from './config';
import type { Deps } from './deps';
import { merchantHosts } from './features/outside/outside.composition';
import { openGateways } from './clients/gateways';
import { gatewayPlaces } from './clients/gateway.settings';
import { Access } from './features/identity/access/public';
import { fairness, guardsOf } from './guards';
import { composeJobs } from './jobs.composition';
import { recordedAnswers } from './recorded.answers';
import { jobQueue } from './jobs';
import { composeLive } from './live/live.composition';
import { liveApi } from './live/public';
import { composeShared } from './shared.composition';
import { composeSiblings } from './siblings.composition';
import { composeWeb } from './web/web.composition';

/** commerce-api, wired by hand. Nothing connects before its components start. */
export const createApp = (config: Config, deps: Deps): Service & { database: Database } => {
  checkConfig(config);
  const { logger, mailer = smtpMailer(config.SMTP_URL, config.MAIL_FROM) } = deps;
  const { database, cache, subscribe, clock, ticking, alone } = composeShared(config, deps);
  const gateways = deps.gateways ?? openGateways(gatewayPlaces(config), clock);
  // The shop's public pages need no keys, and token routes answer 503 themselves
  const tokens = openTokenAccess(config, { logger, clock, subscribe, keysOptional: true });
  const access = new Access(database, clock);
  const cursors = new PageCursor(`cursors of ${config.SERVICE_CLIENT_SECRET}`);
  const live = composeLive(config, { ...tokens, access, logger, clock });
  const parts = { database, clock, logger, cursors, queue: jobQueue(), live };
  const { components: siblingComponents, ...siblings } = composeSiblings(config, tokens.tokens, parts);
  const areas = composeAreas(config, { ...parts, siblings, access, mailer, gateways, outside: deps.outside, cache });
  const hosts = merchantHosts(config, parts);
  const jobs = composeJobs(config, parts, areas.jobs);
  const api = { ...guardsOf({ ...tokens, ...siblings, access }, areas.abilities), ...areas.guards };
  const { housekeeping, streams, ...web } = composeWeb(config, { ...deps, ...parts, ...siblings, ...areas, api });
  return {
    name: 'commerce-api',
    description: 'Stores, their catalogue, stock and orders',
    envelope: commerceEnvelope({ production: config.APP_ENV === 'production' }),
    ...web,
    hides: (request, guard) => hosts.hides(request, guard),
    leads: (request) => hosts.leads(request),
    components: [
      [database, cache, mailer, live, ...siblingComponents, ...(gateways.components ?? []), ...areas.components],
      ticking,
      alone,
      [...tokens.components, jobs, housekeeping, streams],
    ],
    gauges: areas.gauges,
    ...fairness(config, areas.abilities),
    callerKey,
    groupsOf,
    counter: cache,
    idempotency: pgIdempotency(database),
    sockets: () => asyncapi(liveApi),
    attach: (server) => live.attach(server),
    answers: recordedAnswers,
    clientAddress: tokens.clientAddress,
    migrate: () => migrateWithJobs(database, jobs),
    commands: onDatabase(database, areas.commands),
    database,
  };
};

export const program: Program<typeof settings> = {
  name: 'commerce-api',
  settings,
  create: (config, logger) => createApp(config, { logger }),
};
