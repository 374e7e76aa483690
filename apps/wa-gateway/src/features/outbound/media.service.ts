import { documentTypeOf, DownloadFailed, type MediaUse, type Upload } from '@platform/http';
import { InvalidInput, Rejected, TooLarge } from '@platform/errors';
import type { MediaRef, OutContent } from '../../engines/engine.types';
import { refusals } from '../../refusals';
import { checkMedia, largest, type FileStore, type StoredFile } from '../files/public';
import { bulkPace } from '../campaigns/public';
import type { AcceptanceService } from './acceptance.service';
import { isMedia, type SendMedia, type SentMediaData } from '../messages/public';
import { DEFAULT_ROLE, readData } from './messages.service';

export interface MediaOptions {
  readonly files: FileStore;
  readonly acceptance: Pick<AcceptanceService, 'accept'>;
  /** What a `url` may lead to although it is private (MEDIA_URL_ALLOW). */
  readonly allowed: readonly string[];
  /** MEDIA_MAX_MB. */
  readonly maxMegabytes: number;
}

const BASE64_LIMIT = 25 * 1024 * 1024;
const DOWNLOAD_MS = 30_000;

type Source = () => Promise<StoredFile>;

const wrong = (field: string, tag: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} is ${tag === 'required' ? 'required' : 'not valid'}` }]);

/** Sends files: from a form, an address, a name under `/files` or base64, which all become a stored file first (design 2.2). */
export class MediaService {
  constructor(private readonly options: MediaOptions) {}

  async send(body: SendMedia, upload: Upload | undefined): Promise<SentMediaData> {
    const source = this.sourceOf(body, upload);
    const use = body.type as MediaUse;
    const { caption, filename, pesan_id: pesanId = null } = body;
    const instance = { instanceID: body.instanceID ?? body.instance, number: body.number, type: use };
    const { sent, content } = await this.options.acceptance.accept({
      device: body,
      number: body.number,
      pesanId,
      role: body.role ?? DEFAULT_ROLE,
      kind: use,
      identity: { kind: use, caption, fileName: filename },
      costly: true,
      content: () => this.contentOf(use, source, { caption, filename: filename ?? upload?.originalName }),
      quotedId: body.quoted_id,
      echo: body.echo,
      bulk: bulkPace(body.bulk),
      data: { ...(body.data === undefined ? {} : readData(body.data)), ...instance, caption, filename },
    });
    if (!isMedia(content)) throw refusals.pesanIdTaken();
    const { key, mimetype, fileName = key, size = 0 } = content.media;
    return { ...sent, type: content.kind, filename: fileName, mimetype, size, url: `/files/${key}` };
  }

  /** A file that many will get: fetched once, stored once. */
  fetched(use: MediaUse, url: string, caption?: string): Promise<OutContent> {
    return this.contentOf(use, () => this.download(url, use), { caption });
  }

  private async contentOf(
    use: MediaUse,
    source: Source,
    { caption, filename }: { caption?: string; filename?: string },
  ): Promise<OutContent> {
    const { key, mimetype, size } = await source();
    checkMedia(use, { mimetype, size }, this.options.maxMegabytes);
    const type = use === 'document' ? documentTypeOf({ mimetype, extension: '' }, filename) : mimetype;
    const media: MediaRef = { key, mimetype: type, fileName: filename, size };
    return { kind: use, media, caption };
  }

  /** Exactly one source; several contradict each other. */
  private sourceOf({ url, file, base64, type }: SendMedia, upload: Upload | undefined): Source {
    const { files } = this.options;
    const sources: Source[] = [
      ...(upload ? [() => files.copy(upload.path)] : []),
      ...(url === undefined ? [] : [() => this.download(url, type as MediaUse)]),
      ...(file === undefined ? [] : [() => this.stored(file)]),
      ...(base64 === undefined ? [] : [() => this.decoded(base64)]),
    ];
    const [source, another] = sources;
    if (!source) throw wrong('file', 'required');
    if (another) throw wrong('file', 'format');
    return source;
  }

  private async download(url: string, use: MediaUse): Promise<StoredFile> {
    const { files, allowed: allow, maxMegabytes } = this.options;
    const maxBytes = largest(use, maxMegabytes);
    try {
      return await files.download(url, { allow, protocols: ['https:', 'http:'], maxBytes, timeoutMs: DOWNLOAD_MS });
    } catch (cause) {
      if (cause instanceof DownloadFailed) throw refusals.downloadFailed(cause);
      if (cause instanceof Rejected) throw wrong('url', 'format');
      throw cause;
    }
  }

  private async stored(name: string): Promise<StoredFile> {
    const found = await this.options.files.find(name);
    if (!found) throw wrong('file', 'format');
    return found;
  }

  private async decoded(base64: string): Promise<StoredFile> {
    const text = base64.replace(/^data:[^,]{0,200};base64,/, '');
    if (text.length > BASE64_LIMIT) throw new TooLarge('file too large');
    const bytes = Buffer.from(text, 'base64');
    // Buffer.from reads whatever it can and drops the rest: what comes out must be what came in
    if (bytes.length === 0 || bytes.length < Math.floor((text.replace(/[=\s]/g, '').length * 3) / 4))
      throw wrong('base64', 'format');
    return this.options.files.keep(bytes);
  }
}
