import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { storedFile, type StoredFileOptions } from '@platform/http';
import { uuidv7, type Component } from '@platform/runtime';

/** A name made here; nothing else ever becomes a path. */
const KEY = /^[0-9a-f-]{36}\.[a-z0-9]{1,5}$/;

/** Files on disk under names that nobody can guess. What people call them is only ever shown. */
export class MediaDisk implements Component {
  readonly name = 'media';

  constructor(private readonly directory: string) {}

  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
  }

  /** Keeps a copy; the bytes are on disk when it resolves. */
  async keep(path: string, extension: string): Promise<{ readonly key: string; readonly sha256: string }> {
    const key = `${uuidv7()}.${extension}`;
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform: (chunk: Buffer, _, next) => {
        hash.update(chunk);
        next(null, chunk);
      },
    });
    const target = createWriteStream(join(this.directory, key), { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(createReadStream(path), hashing, target);
    return { key, sha256: hash.digest('hex') };
  }

  async discard(key: string): Promise<void> {
    if (KEY.test(key)) await unlink(join(this.directory, key)).catch(() => undefined);
  }

  /** The answer that serves it; undefined when there is no such file. */
  async serve(key: string, options: StoredFileOptions) {
    return KEY.test(key) ? storedFile(join(this.directory, key), options) : undefined;
  }
}
