import { outage, type Logger } from '@platform/runtime';
import { createClient } from 'redis';

/** Exactly the driver's client as this build configures it. */
const newClient = (url: string) => createClient({ url });

/** A Redis client that is not connected yet, for libraries that need the driver itself (socket.io's adapter). */
export const redisConnection = (url: string, logger: Logger): ReturnType<typeof newClient> => {
  const client = newClient(url);
  const server = outage({ failed: 'redis connection lost', answered: 'redis connection is back' }, logger);
  // Without a listener the driver's errors would end the process; it reconnects by itself, and fails again every two seconds
  client.on('error', (cause: unknown) => server.failed({ cause }));
  client.on('ready', server.answered);
  return client;
};
