import { clientAddress, ipAllowlist } from '@platform/auth';
import { openCache, openDatabase, type Database } from '@platform/data';
import { adsEnvelope } from '@platform/envelopes';
import type { Program, Service } from '@platform/http';
import { systemClock, type Clock, type Logger } from '@platform/runtime';
import { settings, type Config } from './config';
import { entities, migrations, schema } from './data-source';
import { description } from './description';
import { applicationsCommand, seedCommand } from './features/applications/applications.commands';
import { FailureLimiter } from './features/handshake/failure-limiter';
import { handshakeEndpoints } from './features/handshake/handshake.endpoints';
import { HandshakeRepository } from './features/handshake/handshake.repository';
import { HandshakeService } from './features/handshake/handshake.service';
import { socialAccountsEndpoints } from './features/social/social-accounts.endpoints';
import { SocialAccountsRepository } from './features/social/social-accounts.repository';
import { guardsOf, type Application } from './guards';

export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** ads-api, put together by hand. Nothing connects before its components start. */
export const createApp = (config: Config, { logger, clock = systemClock }: Deps): Service & { database: Database } => {
  const database = openDatabase({ url: config.DATABASE_URL, schema, entities, migrations, logger });
  const cache = { ...openCache({ url: config.REDIS_URL, logger, name: 'ads-api' }), optional: true };
  const proxies = ipAllowlist(config.TRUST_PROXY, {
    setting: 'TRUST_PROXY',
    production: config.APP_ENV === 'production',
  });
  const handshakes = new HandshakeRepository(database);
  const handshake = new HandshakeService(
    handshakes,
    {
      bearerSecret: config.ADS_BEARER_SECRET,
      tokenTtlSeconds: config.ACCESS_TOKEN_TTL_S,
      windowMs: config.HANDSHAKE_WINDOW_MS,
      replayGraceMs: config.HANDSHAKE_REPLAY_GRACE_MS,
      signedStringTemplate: config.SIGNED_STRING_TEMPLATE,
    },
    clock,
  );
  const limiter = new FailureLimiter(cache, config.HANDSHAKE_FAIL_LIMIT_PER_MIN);
  const onDatabase = (command: (args: readonly string[]) => Promise<void>) => async (args: readonly string[]) => {
    await database.start?.();
    await command(args);
  };
  return {
    name: 'ads-api',
    description,
    envelope: adsEnvelope,
    endpoints: [
      ...handshakeEndpoints({ handshake, limiter, tokenTtlSeconds: config.ACCESS_TOKEN_TTL_S }),
      ...socialAccountsEndpoints(new SocialAccountsRepository(database)),
    ],
    guards: { ...guardsOf(handshakes, clock) },
    components: [database, cache],
    callerKey: (caller) => (caller as Application | undefined)?.id,
    clientAddress: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies),
    docsPath: '/docs/api',
    migrate: () => database.migrate(),
    commands: {
      applications: onDatabase(applicationsCommand({ database, clock })),
      seed: onDatabase(seedCommand({ database, clock })),
    },
    database,
  };
};

export const program: Program<typeof settings> = {
  name: 'ads-api',
  settings,
  create: (config, logger) => createApp(config, { logger }),
};
