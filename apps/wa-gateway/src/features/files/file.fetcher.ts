import type { Readable } from 'node:stream';
import { TooLarge } from '@platform/errors';
import { SharedPlaces } from '@platform/runtime';
import { EngineFileLost } from '../../engines/engine.errors';
import type { MediaRef } from '../../engines/engine.types';
import type { FileStore, StoredFile } from './file.store';

/** The part of an engine that reads what came with a message. */
export interface MediaReader {
  fetchMedia(ref: MediaRef, signal: AbortSignal): Promise<Readable>;
}

/** A file of a device's message. */
export interface WantedFile {
  readonly instanceId: string;
  readonly ref: MediaRef;
  /** What it is to be called here; a name of its own when left out. */
  readonly name?: string;
}

/** Downloads at the same time: of all devices, and of one. After an outage a thousand files may wait. */
const DOWNLOADS = { places: 32, most: 8 };

const TOO_LARGE = 'the file is larger than it may be';
const LOST = 'the file could not be downloaded';
const NOT_YET = 'the file could not be downloaded yet';
const NOT_KEPT = 'the file could not be stored yet';

/** Codes of a disk that takes nothing. */
const DISK: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EMFILE', 'ENFILE']);

/** Why a file is not here, in words for the receiver of its message. */
export const reasonOf = (failure: unknown): string => {
  if (failure instanceof TooLarge) return TOO_LARGE;
  if (failure instanceof EngineFileLost) return LOST;
  return isOurDisk(failure) ? NOT_KEPT : NOT_YET;
};

/** Another try is of no use. */
export const isFinal = (failure: unknown): boolean => failure instanceof TooLarge || failure instanceof EngineFileLost;

/** Nothing is wrong with the file or with WhatsApp. */
export const isOurDisk = (failure: unknown): boolean => DISK.has((failure as { code?: unknown } | undefined)?.code);

/** Fetches files of messages, few at a time: no device takes the places of the others. */
export class FileFetcher {
  private readonly downloads = new SharedPlaces(DOWNLOADS);

  constructor(
    private readonly files: Pick<FileStore, 'receive'>,
    private readonly maxMegabytes: number,
  ) {}

  /** Rejects when it cannot be had now, and with the reason of the signal when that aborts, also while it waits for its turn. */
  async fetch({ instanceId, ref, name }: WantedFile, reader: MediaReader, signal: AbortSignal): Promise<StoredFile> {
    const leave = await this.downloads.acquire(instanceId, signal);
    try {
      const source = await reader.fetchMedia(ref, signal);
      return await this.files.receive(source, this.maxMegabytes * 1024 * 1024, signal, name);
    } finally {
      leave();
    }
  }
}
