import { randomBytes } from 'node:crypto';
import { openCache, redisConnection, type CacheScript } from '@platform/data';
import { fixedClock, silentLogger, systemClock, uuidv7, type Clock } from '@platform/runtime';
import { useDatabase, type TestDatabase } from '@platform/testing';
import { migrations, SCHEMA } from '../../data-source';
import { conversationKey } from './conversation.key';
import { openMailbox } from './mailbox';
import type { Mailbox, MailboxLine } from './mailbox.types';

export interface OpenedForTest {
  readonly mailbox: Mailbox;
  stop(): Promise<void>;
}

export interface KeyLeft {
  readonly key: string;
  /** Infinity: for ever. */
  readonly ttlMs: number;
}

/** Where a mailbox keeps its lines. */
export interface MailboxStorage {
  /** An instance as a process has it; where only one may be, the one before has stopped. */
  open(options?: { readonly leaseMs?: number; readonly clock?: Clock }): Promise<OpenedForTest>;
  /** How many processes may share it. */
  readonly processes: number;
  /** Of the instance that is open. */
  keys(): Promise<KeyLeft[]>;
}

const LEASE_MS = 60_000;

/** Runs in process only. */
const ENTRIES: CacheScript<KeyLeft[]> = {
  name: 'entries',
  lua: 'return {}',
  twin: (store) => {
    const { entries } = store as unknown as { entries: Map<string, { until: number }> };
    return [...entries].map(([key, { until }]) => ({ key, ttlMs: until - Date.now() }));
  },
};

const opening = (database: () => TestDatabase, url: string | undefined, name: string) => {
  let current = openCache({ logger: silentLogger, name });
  const open: MailboxStorage['open'] = async ({ leaseMs = LEASE_MS, clock = systemClock } = {}) => {
    const cache = openCache({ url, logger: silentLogger, name });
    current = cache;
    await cache.start?.();
    const { mailbox, components } = openMailbox({
      ...{ cache, clock, leaseMs, database: database(), logger: silentLogger },
      ...{ shared: url !== undefined, mayBeAlone: true },
    });
    for (const component of components) await component.start?.();
    return {
      mailbox,
      stop: async () => {
        for (const component of components.toReversed()) await component.stop?.();
        await cache.stop?.();
      },
    };
  };
  return { open, current: () => current };
};

/** A process without Redis, its rows in the database of the suite. */
export const inProcess = (): MailboxStorage => {
  const database = useDatabase({ schema: SCHEMA, migrations });
  const { open, current } = opening(() => database, undefined, 'mailbox');
  return { open, processes: 1, keys: () => current().runScript(ENTRIES, [], []) };
};

/** Processes that share a Redis, which is empty for them. */
export const onRedis = (url: string): MailboxStorage => {
  const database = useDatabase({ schema: SCHEMA, migrations });
  const name = `mailbox-${randomBytes(6).toString('hex')}`;
  const keys = async (): Promise<KeyLeft[]> => {
    const client = redisConnection(url, silentLogger);
    await client.connect();
    try {
      const found = await client.keys(`${name}:*`);
      const left = await Promise.all(found.map(async (key) => ({ key, ttlMs: await client.pTTL(key) })));
      // Gone meanwhile: -2. For ever: -1
      return left.flatMap(({ key, ttlMs }) => (ttlMs === -2 ? [] : [{ key, ttlMs: ttlMs === -1 ? Infinity : ttlMs }]));
    } finally {
      client.destroy();
    }
  };
  return { open: opening(() => database, url, name).open, processes: 2, keys };
};

let customers = 0;

/** A conversation that no other test has, and its lines. */
export const newConversation = () => {
  const [idStore, idAgent, idUser] = ['S1', 'A1', `62813${String(++customers).padStart(7, '0')}`];
  const line = (idMessage: string, message: unknown = { text: idMessage }): MailboxLine => ({
    ...{ idStore, idAgent, idUser, idMessage, message },
  });
  return { key: conversationKey(idStore, idAgent, idUser), line };
};

export const newToken = uuidv7;

export const standingClock = () => fixedClock(new Date());
