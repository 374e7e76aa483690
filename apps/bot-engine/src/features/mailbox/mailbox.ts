import { OnlyProcess, type Cache, type Database, type Expiry } from '@platform/data';
import type { Clock, Component, Logger } from '@platform/runtime';
import { CacheMailbox } from './cache.mailbox';
import { JournaledMailbox } from './journaled.mailbox';
import { journalOf } from './mailbox.journal';
import { DAY_MS } from './mailbox.scripts';
import type { Mailbox } from './mailbox.types';

export interface MailboxOptions {
  readonly cache: Cache;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
  /** Whether the cache is Redis: shared by all processes, and lasting. */
  readonly shared: boolean;
}

export interface OpenedMailbox {
  readonly mailbox: Mailbox;
  /** To be started one after the other, before anything offers or claims. */
  readonly components: readonly Component[];
  /** Rows that nobody needs after a day. */
  readonly expired: readonly Expiry[];
}

const NOT_ALONE =
  'Another process of bot-engine works on this database. Without REDIS_URL there can be only one: end the other one, or set REDIS_URL for all of them.';

/** With Redis for any number of processes, without for one, whose lines are rows as well. */
export const openMailbox = (options: MailboxOptions): OpenedMailbox => {
  const { cache, database, clock, logger, leaseMs, shared } = options;
  if (shared) return { mailbox: new CacheMailbox({ cache, clock, leaseMs }), components: [], expired: [] };
  const only = new OnlyProcess({ database, of: 'bot-engine without Redis', refusal: NOT_ALONE, logger });
  const journal = journalOf(database);
  const mailbox = new JournaledMailbox({ cache, clock, leaseMs, journal, isAlone: only.isAlone, logger });
  const component: Component = {
    name: 'mailbox',
    sessions: only.sessions,
    start: async () => {
      await only.start();
      await mailbox.restoreAll();
    },
    check: () => only.check(),
    stop: () => only.stop(),
  };
  return {
    mailbox,
    components: [component],
    expired: [{ table: 'bot_mailbox', column: 'done_at', keepMs: DAY_MS }],
  };
};
