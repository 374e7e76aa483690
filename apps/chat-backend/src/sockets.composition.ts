import type { TokenAccess } from '@platform/auth';
import { redisConnection, type Database } from '@platform/data';
import { replicaAddress } from '@platform/http';
import type { Realtime } from '@platform/realtime';
import type { Logger } from '@platform/runtime';
import type { Config } from './config';
import { mediaLinks } from './features/media/media.links';
import { chatSockets } from './features/sockets/chat.sockets';
import type { ChatEvents } from './features/sockets/socket.api';

interface SocketParts {
  readonly database: Database;
  readonly access: Pick<TokenAccess, 'verifier' | 'revocations'>;
  readonly logger: Logger;
}

/** The socket.io endpoint. */
export const composeSockets = (config: Config, { database, access, logger }: SocketParts): Realtime<ChatEvents> => {
  const { REDIS_URL, CORS_ORIGINS } = config;
  return chatSockets({
    ...access,
    sql: database,
    media: mediaLinks(config),
    cors: CORS_ORIGINS,
    address: replicaAddress(config),
    ...(REDIS_URL ? { redis: () => redisConnection(REDIS_URL, logger) } : {}),
    logger,
  });
};
