import type { Readable } from 'node:stream';
import type { SecretBox } from '@platform/auth';
import type { MediaRef } from '../engine.types';
import { readMedia, type MediaHost } from './media.reader';
import type { MediaDescriptor } from './message.normaliser';

/** What the keys of a device's files are bound to. */
const purposeOf = (instanceId: string): string => `media ${instanceId}`;

/** Files of messages: those to be sent lie with us, those that came lie at WhatsApp until they are fetched. */
export class DeviceMedia {
  constructor(
    private readonly box: SecretBox,
    private readonly host: MediaHost,
    /** A file to be sent. */
    readonly open: (key: string) => Readable,
  ) {}

  /** The key of a file that came: nobody but us reads in it where the file lies and what opens it. */
  seal(instanceId: string, descriptor: MediaDescriptor): string {
    return this.box.seal(JSON.stringify(descriptor), purposeOf(instanceId));
  }

  fetch(instanceId: string, { key }: MediaRef, signal: AbortSignal): Promise<Readable> {
    const descriptor = JSON.parse(this.box.open(key, purposeOf(instanceId))) as MediaDescriptor;
    return readMedia(descriptor, this.host, signal);
  }
}
