import { clientAddress, ipAllowlist } from '@platform/auth';
import { storeAuthEnvelope } from '@platform/envelopes';
import type { Program, Service } from '@platform/http';
import { settings, type Config } from './config';
import { createEndpoints } from './endpoints';
import { Housekeeping } from './features/housekeeping/housekeeping';
import { SeedService } from './features/seed/seed.service';
import { createFoundation, type AppDependencies, type Foundation } from './foundation';
import { createGuards } from './guards';

const BODY_LIMIT = 100 * 1024;

/** The service, and the parts that tests look into. */
export const createApp = (config: Config, dependencies: AppDependencies): { service: Service; parts: Foundation } => {
  const parts = createFoundation(config, dependencies);
  const { database, cache, ring, passwords, clock, logger } = parts;
  const { endpoints, stock } = createEndpoints(config, parts);
  const production = config.APP_ENV === 'production';
  const proxies = ipAllowlist(config.TRUST_PROXY, { setting: 'TRUST_PROXY', production });
  const seeds = new SeedService(database, passwords);
  /** A command ends with its connections closed, or the process would linger. */
  const once = (work: () => Promise<void>) => work().finally(() => database.stop?.());
  const service: Service = {
    name: 'store-auth',
    description: "Login of store users, their tokens, and the platform's public keys",
    endpoints,
    guards: createGuards(parts),
    envelope: storeAuthEnvelope,
    bodyLimit: BODY_LIMIT,
    components: [
      { ...database, name: 'database' },
      { ...cache, optional: true },
      ring,
      passwords,
      stock,
      new Housekeeping(database, clock, logger),
    ],
    clientAddress: (remoteAddress, forwardedFor) => clientAddress({ remoteAddress, forwardedFor }, proxies),
    migrate: () => once(database.migrate),
    commands: {
      seed: ([text = '']) => once(async () => (await database.start?.(), await seeds.seed(text))),
    },
  };
  return { service, parts };
};

export const program: Program<typeof settings> = {
  name: 'store-auth',
  settings,
  create: (config, logger) => createApp(config, { logger }).service,
};
