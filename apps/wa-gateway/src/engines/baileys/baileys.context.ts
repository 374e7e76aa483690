import type { Readable } from 'node:stream';
import type { SecretBox } from '@platform/auth';
import type { Database } from '@platform/data';
import type { Clock, Logger, Semaphore } from '@platform/runtime';
import type { DeviceState } from '../engine.types';
import type { LibraryOptions } from './baileys.library';
import type { MediaHost } from './media.reader';
import type { LineSettings } from './socket';

/** What all devices on this engine share. */
export interface BaileysContext {
  readonly database: Database;
  readonly box: SecretBox;
  readonly library: LibraryOptions;
  readonly line: LineSettings;
  readonly media: MediaHost;
  /** Files to be sent. */
  readonly open: (key: string) => Readable;
  readonly gate: Semaphore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds that the store may be away before the line closes, and that a message without its text is held. */
  readonly storeLimitMs: number;
  readonly stubHoldMs: number;
  readonly random: () => number;
}

/** The device as the engine needs it. */
export interface BaileysDevice {
  readonly instanceId: string;
  readonly online: boolean;
  readonly status: DeviceState;
}
