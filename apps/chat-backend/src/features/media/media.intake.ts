import { basename } from 'node:path';
import { InvalidInput, Rejected, TooLarge } from '@platform/errors';
import { documentTypeOf, DownloadFailed, fitsUse, type MediaUse } from '@platform/http';
import { cut, hasVisible, storable } from '@platform/runtime';
import type { StoredMedia } from './stored-media';
import type { MediaStore } from './media.store';

/** A file as a send names it: an address, or the file itself as a data URI. */
export interface MediaSource {
  readonly use: MediaUse;
  readonly url?: string;
  readonly file?: string;
  readonly filename?: string;
}

/** What a message to the gateway needs to know beside the stored file. */
export interface OutgoingFile extends StoredMedia {
  readonly use: MediaUse;
}

export interface MediaIntakeOptions {
  /** Prefixes below which our own services keep pictures. */
  readonly ownFiles: readonly string[];
}

const MAX_BYTES = 25 * 1024 * 1024;
const DOWNLOAD_MS = 20_000;
const DATA_URI = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[^;,]{0,100})*;base64,/;

const refused = (field: string, tag: string, text: string, cause?: unknown): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }], { cause });

const bothOrNone = (): InvalidInput =>
  new InvalidInput(
    ['url', 'file'].map((field) => ({ field, tag: 'required_without', message: `${field} is a required field` })),
  );

/** The name that an address ends in, readable where it can be. */
const nameIn = (url: string): string => {
  const name = basename(new URL(url).pathname);
  try {
    return storable(decodeURIComponent(name));
  } catch {
    return name;
  }
};

const bytesOf = (dataUri: string): Buffer => {
  const head = DATA_URI.exec(cut(dataUri, 500))?.[0];
  const bytes = head ? Buffer.from(dataUri.slice(head.length), 'base64') : undefined;
  if (!bytes || bytes.length === 0) throw refused('file', 'datauri', 'must contain a valid Data URI');
  if (bytes.length > MAX_BYTES) throw new TooLarge('file too large');
  return bytes;
};

/** Takes files for sending into the store, so that what was checked is what is sent, on every try (design 2.5, section 6). */
export class MediaIntake {
  constructor(
    private readonly store: MediaStore,
    private readonly options: MediaIntakeOptions,
  ) {}

  /** The stored file; 422 names the field when there is none, an address is private, or the content is of another kind. */
  take(source: MediaSource): Promise<OutgoingFile> {
    return this.keep(source, []);
  }

  /** The same for what our own services name: their files may be private. Never for an address that a client gave. */
  copy(source: MediaSource): Promise<OutgoingFile> {
    return this.keep(source, this.options.ownFiles);
  }

  discard({ name }: OutgoingFile): Promise<void> {
    return this.store.discard(name);
  }

  /** `MediaStore.discardAfter`. */
  discardAfter(failure: unknown, { name }: OutgoingFile): Promise<void> {
    return this.store.discardAfter(failure, name);
  }

  private async keep(source: MediaSource, allow: readonly string[]): Promise<OutgoingFile> {
    const { use, url, file, filename } = source;
    if ((url === undefined) === (file === undefined)) throw bothOrNone();
    const { name, size, type } =
      url === undefined ? await this.store.keepBytes(bytesOf(file ?? '')) : await this.fetch(url, allow);
    if (!fitsUse(use, type.mimetype)) {
      await this.store.discard(name);
      const field = url === undefined ? 'file' : 'url';
      throw refused(field, 'mimetype', `must be of the kind ${use}, its content is ${type.mimetype}`);
    }
    const shown = filename ?? (url === undefined ? '' : nameIn(url));
    const mimetype = use === 'document' ? documentTypeOf(type, shown) : type.mimetype;
    return { name, size, mimetype, filename: hasVisible(shown) ? cut(shown, 255) : `${use}.${type.extension}`, use };
  }

  private async fetch(url: string, allow: readonly string[]) {
    try {
      return await this.store.download(url, { allow, maxBytes: MAX_BYTES, timeoutMs: DOWNLOAD_MS });
    } catch (failure) {
      if (failure instanceof Rejected)
        throw refused('url', 'url', 'must be an https address that is not private', failure);
      if (failure instanceof DownloadFailed)
        throw refused('url', 'url', `could not be fetched: ${failure.message}`, failure);
      throw failure;
    }
  }
}
