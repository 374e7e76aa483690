import { localKeys, secretBox, tokenSigner, type KeySource } from '@platform/auth';
import { databaseOptions, openCache, openDatabase, SharedClock } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { Config } from './config';
import { entities, migrations, SCHEMA } from './data-source';
import { AuditRepository } from './features/audit/audit.repository';
import { EventFeed } from './features/events/event-feed';
import { KeyRing } from './features/keys/key-ring.service';
import { SigningKeyRepository } from './features/keys/signing-key.repository';
import { SecretHasher, type HashCost } from '@platform/auth/hashing';
import { ServiceClients } from './features/issuing/service-clients';
import { SessionRepository } from './features/sessions/session.repository';
import { PreviewRepository } from './features/tokens/preview.repository';
import { TokenInspector } from './features/tokens/token-inspector';
import { TokenIssuer } from './features/issuing/token-issuer';
import { UserRepository } from './features/accounts/users.repository';

export interface AppDependencies {
  readonly logger: Logger;
  /** Instead of the database's. */
  readonly clock?: Clock;
  /** Replaces the configured one, which has a floor: tests hash a hundred times. */
  readonly hashCost?: HashCost;
}

/** A key that is not known here may sign at another replica already. */
const ownKeys = (ring: KeyRing): KeySource => {
  const known = localKeys(ring.published);
  return { ...known, find: async (kid) => (await known.find(kid)) ?? ring.freshen().then(() => known.find(kid)) };
};

/** What the features are built on: storage, keys and the tokens made with them. Nothing connects here. */
export const createFoundation = (config: Config, { logger, clock: given, hashCost }: AppDependencies) => {
  const database = openDatabase({ ...databaseOptions(config), schema: SCHEMA, entities, migrations, logger });
  // What one process writes another compares with its time: a grace of seconds, a lock, a key's age
  const shared = new SharedClock(database, logger);
  const clock = given ?? shared;
  const cache = openCache({ url: config.REDIS_URL, logger, optional: true });
  const box = secretBox(config.SIGNING_KEY_SECRET, { setting: 'SIGNING_KEY_SECRET' });
  const repository = new SigningKeyRepository(database);
  const events = new EventFeed(database, cache, clock);
  const publish = events.publish.bind(events);
  const ring = new KeyRing({ repository, box, rotateDays: config.KEY_ROTATE_DAYS, clock, logger, publish });
  const keys = ownKeys(ring);
  const clients = new ServiceClients(config.SERVICE_CLIENTS);
  const [sessions, previews] = [new SessionRepository(), new PreviewRepository()];
  const cost = { memoryCost: config.ARGON2_M, timeCost: config.ARGON2_T, parallelism: config.ARGON2_P };
  return {
    database,
    cache,
    box,
    ring,
    keys,
    clients,
    sessions,
    previews,
    clock,
    shared,
    logger,
    audit: new AuditRepository(clock),
    events,
    issuer: new TokenIssuer(tokenSigner({ currentKey: ring.current, clock }), config.ACCESS_AUD),
    passwords: new SecretHasher('passwords', { cost: hashCost ?? cost }),
    tokens: new TokenInspector({ database, sessions, previews, clients, keys, clock, logger }),
    users: new UserRepository(database),
  };
};

export type Foundation = ReturnType<typeof createFoundation>;
