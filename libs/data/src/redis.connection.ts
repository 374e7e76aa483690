import type { Logger } from '@platform/runtime';
import { createClient } from 'redis';

/** Exactly the driver's client as this build configures it. */
const newClient = (url: string) => createClient({ url });

/** A Redis client that is not connected yet, for libraries that need the driver itself (socket.io's adapter). */
export const redisConnection = (url: string, logger: Logger): ReturnType<typeof newClient> => {
  const client = newClient(url);
  // Without a listener the driver's errors would end the process; it reconnects by itself
  client.on('error', (cause: unknown) => logger.warn('redis connection lost', { cause }));
  return client;
};
