import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Malformed, TooLarge, Unavailable } from '@platform/errors';
import { aborted, type Receive, type Upload } from './received';

/** A body that is one file, of whichever type: `curl -T`, and the PUT of an object store. */
export interface WholeFile {
  /** Where it is written, as `<uuid>.part`; a handler in the same file system keeps it by renaming it. The folder exists. */
  readonly directory: string;
  readonly maxBytes: number;
  /** Milliseconds in which it must be there. */
  readonly limitMs: number;
  /** Of this caller's file, at most; `maxBytes` when left out. */
  readonly bytesOf?: (caller: never) => number;
}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

const tooLarge = (cause?: unknown): TooLarge => new TooLarge('file too large', { cause });

/** Counts and hashes what goes by; fails with `TooLarge` at the first byte too many. */
class Meter extends Transform {
  private readonly sha256 = createHash('sha256');
  size = 0;

  constructor(private readonly limit: number) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, next: (error: Error | null, chunk?: Buffer) => void): void {
    this.size += chunk.length;
    if (this.size > this.limit) return next(tooLarge());
    this.sha256.update(chunk);
    next(null, chunk);
  }

  digest(): string {
    return this.sha256.digest('hex');
  }
}

const failureOf = (cause: Error & { code?: string }, limitMs: number): Error => {
  if (cause.name === 'AbortError' || cause.name === 'TimeoutError')
    return new Malformed(`the file was not there within ${limitMs / 1000} seconds`, { cause });
  return NO_ROOM.has(cause.code ?? '') ? new Unavailable('there is no room for the file', { cause }) : cause;
};

/** Resolves when all of the body is on disk. Not `pipeline` from the request: it would end the connection, and nobody were told why. */
const written = async (request: IncomingMessage, meter: Meter, path: string, limitMs: number): Promise<void> => {
  const gone = (): void => void (request.complete || meter.destroy(aborted()));
  request.once('close', gone);
  request.pipe(meter);
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  try {
    await pipeline(meter, file, { signal: AbortSignal.timeout(limitMs) });
  } catch (cause) {
    request.unpipe(meter);
    // One that is only being opened would be there again
    await closed;
    await unlink(path).catch(() => undefined);
    throw failureOf(cause as Error, limitMs);
  } finally {
    request.off('close', gone);
  }
};

const claimedType = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const received = async (
  request: IncomingMessage,
  { directory, limitMs }: WholeFile,
  limit: number,
): Promise<Upload> => {
  const { 'content-encoding': coding = 'identity', 'content-length': length } = request.headers;
  // What is counted and hashed is the file itself
  if (coding !== 'identity') throw new Malformed('send the file without a content encoding');
  if (Number(length) > limit) throw tooLarge();
  const meter = new Meter(limit);
  const path = join(directory, `${randomUUID()}.part`);
  await written(request, meter, path, limitMs);
  const { size } = meter;
  return { field: '', path, originalName: '', mimetype: claimedType(request), size, sha256: meter.digest() };
};

/**
 * Receives a body that is one file: streamed to disk, never held in memory. Rejects with `TooLarge`, with `Malformed` when it does not
 * come in time, and with `Unavailable` when the sender has gone or the disk is full; no file stays then. A refusal ends the connection: the
 * rest of a large body is not waited for.
 */
export const receiveWholeFile =
  (options: WholeFile): Receive =>
  async (request, response, caller) => {
    const limit = Math.min(options.maxBytes, options.bytesOf?.(caller as never) ?? options.maxBytes);
    try {
      return { fields: {}, files: [await received(request, options, limit)], raw: Buffer.alloc(0) };
    } catch (refused) {
      response.setHeader('Connection', 'close');
      throw refused;
    }
  };
