import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mayBeCommitted } from '@platform/data';
import {
  mediaTypeOfFile,
  safeDownload,
  storedFile,
  type DownloadOptions,
  type MediaType,
  type StoredFileOptions,
  type Upload,
} from '@platform/http';
import { cut, type Component } from '@platform/runtime';
import type { StoredMedia } from './stored-media';

/** How files are fetched from outside. */
export type Download = typeof safeDownload;

const NAME = /^[0-9a-f]{32}$/;

/** A file that was just stored, and what its first bytes say it is. */
export interface TakenFile {
  readonly name: string;
  readonly size: number;
  readonly type: MediaType;
}

/** Files on disk under random names, which alone lead to a path; what clients call them is only ever shown. */
export class MediaStore implements Component {
  readonly name = 'media';

  constructor(
    private readonly directory: string,
    private readonly fetch: Download = safeDownload,
  ) {}

  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
  }

  async check(): Promise<void> {
    await stat(this.directory);
  }

  /** Keeps an upload for good; the bytes are on disk when it resolves. */
  async keep({ path, originalName, mimetype, size }: Upload): Promise<StoredMedia> {
    const name = randomBytes(16).toString('hex');
    const target = join(this.directory, name);
    await copyFile(path, target);
    const file = await open(target, 'r');
    await file.sync().finally(() => file.close());
    return { name, mimetype, filename: cut(originalName, 255), size };
  }

  async keepBytes(bytes: Buffer): Promise<TakenFile> {
    return this.take((target) => writeFile(target, bytes, { flag: 'wx', mode: 0o600, flush: true }));
  }

  /** Throws what `safeDownload` throws. */
  async download(url: string, options: DownloadOptions): Promise<TakenFile> {
    return this.take((target) => this.fetch(url, target, options));
  }

  async discard(name: string): Promise<void> {
    if (NAME.test(name)) await unlink(join(this.directory, name)).catch(() => undefined);
  }

  /**
   * The row that was to name it failed to be written. Where it may have been written all the same the file stays: whoever tries again finds the
   * row there, and nobody would bring the file any more.
   */
  async discardAfter(failure: unknown, name: string): Promise<void> {
    if (!mayBeCommitted(failure)) await this.discard(name);
  }

  /** The answer that serves it, always for saving, or undefined when there is no such file. */
  async serve(name: string, headers: StoredFileOptions['headers']) {
    if (!NAME.test(name)) return undefined;
    const served = { mimetype: 'application/octet-stream', headers, cacheControl: 'private, max-age=3600' };
    return storedFile(join(this.directory, name), served);
  }

  private async take(write: (target: string) => Promise<void>): Promise<TakenFile> {
    const name = randomBytes(16).toString('hex');
    const target = join(this.directory, name);
    await write(target);
    const { size } = await stat(target);
    return { name, size, type: await mediaTypeOfFile(target) };
  }
}
