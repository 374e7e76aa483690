import type { GaugeSource } from '@platform/http';
import type { MessagesRepository } from '../messages/public';
import type { DevicesRepository } from '../registry/public';

export interface GaugeParts {
  readonly devices: Pick<DevicesRepository, 'countByState' | 'reconnected'>;
  readonly messages: Pick<MessagesRepository, 'keptBack'>;
}

const EVERYWHERE = 'of all processes: every one shows the same';

/** What alerts on many devices are made of; callbacks are measured by their outbox. */
export const deviceGauges = ({ devices, messages }: GaugeParts): GaugeSource[] => [
  {
    name: 'devices',
    help: `Devices by state, ${EVERYWHERE}`,
    label: 'state',
    read: () => devices.countByState(),
  },
  {
    name: 'device_reconnects_total',
    help: 'Lines to WhatsApp that this process lost and opens again',
    counts: true,
    read: () => devices.reconnected,
  },
  {
    name: 'sends_waiting',
    help: `Accepted sends that were not handed to WhatsApp yet, ${EVERYWHERE}`,
    read: () => messages.keptBack(),
  },
];
