import { listingOf, type Database, type ListedPage, type Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, UnsupportedMedia, type Failure } from '@platform/errors';
import { mediaTypeOfFile, type MediaType, type Upload } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import type { MediaDisk } from './media.disk';
import { MediaQuery, type Media, type Purpose } from './uploads.dto';

/** Pictures of people are uploaded as such alone. */
type Kept = Purpose | 'avatar';

const PICTURE = /^image\/(jpeg|png|webp|gif)$/;
const PAPER = /^(image\/(jpeg|png|webp)|application\/pdf)$/;
/** By what the first bytes say; SVG and HTML can run scripts, and programs are nobody's goods. */
const ACCEPTED: Readonly<Record<Kept, RegExp>> = {
  product: PICTURE,
  logo: PICTURE,
  document: PAPER,
  proof: PAPER,
  avatar: /^image\/(jpeg|png|webp)$/,
  message: /^(image\/(?!svg)|audio\/|video\/|application\/(pdf|zip)$)/,
  digital: /^(image\/(?!svg)|audio\/|video\/|text\/plain$|application\/(pdf|zip|gzip|x-ole-storage)$)/,
};
const PUBLIC: readonly Kept[] = ['product', 'logo', 'message', 'avatar'];

export const mediaRefusals = {
  wrongType: (): Failure => new UnsupportedMedia('A file of this type is not accepted here'),
  inUse: (): Failure => new Conflict('The file is in use', { code: 'in_use' }),
} as const;

interface Stored extends Omit<Media, 'url' | 'bytes' | 'created_at'> {
  readonly key: string;
  readonly store_id: string;
  readonly bytes: string;
  readonly created_at: Date;
}
const COLUMNS = 'm.id, m.store_id, m.key, m.name, m.mime, m.bytes, m.width, m.height, m.purpose, m.refs, m.created_at';

const listing = listingOf(MediaQuery, {
  from: `(SELECT * FROM media WHERE purpose <> 'avatar') m`,
  tenant: 'm.store_id',
  select: COLUMNS,
  sort: { created_at: 'm.created_at' },
  usualSort: '-created_at',
  tie: 'm.id',
  where: { purpose: 'm.purpose = ?', mime: 'm.mime = ?' },
  read: (row: Stored) => row,
});
export const mediaStatements = listing.statements.bind(listing);

const INSERT = `INSERT INTO media AS m (store_id, id, key, name, mime, bytes, sha256, purpose, confirmed_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) RETURNING ${COLUMNS}`;

/** The files of stores: their rows, and their bytes on a disk. */
export class MediaLibrary {
  constructor(
    private readonly database: Pick<Database, 'tx'> & Sql,
    private readonly disk: MediaDisk,
    private readonly publicUrl = '',
  ) {}

  /** Keeps an upload. Throws `UnsupportedMedia` for what its first bytes say it is, whatever its name says. */
  async keep({ storeId, at }: By, upload: Upload | undefined, purpose: Kept): Promise<Media> {
    if (!upload) throw new InvalidInput([{ field: 'file', tag: 'required', message: 'file is a required field' }]);
    const type = await this.accepted(upload, purpose);
    const { key, sha256 } = await this.disk.keep(upload.path, type.extension);
    const name = upload.originalName.trim() || 'file';
    const values = [storeId, uuidv7(), key, name, type.mimetype, upload.size, sha256, purpose, at];
    try {
      const [row] = await this.database.query<Stored>(INSERT, values);
      return this.shown(row as Stored);
    } catch (error) {
      await this.disk.discard(key);
      throw error;
    }
  }

  async list(storeId: string, query: MediaQuery): Promise<ListedPage<Media>> {
    const page = await listing.page(this.database, storeId, query);
    return { ...page, rows: page.rows.map((row) => this.shown(row)) };
  }

  /** Throws `in_use`, and `NotFound` also for another store's. */
  async delete({ storeId }: By, id: string): Promise<void> {
    const remove = 'DELETE FROM media WHERE store_id = $1 AND id = $2 AND refs = 0 RETURNING key';
    const [gone] = await this.database.query<{ key: string }>(remove, [storeId, id]);
    if (gone) return this.disk.discard(gone.key);
    const known = await this.database.query('SELECT 1 FROM media WHERE store_id = $1 AND id = $2', [storeId, id]);
    throw known.length > 0 ? mediaRefusals.inUse() : new NotFound('File not found');
  }

  /** The public file of a store as an answer; throws `NotFound`. */
  async serve(storeId: string, key: string, headers: Parameters<MediaDisk['serve']>[1]['headers']) {
    const find = 'SELECT mime FROM media WHERE store_id = $1 AND key = $2 AND purpose = ANY ($3)';
    const [row] = await this.database.query<{ mime: string }>(find, [storeId, key, PUBLIC]);
    const cacheControl = 'public, max-age=31536000, immutable';
    const answer = row && (await this.disk.serve(key, { mimetype: row.mime, headers, cacheControl }));
    if (answer) return answer;
    throw new NotFound('File not found');
  }

  /** In the caller's transaction: pictures of the store that are shown once more, in the given order. Throws `InvalidInput`. */
  async show(tx: Sql, storeId: string, ids: readonly string[]): Promise<Media[]> {
    const update = `UPDATE media m SET refs = m.refs + 1 WHERE m.store_id = $1 AND m.id = ANY ($2::uuid[]) AND m.purpose = 'product' RETURNING ${COLUMNS}`;
    const rows = new Map((await tx.query<Stored>(update, [storeId, ids])).map((row) => [row.id, row]));
    return ids.map((id, index) => {
      const row = rows.get(id.toLowerCase());
      if (row && ids.findIndex((other) => other.toLowerCase() === row.id) === index) return this.shown(row);
      const field = `media_ids[${index}]`;
      throw new InvalidInput([{ field, tag: 'exists', message: `${field} is not a product picture of this store` }]);
    });
  }

  /** In the caller's transaction: a picture is shown once less. */
  async hide(tx: Sql, storeId: string, id: string): Promise<void> {
    await tx.query('UPDATE media SET refs = refs - 1 WHERE store_id = $1 AND id = $2', [storeId, id]);
  }

  /** In the caller's transaction: a file that one more row names, so that it cannot be deleted before that. Throws `NotFound`. */
  async hold(tx: Sql, storeId: string, id: string): Promise<Media> {
    const update = `UPDATE media m SET refs = m.refs + 1 WHERE m.store_id = $1 AND m.id = $2 RETURNING ${COLUMNS}`;
    return this.found(await tx.query<Stored>(update, [storeId, id]));
  }

  /** Throws `NotFound`, also for another store's. */
  async find(sql: Sql, storeId: string, id: string): Promise<Media> {
    const select = `SELECT ${COLUMNS} FROM media m WHERE m.store_id = $1 AND m.id = $2`;
    return this.found(await sql.query<Stored>(select, [storeId, id]));
  }

  private found([row]: readonly Stored[]): Media {
    if (row) return this.shown(row);
    throw new NotFound('File not found');
  }

  private async accepted({ path }: Upload, purpose: Kept): Promise<MediaType> {
    const type = await mediaTypeOfFile(path);
    if (ACCEPTED[purpose].test(type.mimetype)) return type;
    throw mediaRefusals.wrongType();
  }

  private shown({ key, store_id, bytes, created_at, ...row }: Stored): Media {
    const url = PUBLIC.includes(row.purpose) ? `${this.publicUrl}/blob/${store_id}/${key}` : null;
    return { ...row, url, bytes: Number(bytes), created_at: created_at.toISOString() };
  }
}
