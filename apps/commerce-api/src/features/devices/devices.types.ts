import type { ListedPage } from '@platform/data';
import type { GatewayDevice } from '../../clients/wa.gateway';
import type { Named } from '../agents/agents/public';
import type { Device, DeviceCode } from './devices.dto';

export interface DevicesData {
  readonly listed: ListedPage<Device>;
  readonly teams: readonly Named[];
}
/** How a device is now; undefined while the gateway is away. */
export interface DeviceNowData {
  readonly id: string;
  readonly now: GatewayDevice | undefined;
  readonly code: DeviceCode | undefined;
}
export interface DeviceData extends DeviceNowData {
  readonly device: Device;
  readonly teams: readonly Named[];
  /** Undefined while bot-engine is away. */
  readonly agents: readonly Named[] | undefined;
}
