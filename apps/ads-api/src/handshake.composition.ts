import type { Cache, Database } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Config } from './config';
import { FailureLimiter } from './features/handshake/failure-limiter';
import { handshakeEndpoints } from './features/handshake/handshake.endpoints';
import { HandshakeRepository } from './features/handshake/handshake.repository';
import { HandshakeService } from './features/handshake/handshake.service';

interface Parts {
  readonly database: Database;
  readonly cache: Cache;
  readonly clock: Clock;
}

/** How a client application proves who it is; the guards look its sessions up. */
export const composeHandshake = (config: Config, { database, cache, clock }: Parts) => {
  const handshakes = new HandshakeRepository(database);
  const tokenTtlSeconds = config.ACCESS_TOKEN_TTL_S;
  const handshake = new HandshakeService(
    handshakes,
    {
      bearerSecret: config.ADS_BEARER_SECRET,
      tokenTtlSeconds,
      windowMs: config.HANDSHAKE_WINDOW_MS,
      replayGraceMs: config.HANDSHAKE_REPLAY_GRACE_MS,
      signedStringTemplate: config.SIGNED_STRING_TEMPLATE,
    },
    clock,
  );
  const limiter = new FailureLimiter(cache, config.HANDSHAKE_FAIL_LIMIT_PER_MIN);
  return { handshakes, endpoints: handshakeEndpoints({ handshake, limiter, tokenTtlSeconds }) };
};
