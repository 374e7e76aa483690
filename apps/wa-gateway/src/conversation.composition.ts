import type { Config } from './config';
import type { Core } from './core.composition';
import { DeviceCalls } from './features/devices/device-calls';
import type { DevicesService } from './features/devices/devices.service';
import type { Fleet } from './features/devices/fleet';
import { groupEndpoints } from './features/groups/groups.endpoints';
import { GroupsService } from './features/groups/groups.service';
import { receiptEndpoints } from './features/receipts/receipts.endpoints';
import { ReceiptsRepository } from './features/receipts/receipts.repository';
import { ReceiptsService } from './features/receipts/receipts.service';

/** What is asked of WhatsApp at once, around the messages: groups, ticks, typing. */
export const composeConversation = (
  config: Config,
  { database, sends }: Core,
  { devices, fleet }: { devices: DevicesService; fleet: Fleet },
) => {
  const calls = new DeviceCalls(devices, fleet, { countryCode: config.DEFAULT_COUNTRY_CODE, sends });
  return [
    ...groupEndpoints(new GroupsService(calls)),
    ...receiptEndpoints(new ReceiptsService(calls, new ReceiptsRepository(database))),
  ];
};
