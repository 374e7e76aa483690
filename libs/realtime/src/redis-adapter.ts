import { setTimeout as pause } from 'node:timers/promises';
import { createAdapter } from '@socket.io/redis-streams-adapter';
import type { Logger } from '@platform/runtime';

/** The part we need of a client of the `redis` package, which belongs to libs/data: so only its shape is known here. */
export interface RedisConnection {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  close(): Promise<unknown>;
  destroy(): void;
  // A method, not a property: overloads of the driver stay assignable.
  duplicate(overrides?: { disableOfflineQueue?: boolean }): RedisConnection;
  get(key: string): Promise<string | null>;
  set(key: string, value: string, options: { EX: number }): Promise<unknown>;
  xRevRange(
    key: string,
    end: string,
    start: string,
    options: { COUNT: number },
  ): Promise<readonly { id: string }[] | null>;
}

/** Limit of one blocking read of the stream; bounds how long a stopping replica keeps a connection. */
const READ_BLOCK_MS = 1_000;
const DEFAULT_EVENTS = 50_000;
const ASK_AGAIN_MS = 500;
const MOST_WAITING = 10_000;

interface AdapterClient extends RedisConnection {
  disconnect?: () => unknown;
  subscribe?: (...args: unknown[]) => Promise<unknown>;
  xAdd?: (...args: unknown[]) => Promise<unknown>;
  publish?: (...args: unknown[]) => Promise<unknown>;
  xRead?: (streams: readonly Place[], options: object) => Promise<unknown>;
}

/** What comes after the entry `id`; `$` is whichever is the last one when Redis is asked. */
interface Place {
  readonly key: string;
  readonly id: string;
}

/** A failing command must not end the process: the adapter leaves the promises of `SET` and `PUBLISH` alone. */
const tolerant = (client: AdapterClient, logger: Logger): void => {
  const set = client.set.bind(client);
  client.set = (...args) =>
    set(...args).catch((cause: unknown) => logger.warn('a socket session was not saved', { cause: String(cause) }));
  const publish = client.publish?.bind(client);
  if (!publish) return;
  client.publish = (...args) =>
    publish(...args).catch((cause: unknown) =>
      logger.warn('the other replicas were not asked about sockets', { cause: String(cause) }),
    );
};

/** Events that wait for a Redis that is away, 30 MB or so; later ones reach nobody, or an outage would fill the memory. */
const bounded = (client: AdapterClient): void => {
  const add = client.xAdd?.bind(client);
  if (!add) return;
  let waiting = 0;
  client.xAdd = async (...args) => {
    if (waiting >= MOST_WAITING) throw new Error('too many events wait for Redis');
    waiting += 1;
    return add(...args).finally(() => (waiting -= 1));
  };
};

/** The adapter leaves this promise alone as well; a connection that is closed before it was made must not end the process. */
const quietly = (reader: AdapterClient): void => {
  const connect = reader.connect.bind(reader);
  reader.connect = () => connect().catch(() => new Promise(() => undefined));
};

/** Resolves when the adapter receives from the other replicas. It asks once: after a refusal, or a loss meanwhile, it would hear nothing. */
const hearing = (reader: AdapterClient): Promise<void> =>
  new Promise((resolve) => {
    const subscribe = reader.subscribe?.bind(reader);
    if (!subscribe) return;
    const ask = async (args: readonly unknown[]): Promise<void> => {
      await subscribe(...args).then(
        () => resolve(),
        async () => {
          await pause(ASK_AGAIN_MS, undefined, { ref: false });
          if (reader.isOpen) await ask(args);
        },
      );
    };
    reader.subscribe = (...args) => ask(args);
  });

/** The last entry that was written before `since`, by the clocks of both; asked until Redis answers. */
const lastBefore = async (client: AdapterClient, streamName: string, since: number): Promise<string> => {
  for (;;)
    try {
      const [last] = (await client.xRevRange(streamName, String(since), '-', { COUNT: 1 })) ?? [];
      return last?.id ?? '0-0';
    } catch {
      await pause(ASK_AGAIN_MS, undefined, { ref: false });
      if (!client.isOpen) return '$';
    }
};

/**
 * Reads on from the entry `last`. Until it has read its first entry the adapter asks for what comes after `$`, again each second:
 * what is written between two of these reads, or while the connection is lost, would reach nobody here.
 */
const readOn = (reader: AdapterClient, last: Promise<string>): void => {
  const read = reader.xRead?.bind(reader);
  if (!read) return;
  reader.xRead = async (streams, options) => {
    const from = await last;
    return read(
      streams.map(({ key, id }) => ({ key, id: id === '$' ? from : id })),
      options,
    );
  };
};

/** The adapter disconnects its own connections once more after we have. */
const closeOnce = (client: AdapterClient): void => {
  client.disconnect = () => {
    if (client.isOpen) client.destroy();
  };
};

interface StreamsOptions {
  /** Resolves when the client has been connected. */
  readonly connected: Promise<unknown>;
  readonly name: string;
  readonly events?: number;
  readonly logger: Logger;
}

/**
 * Joins replicas over one Redis stream (events, recovery of short losses) and a channel (ephemeral requests): events that are
 * written from now on arrive here, also when Redis is away now. Commands for readers wait while it is down: if they failed at
 * once, the adapter would read again without pause.
 */
export const redisStreams = (
  client: RedisConnection,
  { connected, name, events = DEFAULT_EVENTS, logger }: StreamsOptions,
) => {
  const streamName = `${name}:socket.io`;
  const began = Date.now();
  const last = connected.then(() => lastBefore(client, streamName, began));
  last.catch(() => undefined);
  const readers: RedisConnection[] = [];
  const heard: Promise<void>[] = [];
  const duplicate = client.duplicate.bind(client);
  client.duplicate = () => {
    const reader = duplicate({ disableOfflineQueue: false });
    closeOnce(reader);
    quietly(reader);
    readOn(reader, last);
    readers.push(reader);
    heard.push(hearing(reader));
    return reader;
  };
  tolerant(client, logger);
  bounded(client);
  const adapter = createAdapter(client, {
    streamName,
    channelPrefix: `${name}:socket.io`,
    sessionKeyPrefix: `${name}:socket.io:session:`,
    maxLen: events,
    blockTimeInMs: READ_BLOCK_MS,
    onlyPlaintext: true,
  });
  return {
    adapter,
    /** Resolves once a namespace uses the adapter, and Redis has told where to read on. */
    ready: async () => void (await Promise.all([last, Promise.race(heard)])),
    /** Call it after the adapter was closed. */
    close: async (): Promise<void> => {
      for (const reader of readers) if (reader.isOpen) reader.destroy();
      if (client.isReady) await client.close();
      else if (client.isOpen) client.destroy();
    },
  };
};
