import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaTypeOf, safeDownload, type MediaType } from '@platform/http';
import { systemClock, type Clock, type Component } from '@platform/runtime';

/** A file that a customer sent, and what its first bytes say it is. */
export interface OwnFile {
  readonly bytes: Buffer;
  readonly type: MediaType;
}

export interface OwnFilesOptions {
  /** For files on their way. */
  readonly directory: string;
  /** Prefixes of addresses below which files may be had, and nowhere else. */
  readonly allow: readonly string[];
  readonly clock?: Clock;
}

/** No file is on its way for so long: whoever left it was killed. */
const LEFT_OVER_MS = 10 * 60_000;
const MOST_MS = 10_000;

/** Fetches files of our own services, and leaves none behind. */
export class OwnFiles implements Component {
  readonly name = 'hearing';

  constructor(private readonly options: OwnFilesOptions) {}

  /** Removes what a killed process left. */
  async start(): Promise<void> {
    const { directory, clock = systemClock } = this.options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (clock.now().getTime() - mtimeMs > LEFT_OVER_MS) await unlink(path).catch(() => undefined);
    }
  }

  /** Rejects for another address, a larger file, and when the signal aborts first; nothing is left on disk in any case. */
  async fetch(url: string, maxBytes: number, signal: AbortSignal): Promise<OwnFile> {
    const { directory, allow } = this.options;
    const path = join(directory, randomBytes(16).toString('hex'));
    try {
      await safeDownload(url, path, { allow, onlyAllowed: true, maxBytes, timeoutMs: MOST_MS, signal });
      const file = await open(path, 'r');
      const bytes = await file.readFile().finally(() => file.close());
      return { bytes, type: mediaTypeOf(bytes) };
    } finally {
      await unlink(path).catch(() => undefined);
    }
  }
}
