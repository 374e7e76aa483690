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

interface AdapterClient extends RedisConnection {
  disconnect?: () => unknown;
  subscribe?: (...args: unknown[]) => Promise<unknown>;
  xRead?: (streams: readonly Place[], options: object) => Promise<unknown>;
}

/** What comes after the entry `id`; `$` is whichever is the last one when Redis is asked. */
interface Place {
  readonly key: string;
  readonly id: string;
}

/** A failing command must not end the process: the adapter leaves the promise of `SET` alone. */
const tolerant = (client: AdapterClient, logger: Logger): void => {
  const set = client.set.bind(client);
  client.set = (...args) =>
    set(...args).catch((cause: unknown) => logger.warn('a socket session was not saved', { cause: String(cause) }));
};

/** Resolves when the adapter receives from the other replicas; it leaves that promise unhandled, and a lost connection meanwhile would end the process. */
const hearing = (reader: AdapterClient): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const subscribe = reader.subscribe?.bind(reader);
    if (!subscribe) return;
    reader.subscribe = (...args) => subscribe(...args).then(resolve, reject);
  });

/**
 * Reads on from the entry `last`. Until it has read its first entry the adapter asks for what comes after `$`, again each second:
 * what is written between two of these reads, or while the connection is lost, would reach nobody here.
 */
const readOn = (reader: AdapterClient, last: string): void => {
  const read = reader.xRead?.bind(reader);
  if (!read) return;
  reader.xRead = (streams, options) =>
    read(
      streams.map(({ key, id }) => ({ key, id: id === '$' ? last : id })),
      options,
    );
};

/** The adapter disconnects its own connections once more after we have. */
const closeOnce = (client: AdapterClient): void => {
  client.disconnect = () => {
    if (client.isOpen) client.destroy();
  };
};

/**
 * Joins replicas over one Redis stream (events, recovery of short losses) and a channel (ephemeral requests): events that are
 * written after this resolves arrive here. Commands for readers wait while Redis is down: if they failed at once, the adapter
 * would read again without pause.
 */
export const redisStreams = async (
  client: RedisConnection,
  { name, events = DEFAULT_EVENTS, logger }: { name: string; events?: number; logger: Logger },
) => {
  const streamName = `${name}:socket.io`;
  const [last] = (await client.xRevRange(streamName, '+', '-', { COUNT: 1 })) ?? [];
  const readers: RedisConnection[] = [];
  const heard: Promise<unknown>[] = [];
  const duplicate = client.duplicate.bind(client);
  client.duplicate = () => {
    const reader = duplicate({ disableOfflineQueue: false });
    closeOnce(reader);
    readOn(reader, last?.id ?? '0-0');
    readers.push(reader);
    heard.push(hearing(reader));
    return reader;
  };
  tolerant(client, logger);
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
    /** Resolves once a namespace uses the adapter; rejects when Redis goes down meanwhile. */
    ready: () => Promise.race(heard),
    /** Call it after the adapter was closed. */
    close: async (): Promise<void> => {
      for (const reader of readers) if (reader.isOpen) reader.destroy();
      if (client.isReady) await client.close();
      else if (client.isOpen) client.destroy();
    },
  };
};
