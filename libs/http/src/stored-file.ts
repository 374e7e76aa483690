import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { namesEtag } from './if-none-match';
import { Binary, Reply } from './replies';

export interface StoredFileOptions {
  readonly mimetype: string;
  /** The request's headers: `range` and `if-none-match` are honoured. */
  readonly headers: IncomingHttpHeaders;
  readonly cacheControl: string;
  /** The file is to be kept under this name, not shown. */
  readonly filename?: string | undefined;
}

/** Types that a browser shows without running anything; all others are sent as `attachment` (RFC 6266). svg and html can run scripts. */
const INLINE = /^(image\/(?!svg)|audio\/|video\/|application\/pdf$)/;

/** RFC 8187: a name in any script, and what older clients read. */
const attached = (filename: string): string => {
  const plain = filename.replace(/[^\w. -]/g, '_');
  const encoded = encodeURIComponent(filename.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/** `Content-Disposition` of a stored file: shown only where a browser runs nothing of it. */
export const dispositionOf = ({ mimetype, filename }: Pick<StoredFileOptions, 'mimetype' | 'filename'>): string => {
  if (filename !== undefined) return attached(filename);
  return INLINE.test(mimetype) ? 'inline' : 'attachment';
};

interface Span {
  readonly start: number;
  readonly end: number;
}

/** One byte range (RFC 9110 section 14.1.2); undefined: the whole file; null: cannot be satisfied. Several ranges are treated as none. */
const spanOf = (range: string | undefined, size: number): Span | null | undefined => {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size || (from === '' && Number(to) === 0) ? null : { start, end };
};

const nothing = (headers: Record<string, string>, mimetype: string, status: number): Reply<Binary> =>
  new Reply(new Binary(Readable.from([]), mimetype, headers), { status });

/**
 * The answer that serves a file whose content never changes under its name: whole, or one range of it (206, 416), or 304 when
 * the client has it. Undefined when there is no such file. `path` must be trusted.
 */
export const storedFile = async (path: string, options: StoredFileOptions): Promise<Reply<Binary> | undefined> => {
  const { mimetype, headers: asked, cacheControl } = options;
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const { size, mtimeMs } = found;
  const etag = `"${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}"`;
  const headers = {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': cacheControl,
    'Content-Disposition': dispositionOf(options),
    // A file is never a page: even a forged type must not run in this origin
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  if (namesEtag(asked['if-none-match'], etag)) return nothing(headers, mimetype, 304);
  const span = spanOf(asked.range, size);
  if (span === null) return nothing({ ...headers, 'Content-Range': `bytes */${size}` }, mimetype, 416);
  const { start, end } = span ?? { start: 0, end: size - 1 };
  const length = { 'Content-Length': String(end - start + 1) };
  const bytes = size === 0 ? Readable.from([]) : createReadStream(path, { start, end });
  return span
    ? new Reply(
        new Binary(bytes, mimetype, { ...headers, ...length, 'Content-Range': `bytes ${start}-${end}/${size}` }),
        { status: 206 },
      )
    : new Reply(new Binary(bytes, mimetype, { ...headers, ...length }));
};
