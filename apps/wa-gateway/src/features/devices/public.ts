// What other features of this app may use.
export type { DeviceCalls } from './device-calls';
export type { DeviceLine } from './device-line';
export type { DevicesService } from './devices.service';
export type { Fleet } from './fleet';
export type { Outlet, ReadyDevice, ReadyDevices } from './ready-devices';
