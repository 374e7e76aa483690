import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TooLarge } from '@platform/errors';
import { mediaTypeOf, mediaTypeOfFile, safeDownload, storedFile, type DownloadOptions } from '@platform/http';
import type { Clock, Component, Logger } from '@platform/runtime';

/** A file as it lies here: what it is follows from its first bytes. */
export interface StoredFile {
  readonly key: string;
  readonly mimetype: string;
  readonly size: number;
}

export interface FileStoreOptions {
  readonly directory: string;
  /** Files older than this are deleted, by the hour. */
  readonly ttlDays: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the clock is wrong: then none is deleted. */
  readonly isAstray?: () => Promise<boolean>;
}

/** One path segment of `GET /files/{filename}`; the names made here are a part of these. */
const KEY = /^[A-Za-z0-9._-]{1,200}$/;
const HOUR_MS = 3_600_000;
const PARTIAL = '.partial';
/** Longer than anybody writes to one: it was left by a crash. */
const PARTIAL_MS = HOUR_MS;

/** Files on disk under names that nobody can guess: 32 hex digits and an extension by content (design 3.7). */
export class FileStore implements Component {
  readonly name = 'files';
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: FileStoreOptions) {}

  async start(): Promise<void> {
    await mkdir(this.options.directory, { recursive: true, mode: 0o700 });
    const failed = (cause: unknown): void => this.options.logger.warn('old files were not swept', { cause });
    const sweep = (): void => void this.sweepInTime().catch(failed);
    this.timer = setInterval(sweep, HOUR_MS).unref();
    sweep();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
  }

  async check(): Promise<void> {
    await stat(this.options.directory);
  }

  /** Keeps a copy of a file that lies elsewhere. */
  async copy(path: string): Promise<StoredFile> {
    return this.store((partial) => copyFile(path, partial));
  }

  async keep(bytes: Buffer): Promise<StoredFile> {
    return this.store(async (partial) => {
      const file = await open(partial, 'wx', 0o600);
      await file.writeFile(bytes).finally(() => file.close());
    });
  }

  /** Keeps what a stream brings, under the name that it was promised when one is given; throws `TooLarge` beyond the limit. */
  async receive(source: Readable, maxBytes: number, signal: AbortSignal, promised?: string): Promise<StoredFile> {
    return this.store(async (partial) => {
      let size = 0;
      const counted = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > maxBytes) throw new TooLarge('file too large');
          yield chunk;
        }
      };
      await pipeline(source, counted, createWriteStream(partial, { flags: 'wx' }), { signal });
    }, promised);
  }

  /** Its retention counts from then on: it will be needed until that day. */
  async keepFrom(key: string, at: Date): Promise<void> {
    const path = this.pathOf(key);
    if (path !== undefined) await utimes(path, at, at);
  }

  /** The bytes of a file that is there. */
  open(key: string): Readable {
    const path = this.pathOf(key);
    if (path === undefined) throw new Error('no such file');
    return createReadStream(path);
  }

  /** Throws what `safeDownload` throws. */
  async download(url: string, options: DownloadOptions): Promise<StoredFile> {
    return this.store((partial) => safeDownload(url, partial, options));
  }

  async find(key: string): Promise<StoredFile | undefined> {
    const path = this.pathOf(key);
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    if (path === undefined || !found?.isFile()) return undefined;
    return { key, mimetype: (await mediaTypeOfFile(path)).mimetype, size: found.size };
  }

  async read(key: string): Promise<Buffer | undefined> {
    const path = this.pathOf(key);
    return path === undefined ? undefined : readFile(path).catch(() => undefined);
  }

  /** The answer of `GET /files/{filename}`, or undefined when there is no such file. */
  async serve(key: string, headers: Parameters<typeof storedFile>[1]['headers']) {
    const path = this.pathOf(key);
    const file = await this.find(key);
    if (path === undefined || !file) return undefined;
    return storedFile(path, { mimetype: file.mimetype, headers, cacheControl: 'private, max-age=86400, immutable' });
  }

  private async sweepInTime(): Promise<void> {
    if (!(await this.options.isAstray?.())) await this.sweep();
  }

  /** Deletes what is older than the retention; resolves to the number of files. */
  async sweep(): Promise<number> {
    const { directory, ttlDays, clock } = this.options;
    const now = clock.now().getTime();
    const oldest = { whole: now - ttlDays * 24 * HOUR_MS, partial: now - PARTIAL_MS };
    let swept = 0;
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      const found = entry.isFile() ? await stat(path).catch(() => undefined) : undefined;
      if (!found || found.mtimeMs >= (extname(path) === PARTIAL ? oldest.partial : oldest.whole)) continue;
      await unlink(path);
      swept += 1;
    }
    return swept;
  }

  private pathOf(key: string): string | undefined {
    // A leading dot names directories and files in the making
    return KEY.test(key) && !key.startsWith('.') && !key.includes('..') && extname(key) !== PARTIAL
      ? join(this.options.directory, key)
      : undefined;
  }

  /** The file gets its name when its bytes are on disk: a crash leaves a `.partial`, which the sweep takes. */
  private async store(write: (partial: string) => Promise<void>, promised?: string): Promise<StoredFile> {
    const id = randomBytes(16).toString('hex');
    const partial = join(this.options.directory, id + PARTIAL);
    try {
      await write(partial);
      const file = await open(partial, 'r+');
      const head = Buffer.alloc(512);
      const { bytesRead } = await file.read(head, 0, head.length, 0);
      const { size } = await file.stat();
      await file.sync().finally(() => file.close());
      const { mimetype, extension } = mediaTypeOf(head.subarray(0, bytesRead));
      const key = promised ?? `${id}.${extension}`;
      await rename(partial, join(this.options.directory, key));
      return { key, mimetype, size };
    } catch (failure) {
      await unlink(partial).catch(() => undefined);
      throw failure;
    }
  }
}
