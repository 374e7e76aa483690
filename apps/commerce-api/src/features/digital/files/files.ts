import type { Database, Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import type { Upload } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import { audited, type Writer } from '../../../by';
import { refusals } from '../../../refusals';
import type { PrivateFiles } from '../../media/links/public';
import type { Media, MediaLibrary } from '../../media/uploads/public';
import { demandDigital, lockDigital } from '../terms/public';
import type { DigitalFile } from './files.dto';

export type { MediaLibrary, PrivateFiles };

const MOST_FILES = 20;

export const fileRefusals = {
  tooMany: (): Failure => new Conflict(`A digital product has at most ${MOST_FILES} files`, { code: 'too_many_files' }),
  attached: (): Failure => new Conflict('The product has this file already', { code: 'already_attached' }),
} as const;

/** Shows files as their caller may see them. */
export interface FileViewer {
  shownTo(caller: Caller, file: DigitalFile): DigitalFile;
}

const OF_PRODUCT = `
  SELECT a.id, a.created_at, m.id AS media_id, m.name, m.mime, m.bytes, m.width, m.height, m.purpose, m.refs, m.created_at AS uploaded_at
  FROM digital_asset a JOIN media m ON m.store_id = a.store_id AND m.id = a.media_id
  WHERE a.store_id = $1 AND a.product_id = $2 AND a.removed_at IS NULL ORDER BY a.id`;

interface Row extends Pick<Media, 'name' | 'mime' | 'width' | 'height' | 'purpose' | 'refs'> {
  readonly id: string;
  readonly media_id: string;
  readonly bytes: string;
  readonly created_at: Date;
  readonly uploaded_at: Date;
}

const fileOf = ({ id, created_at, media_id, bytes, uploaded_at, ...media }: Row): DigitalFile => ({
  id,
  media: { ...media, id: media_id, url: null, bytes: Number(bytes), created_at: uploaded_at.toISOString() },
  created_at: created_at.toISOString(),
});

/** What is sold of a product, in the order in which it was added; nobody has a link to it yet. */
export const filesOf = async (sql: Sql, storeId: string, productId: string): Promise<DigitalFile[]> =>
  (await sql.prepared<Row>('files of product', OF_PRODUCT, [storeId, productId])).map(fileOf);

const INSERT = `INSERT INTO digital_asset (store_id, id, product_id, media_id, created_at) VALUES ($1, $2, $3, $4, $5)`;
/** A file that somebody has bought stays for them; $1 store, $2 product, $3 file, $4 now. */
const REMOVE = `
  WITH found AS (
    SELECT a.id, a.media_id, EXISTS (SELECT FROM digital_delivery d WHERE d.store_id = $1 AND d.asset_id = a.id) AS sold FROM digital_asset a
    WHERE a.store_id = $1 AND a.product_id = $2 AND a.id = $3 AND a.removed_at IS NULL
  ), kept AS (
    UPDATE digital_asset a SET removed_at = $4 FROM found WHERE a.store_id = $1 AND a.id = found.id AND found.sold
  ), gone AS (
    DELETE FROM digital_asset a USING found WHERE a.store_id = $1 AND a.id = found.id AND NOT found.sold
  ) SELECT media_id, sold FROM found`;

const wrong = (field: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'file', message: `${field} ${text}` }]);

/** Files of digital products. Every change is made under the product's lock. */
export class DigitalFiles implements FileViewer {
  constructor(
    private readonly database: Pick<Database, 'tx'> & Sql,
    private readonly media: Pick<MediaLibrary, 'keep' | 'hold' | 'hide'>,
    private readonly privately: PrivateFiles,
  ) {}

  shownTo(caller: Caller, file: DigitalFile): DigitalFile {
    return { ...file, media: this.privately.shownTo(caller, file.media) };
  }

  /**
   * Adds a file that comes with the request, or one that was uploaded before. Throws `NotFound`, `too_many_files`, `already_attached`,
   * `InvalidInput` for both and for none, and what the library refuses.
   */
  async attach(by: Writer, productId: string, upload: Upload | undefined, mediaId?: string): Promise<DigitalFile> {
    if (upload !== undefined && mediaId !== undefined) throw wrong('media_id', 'or a file is required, not both');
    const kept = mediaId ?? (await this.bring(by, productId, upload));
    return this.database.tx(async (tx) => {
      await lockDigital(tx, by.storeId, productId);
      const before = await filesOf(tx, by.storeId, productId);
      if (before.length >= MOST_FILES) throw fileRefusals.tooMany();
      if (before.some(({ media }) => media.id === kept.toLowerCase())) throw fileRefusals.attached();
      const held = await this.held(tx, by.storeId, kept);
      const id = uuidv7();
      await tx.query(INSERT, [by.storeId, id, productId, held.id, by.at]);
      const file = { id, name: held.name };
      await audited(tx, by, { action: 'digital.write', type: 'product', id: productId, before: {}, after: { file } });
      return { id, media: held, created_at: by.at.toISOString() };
    });
  }

  /**
   * Stores a file that is to be attached; resolves to its id. One that nobody attaches is swept. Throws `NotFound`, `InvalidInput` without a
   * file, and what the library refuses.
   */
  async bring(by: Writer, productId: string, upload: Upload | undefined): Promise<string> {
    // Nothing is stored for a product that is not there
    await demandDigital(this.database, by.storeId, productId);
    if (upload === undefined) throw wrong('media_id', 'or a file is required, not both');
    return (await this.media.keep(by, upload, 'digital')).id;
  }

  /** It is sold no more; whoever has bought it keeps it. Throws `NotFound`. */
  async remove(by: Writer, productId: string, fileId: string): Promise<void> {
    await this.database.tx(async (tx) => {
      await lockDigital(tx, by.storeId, productId);
      type Found = { readonly media_id: string; readonly sold: boolean };
      const [found] = await tx.query<Found>(REMOVE, [by.storeId, productId, fileId, by.at]);
      if (!found) throw new NotFound('File not found');
      if (!found.sold) await this.media.hide(tx, by, found.media_id);
      const file = { id: fileId };
      await audited(tx, by, { action: 'digital.write', type: 'product', id: productId, before: { file }, after: {} });
    });
  }

  private async held(tx: Sql, storeId: string, id: string): Promise<Media> {
    const media = await this.media.hold(tx, storeId, id).catch((failure: unknown) => {
      throw failure instanceof NotFound ? notDigital() : failure;
    });
    if (media.purpose !== 'digital') throw notDigital();
    return media;
  }
}

const notDigital = (): Failure => refusals.notHere('media_id', 'is not a digital file of this store');
