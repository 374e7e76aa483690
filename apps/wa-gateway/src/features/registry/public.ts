// What other features of this app may use.
export { demandCapabilities } from './demand-capabilities';
export { devicePurpose, type Device } from './device.entity';
export {
  ADDRESS,
  DeviceInfoReply,
  DeviceReference,
  LogoutReply,
  NewDevice,
  NewDeviceReply,
  QrQuery,
  QrReply,
  type DeviceData,
  type DeviceInfo,
} from './devices.dto';
export type { DeviceNews, DevicesRepository } from './devices.repository';
export type { KnownNumbers } from './known-numbers';
