import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import { devicesAbilities } from './devices.abilities';
import { devicesEndpoints } from './devices.endpoints';
import { DevicesService, type DevicesParts } from './devices.service';

/** The WhatsApp numbers of stores. */
export const composeDevices = (parts: DevicesParts & Pick<AreaParts, 'clock'>): Area => {
  const devices = new DevicesService(parts);
  return {
    endpoints: devicesEndpoints(devices, byOf(parts.clock)),
    components: [],
    abilities: devicesAbilities,
    // A session that has ended can be ended again
    jobs: { 'device.end': { effect: 'outside', run: (session) => devices.end(session) } },
  };
};
