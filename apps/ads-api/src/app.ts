import { clientAddress, ipAllowlist } from '@platform/auth';
import { databaseOptions, Housekeeping, openCache, openDatabase, type Database } from '@platform/data';
import { adsEnvelope } from '@platform/envelopes';
import { seeding, type Program, type Service } from '@platform/http';
import { systemClock, type Clock, type Logger } from '@platform/runtime';
import { settings, type Config } from './config';
import { entities, migrations, schema } from './data-source';
import { description } from './description';
import { applicationsCommand, seedCommand } from './features/applications/applications.commands';
import { ApplicationsRepository } from './features/applications/applications.repository';
import { socialAccountsEndpoints } from './features/social/social-accounts.endpoints';
import { SocialAccountsRepository } from './features/social/social-accounts.repository';
import { EXPIRED_HANDSHAKES } from './features/handshake/expired-handshakes';
import { guardsOf, type Application } from './guards';
import { composeHandshake } from './handshake.composition';

export interface Deps {
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** ads-api, wired by hand. Nothing connects before its components start. */
export const createApp = (config: Config, { logger, clock = systemClock }: Deps): Service & { database: Database } => {
  const database = openDatabase({ ...databaseOptions(config), schema, entities, migrations, logger });
  const cache = { ...openCache({ url: config.REDIS_URL, logger, name: 'ads-api' }), optional: true };
  const proxies = ipAllowlist(config.TRUST_PROXY, {
    setting: 'TRUST_PROXY',
    production: config.APP_ENV === 'production',
  });
  const { handshakes, endpoints } = composeHandshake(config, { database, cache, clock });
  const applications = new ApplicationsRepository(database);
  const onDatabase = (command: (args: readonly string[]) => Promise<void>) => async (args: readonly string[]) => {
    await database.start?.();
    await command(args);
  };
  return {
    name: 'ads-api',
    description,
    envelope: adsEnvelope,
    endpoints: [...endpoints, ...socialAccountsEndpoints(new SocialAccountsRepository(database))],
    guards: { ...guardsOf(handshakes, clock) },
    components: [[database, cache], new Housekeeping(database, { clock, logger, expired: EXPIRED_HANDSHAKES })],
    callerKey: (caller) => (caller as Application | undefined)?.id,
    clientAddress: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies),
    docsPath: '/docs/api',
    migrate: () => database.migrate(),
    commands: {
      applications: {
        summary: 'registers, lists and disables client applications',
        usage: 'create | list | disable',
        run: onDatabase(applicationsCommand({ applications, clock })),
      },
      seed: seeding(onDatabase(seedCommand({ applications, clock }))),
    },
    database,
  };
};

export const program: Program<typeof settings> = {
  name: 'ads-api',
  settings,
  create: (config, logger) => createApp(config, { logger }),
};
