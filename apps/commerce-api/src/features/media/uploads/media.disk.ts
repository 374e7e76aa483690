import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, opendir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { storedFile, type StoredFileOptions } from '@platform/http';
import { uuidv7, type Component } from '@platform/runtime';

/** A name made here; nothing else ever becomes a path. */
const KEY = /^[0-9a-f-]{36}\.[a-z0-9]{1,5}$/;
/** Names of a portion of the folder. */
const PORTION = 200;

/** A name that nobody can guess. */
export const newKey = (extension: string): string => `${uuidv7()}.${extension}`;

/** Files on disk under names that nobody can guess. What people call them is only ever shown. */
export class MediaDisk implements Component {
  readonly name = 'media';

  constructor(readonly directory: string) {}

  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
  }

  /** Keeps a copy; the bytes are on disk when it resolves. */
  async keep(path: string, extension: string): Promise<{ readonly key: string; readonly sha256: string }> {
    const key = newKey(extension);
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform: (chunk: Buffer, _, next) => {
        hash.update(chunk);
        next(null, chunk);
      },
    });
    const target = createWriteStream(this.path(key), { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(createReadStream(path), hashing, target);
    return { key, sha256: hash.digest('hex') };
  }

  /** Takes over a file of the same folder. */
  async adopt(path: string, key: string): Promise<void> {
    await rename(path, this.path(key));
  }

  /** Keeps bytes under a name that whoever made them has chosen; the same again changes nothing. */
  async put(key: string, bytes: Buffer): Promise<void> {
    if (!KEY.test(key)) throw new Error(`${key} is no name of a file here.`);
    await this.start();
    const part = this.path(newKey('part'));
    await writeFile(part, bytes, { mode: 0o600, flush: true });
    await this.adopt(part, key);
  }

  async discard(key: string): Promise<void> {
    if (KEY.test(key)) await unlink(this.path(key)).catch(() => undefined);
  }

  async has(key: string): Promise<boolean> {
    return (await this.changedAt(key)) !== undefined;
  }

  /** The names of what has lain here unchanged since `before`, in portions. What has another form of name is not ours. */
  async *lyingSince(before: Date): AsyncGenerator<string[]> {
    const portion: string[] = [];
    for await (const { name } of await opendir(this.directory)) {
      if (!KEY.test(name)) continue;
      const changed = await this.changedAt(name);
      if (changed === undefined || changed >= before) continue;
      portion.push(name);
      if (portion.length === PORTION) yield portion.splice(0);
    }
    if (portion.length > 0) yield portion;
  }

  /** The answer that serves it; undefined when there is no such file. */
  async serve(key: string, options: StoredFileOptions) {
    return KEY.test(key) ? storedFile(this.path(key), options) : undefined;
  }

  /** Undefined when it is not there. Any other failure is thrown: a disk that does not answer has lost nothing. */
  private async changedAt(key: string): Promise<Date | undefined> {
    const found = await stat(this.path(key)).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code !== 'ENOENT') throw failure;
    });
    return found?.mtime;
  }

  /** Where it lies. */
  path(key: string): string {
    return join(this.directory, key);
  }
}
