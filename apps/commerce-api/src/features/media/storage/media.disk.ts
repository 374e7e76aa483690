import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, opendir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { storedFile, type StoredFileOptions } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { KeyParts, ObjectHead, ObjectStore } from './object.store';

/** A name made here; nothing else ever becomes a path. */
const KEY = /^[0-9a-f-]{36}\.[a-z0-9]{1,5}$/;
/** Names of a portion of the folder. */
const PORTION = 200;

/** Any failure but its absence is thrown: a disk that does not answer has lost nothing. */
const unlessAbsent = (failure: NodeJS.ErrnoException): undefined => {
  if (failure.code !== 'ENOENT') throw failure;
};

/** Files on disk under names that nobody can guess. What people call them is only ever shown. */
export class MediaDisk implements ObjectStore {
  readonly name = 'media';

  constructor(private readonly directory: string) {}

  get incoming(): string {
    return this.directory;
  }

  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
  }

  keyFor({ extension }: Pick<KeyParts, 'extension'>): string {
    return `${uuidv7()}.${extension}`;
  }

  /** Takes over a file of its own folder, and copies any other; the bytes are on disk when it resolves. */
  async put(key: string, path: string): Promise<void> {
    if (!KEY.test(key)) throw new Error(`${key} is no name of a file here.`);
    if (dirname(path) === this.directory) return rename(path, this.path(key));
    await this.start();
    const part = this.path(this.keyFor({ extension: 'part' }));
    await pipeline(createReadStream(path), createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(part, this.path(key));
  }

  async get(key: string, first?: number): Promise<Buffer | undefined> {
    if (!KEY.test(key)) return undefined;
    const file = await open(this.path(key)).catch(unlessAbsent);
    if (!file) return undefined;
    try {
      if (first === undefined) return await file.readFile();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(first), 0, first, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    if (!KEY.test(key)) return undefined;
    const found = await stat(this.path(key)).catch(unlessAbsent);
    return found && { bytes: found.size, changedAt: found.mtime };
  }

  async delete(key: string): Promise<void> {
    if (KEY.test(key)) await unlink(this.path(key)).catch(() => undefined);
  }

  async *lyingSince(before: Date): AsyncGenerator<string[]> {
    const portion: string[] = [];
    for await (const { name } of await opendir(this.directory)) {
      const found = await this.head(name);
      if (!found || found.changedAt >= before) continue;
      portion.push(name);
      if (portion.length === PORTION) yield portion.splice(0);
    }
    if (portion.length > 0) yield portion;
  }

  /** They lie among the others here: `lyingSince` finds them. */
  tidy(): Promise<void> {
    return Promise.resolve();
  }

  async serve(key: string, options: StoredFileOptions) {
    return KEY.test(key) ? storedFile(this.path(key), options) : undefined;
  }

  publicUrl(): undefined {
    return undefined;
  }

  placeOf(key: string): string {
    return this.path(key);
  }

  private path(key: string): string {
    return join(this.directory, key);
  }
}
