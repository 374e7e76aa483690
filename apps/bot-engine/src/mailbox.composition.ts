import { Housekeeping } from '@platform/data';
import type { GaugeSource } from '@platform/http';
import type { Area } from './area';
import type { Config } from './config';
import { openMailbox, type Mailbox } from './features/mailbox/public';
import type { RoomParts } from './room.parts';

type Backlog = Awaited<ReturnType<Mailbox['backlog']>>;

const gauges = (read: () => Promise<Backlog>): GaugeSource[] => [
  {
    name: 'mailbox_waiting',
    help: 'Conversations with messages that nobody leads',
    read: async () => (await read()).conversations,
  },
  {
    name: 'mailbox_oldest_seconds',
    help: 'For how long the oldest of them has been due',
    read: async () => Math.round((await read()).oldestMs / 1000),
  },
];

/** Whose turn it is; must start before who leads turns. */
export const composeMailbox = (config: Config, parts: RoomParts): { area: Area; mailbox: Mailbox } => {
  const { database, clock, logger } = parts;
  const { mailbox, components, expired } = openMailbox({
    ...parts,
    leaseMs: config.BOT_LEASE_MS,
    shared: config.REDIS_URL !== '',
  });
  const housekeeping = new Housekeeping(database, { clock, logger, expired });
  return { mailbox, area: { components: [...components, housekeeping], gauges: gauges(() => mailbox.backlog()) } };
};
