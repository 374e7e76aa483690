import type { TokenAccess } from '@platform/auth';
import { redisConnection } from '@platform/data';
import { replicaAddress } from '@platform/http';
import type { Realtime } from '@platform/realtime';
import type { Clock, Logger } from '@platform/runtime';
import type { Config } from '../config';
import type { Access } from '../features/identity/access/public';
import type { LiveEvents } from './live.api';
import { liveSockets } from './live.sockets';

interface Parts extends Pick<TokenAccess, 'verifier' | 'revocations'> {
  readonly access: Access;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The sockets of the shop's members. */
export const composeLive = (config: Config, parts: Parts): Realtime<LiveEvents> => {
  const { REDIS_URL } = config;
  const { verifier, revocations, access, logger, clock } = parts;
  return liveSockets({
    // Its own pages alone connect from browsers
    ...{ verifier, revocations, access, logger, clock, cors: [], address: replicaAddress(config) },
    ...(REDIS_URL ? { redis: () => redisConnection(REDIS_URL, logger) } : {}),
  });
};
