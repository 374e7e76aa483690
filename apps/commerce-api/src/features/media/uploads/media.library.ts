import { extname } from 'node:path';
import { listingOf, type Database, type ListedPage, type Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { extensionOf, Reply, type StoredFileOptions, type Upload } from '@platform/http';
import { hasVisible, isUuid, uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import type { OpenedFile } from '../../../endpoint';
import { ownersId } from '../../../owners-id';
import { refusals } from '../../../refusals';
import { deleteWhole, type ObjectStore } from '../storage/public';
import { MediaArrivals } from './media.arrivals';
import { keptWith } from './kept.with';
import { hashOf } from './media.hash';
import { filePlaces } from './media.quota';
import {
  accept,
  acceptedType,
  audienceOf,
  mediaRefusals,
  PUBLIC,
  sweptWhenHidden,
  sweptWhenNew,
  type Kept,
} from './media.rules';
import { untellFile } from './untold';
import { ShelfQuery, type Media } from './uploads.dto';

interface Stored extends Omit<Media, 'url' | 'bytes' | 'created_at'> {
  readonly key: string;
  readonly store_id: string;
  readonly bytes: string;
  readonly created_at: Date;
}
const COLUMNS = 'm.id, m.store_id, m.key, m.name, m.mime, m.bytes, m.width, m.height, m.purpose, m.refs, m.created_at';

const listing = listingOf(ShelfQuery, {
  from: `(SELECT * FROM media WHERE purpose NOT IN ('avatar', 'report') AND confirmed_at IS NOT NULL) m`,
  tenant: 'm.store_id',
  select: COLUMNS,
  sort: { created_at: 'm.created_at' },
  usualSort: '-created_at',
  tie: 'm.id',
  where: { purpose: 'm.purpose = ?', mime: 'm.mime = ?', without: 'm.purpose <> ALL (?::text[])' },
  read: (row: Stored) => row,
});
export const mediaStatements = listing.statements.bind(listing);

const INSERT = `INSERT INTO media AS m (store_id, id, key, name, mime, bytes, sha256, purpose, created_at, confirmed_at, sweep_after)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${COLUMNS}`;

interface NewRow extends Pick<Media, 'name' | 'mime' | 'bytes'> {
  readonly purpose: Kept;
  readonly key: string;
  readonly sha256: string;
  readonly confirmedAt: Date | null;
  readonly sweepAfter: Date | null;
}

/** Bytes that lie there and are no file of anybody yet. */
export type Laid = Readonly<NewRow>;

/** A file that was written here. */
export interface Made extends Pick<NewRow, 'name' | 'mime' | 'bytes' | 'purpose'> {
  readonly path: string;
  readonly extension: string;
}

/** Part of the transaction that adds a file. */
type Committed = (tx: Sql, media: Media) => Promise<void>;

/** A file that will come, and the key under which it is awaited. */
export interface Announced extends Pick<Media, 'id' | 'mime'> {
  readonly key: string;
}

/** What an upload that never came is given to come; its link has ended long before. */
const AWAITED_MS = 3_600_000;

const FOR_MESSAGE = `SELECT key, name, mime FROM media
  WHERE store_id = $1 AND id = $2 AND purpose = 'message' AND confirmed_at IS NOT NULL`;

/** A file that goes with a message. */
export interface MessageFile extends Pick<Stored, 'key' | 'name' | 'mime'> {
  /** Where everybody sees it. */
  readonly url: string;
}

/** What came as an upload. Throws `InvalidInput` without one, and `UnsupportedMedia`. */
const madeOf = async (upload: Upload | undefined, purpose: Kept): Promise<Made> => {
  if (!upload) throw new InvalidInput([{ field: 'file', tag: 'required', message: 'file is a required field' }]);
  const { mimetype: mime, extension } = await acceptedType(upload.path, purpose);
  const { originalName: name, size: bytes, path } = upload;
  return { name, mime, bytes, purpose, path, extension };
};

/** Where files lie, and where they are seen. */
export interface Shelves {
  readonly store: ObjectStore;
  /** Of the shop's pages; empty: addresses are paths. */
  readonly publicUrl: string;
}

const nameOf = (name: string, key: string): string =>
  hasVisible(name) ? name.replace(/\p{Cc}/gu, '').trim() : `file${extname(key)}`;

/** The files of stores: their rows, their bytes in a store, and their place in what a store may keep. */
export class MediaLibrary {
  readonly arrivals: MediaArrivals;

  constructor(
    private readonly database: Pick<Database, 'tx'> & Sql,
    private readonly shelves: Shelves,
  ) {
    this.arrivals = new MediaArrivals({ database, store: shelves.store });
  }

  /** Where everybody sees a public file. */
  urlOf(storeId: string, key: string): string {
    const { store, publicUrl } = this.shelves;
    return store.publicUrl(key) ?? `${publicUrl}/blob/${storeId}/${key}`;
  }

  /** Keeps an upload. Throws `UnsupportedMedia` for what its first bytes say it is, whatever its name says, and `plan_limit`. */
  async keep(by: By, upload: Upload | undefined, purpose: Kept): Promise<Media> {
    return this.keepMade(by, await madeOf(upload, purpose), () => Promise.resolve());
  }

  /** The same once for each form, which `key` names: sent again with this file it is the one that lies there. */
  async keepOnce(by: By, key: string, upload: Upload | undefined, purpose: Kept): Promise<Media> {
    const row = await this.lay(by, upload, purpose);
    const id = ownersId(by, `file ${row.sha256}`, { 'idempotency-key': key });
    const parts = { database: this.database, store: this.shelves.store };
    return keptWith(parts, row.key, (tx) => this.add(tx, by, row, id)).catch((failure: unknown) =>
      this.find(this.database, by.storeId, id).catch(() => {
        throw failure;
      }),
    );
  }

  /** The same in two steps, for a form that counts once: its bytes lie there, and are swept as a stray unless `enter` names them. */
  async lay(by: By, upload: Upload | undefined, purpose: Kept): Promise<Laid> {
    return this.laid(by, await madeOf(upload, purpose));
  }

  /** In the caller's transaction: what was laid becomes a file of the store. Throws `plan_limit`. */
  enter(tx: Sql, by: By, laid: Laid): Promise<Media> {
    return this.add(tx, by, laid);
  }

  /** Keeps a file that was written here; `committed` is part of its transaction. Throws `plan_limit`, and what `committed` throws: then it is not kept. */
  async keepMade(by: By, made: Made, committed: Committed): Promise<Media> {
    const row = await this.laid(by, made);
    return keptWith({ database: this.database, store: this.shelves.store }, row.key, async (tx) => {
      const media = await this.add(tx, by, row);
      await committed(tx, media);
      return media;
    });
  }

  private async laid(by: By, { path, extension, ...file }: Made): Promise<Laid> {
    const { store } = this.shelves;
    const key = store.keyFor({ storeId: by.storeId, extension, audience: audienceOf(file.purpose) });
    // What everybody sees tells nobody where it was taken
    const bytes = (PUBLIC.includes(file.purpose) ? await untellFile(path, file.mime) : undefined) ?? file.bytes;
    const sha256 = await hashOf(path);
    await store.put(key, path, file.mime);
    return { ...file, bytes, key, sha256, confirmedAt: by.at, sweepAfter: sweptWhenNew(file.purpose, by.at) };
  }

  /** A file that will come: its place is taken from now on. Throws `UnsupportedMedia` and `plan_limit`. */
  async announce(by: By, { mime, ...file }: Pick<NewRow, 'name' | 'mime' | 'bytes' | 'purpose'>): Promise<Announced> {
    const type = mime.toLowerCase();
    accept(type, file.purpose);
    const { store } = this.shelves;
    const parts = { storeId: by.storeId, extension: extensionOf(type) };
    const key = store.direct?.incomingKey(parts) ?? store.keyFor({ ...parts, audience: audienceOf(file.purpose) });
    const sweepAfter = new Date(by.at.getTime() + AWAITED_MS);
    const row = { ...file, mime: type, key, sha256: '', confirmedAt: null, sweepAfter };
    const { id } = await this.database.tx((tx) => this.add(tx, by, row));
    return { id, mime: type, key };
  }

  async list(storeId: string, query: ShelfQuery): Promise<ListedPage<Media>> {
    const page = await listing.page(this.database, storeId, query);
    return { ...page, rows: page.rows.map((row) => this.shown(row)) };
  }

  /** Throws `in_use`, and `NotFound` also for another store's. */
  async delete(by: By, id: string): Promise<void> {
    await deleteWhole(this.shelves.store, await this.database.tx((tx) => this.drop(tx, by, id)));
  }

  /**
   * In the caller's transaction: it is no file of the store any more; resolves to the key of its bytes, which are swept as a stray unless
   * somebody deletes them. Throws `in_use` and `NotFound`.
   */
  async drop(tx: Sql, { storeId }: By, id: string): Promise<string> {
    const remove = 'DELETE FROM media WHERE store_id = $1 AND id = $2 AND refs = 0 RETURNING key, bytes';
    const [row] = await tx.query<Pick<Stored, 'key' | 'bytes'>>(remove, [storeId, id]);
    if (!row) {
      const known = await tx.query('SELECT 1 FROM media WHERE store_id = $1 AND id = $2', [storeId, id]);
      throw known.length > 0 ? mediaRefusals.inUse() : new NotFound('File not found');
    }
    await filePlaces.giveBack(tx, storeId, [Number(row.bytes)]);
    return row.key;
  }

  /** The public file of a store as an answer; throws `NotFound`. */
  async serve(storeId: string, key: string, headers: StoredFileOptions['headers']) {
    const find = `SELECT mime FROM media WHERE store_id = $1 AND key = $2 AND purpose = ANY ($3) AND confirmed_at IS NOT NULL`;
    const [row] = await this.database.query<{ mime: string }>(find, [storeId, key, PUBLIC]);
    const cacheControl = 'public, max-age=31536000, immutable';
    const answer = row && (await this.shelves.store.serve(key, { mimetype: row.mime, headers, cacheControl }));
    if (answer) return answer;
    throw new NotFound('File not found');
  }

  /** A private file as an answer that nobody may keep; throws `NotFound`. */
  async servePrivately({ key, mime, filename }: OpenedFile, headers: StoredFileOptions['headers']) {
    const answer = await this.shelves.store.serve(key, {
      ...{ mimetype: mime, headers, filename, cacheControl: 'private, no-store' },
    });
    if (!answer) throw new NotFound('File not found');
    const { value, options } = answer;
    // Its address is a secret
    return new Reply(value, { ...options, headers: { ...options.headers, 'Referrer-Policy': 'no-referrer' } });
  }

  /** In the caller's transaction: pictures of the store that are shown once more, in the given order. Throws `NotFound`. */
  async show(tx: Sql, storeId: string, ids: readonly string[]): Promise<Media[]> {
    const update = `UPDATE media m SET refs = m.refs + 1 WHERE m.store_id = $1 AND m.id = ANY ($2::uuid[]) AND m.purpose = 'product'
      AND m.confirmed_at IS NOT NULL RETURNING ${COLUMNS}`;
    const known = await tx.query<Stored>(update, [storeId, ids.filter(isUuid)]);
    const rows = new Map(known.map((row) => [row.id, row]));
    return ids.map((id, index) => {
      const row = rows.get(id.toLowerCase());
      if (row && ids.findIndex((other) => other.toLowerCase() === row.id) === index) return this.shown(row);
      throw refusals.notHere(`media_ids[${index}]`, 'is not a product picture of this store');
    });
  }

  /** In the caller's transaction: a file is shown once less. The last time it begins to be swept. */
  async hide(tx: Sql, { storeId, at }: By, id: string): Promise<void> {
    const update = `UPDATE media SET refs = refs - 1, sweep_after = ${sweptWhenHidden('$3')} WHERE store_id = $1 AND id = $2`;
    await tx.query(update, [storeId, id, at]);
  }

  /** The same of what must not be kept for longer than it is needed: the next sweep takes it. */
  async forget(tx: Sql, { storeId, at }: By, ids: readonly string[]): Promise<void> {
    const update = 'UPDATE media SET refs = refs - 1, sweep_after = $3 WHERE store_id = $1 AND id = ANY ($2::uuid[])';
    await tx.query(update, [storeId, ids, at]);
  }

  /** In the caller's transaction: a file that one more row names, so that it cannot be deleted before that. Throws `NotFound`. */
  async hold(tx: Sql, storeId: string, id: string): Promise<Media> {
    const update = `UPDATE media m SET refs = m.refs + 1 WHERE m.store_id = $1 AND m.id = $2 AND m.confirmed_at IS NOT NULL RETURNING ${COLUMNS}`;
    return this.found(await tx.query<Stored>(update, [storeId, id]));
  }

  /** Throws `NotFound`, also for another store's. */
  async find(sql: Sql, storeId: string, id: string): Promise<Media> {
    const select = `SELECT ${COLUMNS} FROM media m WHERE m.store_id = $1 AND m.id = $2 AND m.confirmed_at IS NOT NULL`;
    return this.found(await sql.prepared<Stored>('media by id', select, [storeId, id]));
  }

  /** What was uploaded to be sent to customers. Undefined for any other file, also of another store. */
  async forMessage(storeId: string, id: string): Promise<MessageFile | undefined> {
    type Row = Pick<Stored, 'key' | 'name' | 'mime'>;
    const [row] = await this.database.prepared<Row>('message file', FOR_MESSAGE, [storeId, id]);
    return row && { ...row, url: this.urlOf(storeId, row.key) };
  }

  /** Throws `NotFound` when its bytes are gone. */
  async bytesOf({ key }: Pick<MessageFile, 'key'>): Promise<Buffer> {
    const bytes = await this.shelves.store.get(key);
    if (!bytes) throw new NotFound('File not found');
    return bytes;
  }

  private found([row]: readonly Stored[]): Media {
    if (row) return this.shown(row);
    throw new NotFound('File not found');
  }

  /** A row and its place commit together. */
  private async add(tx: Sql, { storeId, at }: By, row: NewRow, id = uuidv7()): Promise<Media> {
    const { key, name, mime, bytes, sha256, purpose, confirmedAt, sweepAfter } = row;
    const values = [storeId, id, key, nameOf(name, key), mime, bytes, sha256, purpose, at, confirmedAt, sweepAfter];
    await filePlaces.take(tx, storeId, bytes);
    const [added] = await tx.query<Stored>(INSERT, values);
    return this.shown(added as Stored);
  }

  private shown({ key, store_id, bytes, created_at, ...row }: Stored): Media {
    const url = PUBLIC.includes(row.purpose) ? this.urlOf(store_id, key) : null;
    return { ...row, url, bytes: Number(bytes), created_at: created_at.toISOString() };
  }
}
