import { aloneWithoutRedis, Housekeeping } from '@platform/data';
import { storeAuthEnvelope } from '@platform/envelopes';
import { seeding, type Program, type RecordedAnswers, type Service } from '@platform/http';
import { clientAddressOf } from './client-address';
import { settings, type Config } from './config';
import { createEndpoints } from './endpoints';
import { expiredRows } from './features/housekeeping/expired-rows';
import { opsCommand } from './features/ops/ops.command';
import { SeedService } from './features/seed/seed.service';
import { createFoundation, type AppDependencies, type Foundation } from './foundation.composition';
import { createGuards } from './guards';
import { createServices } from './services.composition';

const BODY_LIMIT = 100 * 1024;

/** Runs a command with storage open and closes it afterwards, or the process would linger. */
const withStorage =
  ({ database, shared, cache, logger }: Foundation) =>
  async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      await database.start?.();
      await shared.start();
      // Whatever is announced there is in the feed as well
      await cache
        .start?.()
        .catch((cause: unknown) => logger.warn('the cache is unavailable; continuing without it', { cause }));
      return await work();
    } finally {
      await Promise.allSettled([shared.stop(), cache.stop?.(), database.stop?.()]);
    }
  };

const createCommands = (config: Config, parts: Foundation, { ops }: ReturnType<typeof createServices>) => {
  const open = withStorage(parts);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const seeds = new SeedService(parts.database, parts.passwords, { password: config.SEED_PASSWORD, print });
  return {
    seed: seeding(([text = '']) => open(() => seeds.seed(text))),
    ops: {
      summary: 'users, their locks, and the signing keys; ops --help tells more',
      usage: '<command>',
      run: opsCommand((work) => open(() => work(ops))),
    },
  };
};

/** The service, and the parts that tests look into. */
export const createApp = (config: Config, dependencies: AppDependencies): { service: Service; parts: Foundation } => {
  const parts = createFoundation(config, dependencies);
  const { database, shared, cache, ring, passwords, clock, logger } = parts;
  const services = createServices(config, parts);
  const service: Service = {
    name: 'store-auth',
    description: "Login of store users, their tokens, and the platform's public keys",
    endpoints: createEndpoints(parts, services),
    guards: createGuards(parts),
    envelope: storeAuthEnvelope,
    bodyLimit: BODY_LIMIT,
    crossOrigin: { origins: config.CORS_ORIGINS, prefix: '/api/' },
    components: [
      [{ ...database, name: 'database' }, cache, passwords],
      shared,
      [ring, services.stock, ...aloneWithoutRedis({ config, name: 'store-auth', database, logger })],
      new Housekeeping(database, { clock, logger, expired: expiredRows(config.AUTH_EVENTS_DAYS) }),
    ],
    counter: cache,
    gauges: [services.sealing.gauge],
    clientAddress: clientAddressOf(config),
    migrate: () => database.migrate().finally(() => database.stop?.()),
    commands: createCommands(config, parts, services),
    answers: () => require('./examples.answers.json') as RecordedAnswers,
  };
  return { service, parts };
};

export const program: Program<typeof settings> = {
  name: 'store-auth',
  settings,
  create: (config, logger) => createApp(config, { logger }).service,
};
