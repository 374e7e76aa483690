import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { request, type Dispatcher } from 'undici';
import { Rejected, TooLarge } from '@platform/errors';
import { timeLimit } from '@platform/runtime';
import { pinnedAgent } from './pinned-agent';
import { safeAddress, type SafeAddressOptions } from './safe-address';
import { unlessAborted } from './unless-aborted';

export interface DownloadOptions extends SafeAddressOptions {
  readonly maxBytes: number;
  /** For everything: names, redirects, headers and body. */
  readonly timeoutMs: number;
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
}

/** The host could not be reached, or did not answer with a file. */
export class DownloadFailed extends Error {
  /** What the host answered, if it did. */
  readonly status: number | undefined;

  constructor(message: string, { status, ...options }: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.status = status;
  }

  /** Whether another try may help: no host says that it has no such file. */
  get mayPass(): boolean {
    const { status = 503 } = this;
    return status >= 500 || status === 408 || status === 429;
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const limited = (maxBytes: number): Transform => {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      if (size > maxBytes) done(new TooLarge('file too large'));
      else done(null, chunk);
    },
  });
};

interface Step {
  readonly next?: string;
}

const keep = async (answer: Dispatcher.ResponseData, target: string, maxBytes: number): Promise<void> => {
  if (Number(answer.headers['content-length']) > maxBytes) throw new TooLarge('file too large');
  const file = createWriteStream(target, { flags: 'wx', flush: true });
  try {
    await pipeline(answer.body, limited(maxBytes), file);
  } catch (failure) {
    // A stream that is still opening would create the file after its removal
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', () => resolve()));
    await unlink(target).catch(() => undefined);
    throw failure;
  }
};

const step = async (url: string, target: string, options: DownloadOptions, signal: AbortSignal): Promise<Step> => {
  // Names too are looked up in the time of the whole, which nobody else ends
  const checked = await unlessAborted(safeAddress(url, options), signal);
  const dispatcher = pinnedAgent(checked.address);
  try {
    const answer = await request(checked.url, { dispatcher, signal });
    const { location } = answer.headers;
    if (REDIRECTS.has(answer.statusCode) && typeof location === 'string')
      return { next: new URL(location, checked.url).href };
    if (answer.statusCode !== 200) {
      const status = answer.statusCode;
      throw new DownloadFailed(`the host answered ${status}`, { status });
    }
    await keep(answer, target, options.maxBytes);
    return {};
  } finally {
    void dispatcher.destroy().catch(() => undefined);
  }
};

/**
 * Fetches a file whose address came from outside, to `target`, which must not exist; on disk when it resolves, absent when it
 * rejects. The address is checked and pinned before every request, redirects included (`safeAddress`), so that no answer can
 * reach a private network. Throws `Rejected` for an address that is not allowed, `TooLarge` beyond `maxBytes`, and
 * `DownloadFailed` for everything else.
 */
export const safeDownload = async (url: string, target: string, options: DownloadOptions): Promise<void> => {
  const signal = timeLimit(options.timeoutMs, options.signal);
  try {
    let next: string | undefined = url;
    for (let left = options.maxRedirects ?? 3; next !== undefined; left--) {
      if (left < 0) throw new DownloadFailed('too many redirects');
      next = (await step(next, target, options, signal)).next;
    }
  } catch (failure) {
    if (failure instanceof Rejected || failure instanceof TooLarge || failure instanceof DownloadFailed) throw failure;
    throw new DownloadFailed(signal.aborted ? 'the download took too long' : 'the host cannot be reached', {
      cause: failure,
    });
  }
};
