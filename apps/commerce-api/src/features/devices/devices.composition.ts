import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import { devicesAbilities } from './devices.abilities';
import { devicesEndpoints } from './devices.endpoints';
import { devicesPages, type DevicePageParts } from './devices.pages';
import { DevicesService, type DevicesParts } from './devices.service';

/** The WhatsApp numbers of stores. */
export const composeDevices = (
  parts: DevicesParts & Pick<AreaParts, 'clock'> & Pick<DevicePageParts, 'agents' | 'teams'>,
): Area => {
  const devices = new DevicesService(parts);
  const by = byOf(parts.clock);
  return {
    endpoints: devicesEndpoints(devices, by),
    pages: [devicesPages({ devices, by, agents: parts.agents, teams: parts.teams })],
    components: [],
    abilities: devicesAbilities,
    // A session that has ended can be ended again
    jobs: { 'device.end': { effect: 'outside', run: (session) => devices.end(session) } },
  };
};
