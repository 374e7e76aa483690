import { createHash } from 'node:crypto';
import { Unavailable } from '@platform/errors';
import type { Logger } from '@platform/runtime';
import { createClient, ErrorReply } from 'redis';
import type { CacheBackend, CacheScript } from './cache.types';

const CONNECT_TIMEOUT_MS = 2_000;
const ATTEMPTS_AT_START = 5;
const LONGEST_PAUSE_MS = 2_000;
/** A Redis that hangs answers no ping either: its commands fail within this time. */
const SILENCE_MS = 3_000;

/** Temporary refusals: loading, failing over, out of memory, a script in an endless loop. */
const TEMPORARY = /^(LOADING|MASTERDOWN|READONLY|BUSY|OOM|TRYAGAIN)\b/;

const unavailable = (cause: unknown) =>
  new Unavailable('Redis cannot be reached. Try again shortly.', { cause, retryAfterSeconds: 1 });

const orUnavailable = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ErrorReply && !TEMPORARY.test(error.message)) throw error;
    throw unavailable(error);
  }
};

const connection = (url: string, name: string | undefined) => {
  let everReady = false;
  // Retries forever once connected; the first connection must fail with a reason instead.
  const reconnectStrategy = (retries: number): number | false =>
    everReady || retries < ATTEMPTS_AT_START
      ? Math.min(50 * 2 ** retries, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2)
      : false;
  const client = createClient({
    url,
    name,
    RESP: 3,
    // Fail at once instead of waiting for a server that may be down for long.
    disableOfflineQueue: true,
    pingInterval: SILENCE_MS / 3,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_MS, reconnectStrategy },
  });
  client.on('ready', () => (everReady = true));
  return client;
};

/** The text of a script is sent once per server start; after that only its digest. */
const digests = new WeakMap<CacheScript<unknown>, string>();
const digestOf = (script: CacheScript<unknown>): string => {
  const known = digests.get(script) ?? createHash('sha1').update(script.lua).digest('hex');
  digests.set(script, known);
  return known;
};

type Client = ReturnType<typeof connection>;

/**
 * Gives up what has no answer in time: the driver's own limit begins anew with every write, so a Redis that hangs would never be
 * noticed by a process that goes on asking. Until it answers again, or there is a new connection, nothing more is written; so
 * the driver's limit ends this one.
 */
const answersInTime = (client: Client) => {
  let isSilent = false;
  const answered = () => void (isSilent = false);
  client.on('ready', answered);
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (isSilent) throw unavailable(new Error('Redis does not answer'));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = () => {
        isSilent = true;
        reject(unavailable(new Error(`Redis did not answer within ${SILENCE_MS} ms`)));
      };
      // After what has arrived was read: a process that was busy for so long is not to blame Redis
      timer = setTimeout(() => (timer = setTimeout(giveUp, 1)), SILENCE_MS);
    });
    const asked = orUnavailable(call).finally(() => {
      clearTimeout(timer);
      answered();
    });
    return Promise.race([asked, late]);
  };
};

const logChanges = (client: Client, logger: Logger): void => {
  let reachable = true;
  client.on('ready', () => {
    if (!reachable) logger.info('redis is back');
    reachable = true;
  });
  // Without a listener the loss of the connection would end the process; each outage is reported once.
  client.on('error', (error: Error) => {
    if (reachable) logger.warn('the connection to redis was lost', { error: error.message });
    reachable = false;
  });
};

const evaluate = async (
  client: Client,
  script: CacheScript<unknown>,
  keys: readonly string[],
  args: readonly string[],
) => {
  const options = { keys: [...keys], arguments: [...args] };
  try {
    return await client.evalSha(digestOf(script), options);
  } catch (error) {
    if (error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')) return client.eval(script.lua, options);
    throw error;
  }
};

/** One connection for commands and subscriptions (RESP3 allows both); it reconnects and subscribes again by itself. */
export const redisBackend = (url: string, name: string | undefined, logger: Logger): CacheBackend => {
  const client = connection(url, name);
  logChanges(client, logger);
  const inTime = answersInTime(client);
  return {
    get: (key) => inTime(() => client.get(key)),
    set: async (key, value, ttlMs) =>
      void (await inTime(() => client.set(key, value, { expiration: { type: 'PX', value: ttlMs } }))),
    delete: async (key) => void (await inTime(() => client.del(key))),
    run: <Result>(script: CacheScript<Result>, keys: readonly string[], args: readonly string[]) =>
      inTime(() => evaluate(client, script, keys, args) as Promise<Result>),
    publish: async (channel, message) => void (await inTime(() => client.publish(channel, message))),
    subscribe: async (channel, handler) => {
      const listener = (message: string) => handler(message);
      await inTime(() => client.subscribe(channel, listener));
      // Without a connection the server need not know; the listener is dropped for the next one all the same.
      return () => client.unsubscribe(channel, listener).catch(() => undefined);
    },
    start: async () => void (await orUnavailable(() => client.connect())),
    stop: async () => {
      if (client.isReady) await client.close();
      else if (client.isOpen) client.destroy();
    },
    check: async () => void (await inTime(() => client.ping())),
  };
};
