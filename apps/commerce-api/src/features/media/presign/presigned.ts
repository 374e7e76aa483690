import { Malformed, TooLarge } from '@platform/errors';
import type { Guard, Upload } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { Writer } from '../../../by';
import type { Arriving } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { holderNow, type FileLinks, type Holders } from '../links/public';
import type { ObjectStore } from '../storage/public';
import { largestOf, mediaRefusals, type MediaLibrary } from '../uploads/public';
import type { PresignBody, PresignedUpload } from './presign.dto';

const LIFE_MS = 15 * 60_000;

export interface PresignParts {
  readonly library: MediaLibrary;
  readonly store: Pick<ObjectStore, 'direct'>;
  readonly links: FileLinks;
  readonly access: Holders;
  readonly clock: Clock;
}

/**
 * Uploads that are announced first. Their row is there at once, with its place in what the store may keep, and is a file to nobody before
 * the bytes have come: exactly as many as were said, of the type that was said.
 */
export class Presigned {
  constructor(private readonly parts: PresignParts) {}

  /** Throws `UnsupportedMedia`, `TooLarge` and `plan_limit`. */
  async make(by: Writer, { filename, mime, bytes, purpose }: PresignBody): Promise<PresignedUpload> {
    const { library, links, store } = this.parts;
    if (bytes > largestOf(purpose)) throw new TooLarge('file too large');
    const media = await library.announce(by, { name: filename, mime, bytes, purpose });
    const link = { method: 'PUT', storeId: by.storeId, mediaId: media.id, holder: by.audit.actor } as const;
    const { url: own, ends } = links.make(link, LIFE_MS);
    const expected = { mimetype: media.mime, bytes, lifeMs: LIFE_MS };
    const url = (await store.direct?.presignPut(media.key, expected)) ?? own;
    const headers = { 'Content-Type': media.mime };
    return { media_id: media.id, method: 'PUT', url, headers, expires_at: ends.toISOString() };
  }

  /** Whoever has the link, while who asked for it may upload, before a byte of the file is read. */
  readonly guard: Guard<Arriving> = {
    label: 'none+link',
    refuses: [refusals.linkExpired, mediaRefusals.arrived, mediaRefusals.wrongType],
    authenticate: async ({ params, headers }) => {
      const { library, links, access } = this.parts;
      const link = links.read(params?.token ?? '', 'PUT');
      const { abilities } = await holderNow(access, link);
      if (!abilities.has('upload.write')) throw refusals.linkExpired();
      const arriving = await library.arrivals.awaited(link.storeId, link.mediaId);
      const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
      if (type !== arriving.mime) throw mediaRefusals.wrongType();
      return arriving;
    },
  };

  /** Throws `Malformed` for fewer bytes than announced, `UnsupportedMedia` for others, `uploaded` for the second of two, `expired`. */
  async take(arriving: Arriving, file: Upload | undefined): Promise<void> {
    const size = file?.size ?? 0;
    if (!file || size !== arriving.bytes)
      throw new Malformed(`the file has ${size} bytes instead of ${arriving.bytes}`);
    await this.parts.library.arrivals.arrived(arriving, file, this.parts.clock.now());
  }
}
