import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Upload } from '@platform/http';
import type { Component } from '@platform/runtime';
import type { StoredMedia } from '../ingest/inbound-message';

const NAME = /^[0-9a-f]{32}$/;

/** Files on disk under random names, which alone lead to a path; what clients call them is only ever shown. */
export class MediaStore implements Component {
  readonly name = 'media';

  constructor(private readonly directory: string) {}

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
    return { name, mimetype, filename: originalName.slice(0, 255), size };
  }

  async discard(name: string): Promise<void> {
    if (NAME.test(name)) await unlink(join(this.directory, name)).catch(() => undefined);
  }

  /** The bytes, or undefined when there is no such file. */
  async read(name: string): Promise<Readable | undefined> {
    if (!NAME.test(name)) return undefined;
    const path = join(this.directory, name);
    const found = await stat(path).catch(() => undefined);
    return found?.isFile() ? createReadStream(path) : undefined;
  }
}
