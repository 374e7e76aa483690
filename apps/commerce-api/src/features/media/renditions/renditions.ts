import { Readable } from 'node:stream';
import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { Binary, namesEtag, Redirect, Reply, type StoredFileOptions } from '@platform/http';
import { LruCache, SharedPlaces, type Logger } from '@platform/runtime';
import { hasRenditions, RENDITIONS, type RenditionName } from '../../../renditions';
import { putBytes, renditionKey, type ObjectStore } from '../storage/public';
import { PUBLIC } from '../uploads/public';
import { pictureAs } from './picture.maker';

/** Pictures that a process makes at the same time, and those of one store. */
const PLACES = { places: 2, most: 1 };
/** Who has waited for a place for so long gets the original. */
const WAIT_MS = 15_000;
/** Pictures of which nothing can be made: nobody makes a process try again and again. */
const HOPELESS = { limit: 10_000, ttlMs: 3_600_000 };

const CACHED = {
  /** Its bytes never change under its address. */
  always: 'public, max-age=31536000, immutable',
  day: 'public, max-age=86400',
  moment: 'public, max-age=60',
};

const FIND = `SELECT store_id, key, mime FROM media
  WHERE key = ANY ($2::text[]) AND (store_id = $1 OR key = $3) AND purpose = ANY ($4) AND confirmed_at IS NOT NULL`;

interface Picture {
  readonly store_id: string;
  readonly key: string;
  readonly mime: string;
}

/** Which size of which picture, as its address says it. */
export interface AskedPicture {
  readonly store: string;
  readonly key: string;
  readonly as: RenditionName;
}

interface Parts {
  readonly sql: Sql;
  readonly store: ObjectStore;
  readonly logger: Logger;
  readonly make?: typeof pictureAs;
}

/** Smaller ones of public pictures, each made when it is first asked for, and kept beside its original. */
export class Renditions {
  private readonly places = new SharedPlaces(PLACES);
  private readonly hopeless = new LruCache<string, true>(HOPELESS);
  private readonly underWay = new Map<string, Promise<Buffer | undefined>>();

  constructor(private readonly parts: Parts) {}

  /** It as an answer, or its original where none can be made of it now; throws `NotFound`. */
  async serve(asked: AskedPicture, headers: StoredFileOptions['headers']): Promise<Reply<Binary | Redirect>> {
    const picture = await this.find(asked);
    if (!hasRenditions(picture.key)) return this.original(picture, headers, CACHED.always);
    const key = renditionKey(picture.key, asked.as);
    if (this.hopeless.get(key)) return this.original(picture, headers, CACHED.day);
    const etag = `"${key}"`;
    const { mimetype } = RENDITIONS[asked.as];
    const told = {
      ...{ ETag: etag, 'Cache-Control': CACHED.always, 'Content-Disposition': 'inline' },
      'Content-Security-Policy': "default-src 'none'; sandbox",
    };
    if (namesEtag(headers['if-none-match'], etag))
      return new Reply(new Binary(Readable.from([]), mimetype, told), { status: 304 });
    const bytes = await this.bytesOf(picture, key, asked.as);
    if (bytes) return new Reply(new Binary(bytes, mimetype, told));
    return this.original(picture, headers, this.hopeless.get(key) ? CACHED.day : CACHED.moment);
  }

  private async find({ store, key }: AskedPicture): Promise<Picture> {
    // In a bucket the folder is a part of its key
    const inBucket = `public/${store}/${key}`;
    const [found] = await this.parts.sql.query<Picture>(FIND, [store, [key, inBucket], inBucket, PUBLIC]);
    if (!found) throw new NotFound('File not found');
    return found;
  }

  private async bytesOf(picture: Picture, key: string, as: RenditionName): Promise<Buffer | undefined> {
    const { store, logger } = this.parts;
    try {
      const lying = await store.get(key);
      if (lying) return lying;
      const begun = this.underWay.get(key) ?? this.made(picture, key, as).finally(() => this.underWay.delete(key));
      this.underWay.set(key, begun);
      return await begun;
    } catch (error) {
      logger.warn('a picture is shown as it was uploaded', { key, error });
      return undefined;
    }
  }

  /** Undefined: nothing can be made of it, neither now nor later. */
  private async made(picture: Picture, key: string, as: RenditionName): Promise<Buffer | undefined> {
    const { store, logger, make = pictureAs } = this.parts;
    const leave = await this.places.acquire(picture.store_id, AbortSignal.timeout(WAIT_MS));
    try {
      const original = await store.get(picture.key);
      if (!original) throw new NotFound('File not found');
      const bytes = await make(original, as).catch((error: unknown) => {
        logger.info('no other size can be made of a picture', { key, error });
        this.hopeless.set(key, true);
      });
      if (bytes) await putBytes(store, { key, bytes });
      return bytes ?? undefined;
    } finally {
      leave();
    }
  }

  private async original({ key, mime }: Picture, headers: StoredFileOptions['headers'], cacheControl: string) {
    const { store } = this.parts;
    const elsewhere = store.publicUrl(key);
    if (elsewhere !== undefined)
      return new Reply(new Redirect(elsewhere), { headers: { 'Cache-Control': cacheControl } });
    const answer = await store.serve(key, { mimetype: mime, headers, cacheControl });
    if (!answer) throw new NotFound('File not found');
    return answer;
  }
}
