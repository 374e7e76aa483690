import type { GaugeSource } from '@platform/http';
import type { MessagesRepository } from '../messages/public';
import type { DevicesRepository } from '../registry/public';
import type { DevicePlaces } from './device-places';

export interface GaugeParts {
  readonly devices: Pick<DevicesRepository, 'countByState' | 'reconnected' | 'unserved'>;
  readonly messages: Pick<MessagesRepository, 'keptBack'>;
  readonly places: Pick<DevicePlaces, 'most' | 'size'>;
}

const EVERYWHERE = 'of all processes: every one shows the same';

/** What alerts on many devices are made of; callbacks are measured by their outbox. */
export const deviceGauges = ({ devices, messages, places }: GaugeParts): GaugeSource[] => [
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
    name: 'devices_unserved',
    help: `Devices that no process runs, ${EVERYWHERE}`,
    read: () => devices.unserved(),
  },
  {
    name: 'device_places',
    help: 'Devices with a connection of their own that this process may run (MAX_DEVICES)',
    read: () => places.most,
  },
  {
    name: 'device_places_taken',
    help: 'Devices with a connection of their own that this process runs',
    read: () => places.size,
  },
  {
    name: 'sends_waiting',
    help: `Accepted sends that were not handed to WhatsApp yet, ${EVERYWHERE}`,
    read: () => messages.keptBack(),
  },
];
