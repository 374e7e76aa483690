import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '@platform/errors';
import { untilNothingLacks, type Logger, type Starting } from '@platform/runtime';
import { createClient, ErrorReply } from 'redis';
import type { CacheBackend, CacheScript } from './cache.types';

const CONNECT_TIMEOUT_MS = 2_000;
/** A start looks for Redis so long. */
const PATIENCE_MS = 2_000;
const LONGEST_PAUSE_MS = 2_000;
/** A Redis that hangs answers no ping either: its commands fail within this time. */
const SILENCE_MS = 3_000;

/** Temporary refusals: loading, failing over, out of memory, a script in an endless loop. */
const TEMPORARY = /^(LOADING|MASTERDOWN|READONLY|BUSY|OOM|TRYAGAIN)\b/;

const unavailable = (cause: unknown) =>
  new Unavailable('Redis cannot be reached. Try again shortly.', { cause, retryAfterSeconds: 1 });

const isRefusal = (error: unknown): boolean => error instanceof ErrorReply && !TEMPORARY.test(error.message);

const orUnavailable = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    throw isRefusal(error) ? error : unavailable(error);
  }
};

/** `starts`: whether the service is starting, when a Redis that refuses us (a wrong password) is a reason to stop. */
const connection = (url: string, name: string | undefined, starts: () => boolean) => {
  const reconnectStrategy = (retries: number, cause: Error): number | false =>
    !(starts() && isRefusal(cause)) && Math.min(50 * 2 ** retries, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
  return createClient({
    url,
    name,
    RESP: 3,
    // Fail at once instead of waiting for a server that may be down for long.
    disableOfflineQueue: true,
    pingInterval: SILENCE_MS / 3,
    // `answersInTime` limits every command; the driver's own signal lives, and aborts, seconds after the answer has come
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_MS, reconnectStrategy },
  });
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

/** The driver subscribes again by itself, but only to what Redis has confirmed once. */
const subscriptions = (client: Client, inTime: ReturnType<typeof answersInTime>, logger: Logger) => {
  const waiting = new Set<() => Promise<void>>();
  client.on('ready', () => {
    for (const begin of [...waiting])
      begin().catch((cause: unknown) => logger.error('redis refuses a subscription', { cause }));
  });
  return async (channel: string, handler: (message: string) => void) => {
    const listener = (message: string) => handler(message);
    const begin = async () => {
      try {
        await inTime(() => client.subscribe(channel, listener));
        waiting.delete(begin);
      } catch (error) {
        if (isRefusal(error)) throw error;
      }
    };
    waiting.add(begin);
    if (client.isReady) await begin();
    return async () => {
      waiting.delete(begin);
      // Without a connection the server need not know; the listener is dropped for the next one all the same.
      await client.unsubscribe(channel, listener).catch(() => undefined);
    };
  };
};

/**
 * Connects, and keeps trying from then on. A Redis that is away is waited for where the service is nothing without it and somebody
 * hears that it waits; one that refuses us is a failure.
 */
const startOf = (client: Client, optional: boolean) => async (starting: Starting | undefined) => {
  const connected = orUnavailable(() => client.connect());
  connected.catch(() => undefined);
  const lack = async () => {
    await Promise.race([connected, pause(PATIENCE_MS, undefined, { ref: false })]);
    return client.isReady ? undefined : 'Redis cannot be reached';
  };
  const lacking = await lack();
  if (lacking === undefined || optional) return;
  if (!starting) throw unavailable(new Error(lacking));
  await untilNothingLacks(lack, starting);
};

/** One connection for commands and subscriptions (RESP3 allows both); it reconnects and subscribes again by itself. */
export const redisBackend = (
  url: string,
  { name, logger, optional = false }: { name?: string; logger: Logger; optional?: boolean },
): CacheBackend => {
  let starts = true;
  const client = connection(url, name, () => starts);
  logChanges(client, logger);
  const inTime = answersInTime(client);
  const start = startOf(client, optional);
  return {
    get: (key) => inTime(() => client.get(key)),
    set: async (key, value, ttlMs) =>
      void (await inTime(() => client.set(key, value, { expiration: { type: 'PX', value: ttlMs } }))),
    delete: async (key) => void (await inTime(() => client.del(key))),
    run: <Result>(script: CacheScript<Result>, keys: readonly string[], args: readonly string[]) =>
      inTime(() => evaluate(client, script, keys, args) as Promise<Result>),
    publish: async (channel, message) => void (await inTime(() => client.publish(channel, message))),
    subscribe: subscriptions(client, inTime, logger),
    start: (starting) => start(starting).finally(() => (starts = false)),
    stop: async () => {
      if (client.isReady) await client.close();
      else if (client.isOpen) client.destroy();
    },
    check: async () => void (await inTime(() => client.ping())),
  };
};
