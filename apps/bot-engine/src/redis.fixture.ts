import { redisConnection } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';

/** Redis has 16 of them; the first is for tests whose keys are named at random. */
const DATABASES = 15;

let emptied: Promise<unknown> | undefined;

/** Runs one command of the test itself. */
export const redisCommand = async (url: string, ...command: string[]): Promise<unknown> => {
  const client = redisConnection(url, silentLogger);
  await client.connect();
  try {
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
};

/**
 * The logical database of this worker on that server, emptied once for every spec file: bots on one Redis take up each other's
 * messages, whatever PostgreSQL they have. An address that names a database stays.
 */
export const ownRedis = async (url: string): Promise<string> => {
  const own = new URL(url);
  if (own.pathname.length > 1) return url;
  own.pathname = `/${(Number(environment.JEST_WORKER_ID ?? 0) % DATABASES) + 1}`;
  await (emptied ??= redisCommand(own.href, 'FLUSHDB'));
  return own.href;
};
