import type { Clock, Logger } from '@platform/runtime';
import type { DeviceState } from '../engine.types';
import type { DeviceMedia } from './device.media';
import type { DeviceStores } from './device.stores';
import type { LineSettings } from './socket';
import type { Turnstile } from './turnstile';

/** What all devices on this engine share. */
export interface BaileysContext {
  readonly stores: DeviceStores;
  readonly media: DeviceMedia;
  readonly line: LineSettings;
  readonly turnstile: Turnstile;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** The device as the engine needs it. */
export interface BaileysDevice {
  readonly instanceId: string;
  /** Who receives its callbacks. */
  readonly webhookUrl: string;
  readonly online: boolean;
  readonly status: DeviceState;
  /** With status `banned`: when the ban ends. */
  readonly restrictedUntil?: Date | null;
}
