import type { Readable } from 'node:stream';
import type { SecretBox } from '@platform/auth';
import type { MediaRef } from '../engine.types';
import { FileGone, readMedia, type MediaHost } from './media.reader';
import type { MediaDescriptor } from './message.normaliser';

/** What the keys of a device's files are bound to. */
const purposeOf = (instanceId: string): string => `media ${instanceId}`;

/** Has the phone upload a file again; resolves to where it lies then. */
export type Reupload = (descriptor: MediaDescriptor, signal: AbortSignal) => Promise<string>;

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

  /** What WhatsApp keeps no more is asked of the phone that sent it. */
  async fetch(
    { instanceId, reupload }: { readonly instanceId: string; readonly reupload: Reupload },
    { key }: MediaRef,
    signal: AbortSignal,
  ): Promise<Readable> {
    const descriptor = JSON.parse(this.box.open(key, purposeOf(instanceId))) as MediaDescriptor;
    try {
      return await readMedia(descriptor, this.host, signal);
    } catch (cause) {
      if (!(cause instanceof FileGone)) throw cause;
      const directPath = await reupload(descriptor, signal);
      return readMedia({ ...descriptor, directPath }, this.host, signal);
    }
  }
}
