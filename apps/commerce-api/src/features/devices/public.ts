export { deviceCopies } from './device.copy';
export { connectedLine, isLoggedOut, lineOf } from './device.lines';
export { DeviceStates, type DeviceNow } from './device.states';
export { DevicesQuery } from './devices.dto';
export {
  answeredDevices,
  deviceListing,
  devicesOfTeams,
  findDevice,
  giveDevices,
  hasDevices,
  releaseAgent,
} from './devices.sql';
export { seedDevice } from './devices.seed';
