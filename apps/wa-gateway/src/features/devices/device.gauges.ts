import type { GaugeSource } from '@platform/http';
import type { Outbox } from '@platform/outbox';
import type { Logger } from '@platform/runtime';
import type { MessagesRepository } from '../messages/public';
import type { DevicesRepository } from '../registry/public';

export interface GaugeParts {
  readonly devices: Pick<DevicesRepository, 'countByState' | 'reconnected'>;
  readonly messages: Pick<MessagesRepository, 'keptBack'>;
  readonly outbox: Pick<Outbox, 'backlog'>;
  readonly logger: Logger;
}

type Read = () => Promise<Readonly<Record<string, number>> | number>;

const EVERYWHERE = 'of all processes: every one shows the same';

/** What alerts on many devices are made of. Without a value while the database is away. */
export const deviceGauges = ({ devices, messages, outbox, logger }: GaugeParts): GaugeSource[] => {
  const readable = (read: Read) => () =>
    read().catch((cause: unknown) => {
      logger.warn('a gauge could not be read', { cause });
      return {};
    });
  return [
    {
      name: 'devices',
      help: `Devices by state, ${EVERYWHERE}`,
      label: 'state',
      read: readable(() => devices.countByState()),
    },
    {
      name: 'device_reconnects_total',
      help: 'Lines to WhatsApp that this process lost and opens again',
      counts: true,
      read: () => devices.reconnected,
    },
    {
      name: 'callbacks',
      help: `Callbacks that wait (queued) or that no receiver took (dead), ${EVERYWHERE}`,
      label: 'state',
      read: readable(async () => {
        const { queued, dead } = await outbox.backlog();
        return { queued, dead };
      }),
    },
    {
      name: 'callbacks_oldest_seconds',
      help: `Age of the oldest callback that waits, ${EVERYWHERE}`,
      read: readable(async () => (await outbox.backlog()).oldestSeconds),
    },
    {
      name: 'sends_waiting',
      help: `Accepted sends that were not handed to WhatsApp yet, ${EVERYWHERE}`,
      read: readable(() => messages.keptBack()),
    },
  ];
};
